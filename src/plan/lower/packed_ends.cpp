// Two programs from the input to the output's memory, and the last axis behind both.
#include "plan/lower/packed_ends.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "plan/lower/bind.hpp"
#include "plan/lower/emit.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

bool takes_half_spectrum(const AxisGroups& axis) {
  const auto& map = axis.task.rule.load_map;
  return map && map->rule == Rule::c2r_load && is_whole(*map) && axis.count == 1 && axis.task.fuse_load_map;
}

// The complex axes before the last one, on so many of its frequencies.
std::vector<DraftGroup> complex_axes(const std::vector<AxisGroups>& axes, std::size_t dimension,
                                     std::uint64_t frequencies, bool leaves_reals) {
  std::vector<DraftGroup> result;
  for (auto axis = axes.begin(); axis + 1 != axes.end(); ++axis) {
    AxisTask task = axis->task;
    task.source.extents[dimension] = task.destination.extents[dimension] = frequencies;
    task.rule.real_result = task.destination.real = leaves_reals && axis + 2 == axes.end();
    for (Draft& draft : emit(task, *axis->line)) result.push_back(group_of(std::move(draft)));
  }
  return result;
}

bool are_whole_and_complex(const std::vector<AxisGroups>& axes) {
  for (auto axis = axes.begin(); axis + 1 != axes.end(); ++axis) {
    const AxisRule& rule = axis->task.rule;
    if (rule.load_map || rule.store_map || rule.load_count || rule.store_count) return false;
  }
  return axes.size() > 1;
}

}  // namespace

std::optional<Program> with_packed_ends(const std::vector<DraftGroup>& groups, const std::vector<AxisGroups>& axes,
                                        const PlaceRules& rules) {
  if (!are_whole_and_complex(axes) || !takes_half_spectrum(axes.back())) return std::nullopt;
  const AxisGroups& last = axes.back();
  const std::size_t dimension = last.task.dimension;
  const std::uint64_t half = last.task.rule.points;

  AxisTask task = last.task;
  task.source.extents[dimension] = half;
  task.rule.load_map->rule = Rule::half_spectrum_load;
  task.rule.load_map->source_count = half;
  std::vector<DraftGroup> packed = complex_axes(axes, dimension, half, false);
  if (packed.empty()) return std::nullopt;
  packed.front().drafts.front().source = packed.front().source = groups.front().source;
  for (Draft& draft : emit(task, *last.line)) packed.push_back(group_of(std::move(draft)));
  packed.back().drafts.back().stage.scale = groups.back().drafts.back().stage.scale;
  std::optional<Placed> most = place(packed, rules);
  if (!most || most->program.scratch_bytes > 0 || most->program.stages.size() != packed.size()) return std::nullopt;

  const View between = packed_view(interleaved_or_real(true, rules.precision), task.source.extents);
  PlaceRules end = rules;
  end.store_hook.reset();
  end.sides.read = slice_of(rules.sides.read, dimension, half, 1);
  end.sides.written = slice_of(between, dimension, 0, 1);
  end.sides.written.storage = interleaved_or_real(false, rules.precision);
  for (std::int64_t& stride : end.sides.written.strides) stride *= 2;
  end.sides.written.offset = 1;
  std::optional<Placed> frequency = place(complex_axes(axes, dimension, 1, true), end);
  if (!frequency) return std::nullopt;

  Program result = std::move(most->program);
  result.scratch_bytes = frequency->program.scratch_bytes;
  for (Stage& stage : frequency->program.stages) stage.ends = false;
  result.stages.insert(std::prev(result.stages.end()), std::make_move_iterator(frequency->program.stages.begin()),
                       std::make_move_iterator(frequency->program.stages.end()));
  return result;
}

}  // namespace twiddle::plan
