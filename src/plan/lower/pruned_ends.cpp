// Bounds on the reading side of the first drafts and on the writing side of the last ones.
#include "plan/lower/pruned_ends.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plan/lower/emit.hpp"
#include "plan/lower/leaves.hpp"

namespace twiddle::plan {
namespace {

// Elements of the whole line on a side.
std::uint64_t whole_extent(const AxisTask& task, bool real) {
  const AxisRule& rule = task.rule;
  const bool complex_line = !task.source.real && !task.destination.real;
  if (complex_line) return rule.points;
  const std::optional<LineMap>& map = rule.store_map ? rule.store_map : rule.load_map;
  const std::uint64_t n = map ? map->length : rule.points;
  return real ? n : n / 2 + 1;
}

// Complex lines that take reals, or leave real parts, beside an axis of one point have all of their spectrum.
bool has_half_spectrum(const AxisTask& task) {
  const AxisRule& rule = task.rule;
  if (task.destination.real) return rule.load_map.has_value();
  return rule.store_map || (rule.store_count && *rule.store_count <= rule.points / 2 + 1);
}

AxisTask whole_task(AxisTask task) {
  AxisRule& rule = task.rule;
  for (std::optional<LineMap>* const map : {&rule.first_map, &rule.load_map, &rule.store_map}) {
    if (!*map) continue;
    (*map)->source_count = full_source_count((*map)->rule, (*map)->length);
    (*map)->count = full_count((*map)->rule, (*map)->length);
  }
  rule.lone_real = false;
  rule.load_count.reset();
  rule.store_count.reset();
  const std::size_t d = task.dimension;
  task.source.extents[d] = whole_extent(task, task.source.real);
  task.destination.extents[d] = whole_extent(task, task.destination.real);
  const bool half_spectrum = task.source.real && !task.destination.real && !rule.store_map;
  if (half_spectrum) rule.store_count = task.destination.extents[d];
  return task;
}

// One side of a draft.
struct DraftSide {
  std::int64_t Draft::*weight;
  std::int64_t DraftLoop::*loop_weight;
  std::int64_t DraftBegin::*begin;
  std::optional<Bound> Stage::*bound;
  bool Draft::*packed;
  Frame Draft::*frame;
};
constexpr DraftSide reading{&Draft::input_weight, &DraftLoop::input_weight, &DraftBegin::input,
                            &Stage::load_bound,   &Draft::packed_input,     &Draft::source};
constexpr DraftSide writing{&Draft::output_weight, &DraftLoop::output_weight, &DraftBegin::output,
                            &Stage::store_bound,   &Draft::packed_output,     &Draft::destination};

// Whether elements stand the other way round than the bound counts them.
bool counts_backwards(const Draft& draft, const DraftSide& side, std::size_t dimension, const Bound& bound) {
  if (draft.dimension == dimension && bound.element_stride != 0) {
    return draft.*side.weight * bound.element_stride < 0;
  }
  for (std::size_t i = 0; i < draft.loops.size(); ++i) {
    if (draft.loops[i].dimension == dimension) return draft.loops[i].*side.loop_weight * bound.loop_strides[i] < 0;
  }
  return false;
}

// Of what a bound leaves, the first `count` elements along the dimension: position 0 has element `zero`, or would.
void narrow_bound(Draft& draft, const DraftSide& side, std::size_t dimension, std::uint64_t count) {
  Bound& bound = *(draft.stage.*side.bound);
  const bool backwards = counts_backwards(draft, side, dimension, bound);
  const auto first = static_cast<std::int64_t>(bound.first);
  const auto elements = static_cast<std::int64_t>(count);
  const std::int64_t begin = draft.begin.dimension == dimension ? draft.begin.*side.begin : 0;
  const std::int64_t zero = begin - first + (backwards ? bound.offset : -bound.offset);
  const auto end = static_cast<std::int64_t>(bound.count);
  if (!backwards) {
    bound.count = static_cast<std::uint64_t>(std::clamp(elements - zero, first, end));
    return;
  }
  bound.first = static_cast<std::uint64_t>(std::clamp(zero - elements + 1, first, end));
  // Memory begins with the bound's first position (bind.cpp).
  draft.begin.dimension = dimension;
  draft.begin.*side.begin = begin + static_cast<std::int64_t>(bound.first) - first;
}

// The same of a map that makes mirror images together: whether the spectrum is on that side of it.
bool prune_map(Stage& stage, const DraftSide& side, std::uint64_t count) {
  LineMap& map = *stage.load_map;
  if (map.rule == LineMap::Rule::c2r_load && side.bound == &Stage::load_bound) {
    map.source_count = count;
    return true;
  }
  if (map.rule != LineMap::Rule::r2c_store || side.bound != &Stage::store_bound) return false;
  map.count = stage.length = count;
  return true;
}

// Only the first `count` elements along the dimension.
bool prune(Draft& draft, const DraftSide& side, std::size_t dimension, std::uint64_t count) {
  const bool own = draft.dimension == dimension;
  const bool packed = draft.*side.packed && own;
  Stage& stage = draft.stage;
  (draft.*side.frame).extents[dimension] = count;
  if (stage.load_map || stage.store_map) return stage.mirrored && own && prune_map(stage, side, count);
  if (draft.parts_along) return false;
  std::optional<Bound>& bound = stage.*side.bound;
  if (bound) {
    if (packed || !own) return false;  // one bound is along one dimension
    narrow_bound(draft, side, dimension, count);
    return true;
  }
  bound = bound_along(draft, dimension, packed ? (count + 1) / 2 : count, side.loop_weight);
  bound->imaginary_step = packed && count % 2 != 0 ? 1 : 0;
  if (draft.begin.dimension == dimension) bound->offset = draft.begin.*side.begin;
  return true;
}

bool prune_all(DraftGroup& group, const DraftSide& side, std::size_t dimension, std::uint64_t count) {
  Draft& draft = group.drafts.front();
  std::vector<Draft*> all{&draft};
  for (Draft& beside : draft.beside) all.push_back(&beside);
  return std::ranges::all_of(all, [&](Draft* each) { return prune(*each, side, dimension, count); });
}

}  // namespace

std::optional<WholeLines> whole_lines(const std::vector<DraftGroup>& groups, const std::vector<AxisGroups>& axes) {
  std::size_t drafts = 0;
  std::optional<std::size_t> pruned;  // of the axes
  std::vector<AxisGroups> whole = axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const AxisTask& task = axes[i].task;
    const bool of_reals = task.source.real != task.destination.real;
    if (leaves(*axes[i].line).empty() || (of_reals && !has_half_spectrum(task))) return std::nullopt;
    if (task.rule.symmetry != Symmetry::none || task.paired) return std::nullopt;
    whole[i].task = whole_task(task);
    drafts += axes[i].count;
    if (whole[i].task.source == task.source && whole[i].task.destination == task.destination) continue;
    if (pruned) return std::nullopt;
    pruned = i;
  }
  if (!pruned || drafts != groups.size()) return std::nullopt;
  const AxisTask line = whole[*pruned].task;
  WholeLines result{.dimension = line.dimension};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    AxisTask& task = whole[i].task;
    const Frame& beside = i < *pruned ? line.source : line.destination;
    for (Frame* const frame : {&task.source, &task.destination}) {
      if (i != *pruned) frame->extents[line.dimension] = beside.extents[line.dimension];
    }
    whole[i].first = result.groups.size();
    for (Draft& draft : emit(task, *whole[i].line)) result.groups.push_back(group_of(std::move(draft)));
    whole[i].count = result.groups.size() - whole[i].first;
  }
  for (const DraftGroup& group : groups) {
    result.groups.back().drafts.front().stage.scale *= group.drafts.front().stage.scale;
  }
  result.axes = std::move(whole);
  return result;
}

bool prune_ends(std::vector<DraftGroup>& groups, std::size_t dimension, const Frame& read, const Frame& written) {
  DraftGroup& first = groups.front();
  DraftGroup& last = groups.back();
  if (first.source != read && !prune_all(first, reading, dimension, read.extents[dimension])) return false;
  if (last.destination != written && !prune_all(last, writing, dimension, written.extents[dimension])) return false;
  first.source = read;
  last.destination = written;
  return true;
}

}  // namespace twiddle::plan
