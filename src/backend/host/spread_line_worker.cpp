// A few short lines whose numbers lie apart, strided or in planes, each in one call on where they are: bringing them
// together first takes several times as long as the butterfly. Lines in planes of two passes, however many they are.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "backend/host/aligned_array.hpp"
#include "backend/host/contiguous_line.hpp"
#include "backend/host/packed_factors.hpp"
#include "backend/host/packed_line_choice.hpp"
#include "backend/host/packed_passes.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/spread_lines.hpp"
#include "backend/host/stage_loops.hpp"
#include "backend/host/stage_worker.hpp"

namespace twiddle::backend::host {
namespace {

// A line no longer than a butterfly.
template <class T>
struct SpreadLine {
  void operator()(const T* from, T* to) const { function(spread, from, to); }
  SpreadLineFunction<T> function = nullptr;
  SpreadLineCall<T> spread;
};

// A line in planes, by two passes on packed numbers, or both at once.
template <class T>
struct PlanarLine {
  void operator()(const T* from, T* to) const {
    first == nullptr ? last(last_call, nullptr, from, to) : two_passes(from, to);
  }
  // What needs room on the stack is kept out of the way of what does not.
  [[gnu::noinline]] void two_passes(const T* from, T* to) const {
    alignas(cache_line) T rows[most_packed_row_bytes / sizeof(T)];
    first(first_call, nullptr, from, rows);
    last(last_call, nullptr, rows, to);
  }
  PackedFunction<T> first = nullptr;
  PackedFunction<T> last = nullptr;
  PackedCall<T> first_call;
  PackedCall<T> last_call;
  AlignedArray<T> factors;
};

// The same, all there is, from the beginning of one memory to that of the other.
template <class T, class Line>
struct OnlyLine final : HostCall {
  explicit OnlyLine(Line a_line) : line(std::move(a_line)) {}
  void call(const std::byte* input, std::byte* output) const override {
    line(reinterpret_cast<const T*>(input), reinterpret_cast<T*>(output));
  }
  Line line;
};

template <class T, class Line>
class SpreadLineWorker final : public StageWorker {
 public:
  SpreadLineWorker(const plan::Stage& stage, Line line)
      : loops_(stage, StageLoops::no_loop, 1), start_(loops_.item(0).position), only_line_(std::move(line)) {
    is_only_ = loops_.items() == 1 && start_.input == 0 && start_.output == 0;
    if (stage.loops.size() == 1) step_ = stage.loops[0];
  }

  std::uint64_t items() const override { return loops_.items(); }

  const HostCall* shortest_call() const override { return is_only_ ? static_cast<const HostCall*>(&only_line_) : this; }

  void run(const std::byte* input, std::byte* output, std::uint64_t begin, std::uint64_t end) const override {
    for (std::uint64_t i = begin; i < end; ++i) {
      const Position position = step_ ? stepped(i) : loops_.item(i).position;
      only_line_.line(reinterpret_cast<const T*>(input) + position.input,
                      reinterpret_cast<T*>(output) + position.output);
    }
  }

 private:
  Position stepped(std::uint64_t line) const {
    const auto turn = static_cast<std::int64_t>(line);
    return {start_.input + turn * step_->input_stride, start_.output + turn * step_->output_stride};
  }

  StageLoops loops_;
  Position start_;
  std::optional<plan::Loop> step_;  // where there is one loop: cheaper than items
  OnlyLine<T, Line> only_line_;
  bool is_only_ = false;  // from the beginning of either memory
};

template <class T>
std::unique_ptr<StageWorker> make_short(const plan::Stage& stage, const ContiguousLine& line,
                                        const WorkerOptions& options) {
  const bool complex = line.kind == ShortRowsKind::complex;
  const auto sides = spread_sides(stage, line.kind);
  if (!sides) return nullptr;
  const auto& [from, to] = *sides;
  const bool pairs = from.imaginary == 1 && to.imaginary == 1;
  const auto kind = line.kind == ShortRowsKind::reals        ? SpreadLineKind::reals
                    : line.kind == ShortRowsKind::reals_back ? SpreadLineKind::reals_back
                    : pairs                                  ? SpreadLineKind::pairs
                                                             : SpreadLineKind::complex;
  const auto function = find_spread_line<T>(kind, line.length, options.targets);
  if (function == nullptr) return nullptr;
  const bool inverse = complex && stage.direction == Direction::inverse;
  return std::make_unique<SpreadLineWorker<T, SpreadLine<T>>>(
      stage, SpreadLine<T>{function, {from, to, static_cast<T>(stage.scale), inverse}});
}

// Whether many such lines take less time so than as interleaved ones. On an EPYC (Zen 4), in the caches, 4 to 100 lines
// of 32 to 1024 points take 0.47 to 1.0 of the time, but floats that end within a vector 0.87 to 1.2; from memory those
// of 32 points and more and less than 2048 bytes 0.56 to 1.0, 24 points 1.1 and 1.2, longer ones to 1.9.
template <class T>
bool gains_in_planes(std::size_t length, PackedRadices radices, std::size_t numbers, const WorkerOptions& options) {
  constexpr std::size_t shortest_from_memory = 32;
  constexpr std::size_t longest_bytes_from_memory = 2048;
  if (options.prefetched) return length >= shortest_from_memory && 2 * length * sizeof(T) < longest_bytes_from_memory;
  return sizeof(T) > sizeof(float) || radices.first % numbers == 0;
}

template <class T>
std::unique_ptr<StageWorker> make_planar(const plan::Stage& stage, const ContiguousLine& line, bool few,
                                         const WorkerOptions& options) {
  if (line.kind != ShortRowsKind::complex) return nullptr;
  const auto sides = spread_sides(stage, line.kind);
  if (!sides || sides->from.step != 1 || sides->to.step != 1) return nullptr;
  const auto choice = choose_packed_line<T>(in_scalars(adjacent_lines(stage, 1, 0, 0)), line, options);
  if (!choice) return nullptr;
  const auto [radices, targets] = *choice;
  const std::size_t numbers = vector_lanes<T>(targets) / 2;
  if (radices.first == 0 || !have_room(radices, numbers, sizeof(T))) return nullptr;
  if (!few && !gains_in_planes<T>(line.length, radices, numbers, options)) return nullptr;
  PlanarLine<T> planar;
  if (radices.last == numbers) {
    planar.last = find_packed_planes<T>(PackedKind::both, radices.first, targets);
  } else {
    planar.first = find_packed_planes<T>(PackedKind::first, radices.first, targets);
    planar.last = find_packed_planes<T>(PackedKind::last, radices.last, targets);
    if (planar.first == nullptr) return nullptr;
  }
  if (planar.last == nullptr) return nullptr;
  planar.factors = first_pass_factors<T>(radices, numbers, stage.direction, stage.scale, targets);
  for (PackedCall<T>* call : {&planar.first_call, &planar.last_call}) {
    call->factors = planar.factors.data();
    call->scale = static_cast<T>(stage.scale);
    call->from_imaginary = sides->from.imaginary;
    call->to_imaginary = sides->to.imaginary;
    call->alternate = alternating_signs<T>(stage.direction);
  }
  planar.first_call.columns = radices.last;
  planar.last_call.columns = radices.first;
  return std::make_unique<SpreadLineWorker<T, PlanarLine<T>>>(stage, std::move(planar));
}

// Whether so few lines are better off one after the other than brought together several at a time: on an EPYC (Zen 4) 3
// to 8 lines of reals of 4 to 16 points take 0.32 to 0.95 of the time to planes, 16 of them 0.96 to 1.7; complex ones
// of at most 48 points together 0.38 to 0.94, but 8 of 4 floats 1.02, of 64 points 1.0 to 1.5.
template <class T>
bool are_few(std::uint64_t lines, const ContiguousLine& line, const WorkerOptions& options) {
  constexpr std::uint64_t most_of_reals = 8;
  constexpr std::uint64_t most_points = 48;
  if (are_lone(lines, vector_lanes<T>(options.targets))) return true;
  return line.kind == ShortRowsKind::complex ? lines * line.length <= most_points : lines <= most_of_reals;
}

}  // namespace

template <class T>
std::unique_ptr<StageWorker> make_spread_line_worker(const plan::Stage& stage, const WorkerOptions& options) {
  const bool planes = stage.input_stride == 1 && stage.output_stride == 1;
  if (stage.length > longest_spread_line && !planes) return nullptr;
  const auto line = line_if_adjacent(stage);
  if (!line) return nullptr;
  const bool few = are_few<T>(plan::transform_count(stage), *line, options);
  auto worker = few ? make_short<T>(stage, *line, options) : nullptr;
  return worker ? std::move(worker) : make_planar<T>(stage, *line, few, options);
}

template std::unique_ptr<StageWorker> make_spread_line_worker<float>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_spread_line_worker<double>(const plan::Stage&, const WorkerOptions&);
template std::unique_ptr<StageWorker> make_spread_line_worker<long double>(const plan::Stage&, const WorkerOptions&);

}  // namespace twiddle::backend::host
