// Which lines the host carries out in slices for its cores' caches.
#include "plan/lower/core_caches.hpp"

#include <algorithm>
#include <utility>

namespace twiddle::plan {

std::optional<Program> place_in_core_caches(const SliceSearch& whole, const PlaceRules& rules) {
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
  SliceSearch search = whole;
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

}  // namespace twiddle::plan
