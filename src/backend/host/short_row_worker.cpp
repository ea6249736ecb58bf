// Lines no longer than a butterfly, one after the other: as many at a time as a vector has lanes, or holds complex
// numbers, are sorted in registers, transformed and sorted back. Gaps between complex lines are closed on the way in
// and opened on the way out.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/packed_rows.hpp"
#include "backend/host/short_rows.hpp"
#include "backend/host/stage_worker.hpp"
#include "hwy/cache_control.h"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t item_bytes = 4096;         // of what an item reads, about
constexpr std::size_t fetched_past_tile = 8192;  // bytes from a tile to what is fetched meanwhile

template <class T>
struct ShortLine {
  ContiguousLine line;
  ShortRowsKernels<T> kernels;
  std::size_t lines = 0;  // of a tile
};

// With kernels, if there are any: reals are tried as pairs, too.
template <class T>
std::optional<ShortLine<T>> with_kernels(ContiguousLine line, std::uint64_t lines, std::int64_t targets) {
  const std::size_t lanes = vector_lanes<T>(targets);
  if (line.kind == ShortRowsKind::complex) {
    const PackedRowsKernel<T> packed = find_packed_rows<T>(line.length, targets);
    if (packed.tiles != nullptr) return ShortLine<T>{line, {.tiles = packed.tiles, .streams = true}, packed.lines};
  }
  ShortRowsKernels<T> kernels = find_short_rows<T>(line.kind, line.length, targets);
  const bool lone = kernels.lone != nullptr && are_lone(lines, lanes);
  if (kernels.tiles != nullptr || lone) return ShortLine<T>{line, kernels, lanes};
  if (line.kind != ShortRowsKind::complex && line.length % 2 == 0) {
    line.kind = line.kind == ShortRowsKind::reals ? ShortRowsKind::packed : ShortRowsKind::packed_back;
    line.length /= 2;
    kernels = find_short_rows<T>(line.kind, line.length, targets);
  }
  if (kernels.tiles == nullptr) return std::nullopt;
  return ShortLine<T>{line, kernels, lanes};
}

constexpr std::size_t chunk = 16;  // bytes that are copied at once

// `lines` of `length` scalars, `stride` apart, to where they follow each other; what a chunk copies too much, the next
// line overwrites.
template <class T>
void close_gaps(const T* from, std::size_t stride, std::size_t length, std::size_t lines, T* to) {
  constexpr std::size_t step = std::max<std::size_t>(chunk / sizeof(T), 1);
  for (std::size_t line = 0; line + 1 < lines; ++line, from += stride, to += length) {
    std::memcpy(to, from, step * sizeof(T));
    for (std::size_t i = step; i < length; i += step) std::memcpy(to + i, from + i, step * sizeof(T));
  }
  std::copy_n(from, length, to);
}

template <class T>
void open_gaps(const T* from, std::size_t length, std::size_t lines, T* to, std::size_t stride) {
  constexpr std::size_t step = std::max<std::size_t>(chunk / sizeof(T), 1);
  for (std::size_t line = 0; line < lines; ++line, from += length, to += stride) {
    std::size_t i = 0;
    for (; i + step <= length; i += step) std::memcpy(to + i, from + i, step * sizeof(T));
    for (; i < length; ++i) to[i] = from[i];
  }
}

template <class T>
class ShortRowWorker final : public StageWorker {
 public:
  ShortRowWorker(const plan::Stage& stage, const ShortLine<T>& short_line, const WorkerOptions& options)
      : read_(short_line.line.read),
        written_(short_line.line.written),
        input_stride_(stage.loops.empty() ? read_ : static_cast<std::size_t>(stage.loops[0].input_stride)),
        output_stride_(stage.loops.empty() ? written_ : static_cast<std::size_t>(stage.loops[0].output_stride)),
        lines_(plan::transform_count(stage)),
        input_offset_(stage.input_offset),
        output_offset_(stage.output_offset),
        vector_(short_line.lines),
        tile_shift_(std::countr_zero(vector_)),
        whole_lines_(lines_ / vector_ * vector_),
        prefetched_(options.prefetched),
        gaps_(input_stride_ != read_ || output_stride_ != written_),
        streamed_(options.streamed && !gaps_),
        streams_(short_line.kernels.streams),
        copy_past_cache_(find_combinations<T>(options.targets).copy_past_cache) {
    const ContiguousLine& line = short_line.line;
    const ShortRowsKernels<T>& kernels = short_line.kernels;
    function_ = kernels.tiles;
    apart_function_ = kernels.tiles_apart;
    const std::size_t room = std::max(read_, written_);
    if (input_stride_ == room && output_stride_ == room) padded_function_ = kernels.padded_tiles;
    const bool complex = line.kind == ShortRowsKind::complex;
    tiles_.inverse = complex && stage.direction == Direction::inverse;
    tiles_.scale = lone_line_.scale = static_cast<T>(stage.scale);
    if (are_lone(lines_, vector_)) lone_ = tiles_.inverse ? kernels.lone_inverse : kernels.lone;
    const std::size_t tile_bytes = std::max(read_, written_) * vector_ * sizeof(T);
    block_ = vector_ * std::max<std::size_t>(item_bytes / tile_bytes, 1);
    items_ = lone_ != nullptr ? 1 : (lines_ + block_ - 1) / block_;
    if (line.kind != ShortRowsKind::packed && line.kind != ShortRowsKind::packed_back) return;
    const bool back = line.kind == ShortRowsKind::packed_back;
    const auto rule = back ? plan::LineMap::Rule::c2r_load : plan::LineMap::Rule::r2c_store;
    const std::uint64_t reals = 2 * line.length;
    const plan::MapTables tables = plan::map_tables({.rule = rule,
                                                     .length = reals,
                                                     .source_count = plan::full_source_count(rule, reals),
                                                     .count = plan::full_count(rule, reals)});
    tiles_.sum = lone_line_.sum = back ? 2 : 1;  // a[k] + b[k], the same for all k
    for (const auto& a : tables.a) {
      a_real_.push_back(static_cast<T>(a.real()));
      a_imaginary_.push_back(static_cast<T>(a.imag()));
    }
    tiles_.a_real = lone_line_.a_real = a_real_.data();
    tiles_.a_imaginary = lone_line_.a_imaginary = a_imaginary_.data();
  }

  std::uint64_t items() const override { return items_; }

  void call(const std::byte* input, std::byte* output) const override {
    lone_ != nullptr ? run_alone(input, output) : run(input, output, 0, items_);
  }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    if (lone_ != nullptr) return run_alone(input, output);
    const T* const from = reinterpret_cast<const T*>(input) + input_offset_;
    T* const to = reinterpret_cast<T*>(output) + output_offset_;
    const std::uint64_t first = begin * block_;
    const std::uint64_t whole = std::min<std::uint64_t>(end * block_, whole_lines_);
    if (first < whole) run_tiles(from + first * input_stride_, to + first * output_stride_, whole - first);
    if (streamed_) hwy::FlushStream();
    if (end * block_ > whole) run_through_block(from, to, whole, lines_);
  }

 private:
  void run_tiles(const T* from, T* to, std::uint64_t lines) const {
    if (gaps_) {
      const bool padded = padded_function_ != nullptr && from == to;
      const auto function = padded ? padded_function_ : apart_function_;
      if (function == nullptr) return run_through_block(from, to, 0, lines);
      return transform(function, from, input_stride_, to, output_stride_, lines, prefetched_);
    }
    const bool aligned = reinterpret_cast<std::uintptr_t>(to) % cache_line == 0;
    if (!streamed_ || (streams_ && aligned)) {
      return transform(function_, from, read_, to, written_, lines, prefetched_, streamed_);
    }
    T* const together = static_cast<T*>(thread_scratch(block_ * written_ * sizeof(T)));
    for (std::uint64_t line = 0; line < lines; line += block_) {
      const std::uint64_t some = std::min<std::uint64_t>(block_, lines - line);
      transform(function_, from + line * read_, read_, together, written_, some, prefetched_);
      copy_past_cache_(together, static_cast<std::size_t>(some) * written_, to + line * written_);
    }
  }

  void transform(ShortRowsFunction<T> function, const T* from, std::size_t input_step, T* to, std::size_t output_step,
                 std::uint64_t lines, bool prefetched = false, bool streamed = false) const {
    ShortTilesCall<T> call = tiles_;
    call.input = from;
    call.input_step = input_step;
    call.output = to;
    call.output_step = output_step;
    call.tiles = static_cast<std::size_t>(lines) >> tile_shift_;
    call.streamed = streamed;
    if (prefetched) {
      call.prefetch = reinterpret_cast<const char*>(from) + fetched_past_tile;
      call.prefetch_count = (input_step * vector_ * sizeof(T) + cache_line - 1) / cache_line;
    }
    function(call);
  }

  // Fewer lines than a tile has, and complex ones with gaps between them on either side, by way of a block without. A
  // block is read before it is written.
  void run_through_block(const T* from, T* to, std::uint64_t begin, std::uint64_t end) const {
    const std::size_t room = block_ * std::max(read_, written_) + chunk;
    T* const compact = static_cast<T*>(thread_scratch(2 * room * sizeof(T)));
    T* const results = compact + room;
    for (std::uint64_t line = begin; line < end; line += block_) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(block_, end - line));
      const std::size_t tiled = (count + vector_ - 1) / vector_ * vector_;
      close_gaps(from + line * input_stride_, input_stride_, read_, count, compact);
      std::fill(compact + count * read_, compact + tiled * read_, T{0});  // anything finite
      transform(function_, compact, read_, results, written_, tiled);
      open_gaps(results, written_, count, to + line * output_stride_, output_stride_);
    }
  }

  void run_alone(const std::byte* input, std::byte* output) const {
    const T* from = reinterpret_cast<const T*>(input) + input_offset_;
    T* to = reinterpret_cast<T*>(output) + output_offset_;
    if (lines_ == 1) return lone_(lone_line_, from, to);
    for (std::uint64_t line = 0; line < lines_; ++line, from += input_stride_, to += output_stride_)
      lone_(lone_line_, from, to);
  }

  ShortRowsFunction<T> function_ = nullptr;
  ShortRowsFunction<T> apart_function_ = nullptr;   // null: by way of a block without gaps
  ShortRowsFunction<T> padded_function_ = nullptr;  // for the same memory on either side
  LoneRowFunction<T> lone_ = nullptr;               // null: enough lines for whole vectors
  ShortTilesCall<T> tiles_;                         // but for what is where
  LoneRowCall<T> lone_line_;
  std::size_t read_;  // scalars of a line in memory
  std::size_t written_;
  std::size_t input_stride_;  // from a line to the next
  std::size_t output_stride_;
  std::uint64_t lines_;
  std::int64_t input_offset_;
  std::int64_t output_offset_;
  std::size_t vector_;         // lines of a tile
  int tile_shift_;             // of that power of two
  std::uint64_t whole_lines_;  // in tiles
  bool prefetched_;
  bool gaps_;  // between lines, on either side
  bool streamed_;
  bool streams_;  // whether the function can
  void (*copy_past_cache_)(const T* from, std::size_t count, T* to);
  std::size_t block_ = 0;  // lines of an item
  std::uint64_t items_ = 1;
  std::vector<T> a_real_;  // of the map
  std::vector<T> a_imaginary_;
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_short_row_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const auto line = contiguous_line(stage);
  if (!line || !are_rows(stage, *line)) return nullptr;
  const auto known = with_kernels<T>(*line, plan::transform_count(stage), options.targets);
  if (!known) return nullptr;
  return std::make_unique<ShortRowWorker<T>>(stage, *known, options);
}

template std::unique_ptr<StageWorker> make_short_row_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_row_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_short_row_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
