// Rows that go there and back: the middle of Bluestein's algorithm through memory. What stands between the passes
// there, the product with the chirp's spectrum and the passes back stays in the cache.
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/factor_sequence.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::host {
namespace {

bool is_plain(plan::Stage stage) {
  stage.store_factor.reset();
  return is_plain_load(stage) && is_plain_store(stage) && stage.input_stride == 2 && stage.output_stride == 2;
}

template <class T>
class ReturningWorker final : public StageWorker {
 public:
  using Complex = std::complex<T>;

  ReturningWorker(const plan::Stage& stage, const WorkerOptions& options)
      : length_(stage.length),
        loops_(stage, StageLoops::no_loop, 1),
        multiply_(find_combinations<T>(options.targets).multiply_interleaved) {
    WorkerOptions in_cache{.targets = options.targets,
                           .first_cache = options.first_cache,
                           .core_cache = options.core_cache,
                           .in_place = options.in_place};
    there_ = make_worker(line_by_itself(stage, stage.direction, 1), in_cache);
    in_cache.in_place = options.large_core_cache();
    back_ = make_worker(line_by_itself(stage, plan::opposite(stage.direction), stage.scale), in_cache);
    take_spectrum(*stage.store_factor, options.targets);
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = loops_.item(i).position;
      T* const row = reinterpret_cast<T*>(output) + position.output;
      auto* const bytes = reinterpret_cast<std::byte*>(row);
      there_->call(reinterpret_cast<const std::byte*>(reinterpret_cast<const T*>(input) + position.input), bytes);
      multiply_(spectrum_.data() + 2 * length_ * static_cast<std::size_t>(position.store_factor), length_, row);
      back_->call(bytes, bytes);
    }
  }

 private:
  // The values of a row next to each other: in their own order those of neighbouring rows are.
  void take_spectrum(const plan::Factor& factor, std::int64_t targets) {
    constexpr std::size_t tile = cache_line / sizeof(Complex);  // fewer rows than share a set of a cache
    const auto values = factor_sequence<T>(factor, targets);
    const auto rows = static_cast<std::size_t>(factor.element_stride);
    spectrum_ = AlignedArray<T>(2 * rows * length_);
    auto* const spectrum = reinterpret_cast<Complex*>(spectrum_.data());
    for (std::size_t first = 0; first < rows; first += tile) {
      for (std::size_t k = 0; k < length_; ++k) {
        for (std::size_t row = first; row < std::min(first + tile, rows); ++row) {
          spectrum[row * length_ + k] = (*values)[k * rows + row];
        }
      }
    }
  }

  std::size_t length_;
  StageLoops loops_;
  void (*multiply_)(const T* values, std::size_t count, T* line);
  std::unique_ptr<StageWorker> there_;
  std::unique_ptr<StageWorker> back_;  // with the stage's scale
  AlignedArray<T> spectrum_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_returning_worker(const plan::Stage& stage, const WorkerOptions& options) {
  if (!is_plain(stage)) {
    throw Unsupported(
        fmt::format("the host goes there and back along rows of adjacent numbers alone (step '{}')", stage.step));
  }
  return std::make_unique<ReturningWorker<T>>(stage, options);
}

template std::unique_ptr<StageWorker> make_returning_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_returning_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_returning_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
