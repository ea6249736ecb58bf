// Short columns of complex numbers, interleaved or planar, or a few of reals: what small images and volumes have beside
// their rows. Bundles move them to planes of their own and back, which takes longer than a butterfly.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "backend/host/aligned_array.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/packed_columns.hpp"
#include "backend/host/pass.hpp"
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
  ShortColumnWorker(const plan::Stage& stage, std::size_t loop, PackedColumnsFunction<T> function,
                    const SpreadSide& from, const SpreadSide& to)
      : function_(function),
        by_columns_(stage.loops.size() == 1 || stage.loops[loop].count * column_bytes<T>(stage) >= bytes_of_item),
        loops_(by_columns_ ? StageLoops(stage, loop, columns_of_item(stage))
                           : StageLoops(without_loop(stage, loop), 0, arrays_of_item(stage, loop))) {
    call_.from_step = from.step;
    call_.to_step = to.step;
    call_.from_imaginary = from.imaginary;
    call_.to_imaginary = to.imaginary;
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

// Whether a column's elements push each other out of the first-level cache before all of what came with them is used:
// bundles have planes of their own. By vectors of a cache line, of which nothing is left, that is so of more elements:
// 16 to 32 complex doubles 2048 to 8192 bytes apart take 0.65 to 0.96 of the time there, 12 1.25, 5 and 8 1.6 to 2.3
// (an EPYC of Zen 4); by AVX2 9 to 16 take 0.51 to 0.86, 8 1.0 to 1.14.
template <class T>
bool crowd_sets(const ContiguousLine& line, const SpreadSide& side, bool planar, std::size_t vector) {
  constexpr std::size_t bytes_of_sets = 4096;
  constexpr std::size_t ways = 8;
  const std::size_t step = static_cast<std::size_t>(std::abs(side.step)) * sizeof(T);
  const std::size_t of_set = line.length * std::gcd(step, bytes_of_sets) / bytes_of_sets;
  return vector * sizeof(T) == cache_line ? of_set >= 2 * ways : (planar ? 2 : 1) * of_set > ways;
}

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_short_column_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const auto may_be_adjacent = [](const plan::Loop& loop) { return loop.input_stride <= 2 && loop.output_stride <= 2; };
  if (stage.length > longest_short_column || std::ranges::none_of(stage.loops, may_be_adjacent)) return nullptr;
  const auto line = line_if_adjacent(stage);
  if (!line) return nullptr;
  const bool there = line->kind == ShortRowsKind::reals;
  const bool back = line->kind == ShortRowsKind::reals_back;
  const auto sides = spread_sides(stage, line->kind);
  if (!sides) return nullptr;
  const auto& [from, to] = *sides;
  const bool read_pairs = from.imaginary == 1;
  const bool stores_pairs = to.imaginary == 1;
  const bool planar = !there && !back && !read_pairs && !stores_pairs;
  if (!planar && ((!there && !read_pairs) || (!back && !stores_pairs))) return nullptr;
  const auto are_side_by_side = [&](const plan::Loop& loop) {
    return loop.input_stride == (planar || there ? 1 : 2) && loop.output_stride == (planar || back ? 1 : 2);
  };
  const auto adjacent = std::ranges::find_if(stage.loops, are_side_by_side);
  if (adjacent == stage.loops.end()) return nullptr;
  const std::size_t vector = vector_lanes<T>(options.targets);
  // Bundles store whole vectors past the cache: 16 points of 16384 images 0.8 of the time.
  if (options.streamed && adjacent->count % vector == 0) return nullptr;
  // More reals might be overwritten by the spectra of their neighbours before they are read.
  if ((there || back) && adjacent->count > vector) return nullptr;
  if (crowd_sets<T>(*line, from, planar, vector) || crowd_sets<T>(*line, to, planar, vector)) return nullptr;
  const auto kind = there ? ShortColumnsKind::reals : back ? ShortColumnsKind::reals_back : ShortColumnsKind::planar;
  const bool packed = line->kind == ShortRowsKind::complex && !planar;
  const PackedColumnsFunction<T> function = packed ? find_packed_columns<T>(line->length, options.targets)
                                                   : find_short_columns<T>(kind, line->length, options.targets);
  if (function == nullptr) return nullptr;
  return std::make_unique<ShortColumnWorker<T>>(stage, adjacent - stage.loops.begin(), function, from, to);
}

template std::unique_ptr<StageWorker> make_short_column_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_column_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_column_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
