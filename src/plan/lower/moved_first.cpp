// The digits of positions on the reading side of the first draft.
#include "plan/lower/moved_first.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "plan/lower/emit.hpp"

namespace twiddle::plan {
namespace {

void split_by_digits(Draft& draft, std::size_t dimension, const std::vector<ReversedDigit>& digits,
                     std::int64_t ReversedDigit::*read, std::int64_t ReversedDigit::*written) {
  for (Draft& other : draft.beside) split_by_digits(other, dimension, digits, read, written);
  std::vector<DraftLoop> loops;
  for (const ReversedDigit& digit : digits) loops.push_back({digit.count, dimension, digit.*read, digit.*written});
  split_loop(draft, dimension, loops);
}

}  // namespace

bool has_plain_lines(const AxisTask& task) {
  const AxisRule& rule = task.rule;
  const bool mapped = rule.first_map || rule.load_map || rule.store_map || rule.packed_input || rule.packed_output;
  return !mapped && !rule.load_count && !rule.store_count && rule.symmetry == Symmetry::none && !task.halves &&
         !task.paired && !task.source.real && !task.destination.real;
}

void reverse_digits(Draft& draft, std::size_t dimension, const std::vector<ReversedDigit>& digits) {
  split_by_digits(draft, dimension, digits, &ReversedDigit::belongs, &ReversedDigit::at);
}

void put_in_order(Draft& draft, std::size_t dimension, const std::vector<ReversedDigit>& digits) {
  split_by_digits(draft, dimension, digits, &ReversedDigit::at, &ReversedDigit::belongs);
}

void move_neighbours_in_blocks(Draft& copy, std::uint64_t block) {
  const auto parts_neighbours = [last = copy.source.extents.size() - 1](const DraftLoop& loop) {
    return loop.dimension == last && loop.input_weight == 1 && loop.output_weight != 1;
  };
  const auto loop = std::ranges::find_if(copy.loops, parts_neighbours);
  if (loop != copy.loops.end()) move_in_blocks(copy, static_cast<std::size_t>(loop - copy.loops.begin()), block);
}

std::vector<Draft> decimated_in_time(AxisTask task, const LineRecipe& line) {
  task.unordered = true;
  std::vector<Draft> drafts = emit(task, line);
  std::ranges::reverse(drafts);
  for (Draft& draft : drafts) {
    if (draft.stage.twiddle) draft.stage.twiddle->on_load = true;
  }
  return drafts;
}

void reverse_own_digits(Draft& draft, const std::vector<ReversedDigit>& digits) {
  draft.input_weight = digits.back().belongs;
  for (std::size_t i = 0; i + 1 < digits.size(); ++i) draft.loops[i].input_weight = digits[i].belongs;
}

std::optional<std::vector<DraftGroup>> with_elements_moved_first(const std::vector<DraftGroup>& groups,
                                                                 const std::vector<AxisGroups>& axes, Mover mover,
                                                                 std::uint64_t block) {
  std::vector<DraftGroup> result;
  std::vector<const AxisGroups*> reversed;
  for (const AxisGroups& axis : axes) {
    if (axis.count < 2) {
      for (std::size_t i = 0; i < axis.count; ++i) result.push_back(groups[axis.first + i]);
      continue;
    }
    if (!has_plain_lines(axis.task) || leaves(*axis.line).empty()) return std::nullopt;
    reversed.push_back(&axis);
    std::vector<Draft> drafts = decimated_in_time(axis.task, *axis.line);
    for (std::size_t i = 0; i < drafts.size(); ++i) {
      drafts[i].stage.scale = groups[axis.first + i].drafts.front().stage.scale;
      result.push_back(group_of(std::move(drafts[i])));
    }
  }
  if (reversed.empty()) return std::nullopt;
  if (mover == Mover::copy) result.insert(result.begin(), group_of(copy_draft(groups.front().source)));
  Draft& first = result.front().drafts.front();
  if (!first.beside.empty()) return std::nullopt;
  for (const AxisGroups* axis : reversed) {
    const std::vector<ReversedDigit> digits = reversed_digits(*axis->line);
    if (mover == Mover::first_stage && axis->task.dimension == first.dimension) {
      reverse_own_digits(first, digits);
    } else {
      reverse_digits(first, axis->task.dimension, digits);
    }
  }
  if (mover == Mover::copy) move_neighbours_in_blocks(first, block);
  return result;
}

}  // namespace twiddle::plan
