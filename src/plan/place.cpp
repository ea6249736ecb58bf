// Buffer assignment as a shortest path over (stage, where the data is).
#include "plan/place.hpp"

#include <array>
#include <limits>
#include <optional>

namespace twiddle::plan {
namespace {

constexpr std::array<Operand, 3> operands{Operand::input, Operand::output, Operand::scratch};
constexpr int unreachable = std::numeric_limits<int>::max() / 2;
constexpr int copy_cost = 100;  // a copy is a pass over memory: worse than any use of scratch
constexpr int scratch_cost = 1;

struct Step {
  int cost = unreachable;
  Operand from = Operand::input;  // where the data was before this step
};
using Row = std::array<Step, operands.size()>;

std::size_t index(Operand operand) { return static_cast<std::size_t>(operand); }

bool allowed(const Draft& draft, Operand from, Operand to, Placement placement) {
  if (to == Operand::input) return false;  // in place, `output` is the same memory
  const bool same = from == to || (placement == Placement::in_place && from != Operand::scratch && to != Operand::scratch);
  switch (draft.padded) {
    case Draft::Padded::no:
      return !same || !moves_elements(draft.stage);
    case Draft::Padded::entering:
      return from != Operand::scratch && to == Operand::scratch;
    case Draft::Padded::inside:
      return from == Operand::scratch && to == Operand::scratch;
    case Draft::Padded::leaving:
      return from == Operand::scratch && to == Operand::output;
  }
  return false;
}

Stage copy_stage(Operand from, Operand to, std::uint64_t elements) {
  Stage stage;
  stage.loops = {{elements, 1, 1}};
  stage.source = from;
  stage.destination = to;
  stage.step = "copy";
  return stage;
}

}  // namespace

bool moves_elements(const Stage& stage) {
  if (stage.input_stride != stage.output_stride) return true;
  for (const Loop& loop : stage.loops) {
    if (loop.input_stride != loop.output_stride) return true;
  }
  return false;
}

std::vector<Stage> place(const std::vector<Draft>& drafts, Placement placement, std::uint64_t elements) {
  // Every draft is preceded by an optional copy; a last optional copy ends the program. Rows alternate accordingly.
  std::vector<Row> rows(1);
  rows[0][index(Operand::input)].cost = 0;
  const auto advance = [&](auto&& cost_of) {
    Row next;
    for (Operand from : operands) {
      for (Operand to : operands) {
        const std::optional<int> cost = cost_of(from, to);
        const int before = rows.back()[index(from)].cost;
        if (!cost || before >= unreachable) continue;
        if (before + *cost < next[index(to)].cost) next[index(to)] = {before + *cost, from};
      }
    }
    rows.push_back(next);
  };
  const auto copy_rule = [&](Operand from, Operand to) -> std::optional<int> {
    if (from == to) return 0;
    if (to == Operand::input) return std::nullopt;
    if (placement == Placement::in_place && from == Operand::input && to == Operand::output) return 0;  // same memory
    return copy_cost;
  };
  for (const Draft& draft : drafts) {
    const bool inside = draft.padded == Draft::Padded::inside || draft.padded == Draft::Padded::leaving;
    advance([&](Operand from, Operand to) -> std::optional<int> {
      if (inside) return from == to ? std::optional<int>(0) : std::nullopt;  // the padded layout cannot be copied away
      return copy_rule(from, to);
    });
    advance([&](Operand from, Operand to) -> std::optional<int> {
      if (!allowed(draft, from, to, placement)) return std::nullopt;
      return to == Operand::scratch ? scratch_cost : 0;
    });
  }
  advance(copy_rule);

  std::vector<Stage> stages;
  Operand at = Operand::output;
  const auto add_copy = [&](Operand from, Operand to) {
    const bool same_memory = placement == Placement::in_place && from == Operand::input && to == Operand::output;
    if (from != to && !same_memory) stages.insert(stages.begin(), copy_stage(from, to, elements));
  };
  for (std::size_t row = rows.size() - 1; row > 0; --row) {
    const Operand from = rows[row][index(at)].from;
    if (row % 2 == 1) {
      add_copy(from, at);
    } else {
      Stage stage = drafts[row / 2 - 1].stage;
      stage.source = from;
      stage.destination = at;
      stages.insert(stages.begin(), std::move(stage));
    }
    at = from;
  }
  return stages;
}

}  // namespace twiddle::plan
