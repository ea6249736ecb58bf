// Which axes are sliced, across which dimension, and how many lines a slice has.
#include "plan/lower/slice.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "plan/lower/one_array.hpp"
#include "plan/lower/repeat_first.hpp"

namespace twiddle::plan {
namespace {

// Lines of which half or a quarter is kept between two stages (real_halves.hpp, symmetric_line.hpp) keep an edge
// besides, which is no reason to cut: at most one part of so many.
constexpr std::uint64_t edge_share = 14;

// On one thread of the host transforms back to odd lines of reals take 0.65 to 0.85 of the time in slices that they
// take with one array for all (100 x 98415 floats, 100 x 59049 doubles): so much of the data such slices may need
// beside it.
constexpr std::uint64_t faster_slices_share = 8;

std::uint64_t data_bytes(const Sides& sides) {
  const std::uint64_t bytes = std::max(memory_bytes(sides.read), memory_bytes(sides.written));
  return (bytes + 63) / 64 * 64;  // as scratch memory counts
}

struct SliceSize {
  std::uint64_t lines = 1;
  std::uint64_t places = 1;  // slices at once
};

// What else is in scratch memory.
enum class Where { alone, beside_all };

// How large slices are.
enum class Cut {
  few,             // as few as will do: each costs several launches, or tables of its own
  for_each_thread  // small enough for the cache of a thread, which has slices of its own
};

// How `all` lines that together need `bytes` between their stages are cut so that those at work at the same time need
// no more than `most`; pairs stay together. Nothing where there would be no slices.
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

// The dimensions across which an axis may be cut, those of batches first.
std::vector<std::size_t> dimensions_of_lines(const AxisTask& task) {
  std::vector<std::size_t> result;
  for (std::size_t d = 0; d < task.source.extents.size(); ++d) {
    if (d != task.dimension && task.source.extents[d] > 1) result.push_back(d);
  }
  return result;
}

// How much more a slice may need than its share of what all lines need: what is rounded up may be a little more, and
// two arrays take turns where the output is one of them else.
struct Guess {
  std::uint64_t spare_lines = 0;
  std::uint64_t arrays = 1;
  Where where = Where::alone;
};

struct Search {
  const std::vector<DraftGroup>& groups;
  const std::vector<AxisGroups>& axes;
  const std::vector<std::uint64_t>& scratch_after;  // each group, where nothing is sliced
  Precision precision = Precision::float32;         // of scratch memory
  std::uint64_t most = 0;
  const DeviceLimits& limits;
  bool hooked = false;
  std::uint64_t kept = 0;  // beside slices there is so much at least

  // Hooks see where an element is, so that on the host each slice has tables of its own.
  [[nodiscard]] Cut cut() const {
    return limits.shape != DeviceLimits::Shape::owned || hooked ? Cut::few : Cut::for_each_thread;
  }

  // Scratch memory between the stages of an axis.
  [[nodiscard]] std::uint64_t scratch_within(const AxisGroups& axis) const {
    std::uint64_t bytes = 0;
    for (std::size_t i = axis.first; i + 1 < axis.first + axis.count; ++i) bytes = std::max(bytes, scratch_after[i]);
    return bytes;
  }

  // The largest array between so many groups from one on, without gaps.
  [[nodiscard]] std::uint64_t largest_array(std::size_t first, std::size_t count) const {
    std::uint64_t largest = 0;
    for (std::size_t i = first; i < first + count; ++i) {
      const Frame& frame = groups[i].destination;
      std::uint64_t bytes = scalar_bytes(precision) * (frame.real ? 1 : 2);
      for (const std::uint64_t extent : frame.extents) bytes *= extent;
      largest = std::max(largest, bytes);
    }
    return largest;
  }

  // The largest array between axes.
  [[nodiscard]] std::uint64_t kept_between_axes() const {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      if (axes[i].count > 0) largest = std::max(largest, largest_array(axes[i].first + axes[i].count - 1, 1));
    }
    return largest;
  }

  // Every axis that needs more than `most`, or anything beside what all slices have, in slices across that one of its
  // dimensions.
  [[nodiscard]] std::vector<DraftGroup> sliced(std::size_t choice, const Guess& guess) const {
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

  // All axes in slices of so many transforms of the batch; nothing where that cannot be.
  [[nodiscard]] std::optional<std::vector<DraftGroup>> sliced_together(std::uint64_t transforms) const {
    constexpr std::size_t batch = 0;
    const auto is_paired = [](const AxisGroups& axis) { return axis.task.paired == std::size_t{0}; };
    if (axes.empty() || std::any_of(axes.begin(), axes.end(), is_paired)) return std::nullopt;
    if (axes.back().first + axes.back().count != groups.size()) return std::nullopt;
    const std::uint64_t all = groups.front().source.extents[batch];
    DraftGroup group{{}, groups.front().source, groups.back().destination, DraftGroup::Slices{batch, transforms}};
    for (const AxisGroups& axis : axes) {
      std::ranges::move(drafts_of(axis, batch, transforms, groups), std::back_inserter(group.drafts));
      if (all % transforms == 0) continue;
      std::ranges::move(drafts_of(axis, batch, all % transforms, groups), std::back_inserter(group.slices->rest));
    }
    return std::vector<DraftGroup>{std::move(group)};
  }
};

// All axes in slices of the batch, as few as will do: stages may work in place on single transforms, but not on
// several.
std::optional<Placed> place_in_slices_of_batch(const Search& search, const PlaceRules& rules) {
  const auto placed_in = [&](std::uint64_t transforms) {
    auto groups = search.sliced_together(transforms);
    return groups ? place(std::move(*groups), rules) : std::nullopt;
  };
  const std::uint64_t all = rules.sides.read.extents.front();
  std::optional<Placed> single = all > 1 ? placed_in(1) : std::nullopt;
  std::uint64_t each = single ? single->program.scratch_bytes : 0;
  while (single) {
    const auto size = slice_size(all, all * each, search.most, false, search.cut(), search.limits);
    const std::uint64_t transforms = size ? size->lines : 1;
    std::optional<Placed> placed = transforms > 1 ? placed_in(transforms) : std::nullopt;
    if (!placed) break;
    if (placed->program.scratch_bytes <= search.most) return placed;
    each = placed->program.scratch_bytes / transforms + 1;
  }
  return single;
}

// On the host, lines in several stages, of more than the last cache holds: each stays in the caches of a core where its
// stages follow each other, instead of going to memory and back. Nothing where that does not pay: lines that are longer
// than two to four of a core's caches, maps that are stages with tables of their own, which push each other's
// out of the cache, few lines, which leave threads idle, and symmetric ones, of which some took 1.2 to 1.3 times as
// long on two threads. Nor where many threads' slices of lines that are mostly zeros, or mostly not wanted, are more
// than the data.
std::optional<Program> place_in_core_caches(const Search& whole, const PlaceRules& rules) {
  constexpr std::uint64_t cores_of_last_cache = 8;
  constexpr std::uint64_t fewest_of_a_thread = 4;
  constexpr std::uint64_t wide_vector = 64;  // bytes
  const DeviceLimits& limits = whole.limits;
  if (limits.shape != DeviceLimits::Shape::owned || whole.hooked || whole.axes.size() != 1) return std::nullopt;
  // Limits are those of lines in single precision.
  const std::uint64_t core_cache = limits.level2_cache * scalar_bytes(rules.precision) / sizeof(float);
  if (data_bytes(rules.sides) <= cores_of_last_cache * core_cache) return std::nullopt;
  const AxisGroups& axis = whole.axes.front();
  if (axis.task.rule.symmetry != Symmetry::none && limits.compute_units > 1) return std::nullopt;
  const std::size_t dimension = axis.task.dimension;
  // Neighbouring lines share cache lines, and vectors, unless each is contiguous.
  if (rules.sides.read.strides[dimension] != 1 || rules.sides.written.strides[dimension] != 1) return std::nullopt;
  const auto has_tables = [](const DraftGroup& group) {
    using Rule = LineMap::Rule;
    const Stage& stage = group.drafts.front().stage;
    if (!stage.radices.empty()) return false;
    return !stage.load_map || (stage.load_map->rule != Rule::c2r_load && stage.load_map->rule != Rule::r2c_store);
  };
  if (std::ranges::any_of(whole.groups, has_tables)) return std::nullopt;
  // Complex lines of more than two caches took 1.06 to 1.08 times as long with narrower vectors, 0.85 to 0.98 with
  // these; on two threads 0.70 to 0.90 (Zen 5), but 1.19 to 1.23 where vectors are halved (Zen 4).
  const bool wide = limits.sub_group_size * scalar_bytes(rules.precision) >= wide_vector;
  const bool reals =
      rules.sides.read.storage.form == Storage::Form::real || rules.sides.written.storage.form == Storage::Form::real;
  const bool longer = (wide || reals) && (limits.compute_units == 1 || !limits.halved_vectors);
  const std::uint64_t caches = longer ? 4 : 2;  // that a line may fill
  Search search = whole;
  search.most = caches * core_cache * limits.compute_units;
  const std::vector<std::size_t> dimensions = dimensions_of_lines(axis.task);
  for (std::size_t choice = 0; choice < dimensions.size(); ++choice) {
    const std::uint64_t all = axis.task.source.extents[dimensions[choice]];
    const bool fits = search.scratch_within(axis) <= caches * core_cache * all;
    if (!fits || all < fewest_of_a_thread * limits.compute_units) continue;
    std::optional<Placed> placed = place(search.sliced(choice, {}), rules);
    const bool sliced = placed && !placed->program.turns.empty();
    if (sliced && placed->program.scratch_bytes <= whole.most) return std::move(placed->program);
  }
  return std::nullopt;
}

// On one thread of the host they are as fast as the whole; two take 1.24 times as long for 30 lines of 98415 doubles,
// and an H200 4.2 times.
bool takes_slices_beside_all(const DeviceLimits& limits) {
  return limits.shape == DeviceLimits::Shape::owned && limits.compute_units == 1;
}

// Beside what all have, slices are worth while where they need a quarter less than the whole.
bool needs_less(const Program& program, const Program& best, Where where) {
  const bool first = where == Where::beside_all && best.turns.empty();
  return program.scratch_bytes < (first ? best.scratch_bytes / 4 * 3 : best.scratch_bytes);
}

// Whether a transform back to reals leaves its input, so that no stage may use that for its results.
bool makes_reals_of_kept_input(const PlaceRules& rules) {
  return rules.placement == Placement::out_of_place && !rules.overwrite_input &&
         rules.sides.written.storage.form == Storage::Form::real &&
         rules.sides.read.storage.form != Storage::Form::real;
}

// The axes in slices where that takes less scratch memory than `best`.
Program with_slices(const Search& search, const PlaceRules& rules, Where where, Program best) {
  std::size_t choices = 0;
  for (const AxisGroups& axis : search.axes) choices = std::max(choices, dimensions_of_lines(axis.task).size());
  for (std::size_t choice = 0; choice < choices; ++choice) {
    for (Guess guess : {Guess{}, Guess{.spare_lines = 1}, Guess{.arrays = 2}}) {
      if (best.scratch_bytes <= search.most) return best;
      guess.where = where;
      std::optional<Placed> placed = place(search.sliced(choice, guess), rules);
      if (placed && needs_less(placed->program, best, where)) best = std::move(placed->program);
    }
  }
  return best;
}

// Alone, or beside all where that is as fast.
Program with_fast_slices(const Search& search, const PlaceRules& rules, Program best) {
  best = with_slices(search, rules, Where::alone, std::move(best));
  if (takes_slices_beside_all(search.limits)) best = with_slices(search, rules, Where::beside_all, std::move(best));
  return best;
}

// Where nothing else helps, an axis may still need several arrays beside what stands between axes, above all where that
// is of floats and the data of halves. Slices leave twice the data, which is one array of floats, and that of a slice.
Program with_slices_beside_floats(Search search, const PlaceRules& rules, Program best) {
  search.most *= 2;
  return with_slices(search, rules, Where::beside_all, std::move(best));
}

// Lines in place whose results stand where others are still to be read, as columns of reals and of their spectra do:
// slices leave a copy of the data, and that of one of them, which has work for all of the device. Not by Bluestein's
// algorithm, which took up to 1.4 times as long.
Program with_slices_beside_copy(Search search, const PlaceRules& rules, std::uint64_t data, Program best) {
  constexpr std::uint64_t slice_share = 4;
  constexpr std::uint64_t bytes_for_each_unit = std::uint64_t{1} << 17;
  if (rules.placement != Placement::in_place || search.axes.size() != 1) return best;
  if (std::holds_alternative<Bluestein>(search.axes.front().line->algorithm)) return best;
  search.kept = data;
  search.most = data + std::max(data / slice_share, bytes_for_each_unit * search.limits.compute_units);
  return with_slices(search, rules, Where::beside_all, std::move(best));
}

// The first stage once for each of as few parts of its results as will do, or where that takes a quarter off.
Program with_first_repeated(const Search& search, const PlaceRules& rules, Program best) {
  constexpr std::uint64_t most_parts = 8;
  for (std::uint64_t parts = 2; parts <= most_parts && best.scratch_bytes > search.most; ++parts) {
    auto group = repeat_first(search.groups, parts);
    std::optional<Placed> placed = group ? place({std::move(*group)}, rules) : std::nullopt;
    if (!placed) continue;
    const std::uint64_t bytes = placed->program.scratch_bytes;
    if (bytes <= search.most || bytes < best.scratch_bytes / 4 * 3) best = std::move(placed->program);
  }
  return best;
}

}  // namespace

Program place_in_slices(std::vector<DraftGroup> groups, const std::vector<AxisGroups>& axes, const PlaceRules& rules,
                        const DeviceLimits& limits, std::optional<std::uint64_t> most_scratch) {
  Placed whole = place(groups, rules).value();
  const std::uint64_t data = most_scratch.value_or(data_bytes(rules.sides));
  const std::uint64_t most = data + data / edge_share;
  Program best = std::move(whole.program);
  const Search search{
      groups, axes, whole.scratch_after, rules.precision, most, limits, rules.load_hook || rules.store_hook};
  if (!most_scratch) {
    if (auto cached = place_in_core_caches(search, rules)) return std::move(*cached);
  }
  if (best.scratch_bytes <= most) return best;
  if (makes_reals_of_kept_input(rules)) {
    const auto one_array = in_one_array(groups, axes);
    std::optional<Placed> placed = one_array ? place(*one_array, rules) : std::nullopt;
    if (!most_scratch && placed && placed->program.scratch_bytes > data && takes_slices_beside_all(limits)) {
      Program sliced = with_fast_slices(search, rules, best);
      if (sliced.scratch_bytes <= data + data / faster_slices_share) return sliced;
    }
    if (placed && placed->program.scratch_bytes < best.scratch_bytes) best = std::move(placed->program);
    if (best.scratch_bytes <= most) return best;
  }
  best = with_fast_slices(search, rules, std::move(best));
  const bool sliced = takes_slices_beside_all(limits) && !best.turns.empty();
  if (sliced && best.scratch_bytes <= data + data / faster_slices_share) return best;
  if (!most_scratch) {
    best = with_slices_beside_copy(search, rules, data, with_first_repeated(search, rules, std::move(best)));
    return with_slices_beside_floats(search, rules, std::move(best));
  }
  if (best.scratch_bytes <= most) return best;
  std::optional<Placed> together = place_in_slices_of_batch(search, rules);
  if (together && together->program.scratch_bytes < best.scratch_bytes) return std::move(together->program);
  return best;
}

}  // namespace twiddle::plan
