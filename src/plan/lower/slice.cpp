// Which axes are sliced, across which dimension, and how many lines a slice has.
#include "plan/lower/slice.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "plan/device/limits.hpp"
#include "plan/lower/core_caches.hpp"
#include "plan/lower/leaves.hpp"
#include "plan/lower/moved_first.hpp"
#include "plan/lower/moved_reals.hpp"
#include "plan/lower/one_array.hpp"
#include "plan/lower/packed_ends.hpp"
#include "plan/lower/pruned_ends.hpp"
#include "plan/lower/repeat_first.hpp"
#include "plan/lower/slice_search.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::plan {
namespace {

// Lines of which half or a quarter is kept between two stages (real_halves.hpp, symmetric_line.hpp) keep an edge
// besides, which is no reason to cut: at most one part of so many.
constexpr std::uint64_t edge_share = 14;

// On one thread of the host transforms back to odd lines of reals take 0.65 to 0.85 of the time in slices that they
// take with one array for all (100 x 98415 floats, 100 x 59049 doubles): so much of the data such slices may need
// beside it.
constexpr std::uint64_t faster_slices_share = 8;

// All axes in slices of the batch, as few as will do: stages may work in place on single transforms, but not on
// several.
std::optional<Placed> place_in_slices_of_batch(const SliceSearch& search, const PlaceRules& rules) {
  const auto placed_in = [&](std::uint64_t transforms) {
    auto groups = search.sliced_together({0, search.axes.size()}, 0, {.lines = transforms});
    return groups ? place(*groups, rules) : std::nullopt;
  };
  const std::uint64_t all = rules.sides.read.extents.front();
  const bool keeps_any = search.groups.size() > 1;  // between stages
  std::optional<Placed> single = keeps_any && all > 1 ? placed_in(1) : std::nullopt;
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

// On one thread of the host they are as fast as the whole; two take 1.24 times as long for 30 lines of 98415 doubles,
// and an H200 4.2 times.
bool takes_slices_beside_all(const DeviceLimits& limits) {
  return limits.shape == DeviceLimits::Shape::owned && limits.compute_units == 1;
}

// Halves, which have no room for the floats between axes: several arrays are as much as one of floats in slices.
bool writes_halves(const PlaceRules& rules) { return rules.sides.written.storage.precision == Precision::float16; }

// Beside what all have, slices are worth while where they need a quarter less than the whole, or of halves an eighth,
// where that is more than the data as it is.
bool needs_less(const Program& program, const Program& best, Where where, const PlaceRules& rules) {
  const bool first = where == Where::beside_all && best.turns.empty();
  const std::uint64_t share = writes_halves(rules) ? 8 : 4;
  return program.scratch_bytes < (first ? best.scratch_bytes / share * (share - 1) : best.scratch_bytes);
}

bool makes_reals_of_spectra(const PlaceRules& rules) {
  return rules.sides.written.storage.form == Storage::Form::real &&
         rules.sides.read.storage.form != Storage::Form::real;
}

// Whether a transform back to reals leaves its input, so that no stage may use that for its results.
bool makes_reals_of_kept_input(const PlaceRules& rules) {
  return rules.placement == Placement::out_of_place && !rules.overwrite_input && makes_reals_of_spectra(rules);
}

// Whether such a transform takes less time on the host with everything between its stages in the output's memory: where
// scratch memory fills several of the caches of the cores that compute it, and rows are long beside a cache line, one
// of which the last frequency takes of each row.
bool gains_by_packed_ends(const Program& best, std::size_t last_axis, const PlaceRules& rules,
                          const DeviceLimits& limits) {
  constexpr std::uint64_t least_caches = 3;
  constexpr std::uint64_t least_row = 1024;  // bytes
  if (limits.shape != DeviceLimits::Shape::owned || !makes_reals_of_kept_input(rules)) return false;
  const std::uint64_t row = rules.sides.written.extents[last_axis] * scalar_bytes(rules.precision);
  return best.scratch_bytes > least_caches * limits.compute_units * second_level_cache(limits) && row >= least_row;
}

// Whether an axis needs more than the data whatever is done.
bool is_padded(const std::vector<AxisGroups>& axes) {
  return std::ranges::any_of(
      axes, [](const AxisGroups& axis) { return std::holds_alternative<Bluestein>(axis.line->algorithm); });
}

// The axes in slices where that takes less scratch memory than `best`.
Program with_slices(const SliceSearch& search, const PlaceRules& rules, Where where, Program best) {
  std::size_t choices = 0;
  for (const AxisGroups& axis : search.axes) choices = std::max(choices, dimensions_of_lines(axis.task).size());
  for (std::size_t choice = 0; choice < choices; ++choice) {
    for (Guess guess : {Guess{}, Guess{.spare_lines = 1}, Guess{.arrays = 2}}) {
      if (best.scratch_bytes <= search.most) return best;
      guess.where = where;
      std::optional<Placed> placed = place(search.sliced(choice, guess), rules);
      if (placed && needs_less(placed->program, best, where, rules)) best = std::move(placed->program);
    }
  }
  return best;
}

// Alone, or beside all where that is as fast.
Program with_fast_slices(const SliceSearch& search, const PlaceRules& rules, Program best) {
  best = with_slices(search, rules, Where::alone, std::move(best));
  if (takes_slices_beside_all(search.limits)) best = with_slices(search, rules, Where::beside_all, std::move(best));
  return best;
}

// Where nothing else helps, an axis may still need several arrays beside what stands between axes, above all where that
// is of floats and the data of halves. Slices leave twice the data, which is one array of floats, and that of a slice.
Program with_slices_beside_floats(SliceSearch search, const PlaceRules& rules, std::uint64_t data, Program best) {
  search.most = 2 * (data + data / edge_share);
  return with_slices(search, rules, Where::beside_all, std::move(best));
}

// Numbers between axes may stand in place of halves, and slices beside them need a part of the data more. Where
// each slice is a launch it has work for all of the device: columns of 16384x300 took six times as long on an H200 in
// slices of an eighth of the data.
Program with_slices_beside_parts(SliceSearch search, const PlaceRules& rules, std::uint64_t data, Program best) {
  constexpr std::uint64_t slice_share = 8;
  constexpr std::uint64_t bytes_in_a_launch = std::uint64_t{1} << 19;  // for each compute unit
  if (!writes_halves(rules) || search.axes.size() < 2) return best;
  const bool launches = search.limits.shape != DeviceLimits::Shape::owned;
  search.apart = true;
  search.most = data + std::max(data / slice_share, launches ? bytes_in_a_launch * search.limits.compute_units : 0);
  return with_slices(search, rules, Where::beside_all, std::move(best));
}

// Lines in place whose results stand where others are still to be read, as columns of reals and of their spectra do:
// slices leave a copy of the data, and that of one of them, which has work for all of the device. Not by Bluestein's
// algorithm, which took up to 1.4 times as long.
Program with_slices_beside_copy(SliceSearch search, const PlaceRules& rules, std::uint64_t data, Program best) {
  constexpr std::uint64_t slice_share = 4;
  constexpr std::uint64_t bytes_of_a_copy = std::uint64_t{1} << 17;  // for each compute unit
  if (rules.placement != Placement::in_place || search.axes.size() != 1) return best;
  if (std::holds_alternative<Bluestein>(search.axes.front().line->algorithm)) return best;
  search.kept = data;
  search.most = data + std::max(data / slice_share, bytes_of_a_copy * search.limits.compute_units);
  return with_slices(search, rules, Where::beside_all, std::move(best));
}

// The groups, of which those of the first axis begin with its columns: their results, each in the place of an element,
// are all there is between its stages.
std::vector<DraftGroup> with_columns_first(std::vector<DraftGroup> groups, const AxisGroups& first) {
  AxisTask task = first.task;
  task.rows_first = false;
  std::vector<Draft> drafts = emit(task, *first.line);
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    DraftGroup& group = groups[first.first + i];
    drafts[i].stage.scale = group.drafts.front().stage.scale;
    group = group_of(std::move(drafts[i]));
  }
  return groups;
}

// The groups, of which an even last axis back to reals makes its frequencies together with their mirror images, in
// their places, before its stages; nothing where it has no map from all of these.
std::optional<std::vector<DraftGroup>> with_mirror_images(std::vector<DraftGroup> groups, const AxisGroups& last) {
  AxisTask task = last.task;
  const std::optional<LineMap>& map = task.rule.load_map;
  const bool has_map = map && map->rule == LineMap::Rule::c2r_load && is_whole(*map);
  if (!has_map || task.fuse_load_map || leaves(*last.line).empty()) return std::nullopt;
  task.share_map = task.rows_first = false;
  std::vector<Draft> drafts = emit(task, *last.line);
  drafts.front().stage.mirrored = true;
  drafts.back().stage.scale = groups.back().drafts.front().stage.scale;
  groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(last.first), groups.end());
  for (Draft& draft : drafts) groups.push_back(group_of(std::move(draft)));
  return groups;
}

// The first stage once for each of as few parts of its results as will do, or where that takes a quarter off: of the
// groups, or of those with one array between input and output where there are such. In place, beside a copy of the
// data, more than three parts are not worth it for less: seven of dst1 of 1000003 points in place, for 1.4 times the
// data instead of 2.0, took 3.8 times as long on PoCL.
Program with_first_repeated(const SliceSearch& search, const std::optional<std::vector<DraftGroup>>& one_array,
                            const PlaceRules& rules, Program best) {
  constexpr std::uint64_t most_parts = 8;
  const std::uint64_t most_for_less = rules.placement == Placement::in_place ? 3 : most_parts;
  std::vector<std::vector<DraftGroup>> choices{search.groups};
  if (!search.axes.empty() && search.axes.front().task.rows_first) {
    choices.front() = with_columns_first(search.groups, search.axes.front());
  }
  if (one_array) {
    choices.push_back(*one_array);
    auto mirrored = with_mirror_images(choices.front(), search.axes.back());
    if (mirrored) choices.push_back(std::move(*mirrored));
  }
  for (std::uint64_t parts = 2; parts <= most_parts; ++parts) {
    for (const std::vector<DraftGroup>& groups : choices) {
      if (best.scratch_bytes <= search.most) return best;
      auto group = repeat_first(groups, parts);
      std::optional<Placed> placed = group ? place({std::move(*group)}, rules) : std::nullopt;
      if (!placed) continue;
      const std::uint64_t bytes = placed->program.scratch_bytes;
      const bool less = parts <= most_for_less && bytes < best.scratch_bytes / 4 * 3;
      if (bytes <= search.most || less) best = std::move(placed->program);
    }
  }
  return best;
}

// Lines of several stages, which keep to their places once a copy of the elements, of halves in place, is in another
// order, or the first stage has put them in it. What is pruned along one axis is left out at the ends.
Program with_moved_elements(const SliceSearch& search, PlaceRules rules, Program best) {
  const std::optional<WholeLines> whole = whole_lines(search.groups, search.axes);
  const std::vector<DraftGroup>& groups = whole ? whole->groups : search.groups;
  const std::vector<AxisGroups>& axes = whole ? whole->axes : search.axes;
  const bool copies = writes_halves(rules) && rules.placement == Placement::in_place;
  const Mover mover = copies ? Mover::copy : Mover::first_stage;
  const bool in_blocks = search.limits.shape == DeviceLimits::Shape::on_chip && !whole;  // through local memory
  const std::uint64_t block = in_blocks ? usual_block : 1;
  rules.all_apart = writes_halves(rules);
  const auto take = [&](std::optional<std::vector<DraftGroup>> moved) {
    const Frame& written = search.groups.back().destination;
    if (!moved) return;
    if (whole && !prune_ends(*moved, whole->dimension, search.groups.front().source, written)) return;
    std::optional<Placed> placed = place(*moved, rules);
    if (placed && placed->program.scratch_bytes < best.scratch_bytes) best = std::move(placed->program);
  };
  if (auto moved = with_elements_moved_first(groups, axes, mover, block)) {
    take(std::move(moved));
    return best;
  }
  const bool first_moves = mover == Mover::first_stage;
  take(with_reals_in_places(groups, axes, first_moves, {block}));
  const bool back = makes_reals_of_spectra(rules);
  const bool hooked = writes_halves(rules) && (back ? rules.load_hook : rules.store_hook);
  if (hooked && best.scratch_bytes > search.most) {
    take(with_reals_in_places(groups, axes, first_moves, {.block = block, .hooked_spectrum = true}));
  }
  // Rows of reals have other places than those of frequencies in the same memory where lines are columns.
  if (!first_moves && back && best.scratch_bytes > search.most) {
    take(with_reals_in_places(groups, axes, false, {.block = block, .of_spectrum = true}));
  }
  return best;
}

// A line of an odd number of reals that are not halves, by way of their spectrum: the host's stages keep to exactly as
// many places, where half of a spectrum as complex numbers is an edge more. The way back, dct3 and dst3, would take up
// to 1.9 times as long.
Program with_odd_reals_in_places(const SliceSearch& search, const PlaceRules& rules, std::uint64_t data, Program best) {
  if (search.limits.shape != DeviceLimits::Shape::owned || writes_halves(rules) || search.axes.size() != 1) return best;
  const AxisGroups& axis = search.axes.front();
  if (axis.count < 2 || axis.count != search.groups.size()) return best;
  if (axis.task.rule.direction == Direction::inverse) return best;
  if (!axis.task.halves && !axis.task.paired) return best;  // an even number
  const auto groups = with_reals_in_places(search.groups, search.axes, true, {});
  std::optional<Placed> placed = groups ? place(*groups, rules) : std::nullopt;
  return placed && placed->program.scratch_bytes <= data ? std::move(placed->program) : best;
}

// Halves that stages would have to move, between layouts above all, and that have no room for floats: a copy of them,
// of the input or of the results, stands where the stages beside it keep to their places, in the user's layout or in
// one for all frames.
Program with_copy_of_halves(const SliceSearch& search, PlaceRules rules, Program best) {
  rules.all_apart = true;
  for (const bool packed : {false, true}) {
    if (best.scratch_bytes <= search.most) return best;
    rules.packed_parts = packed;
    std::optional<Placed> placed = place(search.groups, rules);
    if (placed && placed->program.scratch_bytes < best.scratch_bytes) best = std::move(placed->program);
  }
  return best;
}

}  // namespace

Program place_in_slices(const std::vector<DraftGroup>& groups, const std::vector<AxisGroups>& axes,
                        const PlaceRules& rules, const DeviceLimits& limits,
                        std::optional<std::uint64_t> most_scratch) {
  Placed whole = place(groups, rules).value();
  const std::uint64_t data = most_scratch.value_or(data_bytes(rules.sides));
  const std::uint64_t most = data + data / edge_share;
  Program best = std::move(whole.program);
  SliceSearch search{
      groups, axes, whole.scratch_after, rules.precision, most, limits, rules.load_hook || rules.store_hook};
  if (!most_scratch) {
    if (auto cached = place_in_core_caches(search, rules)) return std::move(*cached);
  }
  if (axes.size() > 1 && gains_by_packed_ends(best, axes.back().task.dimension, rules, limits)) {
    auto packed = with_packed_ends(groups, axes, rules);
    if (packed && packed->scratch_bytes <= most) return std::move(*packed);
  }
  if (!most_scratch && best.scratch_bytes > data) best = with_odd_reals_in_places(search, rules, data, std::move(best));
  if (best.scratch_bytes <= most) return best;
  if (!is_padded(axes)) search.most = data;  // what is cut has no edge
  const auto one_array = makes_reals_of_kept_input(rules) ? in_one_array(groups, axes) : std::nullopt;
  if (one_array) {
    std::optional<Placed> placed = place(*one_array, rules);
    if (!most_scratch && placed && placed->program.scratch_bytes > data && takes_slices_beside_all(limits)) {
      Program sliced = with_fast_slices(search, rules, best);
      if (sliced.scratch_bytes <= data + data / faster_slices_share) return sliced;
    }
    if (placed && placed->program.scratch_bytes < best.scratch_bytes) best = std::move(placed->program);
    if (best.scratch_bytes <= most) return best;
  }
  best = with_fast_slices(search, rules, std::move(best));
  if (writes_halves(rules) && best.scratch_bytes > most) best = with_moved_elements(search, rules, std::move(best));
  const bool sliced = takes_slices_beside_all(limits) && !best.turns.empty();
  if (sliced && best.scratch_bytes <= data + data / faster_slices_share) return best;
  const bool in_place = rules.placement == Placement::in_place;
  if (writes_halves(rules) && in_place) best = with_copy_of_halves(search, rules, std::move(best));
  if (!most_scratch) {
    best = with_first_repeated(search, one_array, rules, std::move(best));
    if (!writes_halves(rules) && best.scratch_bytes > most) best = with_moved_elements(search, rules, std::move(best));
    best = with_slices_beside_copy(search, rules, data, std::move(best));
    best = with_slices_beside_parts(search, rules, data, std::move(best));
    best = with_slices_beside_floats(search, rules, data, std::move(best));
    if (!writes_halves(rules)) return best;
  }
  if (best.scratch_bytes <= most) return best;
  std::optional<Placed> together = place_in_slices_of_batch(search, rules);
  if (together && together->program.scratch_bytes < best.scratch_bytes) best = std::move(together->program);
  if (best.scratch_bytes <= most || !writes_halves(rules) || in_place) return best;
  return with_copy_of_halves(search, rules, std::move(best));
}

}  // namespace twiddle::plan
