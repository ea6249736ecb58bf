// What slices hold, and their drafts.
#include "plan/lower/slice_search.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace twiddle::plan {
namespace {

std::vector<Draft> drafts_of(const AxisGroups& axis, std::size_t dimension, std::uint64_t lines,
                             const std::vector<DraftGroup>& groups) {
  AxisTask task = axis.task;
  task.source.extents[dimension] = task.destination.extents[dimension] = lines;
  const bool no_pair = lines == 1 && task.paired == dimension;
  if (no_pair) {
    task.paired.reset();
    take_one_spectrum(task.rule);
  }
  std::vector<Draft> drafts = emit(task, *axis.line);
  const auto scale_of = [&](std::size_t i) { return groups[axis.first + i].drafts.front().stage.scale; };
  if (no_pair) {  // fewer drafts: the map that tells spectra apart is not there
    drafts.back().stage.scale *= scale_of(axis.count - 1);
    return drafts;
  }
  for (std::size_t i = 0; i < drafts.size(); ++i) drafts[i].stage.scale = scale_of(i);
  return drafts;
}

}  // namespace

std::uint64_t data_bytes(const Sides& sides) {
  const std::uint64_t bytes = std::max(memory_bytes(sides.read), memory_bytes(sides.written));
  return (bytes + 63) / 64 * 64;  // as scratch memory counts
}

std::optional<SliceSize> slice_size(std::uint64_t all, std::uint64_t bytes, std::uint64_t most, bool paired, Cut cut,
                                    const DeviceLimits& limits) {
  const std::uint64_t step = paired ? 2 : 1;
  const std::uint64_t each = (bytes + all - 1) / all;
  const std::uint64_t fit = std::max(most / each / step, std::uint64_t{1}) * step;
  const std::uint64_t places = cut == Cut::for_each_thread ? limits.compute_units : 1;
  std::uint64_t lines = fit;
  if (cut != Cut::few) {
    const std::uint64_t own = std::min<std::uint64_t>(fit / places, limits.level2_cache / each);
    lines = std::max(own / step, std::uint64_t{1}) * step;
  }
  if (lines >= all) return std::nullopt;
  // Equal slices need no kernels of their own for lines that are left over.
  const std::uint64_t fewest = (all + lines - 1) / lines;
  std::uint64_t equal = (all + fewest - 1) / fewest;
  for (std::uint64_t slices = fewest; slices <= fewest + fewest / 4; ++slices) {
    if (all % slices != 0 || all / slices % step != 0) continue;
    equal = all / slices;
    break;
  }
  lines = std::min(lines, (equal + step - 1) / step * step);
  return SliceSize{lines, std::clamp<std::uint64_t>(fit / lines, 1, places)};
}

std::vector<std::size_t> dimensions_of_lines(const AxisTask& task) {
  std::vector<std::size_t> result;
  for (std::size_t d = 0; d < task.source.extents.size(); ++d) {
    if (d != task.dimension && task.source.extents[d] > 1) result.push_back(d);
  }
  return result;
}

Cut SliceSearch::cut() const {
  return limits.shape != DeviceLimits::Shape::owned || hooked ? Cut::few : Cut::for_each_thread;
}

std::uint64_t SliceSearch::scratch_within(const AxisGroups& axis) const {
  std::uint64_t bytes = 0;
  for (std::size_t i = axis.first; i + 1 < axis.first + axis.count; ++i) bytes = std::max(bytes, scratch_after[i]);
  return bytes;
}

std::uint64_t SliceSearch::largest_array(std::size_t first, std::size_t count) const {
  std::uint64_t largest = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    const Frame& frame = groups[i].destination;
    std::uint64_t bytes = scalar_bytes(precision) * (frame.real ? 1 : 2);
    for (const std::uint64_t extent : frame.extents) bytes *= extent;
    largest = std::max(largest, bytes);
  }
  return largest;
}

std::uint64_t SliceSearch::kept_between_axes() const {
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
    if (axes[i].count == 0) continue;
    const std::size_t last = axes[i].first + axes[i].count - 1;
    largest = std::max(largest, largest_array(last, 1) / (apart ? 2 : 1));
  }
  return largest;
}

std::vector<DraftGroup> SliceSearch::sliced(std::size_t choice, const Guess& guess) const {
  std::vector<DraftGroup> result = groups;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const std::vector<std::size_t> dimensions = dimensions_of_lines(axis->task);
    const bool beside = guess.where == Where::beside_all;
    const std::uint64_t within = scratch_within(*axis);
    if (within <= (beside ? 0 : most) || dimensions.empty()) continue;
    const std::size_t dimension = dimensions[std::min(choice, dimensions.size() - 1)];
    const std::uint64_t all = axis->task.source.extents[dimension];
    const std::uint64_t bytes = beside ? largest_array(axis->first, axis->count - 1) : within;
    const std::uint64_t other = beside ? std::max(kept, kept_between_axes()) : 0;
    const std::uint64_t spare = most > other ? most - other : 1;
    const std::uint64_t room = spare / guess.arrays - std::min(spare / 2, guess.spare_lines * (bytes / all));
    const auto size = slice_size(all, bytes, room, axis->task.paired == dimension, cut(), limits);
    if (!size) continue;
    DraftGroup group{drafts_of(*axis, dimension, size->lines, groups), axis->task.source, axis->task.destination,
                     DraftGroup::Slices{dimension, size->lines, beside ? 1 : size->places, beside}};
    if (all % size->lines != 0) group.slices->rest = drafts_of(*axis, dimension, all % size->lines, groups);
    const auto first = result.begin() + static_cast<std::ptrdiff_t>(axis->first);
    *first = std::move(group);
    result.erase(first + 1, first + static_cast<std::ptrdiff_t>(axis->count));
  }
  return result;
}

std::optional<std::vector<DraftGroup>> SliceSearch::sliced_together(const AxisRun& run, std::size_t dimension,
                                                                    const SliceSize& size) const {
  const auto members = std::span(axes).subspan(run.first, run.count);
  const auto lies_across = [&](const AxisGroups& axis) {
    return axis.task.dimension == dimension || axis.task.paired == dimension;
  };
  if (members.empty() || std::ranges::any_of(members, lies_across)) return std::nullopt;
  const std::size_t begin = members.front().first;
  const std::size_t end = members.back().first + members.back().count;
  const std::uint64_t all = groups[begin].source.extents[dimension];
  DraftGroup together{
      {}, groups[begin].source, groups[end - 1].destination, DraftGroup::Slices{dimension, size.lines, size.places}};
  for (const AxisGroups& axis : members) {
    std::ranges::move(drafts_of(axis, dimension, size.lines, groups), std::back_inserter(together.drafts));
    if (all % size.lines == 0) continue;
    std::ranges::move(drafts_of(axis, dimension, all % size.lines, groups), std::back_inserter(together.slices->rest));
  }
  std::vector<DraftGroup> result(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(begin));
  result.push_back(std::move(together));
  result.insert(result.end(), groups.begin() + static_cast<std::ptrdiff_t>(end), groups.end());
  return result;
}

}  // namespace twiddle::plan
