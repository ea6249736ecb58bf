// A few short lines of adjacent complex numbers, or of reals as complex numbers, half as many where they are even: too
// few for vectors across lines, each is transformed in one or two passes on packed numbers.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/packed_factors.hpp"
#include "backend/host/packed_line_choice.hpp"
#include "backend/host/packed_passes.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"
#include "backend/host/twiddle_tables.hpp"
#include "backend/host/widened_reals.hpp"
#include "hwy/cache_control.h"
#include "plan/numbers/half_spectrum.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/host_vectors.hpp"

namespace twiddle::backend::host {
namespace {

constexpr std::size_t most_real_bytes = 16384;  // as pairs or, where they are odd, as complex numbers
constexpr std::size_t widest_vector = 16;       // scalars

constexpr std::size_t fetched_past_line = 8192;  // bytes from a line to what is fetched meanwhile
constexpr std::size_t streamed_bytes = 4096;     // of results that are stored past the cache together, about
// A few lines that nearly are so many, by vectors of 64 bytes, wait for each other: twice as many then. 125 doubles,
// two of which have 4000 bytes, take 0.63 to 0.71 of the time so on an EPYC of Zen 4, 50 0.55, 42 0.62, 72, 84 and 250
// floats 0.61 to 0.69; 36 doubles 1.05, 125 floats 1.0 to 1.1.
constexpr std::size_t nearly_streamed_bytes = 3900;
constexpr std::uint64_t most_nearly_streamed = 8;  // lines

// Of lines of reals between their passes and maps, and of results that are stored past the cache, together: in as many
// bytes in a row none are a multiple of 4096 apart, which loads take for the same place (1.7 times as long).
constexpr std::size_t mapped_bytes = 4096;
constexpr std::size_t mapped_pair_bytes = 10000;  // two lines gain by it all the same

// A line that one function computes, alone and from the beginning of one memory to that of the other.
template <class T>
struct LoneLine final : HostCall {
  void call(const std::byte* input, std::byte* output) const override {
    (input == output ? in_place : apart)(*packed, nullptr, reinterpret_cast<const T*>(input),
                                         reinterpret_cast<T*>(output));
  }
  PackedFunction<T> apart = nullptr;
  PackedFunction<T> in_place = nullptr;
  const PackedCall<T>* packed = nullptr;
};

template <class T>
class PackedLineWorker final : public StageWorker {
 public:
  // By the options' targets, which the radices are for.
  PackedLineWorker(const plan::Stage& stage, const ContiguousLine& line, PackedRadices radices,
                   const WorkerOptions& options)
      : kind_(line.kind),
        length_(line.kind == ShortRowsKind::complex || line.length % 2 == 1 ? line.length : line.length / 2),
        loops_(stage, StageLoops::no_loop, 1),
        fetched_bytes_(options.prefetched ? line.read * sizeof(T) : 0),
        written_(line.written),
        copy_past_cache_(find_combinations<T>(options.targets).copy_past_cache) {
    const std::size_t numbers = vector_lanes<T>(options.targets) / 2;
    const bool halved = kind_ != ShortRowsKind::complex && line.length % 2 == 0;
    const long double scale = halved ? 1 : stage.scale;  // that of reals is in their map
    first_call_.scale = last_call_.scale = static_cast<T>(scale);
    const auto whole = [&](std::size_t count) { return (count + numbers - 1) / numbers * numbers; };
    first_call_.alternate = last_call_.alternate = alternating_signs<T>(stage.direction);
    if (halved) prepare_map(static_cast<T>(stage.scale), options.targets);
    if (radices.first == 0) {
      last_ = find_packed_line<T>(line_kind(), radices.last, options.targets);
      whole_ = halved ? find_packed_line<T>(
                            kind_ == ShortRowsKind::reals ? PackedLineKind::reals : PackedLineKind::reals_back,
                            radices.last, options.targets)
               : kind_ == ShortRowsKind::complex ? last_
                                                 : nullptr;
    } else {
      first_ = find_packed<T>(PackedKind::first, radices.first, options.targets);
      last_ = find_packed<T>(PackedKind::last, radices.last, options.targets);
      first_factors_ = first_pass_factors<T>(radices, numbers, stage.direction, scale, options.targets);
      first_call_.columns = radices.last;
      first_call_.factors = first_factors_.data();
      const bool one_call = are_one_call(radices, numbers);
      if (one_call) {
        const auto both = radices.last == numbers ? PackedKind::both : PackedKind::both_narrow;
        last_ = find_packed<T>(both, radices.first, options.targets);
        last_call_.factors = first_factors_.data();
        first_ = nullptr;
        if (kind_ == ShortRowsKind::complex) whole_ = last_;
        const bool many_registers = 2 * numbers * sizeof(T) == plan::long_vector_bytes;  // a CPU has 32
        if (whole_ != nullptr && (radices.first % numbers != 0 || many_registers)) {
          in_place_ = find_packed_line<T>(line_kind(), static_cast<unsigned>(length_), options.targets);
        }
      }
      last_call_.columns = radices.first;
      rows_are_results_ = radices.first % numbers == 0;
      const bool streams = radices.last == numbers || !one_call;
      if (kind_ == ShortRowsKind::complex && streams && radices.first % numbers == 0) {
        const auto streamed = one_call ? PackedKind::both_streamed : PackedKind::last_streamed;
        streamed_last_ = find_packed<T>(streamed, one_call ? radices.first : radices.last, options.targets);
      }
    }
    const std::size_t vectors = (whole(first_call_.columns) + whole(last_call_.columns)) / numbers;
    fetched_piece_ = (fetched_bytes_ / cache_line + vectors) / vectors * cache_line;
    if (in_place_ == nullptr) in_place_ = whole_;
    if (whole_ == nullptr && map_ != nullptr) {
      mapped_step_ = (2 * length_ + 2 + widest_vector - 1) / widest_vector * widest_vector;
      const std::size_t each = (mapped_step_ + written_) * sizeof(T);
      mapped_together_ = std::max<std::uint64_t>(mapped_bytes / each, 2 * each <= mapped_pair_bytes ? 2 : 1);
    }
    const std::size_t written_bytes = written_ * sizeof(T);
    streamed_together_ = std::max<std::uint64_t>(streamed_bytes / written_bytes, 1);
    if (2 * numbers * sizeof(T) == plan::long_vector_bytes && streamed_together_ > 1 &&
        streamed_together_ <= most_nearly_streamed && streamed_together_ * written_bytes > nearly_streamed_bytes) {
      streamed_together_ *= 2;
    }
    if (loops_.items() == 1) only_item_ = loops_.item(0).position;
    start_ = loops_.item(0).position;
    if (only_item_ && start_.input == 0 && start_.output == 0) {
      lone_line_.apart = whole_;
      lone_line_.in_place = in_place_;
      lone_line_.packed = &last_call_;
    }
    if (stage.loops.size() == 1) step_ = stage.loops[0];
    streamed_ = options.streamed && step_ && step_->output_stride == static_cast<std::int64_t>(written_);
  }

  std::uint64_t items() const override { return loops_.items(); }

  const HostCall* shortest_call() const override {
    return lone_line_.apart != nullptr ? static_cast<const HostCall*>(&lone_line_) : this;
  }

  void call(const std::byte* input, std::byte* output) const override {
    if (!only_item_) return all(input, output);
    const T* const from = reinterpret_cast<const T*>(input) + only_item_->input;
    T* const to = reinterpret_cast<T*>(output) + only_item_->output;
    Ahead nothing;
    transform(from, to, nothing);
  }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    const T* const from = reinterpret_cast<const T*>(input);
    T* const to = reinterpret_cast<T*>(output);
    if (streamed_) return stream(from, to, begin, end);
    alignas(64) T between[mapped_pair_bytes / sizeof(T)];
    transform_lines(from, begin, end, between, [&](std::uint64_t line) { return to + position(line).output; });
  }

 private:
  PackedLineKind line_kind() const {
    return last_call_.scale == 1 ? PackedLineKind::complex : PackedLineKind::complex_scaled;
  }

  void prepare_map(T scale, std::int64_t targets) {
    const bool back = kind_ == ShortRowsKind::reals_back;
    const auto rule = back ? plan::LineMap::Rule::c2r_load : plan::LineMap::Rule::r2c_store;
    map_ = find_packed<T>(back ? PackedKind::real_load : PackedKind::real_store, 0, targets);
    map_factors_ = AlignedArray<T>(4 * (length_ + 1));
    for_each_root<T>(2 * length_, 1, length_ + 1, targets, [&](std::uint64_t k, const auto& root) {
      const auto factor = plan::half_spectrum_factor(rule, root);
      put_packed_factor(map_factors_.data(), length_ + 1, k, scaled_part<T>(factor.real(), scale),
                        scaled_part<T>(factor.imag(), scale));
    });
    map_call_.columns = length_;
    map_call_.factors = last_call_.factors = map_factors_.data();
    map_call_.sum = last_call_.sum = back ? 2 * scale : scale;
  }

  Position stepped(std::uint64_t line) const {
    const auto turn = static_cast<std::int64_t>(line);
    return {start_.input + turn * step_->input_stride, start_.output + turn * step_->output_stride};
  }

  Position position(std::uint64_t line) const { return step_ ? stepped(line) : loops_.item(line).position; }

  // As many bytes as a line has, so far behind it; none, at the line itself, where the cache has all.
  Ahead what_follows(const T* from) const {
    const char* const ahead = reinterpret_cast<const char*>(from) + (fetched_bytes_ == 0 ? 0 : fetched_past_line);
    return {ahead, ahead + fetched_bytes_, fetched_piece_};
  }

  // Lines whose results follow each other: from registers where they are cache lines there, else by way of a block that
  // stays in the cache.
  void stream(const T* from, T* to, std::uint64_t begin, std::uint64_t end) const {
    if (streamed_last_ != nullptr && reinterpret_cast<std::uintptr_t>(to + start_.output) % cache_line == 0) {
      for (std::uint64_t line = begin; line < end; ++line) {
        const Position position = stepped(line);
        Ahead ahead = what_follows(from + position.input);
        passes(from + position.input, to + position.output, streamed_last_, ahead);
      }
      return hwy::FlushStream();
    }
    const std::uint64_t block = mapped_together_ > 1 ? mapped_together_ : streamed_together_;
    T* const between = static_cast<T*>(thread_scratch(block * (mapped_step_ + written_) * sizeof(T)));
    T* const together = between + block * mapped_step_;
    for (std::uint64_t first = begin; first < end; first += block) {
      const std::uint64_t last = std::min(first + block, end);
      transform_lines(from, first, last, between,
                      [&](std::uint64_t line) { return together + (line - first) * written_; });
      copy_past_cache_(together, static_cast<std::size_t>(last - first) * written_, to + stepped(first).output);
    }
    hwy::FlushStream();
  }

  // Lines whose results go to result(line), by way of `between` where several are mapped together.
  template <class Result>
  void transform_lines(const T* from, std::uint64_t begin, std::uint64_t end, T* between, const Result& result) const {
    while (mapped_together_ > 1 && end - begin > 1) {
      const std::uint64_t stop = begin + std::min(mapped_together_, end - begin);
      map_together(from, begin, stop, between, result);
      begin = stop;
    }
    for (std::uint64_t line = begin; line < end; ++line) {
      const T* const source = from + position(line).input;
      Ahead ahead = what_follows(source);
      transform(source, result(line), ahead);
    }
  }

  // The passes of some lines, and the maps of all of them afterwards, or before: either reads vectors across those that
  // the other stores, and would wait for them.
  template <class Result>
  void map_together(const T* from, std::uint64_t begin, std::uint64_t end, T* between, const Result& result) const {
    const bool back = kind_ == ShortRowsKind::reals_back;
    for (std::uint64_t line = begin; line < end; ++line) {
      const T* const source = from + position(line).input;
      T* const mapped = between + (line - begin) * mapped_step_;
      if (back) {
        map_(map_call_, nullptr, source, mapped);
        continue;
      }
      Ahead ahead = what_follows(source);
      passes_to_map(source, mapped, ahead);
    }
    for (std::uint64_t line = begin; line < end; ++line) {
      const T* const mapped = between + (line - begin) * mapped_step_;
      if (!back) {
        map_(map_call_, nullptr, mapped, result(line));
        continue;
      }
      Ahead ahead = what_follows(from + position(line).input);
      passes(mapped, result(line), last_, ahead);
    }
  }

  void transform(const T* from, T* to, Ahead& ahead) const {
    if (whole_ != nullptr) {
      ahead.fetch_first();
      (from == to ? in_place_ : whole_)(last_call_, nullptr, from, to);
      return ahead.fetch_rest();
    }
    kind_ == ShortRowsKind::complex ? passes(from, to, last_, ahead) : reals(from, to, ahead);
  }

  // The line itself.
  void passes(const T* from, T* to, PackedFunction<T> last, Ahead& ahead) const {
    if (first_ != nullptr) return two_passes(from, to, last, ahead);
    if (last == streamed_last_) return last(last_call_, &ahead, from, to);
    ahead.fetch_first();
    last(last_call_, nullptr, from, to);
    ahead.fetch_rest();
  }

  // What needs room on the stack is kept out of the way of lines that do not.
  [[gnu::noinline]] void all(const std::byte* input, std::byte* output) const { run(input, output, 0, items()); }

  // By way of rows where the results go, if these are elsewhere and begin with a cache line, as rows have to: the
  // first-level cache might not hold both. Not past the cache.
  [[gnu::noinline]] void two_passes(const T* from, T* to, PackedFunction<T> last, Ahead& ahead) const {
    alignas(64) T room[most_packed_row_bytes / sizeof(T)];
    const bool aligned = reinterpret_cast<std::uintptr_t>(to) % cache_line == 0;
    T* const rows = rows_are_results_ && from != to && aligned && last == last_ ? to : room;
    Ahead* const fetched = ahead.next < ahead.end ? &ahead : nullptr;
    first_(first_call_, fetched, from, rows);
    last(last_call_, fetched, rows, to);
  }

  [[gnu::noinline]] void reals(const T* from, T* to, Ahead& ahead) const {
    alignas(64) T memory[most_real_bytes / sizeof(T)];
    if (map_ == nullptr) return odd_reals(from, memory, to, ahead);
    if (kind_ == ShortRowsKind::reals_back) {
      map_(map_call_, nullptr, from, memory);
      return passes(memory, to, last_, ahead);
    }
    passes_to_map(from, memory, ahead);
    map_(map_call_, nullptr, memory, to);
  }

  // The passes of reals, and what their map reads behind them.
  void passes_to_map(const T* from, T* to, Ahead& ahead) const {
    passes(from, to, last_, ahead);
    to[2 * length_] = to[0];
    to[2 * length_ + 1] = to[1];
  }

  // As complex numbers, of which there are as many.
  void odd_reals(const T* from, T* line, T* to, Ahead& ahead) const {
    alignas(64) T results[most_real_bytes / sizeof(T)];
    widen_reals(kind_, from, length_, line);
    passes(line, results, last_, ahead);
    if (kind_ == ShortRowsKind::reals) {
      std::copy_n(results, length_ + 1, to);
      return;
    }
    for (std::size_t i = 0; i < length_; ++i) to[i] = results[2 * i];
  }

  ShortRowsKind kind_;
  std::size_t length_;                 // complex numbers
  PackedFunction<T> whole_ = nullptr;  // all at once
  // The same for one memory: what is read again soon is best read as it was written, not in vectors across what was
  // stored.
  PackedFunction<T> in_place_ = nullptr;
  PackedFunction<T> first_ = nullptr;
  PackedFunction<T> last_ = nullptr;
  PackedFunction<T> streamed_last_ = nullptr;  // null: results are put together first
  PackedFunction<T> map_ = nullptr;
  PackedCall<T> first_call_;
  PackedCall<T> last_call_;
  PackedCall<T> map_call_;
  AlignedArray<T> first_factors_;
  AlignedArray<T> map_factors_;
  LoneLine<T> lone_line_;  // without a function where this is no such line
  StageLoops loops_;
  std::optional<Position> only_item_;
  Position start_;
  std::optional<plan::Loop> step_;     // where there is one loop: cheaper than items
  std::size_t fetched_bytes_;          // of a line, ahead of time; 0: the cache has all
  std::size_t fetched_piece_ = 0;      // of these, with each vector of columns
  std::size_t written_;                // scalars of a line
  std::size_t mapped_step_ = 0;        // scalars from a line to the next between passes and maps
  std::uint64_t mapped_together_ = 0;  // lines
  std::uint64_t streamed_together_ = 1;
  void (*copy_past_cache_)(const T* from, std::size_t count, T* to);
  bool rows_are_results_ = false;  // rows between two passes take the places of results
  bool streamed_ = false;
};

// Whether there is room for rows, and for reals and one more.
template <class T>
bool has_room(const ContiguousLine& line, const PackedLineChoice& choice) {
  const bool complex = line.kind == ShortRowsKind::complex;
  const std::size_t pairs = line.length % 2 == 0 ? line.length / 2 : line.length;
  const bool has_rows = have_room(choice.radices, vector_lanes<T>(choice.targets) / 2, sizeof(T));
  return has_rows && (complex || 2 * sizeof(T) * (pairs + 1) <= most_real_bytes);
}

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_packed_line_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const auto line = contiguous_line(stage);
  if (!line) return nullptr;
  const auto choice = choose_packed_line<T>(stage, *line, options);
  if (!choice || !has_room<T>(*line, *choice)) return nullptr;
  WorkerOptions chosen = options;
  chosen.targets = choice->targets;
  return std::make_unique<PackedLineWorker<T>>(stage, *line, choice->radices, chosen);
}

template std::unique_ptr<StageWorker> make_packed_line_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_packed_line_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_packed_line_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
