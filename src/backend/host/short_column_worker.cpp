// Short columns of complex numbers: what small images and volumes have beside their rows. Bundles take them apart into
// planes and put them together again, which takes longer than a butterfly.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "backend/host/packed_columns.hpp"
#include "backend/host/pass.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t bytes_of_item = 16384;  // about
constexpr std::size_t columns_together = 16;  // whole vectors

template <class T>
std::size_t column_bytes(const plan::Stage& stage) {
  return 2 * stage.length * sizeof(T);
}

template <class T>
class ShortColumnWorker final : public StageWorker {
 public:
  // `loop`: along which columns are adjacent. Items are some columns of an array, or some arrays, which are turns of
  // the innermost other loop.
  ShortColumnWorker(const plan::Stage& stage, std::size_t loop, PackedColumnsFunction<T> function)
      : function_(function),
        by_columns_(stage.loops.size() == 1 || stage.loops[loop].count * column_bytes<T>(stage) >= bytes_of_item),
        loops_(by_columns_ ? StageLoops(stage, loop, columns_of_item(stage))
                           : StageLoops(without_loop(stage, loop), 0, arrays_of_item(stage, loop))) {
    call_.from_step = stage.input_stride;
    call_.to_step = stage.output_stride;
    call_.columns = stage.loops[loop].count;
    call_.from_apart = loops_.lane_step().input;
    call_.to_apart = loops_.lane_step().output;
    call_.scale = static_cast<T>(stage.scale);
    call_.inverse = stage.direction == Direction::inverse;
  }

  std::uint64_t items() const override { return loops_.items(); }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    PackedColumnsCall<T> call = call_;
    for (std::uint64_t i = begin; i < end; ++i) {
      const StageLoops::Item item = loops_.item(i);
      call.from = reinterpret_cast<const T*>(input) + item.position.input;
      call.to = reinterpret_cast<T*>(output) + item.position.output;
      (by_columns_ ? call.columns : call.arrays) = item.active;
      function_(call);
    }
  }

 private:
  static std::size_t columns_of_item(const plan::Stage& stage) {
    const std::size_t columns = bytes_of_item / column_bytes<T>(stage);
    return std::max(columns / columns_together, std::size_t{1}) * columns_together;
  }
  static plan::Stage without_loop(plan::Stage stage, std::size_t loop) {
    stage.loops.erase(stage.loops.begin() + static_cast<std::ptrdiff_t>(loop));
    return stage;
  }
  static std::size_t arrays_of_item(const plan::Stage& stage, std::size_t loop) {
    return bytes_of_item / (stage.loops[loop].count * column_bytes<T>(stage));
  }

  PackedColumnsFunction<T> function_;
  bool by_columns_;
  StageLoops loops_;
  PackedColumnsCall<T> call_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_short_column_worker(const plan::Stage& stage, const WorkerOptions& options) {
  if (!is_plain_load(stage) || !is_plain_store(stage) || stage.twiddle || stage.convolution || stage.radices.empty()) {
    return nullptr;
  }
  const auto adjacent = std::ranges::find_if(
      stage.loops, [](const plan::Loop& loop) { return loop.input_stride == 2 && loop.output_stride == 2; });
  if (adjacent == stage.loops.end()) return nullptr;
  // Bundles store whole vectors past the cache: 16 points of 16384 images 0.8 of the time.
  if (options.streamed && adjacent->count % vector_lanes<T>(options.targets) == 0) return nullptr;
  const PackedColumnsFunction<T> function = find_packed_columns<T>(stage.length, options.targets);
  if (function == nullptr) return nullptr;
  return std::make_unique<ShortColumnWorker<T>>(stage, adjacent - stage.loops.begin(), function);
}

template std::unique_ptr<StageWorker> make_short_column_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_column_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_column_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
