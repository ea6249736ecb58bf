// Which axis leaves what order behind, and which stage restores it.
#include "plan/lower/one_array.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plan/lower/axis_drafts.hpp"
#include "plan/lower/emit.hpp"
#include "plan/lower/leaves.hpp"
#include "plan/lower/moved_first.hpp"
#include "plan/lower/real_halves.hpp"

namespace twiddle::plan {
namespace {

bool has_several_stages(const LineRecipe& line) { return leaves(line).size() > 1; }

bool is_pruned(const AxisRule& rule) { return rule.load_count || rule.store_count; }

// The loop over the lines along another dimension than the stage's own; there is one.
std::size_t loop_along(const Draft& draft, std::size_t dimension) {
  const auto loop = std::ranges::find(draft.loops, dimension, &DraftLoop::dimension);
  return static_cast<std::size_t>(loop - draft.loops.begin());
}

// Leaves another dimension, whose first `frequencies` elements are read, in blocks: whole ones, and beside them the
// last.
void put_in_blocks(Draft& draft, std::size_t dimension, const SpectrumBlocks& blocks, std::uint64_t frequencies) {
  const std::int64_t read = as_weight(blocks.frequencies);
  const std::int64_t written = as_weight(blocks.apart);
  const std::int64_t whole = as_weight(blocks.count) - 1;
  const std::size_t within = loop_along(draft, dimension);
  draft.source.extents[dimension] = frequencies;
  Draft last = draft;
  last.begin = {dimension, whole * read, whole * written};
  last.loops[within] = {frequencies - (blocks.count - 1) * blocks.frequencies, dimension, 1, 1};
  draft.loops[within] = {blocks.apart, dimension, 1, 1};
  add_loop(draft, {blocks.count - 1, dimension, read, written});
  draft.beside.push_back(std::move(last));
}

// Where the last axis puts the others in order, which its first stage does that moves elements: the place among its
// drafts. Nothing where none can. Of complex lines, whose real parts are left, the last one alone moves elements.
std::optional<std::size_t> prepare_last(AxisTask& task, const LineRecipe& line,
                                        const std::optional<SpectrumBlocks>& blocks) {
  if (blocks) return 1;
  const bool by_bluestein = task.rule.points > 1 && leaves(line).empty();
  if (task.halves || task.paired || by_bluestein) return std::nullopt;
  if (task.share_map) {
    const auto& parts = std::get<FourStep>(line.algorithm);
    // Rows are mirrored in pairs, which an odd number of them are not: the map is a stage of its own then.
    task.share_map = task.rows_first = parts.columns->length % 2 == 0;
  }
  task.last_moves = true;
  if (task.rule.load_map) return 0;
  task.rows_first = false;
  return leaves(line).size() - 1;
}

}  // namespace

std::optional<std::vector<DraftGroup>> in_one_array(const std::vector<DraftGroup>& groups,
                                                    const std::vector<AxisGroups>& axes) {
  if (axes.empty()) return std::nullopt;
  const AxisGroups& last = axes.back();
  const std::size_t dimension = last.task.dimension;
  const std::uint64_t frequencies = last.task.source.extents[dimension];
  const auto blocks = spectrum_blocks(last.task, *last.line);
  AxisTask last_task = last.task;
  const auto orders = prepare_last(last_task, *last.line, blocks);
  if (!orders || last_task.rule.store_count) return std::nullopt;
  if (blocks) last_task.source.extents[dimension] = blocks->places;
  std::vector<Draft> last_drafts = blocks ? emit_halves_in_blocks(last_task, *last.line) : emit(last_task, *last.line);

  std::vector<DraftGroup> result;
  for (auto axis = axes.begin(); axis + 1 != axes.end(); ++axis) {
    AxisTask task = axis->task;
    if (is_pruned(task.rule) || leaves(*axis->line).empty()) return std::nullopt;
    if (blocks) task.source.extents[dimension] = task.destination.extents[dimension] = blocks->places;
    task.unordered = has_several_stages(*axis->line);
    task.last_moves = !task.unordered;
    std::vector<Draft> drafts = emit(task, *axis->line);
    if (blocks && result.empty()) put_in_blocks(drafts.front(), dimension, *blocks, frequencies);
    for (Draft& draft : drafts) result.push_back(group_of(std::move(draft)));
    if (task.unordered) put_in_order(last_drafts[*orders], task.dimension, reversed_digits(*axis->line));
  }
  const long double scale = groups.back().drafts.front().stage.scale;
  for (Draft& draft : last_drafts.back().beside) draft.stage.scale = scale;
  last_drafts.back().stage.scale = scale;
  for (Draft& draft : last_drafts) result.push_back(group_of(std::move(draft)));
  return result;
}

}  // namespace twiddle::plan
