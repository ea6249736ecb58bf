// Maps of real transforms as tables of positions and coefficients.
#include "plan/lower/line_map.hpp"

#include "plan/lower/map_entries.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

bool is_conjugating(Rule rule) {
  switch (rule) {
    case Rule::r2c_store:
    case Rule::c2r_load:
    case Rule::hermitian_load:
    case Rule::two_spectra_store:
    case Rule::mean_spectrum_store:
    case Rule::mean_store:
    case Rule::dht_half_store:
    case Rule::dct1_half_store:
    case Rule::dst1_half_store:
    case Rule::dct2_half_store:
    case Rule::dst2_half_store:
    case Rule::half_spectrum_load:
    case Rule::half_spectrum_shifted_load:
    case Rule::dht_pairs_store:
    case Rule::dct2_pairs_store:
    case Rule::dct3_pairs_load:
      return true;
    default:
      return false;
  }
}

// The digits of a number, lowest first, as those of another, highest first.
template <class Part>
std::uint64_t with_digits_reversed(std::uint64_t number, Part part, Part end) {
  if (part == end) return number;
  std::uint64_t reversed = 0;
  for (; part != end; ++part) {
    reversed = reversed * *part + number % *part;
    number /= *part;
  }
  return reversed;
}

}  // namespace

std::uint64_t reversed_place(std::uint64_t index, const std::vector<std::uint64_t>& parts) {
  return with_digits_reversed(index, parts.begin(), parts.end());
}

std::uint64_t element_in_place(std::uint64_t place, const std::vector<std::uint64_t>& parts) {
  return with_digits_reversed(place, parts.rbegin(), parts.rend());
}

MapTables map_rules(const LineMap& map) {
  MapTables tables;
  const std::uint64_t n = map.length;
  tables.conjugate = is_conjugating(map.rule);
  // The frequencies 0 and, for even lengths, n/2 of real data are real.
  if (map.rule == Rule::c2r_load) tables.real_end = n / 2;
  if (map.rule == Rule::hermitian_load) tables.real_end = n % 2 == 0 ? n / 2 : 0;
  if (map.rule == Rule::two_spectra_load) {
    tables.real_end = n / 2 + 1;
    tables.conjugated_from = n / 2 + 1;
  }
  return tables;
}

MapTables map_tables(const LineMap& map) {
  MapTables tables = map_rules(map);
  const MapEntries<long double> entries(map);
  for (std::uint64_t i = 0; i < map.count; ++i) {
    const MapEntry<long double> entry = entries(i);
    tables.first.push_back(entry.first.index);
    tables.second.push_back(entry.second.index);
    tables.a.push_back(entry.first.coefficient);
    tables.b.push_back(entry.second.coefficient);
  }
  return tables;
}

}  // namespace twiddle::plan
