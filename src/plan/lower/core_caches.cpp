// Which lines, images and volumes the host carries out in slices for its cores' caches.
#include "plan/lower/core_caches.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/host_division.hpp"

namespace twiddle::plan {
namespace {

std::uint64_t core_cache(const SliceSearch& whole) { return second_level_cache(whole.limits); }

bool is_real(const View& view) { return view.storage.form == Storage::Form::real; }

bool has_reals(const Sides& sides) { return is_real(sides.read) || is_real(sides.written); }

// Whether the stage moves or combines elements by tables of its own.
bool has_tables(const DraftGroup& group) {
  using Rule = LineMap::Rule;
  const Stage& stage = group.drafts.front().stage;
  if (!stage.radices.empty()) return false;
  return !stage.load_map || (stage.load_map->rule != Rule::c2r_load && stage.load_map->rule != Rule::r2c_store);
}

// Whether the second-level cache is so small that slices live in the last one. On an EPYC of Zen 3 (512 KiB) lines of
// four to eight caches take 0.67 to 1.04 of the time in slices.
bool lives_in_last_cache(const SliceSearch& whole) { return core_cache(whole) < std::uint64_t{1} << 20; }

// Results of lines in place that are pieces so few bytes apart take longer past the caches than through them: 1.07 to
// 1.38 times 512, 1024 and 1536 bytes apart on an EPYC of Zen 5, 1.04 to 1.19 times 1024 bytes apart on a Xeon with 2
// MiB of second-level cache, where 1536 take 0.80 to 0.93; other distances 0.86 to 1.07. Beside a small one all do:
// complex results 0.96 to 1.5 times, reals and their spectra 0.8 to 1.15 (Zen 3).
std::uint64_t close_pieces(const SliceSearch& whole) {
  if (lives_in_last_cache(whole)) return DraftGroup::Slices::all_pieces;
  constexpr std::uint64_t most = 1536;
  constexpr std::uint64_t most_beside_large_cache = 1024;
  return core_cache(whole) >= large_second_cache ? most_beside_large_cache : most;
}

// An axis in several stages.
std::optional<Program> place_lines(const SliceSearch& whole, const PlaceRules& rules) {
  constexpr std::uint64_t fewest_of_a_thread = 4;
  constexpr std::uint64_t wide_vector = 64;  // bytes
  const DeviceLimits& limits = whole.limits;
  const AxisGroups& axis = whole.axes.front();
  if (axis.task.rule.symmetry != Symmetry::none && limits.compute_units > 1) return std::nullopt;
  const std::size_t dimension = axis.task.dimension;
  // Neighbouring lines share cache lines, and vectors, unless each is contiguous.
  if (rules.sides.read.strides[dimension] != 1 || rules.sides.written.strides[dimension] != 1) return std::nullopt;
  // Complex lines of more than two caches took 1.06 to 1.08 times as long with narrower vectors, 0.85 to 0.98 with
  // these; on two threads 0.70 to 0.90 (Zen 5), but 1.19 to 1.23 where vectors are halved (Zen 4), where reals in place
  // take 0.80 to 1.14 (mean 0.94), back 0.63 to 0.86, out of place 0.95 to 1.12.
  const bool wide = limits.sub_group_size * scalar_bytes(rules.precision) >= wide_vector;
  const bool reals = has_reals(rules.sides);
  const bool threaded = !limits.halved_vectors || (reals && rules.placement == Placement::in_place);
  const bool longer = (wide || reals) && (limits.compute_units == 1 || threaded);
  const std::uint64_t caches = longer ? 4 : 2;                                // that slices of some lines may fill
  const std::uint64_t most_caches = lives_in_last_cache(whole) ? 8 : caches;  // that one line may
  SliceSearch search = whole;
  // What stands between the stages of a slice is in scratch memory, wherever it is of all lines at once.
  for (std::size_t i = axis.first; i + 1 < axis.first + axis.count; ++i) {
    search.scratch_after[i] = std::max(search.scratch_after[i], search.largest_array(i, 1));
  }
  const std::vector<std::size_t> dimensions = dimensions_of_lines(axis.task);
  for (std::size_t choice = 0; choice < dimensions.size(); ++choice) {
    const std::uint64_t all = axis.task.source.extents[dimensions[choice]];
    const std::uint64_t each = (search.scratch_within(axis) + all - 1) / all;
    search.most = std::max(caches * core_cache(whole), each) * limits.compute_units;
    if (each > most_caches * core_cache(whole) || all < fewest_of_a_thread * limits.compute_units) continue;
    std::vector<DraftGroup> groups = search.sliced(choice, {});
    for (DraftGroup& group : groups) {
      if (group.slices) group.slices->close_pieces = close_pieces(whole);
    }
    std::optional<Placed> placed = place(groups, rules);
    const bool sliced = placed && !placed->program.turns.empty();
    if (sliced && placed->program.scratch_bytes <= whole.most) return std::move(placed->program);
  }
  return std::nullopt;
}

// Whether the elements of each index of a dimension lie together in memory, those of a line along the axis closer than
// such indices.
bool lies_within(const AxisGroups& axis, std::size_t dimension, const Sides& sides) {
  const auto step = [](const View& view, std::size_t d) { return std::abs(view.strides[d]); };
  const std::size_t along = axis.task.dimension;
  return step(sides.read, along) < step(sides.read, dimension) &&
         step(sides.written, along) < step(sides.written, dimension);
}

// Whether the last stage of slices, of so many bytes each, stores columns of rows that end within a cache line. These
// do not go past the caches, as what they replace would be read first; a copy of the slice, which is one run, does:
// 0.76 to 0.98 of the time, but of reals in slices larger than a core's cache of less than 2 MiB up to 1.08.
bool gains_by_copy(const SliceSearch& whole, const AxisGroups& last, const PlaceRules& rules, std::uint64_t each) {
  constexpr std::uint64_t cache_line = 64;
  const std::uint64_t cache = core_cache(whole);
  const View& written = rules.sides.written;
  const auto step = static_cast<std::uint64_t>(std::abs(written.strides[last.task.dimension]));
  const bool plain =
      written.storage == Storage{Storage::Form::interleaved, whole.precision, 0} && fills_memory(written);
  if (!plain || step == 1 || step * element_bytes(written.storage) % cache_line == 0) return false;
  const bool pays = !has_reals(rules.sides) || each <= cache || cache >= large_second_cache;
  return rules.placement == Placement::out_of_place && pays;
}

// The axes of a run, in slices across a dimension. Slices that fill a quarter of a core's cache take 0.75 to 1.0 of the
// time of those that fill it. Longer ones pay while those at work fill the cores' part of the last cache.
std::optional<Program> place_run(const SliceSearch& whole, const PlaceRules& rules, const AxisRun& run,
                                 std::size_t dimension) {
  constexpr std::uint64_t slices_of_core_cache = 4;
  constexpr std::uint64_t caches_at_work = 16;
  constexpr std::uint64_t fewest_caches = 2;
  constexpr std::uint64_t most_caches = 8;
  constexpr std::uint64_t least_reals = 32768;  // bytes, beside a large second-level cache: 64x64 floats 1.19
  const std::uint64_t units = whole.limits.compute_units;
  const AxisGroups& last = whole.axes[run.first + run.count - 1];
  const std::size_t begin = whole.axes[run.first].first;
  const std::size_t stages = last.first + last.count - begin;
  if (stages < 2) return std::nullopt;  // axes of one point have none
  const std::uint64_t all = whole.groups[begin].source.extents[dimension];
  const std::uint64_t between = whole.largest_array(begin, stages - 1);
  const std::uint64_t each = (between + all - 1) / all;
  const std::uint64_t caches = std::clamp(caches_at_work / units, fewest_caches, most_caches);
  if (all < units || each > caches * core_cache(whole)) return std::nullopt;
  if (has_reals(rules.sides) && core_cache(whole) >= large_second_cache && each < least_reals) return std::nullopt;
  const std::uint64_t most = std::max(each, core_cache(whole) / slices_of_core_cache) * units;
  const auto size = slice_size(all, between, most, false, Cut::for_each_thread, whole.limits);
  auto groups = size ? whole.sliced_together(run, dimension, *size) : std::nullopt;
  if (!groups) return std::nullopt;
  DraftGroup& together = (*groups)[begin];
  for (const bool in_place : {true, false}) {
    together.slices->in_place = in_place;
    const bool copied = !in_place && gains_by_copy(whole, last, rules, each);
    for (auto* drafts : {&together.drafts, &together.slices->rest}) {
      if (copied && !drafts->empty()) drafts->push_back(copy_draft(drafts->back().destination));
    }
    std::optional<Placed> placed = place(*groups, rules);
    if (placed && placed->program.scratch_bytes <= whole.most) return std::move(placed->program);
  }
  return std::nullopt;
}

// Whether images take less time in slices. Real numbers to real ones in single precision take 1.0 to 1.09 times as
// long, beside a large second-level cache in double precision too (0.96 to 1.26), reals from their spectrum in place
// 1.0 to 1.3 times. Nor what is hardly more than the caches of all cores that compute it: on a Xeon twice as much takes
// up to 1.24 times as long, four times as much 0.5 to 0.8. Other images with reals beside a large second-level cache,
// 128x128 to 1080x1920, take 0.42 to 0.99 of the time (a Xeon with 2 MiB), volumes of 16 MiB 1.14 to 1.33, of 27 and
// more 0.71 to 0.82.
bool gains_by_slices(const SliceSearch& whole, const PlaceRules& rules) {
  constexpr std::uint64_t caches_of_cores = 3;
  constexpr std::uint64_t large_caches_of_volumes = 12;
  const std::uint64_t cache = core_cache(whole);
  const std::uint64_t bytes = data_bytes(rules.sides);
  if (bytes <= caches_of_cores * whole.limits.compute_units * cache) return false;
  const bool real_volumes = has_reals(rules.sides) && whole.axes.size() > 2;
  if (real_volumes && cache >= large_second_cache && bytes <= large_caches_of_volumes * cache) return false;
  if (!is_real(rules.sides.written)) return true;
  if (!is_real(rules.sides.read)) return rules.placement != Placement::in_place;
  return rules.precision != Precision::float32 && cache < large_second_cache;
}

// As many axes as can be. Some of them alone, planes of volumes, leave a pass through memory: with reals, of which
// there are half as many bytes, that takes up to 1.15 times as long where the last cache holds a part of them.
std::optional<Program> place_images(const SliceSearch& whole, const PlaceRules& rules) {
  constexpr std::uint64_t caches_of_real_volumes = 32;
  if (!gains_by_slices(whole, rules)) return std::nullopt;
  const std::size_t axes = whole.axes.size();
  const bool few = has_reals(rules.sides) && data_bytes(rules.sides) <= caches_of_real_volumes * core_cache(whole);
  for (std::size_t count = axes; count >= (few ? axes : 2); --count) {
    for (std::size_t first = 0; first + count <= axes; ++first) {
      const auto run = std::span(whole.axes).subspan(first, count);
      for (std::size_t dimension = 0; dimension < rules.sides.read.extents.size(); ++dimension) {
        const auto within = [&](const AxisGroups& axis) { return lies_within(axis, dimension, rules.sides); };
        if (!std::ranges::all_of(run, within)) continue;
        if (auto program = place_run(whole, rules, {first, count}, dimension)) return program;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Program> place_in_core_caches(const SliceSearch& whole, const PlaceRules& rules) {
  const bool host = whole.limits.shape == DeviceLimits::Shape::owned;
  if (!host || whole.hooked || data_bytes(rules.sides) <= host_rows_first_cores * core_cache(whole))
    return std::nullopt;
  if (std::ranges::any_of(whole.groups, has_tables)) return std::nullopt;
  if (whole.axes.size() > 1) return place_images(whole, rules);
  return whole.axes.empty() ? std::nullopt : place_lines(whole, rules);
}

}  // namespace twiddle::plan
