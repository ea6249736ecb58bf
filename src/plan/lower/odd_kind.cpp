// Kinds by the maps that their rules have.
#include "plan/lower/odd_kind.hpp"

#include <cstdint>

namespace twiddle::plan {

using Rule = LineMap::Rule;

std::optional<OddKind> odd_kind(const AxisTask& task) {
  const AxisRule& rule = task.rule;
  const std::uint64_t n = rule.points;
  const std::uint64_t half = n / 2 + 1;
  const auto has = [](const std::optional<LineMap>& map, Rule wanted) {
    return map && map->rule == wanted && map->half_columns == 0 && is_whole(*map);
  };
  if (n % 2 == 0 || rule.first_map || rule.load_count || rule.packed_input || rule.packed_output || rule.lone_real ||
      rule.symmetry != Symmetry::none || !task.source.order.empty()) {
    return std::nullopt;
  }
  const bool real_source = task.source.real;
  const bool real_destination = task.destination.real;
  if (!rule.load_map && real_source && !real_destination && task.destination.extents[task.dimension] == half &&
      (has(rule.store_map, Rule::two_spectra_store) || (!rule.store_map && rule.store_count == half))) {
    return OddKind{.reals_written = false};
  }
  if (rule.store_count) return std::nullopt;
  if (!rule.store_map && !real_source && real_destination && task.source.extents[task.dimension] == half &&
      (has(rule.load_map, Rule::two_spectra_load) || has(rule.load_map, Rule::hermitian_load))) {
    return OddKind{.to_spectrum = false, .reals_read = false};
  }
  if (!real_source || !real_destination) return std::nullopt;
  if (!rule.load_map && has(rule.store_map, Rule::dht_store)) {
    return OddKind{.frequencies = mirrored(n, false, false), .turn = FrequencyTurn::diagonal};
  }
  for (const bool sine : {false, true}) {
    if (has(rule.load_map, sine ? Rule::dst4_odd_load : Rule::dct4_odd_load) &&
        has(rule.store_map, sine ? Rule::dst4_odd_store : Rule::dct4_odd_store)) {
      return OddKind{.shifted = true, .backwards = sine, .turn = FrequencyTurn::eighths};
    }
    const bool orthogonal = rule.load_map && rule.load_map->orthogonal;
    OddKind kind{.reals = reordered(n, sine),
                 .frequencies = mirrored(n, true, sine),
                 .turn = FrequencyTurn::quarter,
                 .orthogonal = orthogonal};
    if (has(rule.load_map, sine ? Rule::dst2_load : Rule::dct2_load) &&
        has(rule.store_map, sine ? Rule::dst2_store : Rule::dct2_store)) {
      return kind;
    }
    kind.to_spectrum = false;
    if (has(rule.load_map, sine ? Rule::dst3_load : Rule::dct3_load) &&
        has(rule.store_map, sine ? Rule::dst3_store : Rule::dct3_store)) {
      return kind;
    }
  }
  return std::nullopt;
}

}  // namespace twiddle::plan
