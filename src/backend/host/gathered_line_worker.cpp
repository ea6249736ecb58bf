// Lines whose elements lie apart, as every third number or in planes, and half spectra whose ends share a place:
// brought together in the cache, transformed by what serves adjacent elements best, and put back to where they belong.
// Moving a number costs about a cycle a side, less than what transforms on strided elements, or in few of a vector's
// lanes, lose.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "hwy/cache_control.h"

namespace twiddle::backend::host {
namespace {

// Short lines are brought together, and transformed, several at a time: about so many bytes of them.
constexpr std::size_t group_bytes = 8192;

constexpr std::size_t most_on_stack = 4096;  // bytes of both sides of lines that are all there are

// One side of some lines in memory: where their numbers are, in scalars.
struct LineSide {
  enum class Numbers {
    pairs,
    parts_apart,
    reals,
    packed_ends  // adjacent, but the last one's real part is the first one's imaginary part (half_spectrum_load)
  };
  Numbers numbers = Numbers::pairs;
  std::int64_t step = 2;
  std::int64_t imaginary_offset = 1;  // of parts apart
  std::size_t count = 1;
  std::size_t scalars = 2;
  std::int64_t apart = 0;  // from line to line
  bool direct = false;     // read or stored as they lie
  [[nodiscard]] std::int64_t unit() const { return numbers == Numbers::reals ? 1 : 2; }
  // Whether they can be direct.
  [[nodiscard]] bool is_adjacent() const {
    const bool as_they_lie = numbers == Numbers::pairs || numbers == Numbers::reals;
    return as_they_lie && step == unit() && apart % unit() == 0;
  }
  // Whether real parts are adjacent, and imaginary ones.
  [[nodiscard]] bool are_planes() const { return numbers == Numbers::parts_apart && step == 1; }
  // Whether each line goes on where the one before it ends, as planes do each in its own memory.
  [[nodiscard]] bool follow_each_other() const { return apart == step * static_cast<std::int64_t>(count); }
  // Whether all numbers, or parts, are one run.
  [[nodiscard]] bool are_run() const { return (is_adjacent() || are_planes()) && follow_each_other(); }
  // So many lines as one, where each goes on where the one before it ends; else each by itself.
  [[nodiscard]] std::pair<std::size_t, std::size_t> lines_and_numbers(std::size_t lines) const {
    return follow_each_other() ? std::pair(std::size_t{1}, lines * count) : std::pair(lines, count);
  }
};

// Nothing for numbers of another precision, or with a part in other memory.
std::optional<LineSide> line_side(const plan::Storage& storage, std::int64_t step, std::int64_t apart,
                                  std::size_t scalars, Precision precision) {
  using Numbers = LineSide::Numbers;
  if (storage.precision != precision || storage.is_apart()) return std::nullopt;
  if (storage.form == plan::Storage::Form::real) return LineSide{Numbers::reals, step, 0, scalars, scalars, apart};
  const std::int64_t offset = storage.imaginary_offset;
  // Reals that are equally far apart, two of which are a complex number.
  if (offset != 1 && step == 2 * offset) return LineSide{Numbers::reals, offset, 0, scalars, scalars, apart};
  return LineSide{offset == 1 ? Numbers::pairs : Numbers::parts_apart, step, offset, scalars / 2, scalars, apart};
}

// Of such lines all numbers, each in a place of its own.
template <class T>
void part_ends(const LineSide& side, std::size_t lines, const T* from, T* to) {
  const std::size_t last = side.scalars - 2;
  for (std::size_t i = 0; i < lines; ++i, from += side.apart, to += side.scalars) {
    std::memcpy(to, from, last * sizeof(T));
    to[last] = std::exchange(to[1], T{0});
    to[last + 1] = 0;
  }
}

// So many lines from where the side has them to adjacent elements (`gathers`), or back.
template <class T>
void move_lines(const CombinationKernels<T>& kernels, const LineSide& side, bool gathers, std::size_t all,
                const T* from, T* to) {
  if (side.numbers == LineSide::Numbers::packed_ends) return part_ends(side, all, from, to);
  const auto [lines, count] = side.lines_and_numbers(all);
  const auto scalars = static_cast<std::int64_t>(side.scalars);
  const auto [from_step, to_step] = gathers ? std::pair(side.step, side.unit()) : std::pair(side.unit(), side.step);
  const auto [from_apart, to_apart] = gathers ? std::pair(side.apart, scalars) : std::pair(scalars, side.apart);
  const bool parts_apart = side.numbers == LineSide::Numbers::parts_apart;
  const auto move = side.numbers == LineSide::Numbers::pairs ? kernels.move_pairs : kernels.move_reals;
  for (std::size_t i = 0; i < lines; ++i, from += from_apart, to += to_apart) {
    if (side.are_planes()) {
      gathers ? kernels.put_together({from, from + side.imaginary_offset}, count, 1, to)
              : kernels.take_apart(from, count, {to, to + side.imaginary_offset});
      continue;
    }
    move(from, from_step, count, to, to_step);
    if (!parts_apart) continue;
    gathers ? move(from + side.imaginary_offset, from_step, count, to + 1, to_step)
            : move(from + 1, from_step, count, to + side.imaginary_offset, to_step);
  }
}

// Whether the ends of half spectra of adjacent whole numbers are parted as these are moved.
bool parts_ends(const plan::Stage& stage) {
  return has_packed_ends(stage.load_map) && plan::is_whole(*stage.load_map) &&
         is_interleaved(stage.input_storage, stage.precision) && stage.input_stride == 2;
}

// The same from spectra whose ends do not.
plan::Stage with_parted_ends(plan::Stage stage) {
  stage.load_map->rule = plan::LineMap::Rule::c2r_load;
  ++stage.load_map->source_count;
  return stage;
}

template <class T>
class GatheredLineWorker final : public StageWorker {
 public:
  // Lines along `loop`, `group` of them at a time: `whole` transforms so many, `rest` those that are left in the end.
  GatheredLineWorker(const plan::Stage& stage, std::size_t loop, std::size_t group, const LineSide& read,
                     const LineSide& written, std::unique_ptr<StageWorker> whole, std::unique_ptr<StageWorker> rest,
                     const WorkerOptions& options)
      : loops_(stage, loop, group),
        group_(group),
        read_(read),
        written_(written),
        kernels_(find_combinations<T>(options.targets)),
        whole_(std::move(whole)),
        rest_(std::move(rest)),
        streamed_(options.streamed && written.are_run()) {
    const std::size_t bytes = std::max(read_.scalars, written_.scalars) * group_ * sizeof(T);
    half_ = (bytes + cache_line - 1) / cache_line * cache_line + cache_line;
    if (loops_.items() == 1) only_item_ = loops_.item(0);
  }

  std::uint64_t items() const override { return loops_.items(); }

  // One item alone, without what walking over many takes.
  void call(const std::byte* input, std::byte* output) const override {
    if (!only_item_ || 2 * half_ > most_on_stack) return run(input, output, 0, items());
    alignas(cache_line) std::byte lines[most_on_stack];
    transform(input, output, *only_item_, lines);
    if (streamed_) hwy::FlushStream();
  }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    auto* const lines = static_cast<std::byte*>(thread_lines(2 * half_));
    for (std::uint64_t i = begin; i < end; ++i) transform(input, output, loops_.item(i), lines);
    if (streamed_) hwy::FlushStream();
  }

 private:
  // By way of `lines`, which has room for both sides.
  void transform(const std::byte* input, std::byte* output, const StageLoops::Item& item, std::byte* lines) const {
    const T* from = reinterpret_cast<const T*>(input) + item.position.input;
    T* const to = reinterpret_cast<T*>(output) + item.position.output;
    if (!read_.direct) {
      auto* const gathered = reinterpret_cast<T*>(lines);
      move_lines(kernels_, read_, true, item.active, from, gathered);
      from = gathered;
    }
    T* const results = written_.direct ? to : reinterpret_cast<T*>(lines + half_);
    (item.active == group_ ? whole_ : rest_)
        ->call(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(results));
    if (written_.direct) return;
    if (streamed_) return stream(results, item.active, reinterpret_cast<T*>(lines), to);
    move_lines(kernels_, written_, false, item.active, static_cast<const T*>(results), to);
  }

  // Past the cache, parts by way of `planes`.
  void stream(const T* results, std::size_t lines, T* planes, T* to) const {
    const std::size_t count = lines * written_.count;
    if (!written_.are_planes()) return kernels_.copy_past_cache(results, lines * written_.scalars, to);
    T* const imaginary = to + written_.imaginary_offset;
    if (count % kernels_.vector == 0 && is_aligned(to) && is_aligned(imaginary)) {
      kernels_.take_apart_past_cache(results, count, {to, imaginary});
      return;
    }
    kernels_.take_apart(results, count, {planes, planes + count});
    kernels_.copy_past_cache(planes, count, to);
    kernels_.copy_past_cache(planes + count, count, imaginary);
  }
  bool is_aligned(const T* place) const {
    return reinterpret_cast<std::uintptr_t>(place) % (kernels_.vector * sizeof(T)) == 0;
  }

  StageLoops loops_;
  std::optional<StageLoops::Item> only_item_;
  std::size_t group_;
  LineSide read_;
  LineSide written_;
  CombinationKernels<T> kernels_;
  std::unique_ptr<StageWorker> whole_;
  std::unique_ptr<StageWorker> rest_;  // null where none are left
  bool streamed_;                      // results go past the cache
  std::size_t half_ = 0;               // bytes of the lines on one side
};

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_gathered_line_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const bool packed_ends = parts_ends(stage);
  const plan::Stage plain = packed_ends ? with_parted_ends(stage) : stage;
  plan::Stage passes = plain;
  passes.convolution.reset();  // which does not matter here
  const auto line = line_if_adjacent(passes);
  if (!line) return nullptr;
  const auto longest = std::ranges::max_element(stage.loops, {}, &plan::Loop::count);
  const plan::Loop loop = longest == stage.loops.end() ? plan::Loop() : *longest;
  auto read = line_side(stage.input_storage, stage.input_stride, loop.input_stride, line->read, stage.precision);
  auto written =
      line_side(stage.output_storage, stage.output_stride, loop.output_stride, line->written, stage.precision);
  if (!read || !written) return nullptr;
  if (packed_ends) read->numbers = LineSide::Numbers::packed_ends;
  const std::size_t bytes = (read->scalars + written->scalars) * sizeof(T);
  const std::uint64_t group = std::clamp<std::uint64_t>(group_bytes / bytes, 1, loop.count);
  // What goes past the cache is moved there as a run; nothing is fetched ahead of a line that is transformed alone.
  read->direct = read->is_adjacent() && (group > 1 || !options.prefetched);
  written->direct = written->is_adjacent() && !(options.streamed && written->are_run());
  const auto apart = [](const LineSide& side) {
    return side.direct ? side.apart : static_cast<std::int64_t>(side.scalars);
  };
  const std::int64_t read_apart = apart(*read);
  const std::int64_t written_apart = apart(*written);
  const WorkerOptions in_cache{.targets = options.targets,
                               .first_cache = options.first_cache,
                               .core_cache = options.core_cache,
                               .prefetched = read->direct && options.prefetched};
  auto whole = make_worker(adjacent_lines(plain, group, read_apart, written_apart), in_cache);
  std::unique_ptr<StageWorker> rest;
  if (const std::uint64_t left = loop.count % group; left > 0) {
    rest = make_worker(adjacent_lines(plain, left, read_apart, written_apart), in_cache);
  }
  const std::size_t number = longest == stage.loops.end() ? StageLoops::no_loop : longest - stage.loops.begin();
  return std::make_unique<GatheredLineWorker<T>>(stage, number, group, *read, *written, std::move(whole),
                                                 std::move(rest), options);
}

template std::unique_ptr<StageWorker> make_gathered_line_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_gathered_line_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_gathered_line_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
