// Short lines by convolution, one after the other: complex numbers are moved as such, and what is convolved goes
// through the passes of short lines (packed_line_worker.cpp) on the way there and back.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/exact_tables.hpp"
#include "backend/host/packed_factors.hpp"
#include "backend/host/packed_passes.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/widened_reals.hpp"
#include "plan/recipe/host_vectors.hpp"

namespace twiddle::backend::host {
namespace {

// Of a convolution by vectors of 64 bytes; longer ones are better off in planes. 65 lengths of up to so many bytes take
// 0.64 to 1.1 of their time (mean 0.84) on a Xeon, longer ones 0.9 to 1.25; by AVX2 those of 131 to 677 points 0.56 to
// 1.2 (mean 0.76).
constexpr std::size_t longest_bytes_by_long_vectors = 5440;

// A line of complex numbers as long as the convolution, alone in memory.
plan::Stage line_of_points(const plan::Stage& stage, Direction direction) {
  plan::Stage line = line_by_itself(stage, direction, 1);
  line.length = stage.convolution->points;
  return in_scalars(std::move(line));
}

template <class T>
class PackedConvolutionWorker final : public StageWorker {
 public:
  using Complex = std::complex<T>;

  // By passes that serve lines of the convolution's points in either direction.
  PackedConvolutionWorker(const plan::Stage& stage, const ContiguousLine& line, std::unique_ptr<StageWorker> there,
                          std::unique_ptr<StageWorker> back, std::int64_t targets)
      : kind_(line.kind),
        length_(stage.length),
        points_(stage.convolution->points),
        numbers_(vector_lanes<T>(targets) / 2),
        scale_(static_cast<T>(stage.scale)),
        loops_(stage, StageLoops::no_loop, 1),
        there_(std::move(there)),
        back_(std::move(back)),
        product_(find_packed<T>(PackedKind::product, 0, targets)) {
    take_convolution_tables<T>(*stage.convolution, length_, stage.direction, targets, [&](const auto& tables) {
      spectrum_ = packed_factors<T>(tables.spectrum, numbers_, stage.scale);
      chirp_ = packed_factors<T>(tables.chirp, numbers_, 1);
      load_order_ = tables.load_order;
      result_places_ = places_of_results(tables.store_order);
    });
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    const std::size_t room = whole(points_) + cache_line / sizeof(Complex);
    auto* const line = static_cast<Complex*>(thread_scratch((2 * room + length_) * sizeof(Complex)));
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = loops_.item(i).position;
      const T* const from = reinterpret_cast<const T*>(input) + position.input;
      T* const to = reinterpret_cast<T*>(output) + position.output;
      const Complex* const source = complex_line(from, line + 2 * room);
      load_order_.empty() ? bluestein(source, line, line + room, to) : rader(source, line, line + room, to);
    }
  }

 private:
  std::size_t whole(std::size_t count) const { return (count + numbers_ - 1) / numbers_ * numbers_; }

  void multiply(const AlignedArray<T>& factors, std::size_t count, Complex* line) const {
    PackedCall<T> call;
    call.columns = count;
    call.factors = factors.data();
    T* const scalars = reinterpret_cast<T*>(line);
    product_(call, nullptr, scalars, scalars);
  }

  // From one line to another.
  static void transform(const StageWorker& passes, const Complex* from, Complex* to) {
    passes.call(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to));
  }

  // What is transformed, in `line` unless memory has it like that.
  const Complex* complex_line(const T* from, Complex* line) const {
    if (kind_ == ShortRowsKind::complex) return reinterpret_cast<const Complex*>(from);
    widen_reals(kind_, from, length_, reinterpret_cast<T*>(line));
    return line;
  }

  // Results k of result(k), as many as are wanted, of which reals have no other part.
  template <class Result>
  void store(const Result& result, T* to) const {
    if (kind_ == ShortRowsKind::reals_back) {
      for (std::size_t k = 0; k < length_; ++k) to[k] = result(k).real();
      return;
    }
    const std::size_t count = kind_ == ShortRowsKind::reals ? length_ / 2 + 1 : length_;
    auto* const results = reinterpret_cast<Complex*>(to);
    for (std::size_t k = 0; k < count; ++k) results[k] = result(k);
  }

  void bluestein(const Complex* source, Complex* line, Complex* other, T* to) const {
    std::copy_n(source, length_, line);
    multiply(chirp_, length_, line);
    std::fill(line + length_, line + points_, Complex());
    transform(*there_, line, other);
    multiply(spectrum_, points_, other);
    transform(*back_, other, line);
    multiply(chirp_, length_, line);
    store([line](std::size_t k) { return line[k]; }, to);
  }

  void rader(const Complex* source, Complex* line, Complex* other, T* to) const {
    const Complex first = source[0];
    for (std::size_t q = 0; q < points_; ++q) std::memcpy(line + q, source + load_order_[q], sizeof(Complex));
    transform(*there_, line, other);
    const Complex sum = (first + other[0]) * scale_;
    other[0] -= first * static_cast<T>(points_);  // spectrum[0] is -1 / points: the first element joins every sum
    multiply(spectrum_, points_, other);
    transform(*back_, other, line);
    const std::uint32_t* const places = result_places_.data();
    store([=](std::size_t k) { return k == 0 ? sum : line[places[k]]; }, to);
  }

  ShortRowsKind kind_;
  std::size_t length_;
  std::size_t points_;
  std::size_t numbers_;  // of a vector
  T scale_;
  StageLoops loops_;
  std::unique_ptr<StageWorker> there_;
  std::unique_ptr<StageWorker> back_;
  PackedFunction<T> product_;
  AlignedArray<T> spectrum_;                  // times the scale
  AlignedArray<T> chirp_;                     // Bluestein
  std::vector<std::uint32_t> load_order_;     // Rader
  std::vector<std::uint32_t> result_places_;  // likewise, of all results but the first
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_packed_convolution_worker(const plan::Stage& stage, const WorkerOptions& options) {
  plan::Stage plain = stage;
  plain.convolution.reset();
  const auto line = contiguous_line(plain);
  if (!line || line->length != stage.length) return nullptr;  // pairs of reals have a map
  const bool long_vectors = vector_lanes<T>(options.targets) * sizeof(T) == plan::long_vector_bytes;
  const std::size_t bytes = stage.convolution->points * sizeof(std::complex<T>);
  if (long_vectors && bytes > longest_bytes_by_long_vectors) return nullptr;
  if (find_packed<T>(PackedKind::product, 0, options.targets) == nullptr) return nullptr;
  const WorkerOptions alone{
      .targets = options.targets, .first_cache = options.first_cache, .core_cache = options.core_cache};
  auto there = make_packed_line_worker<T>(line_of_points(stage, stage.direction), alone);
  auto back = make_packed_line_worker<T>(line_of_points(stage, plan::opposite(stage.direction)), alone);
  if (!there || !back) return nullptr;
  return std::make_unique<PackedConvolutionWorker<T>>(stage, *line, std::move(there), std::move(back), options.targets);
}

template std::unique_ptr<StageWorker> make_packed_convolution_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_packed_convolution_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_packed_convolution_worker<long double>(const plan::Stage&,
                                                                                  const WorkerOptions&);

}  // namespace twiddle::backend::host
