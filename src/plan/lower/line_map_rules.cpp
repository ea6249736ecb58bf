// What the rules of real transforms are called, and how many elements they take and make.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "plan/lower/line_map.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

constexpr std::array<std::string_view, 55> rule_names = {"r2c after",
                                                         "c2r before",
                                                         "hermitian",
                                                         "two spectra after",
                                                         "two spectra before",
                                                         "mean spectrum after",
                                                         "mean after",
                                                         "dct1 before",
                                                         "dct1 after",
                                                         "dct1 after, mean",
                                                         "dct2 before",
                                                         "dct2 after",
                                                         "dct3 before",
                                                         "dct3 after",
                                                         "dct4 before",
                                                         "dct4 after",
                                                         "dct4 before odd",
                                                         "dct4 after odd",
                                                         "dst1 before",
                                                         "dst1 after",
                                                         "dst1 after, mean",
                                                         "dst2 before",
                                                         "dst2 after",
                                                         "dst3 before",
                                                         "dst3 after",
                                                         "dct3 before, of a row",
                                                         "dst3 before, of a row",
                                                         "dst4 before",
                                                         "dst4 after",
                                                         "dst4 before odd",
                                                         "dst4 after odd",
                                                         "dht after",
                                                         "pairs before",
                                                         "dht after half",
                                                         "dct1 before half",
                                                         "dct1 after half",
                                                         "dst1 before half",
                                                         "dst1 after half",
                                                         "dct2 before half",
                                                         "dct2 after half",
                                                         "dst2 before half",
                                                         "dst2 after half",
                                                         "dct3 frequencies",
                                                         "dst3 frequencies",
                                                         "frequencies before half",
                                                         "frequencies before half, shifted",
                                                         "dct3 after half",
                                                         "dst3 after half",
                                                         "dct4 before half",
                                                         "dct4 after half",
                                                         "dst4 before half",
                                                         "dst4 after half",
                                                         "dht after, pairs",
                                                         "dct2 after, pairs",
                                                         "dct3 before, pairs"};

}  // namespace

LineMap::Rule mean_rule(LineMap::Rule rule) {
  switch (rule) {
    case Rule::dct1_store:
      return Rule::dct1_mean_store;
    case Rule::dst1_store:
      return Rule::dst1_mean_store;
    default:
      return rule;
  }
}

bool pairs_reals(LineMap::Rule rule) { return rule >= Rule::pairs_load || is_half_spectrum(rule); }

bool is_half_spectrum(LineMap::Rule rule) { return rule == Rule::r2c_store || rule == Rule::c2r_load; }

bool keeps_to_mirror_images(LineMap::Rule rule) { return rule >= Rule::dht_pairs_store || is_half_spectrum(rule); }

bool holds_two_spectra(LineMap::Rule rule) { return rule == Rule::two_spectra_store || rule == Rule::two_spectra_load; }

std::uint64_t full_source_count(LineMap::Rule rule, std::uint64_t length) {
  switch (rule) {
    case Rule::r2c_store:
      return length / 2;
    case Rule::c2r_load:
    case Rule::hermitian_load:
      return length / 2 + 1;
    case Rule::two_spectra_load:
      return 2 * (length / 2 + 1);
    case Rule::dct1_store:
    case Rule::dct1_mean_store:
      return 2 * (length - 1);
    case Rule::dst1_store:
    case Rule::dst1_mean_store:
      return 2 * (length + 1);
    case Rule::dct4_store:
    case Rule::dst4_store:
      return 2 * length;
    case Rule::dct1_half_store:
      return length - 1;
    case Rule::dst1_half_store:
      return length + 1;
    case Rule::dht_half_store:
    case Rule::dct2_half_store:
    case Rule::dst2_half_store:
    case Rule::half_spectrum_load:
    case Rule::half_spectrum_shifted_load:
    case Rule::dct3_half_store:
    case Rule::dst3_half_store:
    case Rule::dct4_half_store:
    case Rule::dst4_half_store:
    case Rule::dht_pairs_store:
    case Rule::dct2_pairs_store:
    case Rule::dct3_pairs_load:
      return length / 2;
    default:
      return length;
  }
}

std::uint64_t full_count(LineMap::Rule rule, std::uint64_t length) {
  switch (rule) {
    case Rule::r2c_store:
    case Rule::mean_spectrum_store:
    case Rule::mean_store:
      return length / 2 + 1;
    case Rule::two_spectra_store:
      return 2 * (length / 2 + 1);
    case Rule::c2r_load:
      return length / 2;
    case Rule::dct1_load:
      return 2 * (length - 1);
    case Rule::dst1_load:
      return 2 * (length + 1);
    case Rule::dct4_load:
    case Rule::dst4_load:
      return 2 * length;
    case Rule::dct1_half_load:
      return length - 1;
    case Rule::dst1_half_load:
      return length + 1;
    case Rule::pairs_load:
    case Rule::dct2_half_load:
    case Rule::dst2_half_load:
    case Rule::dct3_half_before:
    case Rule::dst3_half_before:
    case Rule::half_spectrum_load:
    case Rule::half_spectrum_shifted_load:
    case Rule::dct4_half_load:
    case Rule::dst4_half_load:
    case Rule::dht_pairs_store:
    case Rule::dct2_pairs_store:
    case Rule::dct3_pairs_load:
      return length / 2;
    default:
      return length;
  }
}

bool is_whole(const LineMap& map) {
  return map.source_count == full_source_count(map.rule, map.length) && map.count == full_count(map.rule, map.length);
}

std::string to_string(const LineMap& map) {
  return fmt::format("{} {}{}{}{}{}", rule_names.at(static_cast<std::size_t>(map.rule)), map.length,
                     map.orthogonal ? " orthogonal" : "",
                     map.source_parts.empty() ? "" : fmt::format(" as {} leave it", fmt::join(map.source_parts, " x ")),
                     map.half_columns != 0 ? fmt::format(" by half columns of {}", map.half_columns) : "",
                     map.row_parts.empty() ? "" : fmt::format(" and rows of {}", fmt::join(map.row_parts, " x ")));
}

}  // namespace twiddle::plan
