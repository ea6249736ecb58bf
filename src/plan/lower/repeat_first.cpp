// The loop over the first draft's elements, found in all others and cut.
#include "plan/lower/repeat_first.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace twiddle::plan {
namespace {

// Of the elements of the first draft's transforms.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Where the elements of the first draft's transforms lie along its dimension, in the array at hand: position
// low + weight * (element + count * high), where low < weight.
struct ResultCut {
  std::size_t dimension = 0;
  std::uint64_t count = 1;
  std::uint64_t weight = 1;
  std::uint64_t kept = 1;  // so many of the elements
};

bool is_plain(const Draft& draft) {
  return draft.beside.empty() && !draft.stage.swaps && draft.begin.input == 0 && draft.begin.output == 0;
}

// Nothing where the first draft's results cannot be cut: its elements, or as many of the first ones as it stores, have
// to be all there is along the dimension.
std::optional<ResultCut> cut_of(const Draft& first) {
  const Stage& stage = first.stage;
  const bool transforms = !stage.radices.empty() || stage.direct;
  const std::uint64_t stored = bounded_count(stage.length, stage.store_bound);
  const bool changes_results =
      stage.shared_map || stage.store_map || stage.store_factor || (stage.store_bound && stored == stage.length);
  const bool paired = first.pairs_in_source || first.pairs_in_destination;
  if (!is_plain(first) || paired || !transforms || changes_results || first.packed_output || first.output_weight < 1) {
    return std::nullopt;
  }
  const ResultCut cut{first.dimension, stored, static_cast<std::uint64_t>(first.output_weight)};
  if (first.destination.extents[cut.dimension] != cut.count * cut.weight) return std::nullopt;
  return cut;
}

void keep(Draft& first, const ResultCut& cut, const Range& range) {
  Bound bound = bound_along(first, cut.dimension, range.end * cut.weight, &DraftLoop::output_weight);
  bound.first = range.begin * cut.weight;
  first.stage.store_bound = std::move(bound);
  first.destination.extents[cut.dimension] = (range.end - range.begin) * cut.weight;
}

// A loop over all positions becomes one for each of the three terms of a position.
void split_positions(Draft& draft, const ResultCut& cut) {
  const std::uint64_t extent = draft.source.extents[cut.dimension];
  const auto whole = [&](const DraftLoop& loop) {
    return loop.dimension == cut.dimension && loop.count == extent && loop.input_weight == 1 && loop.output_weight == 1;
  };
  const auto found = std::ranges::find_if(draft.loops, whole);
  if (draft.dimension == cut.dimension || found == draft.loops.end() || extent == cut.count) return;
  found->count = cut.weight;
  for (const auto& [count, weight] :
       {std::pair(cut.count, cut.weight), {extent / cut.weight / cut.count, cut.weight * cut.count}}) {
    if (count == 1) continue;
    add_loop(draft, {count, cut.dimension, static_cast<std::int64_t>(weight), static_cast<std::int64_t>(weight)});
  }
}

// The one loop over the elements that are cut; nothing where something depends on its turn but where they lie, and
// bounds, which count positions from anywhere on.
std::optional<std::size_t> loop_over(const Draft& draft, const ResultCut& cut) {
  std::optional<std::size_t> result;
  for (std::size_t i = 0; i < draft.loops.size(); ++i) {
    const DraftLoop& loop = draft.loops[i];
    if (loop.dimension != cut.dimension || loop.count != cut.count) continue;
    if (loop.input_weight != static_cast<std::int64_t>(cut.weight)) continue;
    if (result) return std::nullopt;
    result = i;
  }
  if (!result || (draft.stage.twiddle && draft.stage.twiddle->loop == *result)) return std::nullopt;
  const auto depends = [&](const std::optional<Factor>& factor) {
    return factor && factor->loop_strides[*result] != 0;
  };
  return depends(draft.stage.load_factor) || depends(draft.stage.store_factor) ? std::nullopt : result;
}

// Elements of a line that memory has on that side, where those that it lacks are mirror images.
std::uint64_t elements_in_memory(const Draft& draft, std::int64_t Draft::*element) {
  const Stage& stage = draft.stage;
  if (element == &Draft::output_weight) return stage.length;
  if (stage.load_map) return stage.load_map->source_count;
  return stage.load_bound && stage.load_bound->period == stage.length ? stage.load_bound->count : stage.length;
}

// Steps of one side along the dimension where so many elements are kept; false where one is not of one term alone.
bool shorten(Draft& draft, std::size_t over, const ResultCut& cut, std::int64_t Draft::*element,
             std::int64_t DraftLoop::*weight) {
  const auto shorten_step = [&](std::uint64_t count, std::int64_t& step) {
    if (count == 1) return true;
    const std::uint64_t beyond = cut.weight * cut.count;
    const auto size = static_cast<std::uint64_t>(step);
    if (step < 1 || (size < cut.weight && size * count > cut.weight)) return false;
    if (size < cut.weight) return true;
    if (size % beyond != 0) return false;
    step = static_cast<std::int64_t>(size / cut.count * cut.kept);
    return true;
  };
  if (draft.dimension == cut.dimension && !shorten_step(elements_in_memory(draft, element), draft.*element))
    return false;
  for (std::size_t i = 0; i < draft.loops.size(); ++i) {
    DraftLoop& loop = draft.loops[i];
    if (i != over && loop.dimension == cut.dimension && !shorten_step(loop.count, loop.*weight)) return false;
  }
  return true;
}

// Pairs of what is cut as one from here on; false where the elements are not all there is.
bool take_in_pairs(const Draft& draft, ResultCut& cut) {
  if (cut.weight != 1 || cut.count != draft.source.extents[cut.dimension]) return false;
  cut.count = (cut.count + 1) / 2;
  cut.kept = (cut.kept + 1) / 2;
  return true;
}

// The draft for a part; `cut` is that of what it reads, and then of what it writes.
bool follow(Draft& draft, ResultCut& cut, const Range& range, bool last) {
  // Whose places count pairs, and transforms that mirror each other, whose results are in different parts.
  const bool packs = draft.packed_output || draft.stage.shared_map;
  if (!is_plain(draft) || (packs && draft.dimension == cut.dimension)) return false;
  const std::uint64_t all = range.end - range.begin;
  if (draft.pairs_in_source == cut.dimension) {
    if (!take_in_pairs(draft, cut)) return false;
    draft.source.extents[cut.dimension] = all;
  } else {
    split_positions(draft, cut);
    draft.source.extents[cut.dimension] = draft.source.extents[cut.dimension] / cut.count * cut.kept;
  }
  const auto over = loop_over(draft, cut);
  if (!over || !shorten(draft, *over, cut, &Draft::input_weight, &DraftLoop::input_weight)) return false;
  // What is pruned in the middle may end within the elements that are cut.
  const std::optional<Bound>& stored = draft.stage.store_bound;
  const bool prunes = stored && stored->period == 0 && stored->loop_strides[*over] != 0;
  if (prunes && !last && draft.destination.extents[cut.dimension] % cut.count != 0) return false;
  DraftLoop& loop = draft.loops[*over];
  loop.count = cut.kept;
  for (std::optional<Bound>* const bound : {&draft.stage.load_bound, &draft.stage.store_bound}) {
    if (*bound) (*bound)->offset += static_cast<std::int64_t>(range.begin) * (*bound)->loop_strides[*over];
  }
  if (last) {
    draft.begin = {cut.dimension, 0, static_cast<std::int64_t>(range.begin) * loop.output_weight};
    if (draft.pairs_in_destination == cut.dimension) draft.destination.extents[cut.dimension] = all;
    return true;
  }
  if (loop.output_weight < 1) return false;
  cut.weight = static_cast<std::uint64_t>(loop.output_weight);
  draft.destination.extents[cut.dimension] = draft.destination.extents[cut.dimension] / cut.count * cut.kept;
  return shorten(draft, *over, cut, &Draft::output_weight, &DraftLoop::output_weight);
}

// Part of all elements, a multiple of so many of them before it.
Range range_of(std::uint64_t part, std::uint64_t parts, std::uint64_t count, std::uint64_t multiple) {
  const auto before = [&](std::uint64_t i) { return i == parts ? count : i * count / parts / multiple * multiple; };
  return {before(part), before(part + 1)};
}

// Whether a later draft takes two of the elements as one.
bool takes_pairs(const std::vector<DraftGroup>& groups, std::size_t dimension) {
  return std::ranges::any_of(groups, [&](const DraftGroup& group) {
    const Draft& draft = group.drafts.front();
    return draft.pairs_in_source == dimension || draft.pairs_in_destination == dimension;
  });
}

}  // namespace

std::optional<DraftGroup> repeat_first(const std::vector<DraftGroup>& groups, std::uint64_t parts) {
  const auto cut = cut_of(groups.front().drafts.front());
  if (!cut || groups.size() < 2) return std::nullopt;
  // Pairs stay together, as lines that have a partner do where there are enough of them.
  const std::uint64_t multiple = takes_pairs(groups, cut->dimension) || 2 * parts <= cut->count ? 2 : 1;
  if (multiple * parts > cut->count) return std::nullopt;
  DraftGroup result{{}, groups.front().source, groups.back().destination};
  for (std::uint64_t part = 0; part < parts; ++part) {
    const Range range = range_of(part, parts, cut->count, multiple);
    std::vector<Draft> drafts;
    for (const DraftGroup& group : groups) drafts.push_back(group.drafts.front());
    keep(drafts.front(), *cut, range);
    ResultCut at = *cut;
    at.kept = range.end - range.begin;
    for (std::size_t i = 1; i < drafts.size(); ++i) {
      if (!follow(drafts[i], at, range, i + 1 == drafts.size())) return std::nullopt;
    }
    result.repeats.push_back(std::move(drafts));
  }
  return result;
}

}  // namespace twiddle::plan
