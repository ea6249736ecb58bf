// The formulas of plan/lower/map_formulas.hpp as text.
#include "kernel/long_map_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "plan/numbers/tables.hpp"

namespace twiddle::kernel {
namespace {

using plan::LineMap;
using Rule = LineMap::Rule;

constexpr std::uint64_t longest_table = 16384;             // of coefficients
constexpr std::uint64_t longest = std::uint64_t{1} << 29;  // so that multiples of indices are below 2^32

// What a rule's coefficients are made of.
enum class Formula {
  none,
  frequencies,  // of reals from the transform of their pairs: single results, or pairs of them
  spectrum,     // the other way, from half of the spectrum
  reals,        // one root for two reals, or for one result
  moves         // no roots: reals become parts of complex numbers, or the other way
};

Formula formula_of(Rule rule) {
  switch (rule) {
    case Rule::dht_half_store:
    case Rule::dct2_half_store:
    case Rule::dst2_half_store:
    case Rule::dht_pairs_store:
    case Rule::dct2_pairs_store:
      return Formula::frequencies;
    case Rule::half_spectrum_load:
    case Rule::dct3_pairs_load:
      return Formula::spectrum;
    case Rule::dct3_half_before:
    case Rule::dst3_half_before:
    case Rule::dct4_half_load:
    case Rule::dst4_half_load:
    case Rule::dct4_half_store:
    case Rule::dst4_half_store:
      return Formula::reals;
    case Rule::pairs_load:
    case Rule::dct2_half_load:
    case Rule::dst2_half_load:
    case Rule::dct3_half_store:
    case Rule::dst3_half_store:
      return Formula::moves;
    default:
      return Formula::none;
  }
}

bool is_dct4(Rule rule) { return rule >= Rule::dct4_half_load && rule <= Rule::dst4_half_store; }
bool loads_dct4(Rule rule) { return rule == Rule::dct4_half_load || rule == Rule::dst4_half_load; }
bool is_backwards(Rule rule) {
  return rule == Rule::dst2_half_store || rule == Rule::dst3_half_before || rule == Rule::dst4_half_load;
}
bool is_hartley(Rule rule) { return rule == Rule::dht_half_store || rule == Rule::dht_pairs_store; }
bool makes_pairs(Rule rule) { return rule == Rule::dht_pairs_store || rule == Rule::dct2_pairs_store; }

std::uint64_t order_of(const LineMap& map) { return (is_dct4(map.rule) ? 16 : 4) * map.length; }

// Declares `name`, exp(-2 pi i index / order), of an index below the order.
void write_root(const char* name, const std::string& index, const RootTables& roots, Text& text) {
  text.line("const TW_UINT {}_index = {};", name, index);
  text.line("const TW_COMPLEX {0}_coarse = constants[{1} + {0}_index / {2}];", name, roots.coarse, roots.fine_count);
  text.line("const TW_COMPLEX {0}_rest = multiply({0}_coarse, constants[{1} + {0}_index % {2}]);", name, roots.fine,
            roots.fine_count);
  text.line("TW_COMPLEX {0} = TW_MAKE({0}_coarse.x + {0}_rest.x, {0}_coarse.y + {0}_rest.y);", name);
}

// An index below twice the order.
std::string wrapped_index(const std::string& index, std::uint64_t order) {
  return fmt::format("({0}) < {1}u ? ({0}) : ({0}) - {1}u", index, order);
}

// The pair of real ends, of which `first` and `last` are multiples on the other side.
void write_ends(double first, double last, int sign, Precision precision, Text& text) {
  const auto number = [&](double value) { return literal(value, precision); };
  text.open("if (element == 0) {{");
  text.line("a = TW_MAKE({}, {});", number((first - last) / 2), number(sign * (first - last) / 2));
  text.line("b = TW_MAKE({0}, {0});", number((first + last) / 2));
  text.close();
}

// c - i p and c + i p, where p is c exp(-2 pi i k / n), of frequency k; beyond the middle their conjugates'.
void write_frequencies(const LineMap& map, const RootTables& roots, Precision precision, Text& text) {
  const std::uint64_t n = map.length;
  const std::string point =
      is_backwards(map.rule) ? fmt::format("{}u - (TW_UINT)element", n - 1) : std::string("(TW_UINT)element");
  text.line("const TW_UINT point = {};", point);
  if (is_hartley(map.rule)) {
    write_root("w", "4u * point", roots, text);
    const std::string half = literal(0.5, precision);
    text.line("TW_COMPLEX c = TW_MAKE({0}, {0});", half);
    text.line("TW_COMPLEX p = TW_MAKE({0} * (w.x - w.y), {0} * (w.y + w.x));", half);
  } else {
    write_root("c", "point", roots, text);
    write_root("p", wrapped_index("5u * point", 4 * n), roots, text);
  }
  if (!makes_pairs(map.rule)) {
    text.open("if (point > {}u) {{", n / 2);
    text.line("c.y = -c.y;");
    text.line("p.y = -p.y;");
    text.close();
  }
  text.line("TW_COMPLEX a = TW_MAKE(c.x + p.y, c.y - p.x);");
  text.line("TW_COMPLEX b = TW_MAKE(c.x - p.y, c.y + p.x);");
  if (makes_pairs(map.rule)) {
    const bool hartley = is_hartley(map.rule);
    const double last = hartley ? 1 : std::numbers::sqrt2;
    write_ends(hartley ? 1 : map.orthogonal ? last : 2, last, -1, precision, text);
  } else if (map.orthogonal && !is_hartley(map.rule)) {
    const std::string weight = literal(1 / std::numbers::sqrt2, precision);
    for (const char* name : {"a", "b"})
      text.line("if (point == 0) {0} = TW_MAKE({0}.x * {1}, {0}.y * {1});", name, weight);
  }
}

// 1 + i conj(w) and 1 - i conj(w), w = exp(-2 pi i k / n); of dct3 times what turns frequency k, and n / 2 - k.
void write_spectrum(const LineMap& map, const RootTables& roots, Precision precision, Text& text) {
  const std::uint64_t n = map.length;
  text.line("const TW_UINT point = (TW_UINT)element;");
  if (map.rule == Rule::half_spectrum_load) {
    write_root("w", "4u * point", roots, text);
    text.line("TW_COMPLEX a = TW_MAKE(1 + w.y, w.x);");
    text.line("TW_COMPLEX b = TW_MAKE(1 - w.y, -w.x);");
    return write_ends(1, 1, 1, precision, text);
  }
  write_root("c", "point", roots, text);
  write_root("p", wrapped_index("5u * point", 4 * n), roots, text);
  write_root("d", fmt::format("{}u - point", n / 2), roots, text);
  write_root("q", wrapped_index(fmt::format("{}u + 5u * point", 3 * n + n / 2), 4 * n), roots, text);
  text.line("TW_COMPLEX a = TW_MAKE(c.x + p.y, p.x - c.y);");
  text.line("TW_COMPLEX b = TW_MAKE(d.x - q.y, d.y - q.x);");
  write_ends(map.orthogonal ? std::numbers::sqrt2 : 1, std::numbers::sqrt2, 1, precision, text);
}

void write_reals(const LineMap& map, const RootTables& roots, Precision precision, Text& text) {
  const auto number = [&](double value) { return literal(value, precision); };
  if (loads_dct4(map.rule)) {
    write_root("a", "8u * (TW_UINT)element + 1u", roots, text);
    return text.line("const TW_COMPLEX b = TW_MAKE(-a.y, a.x);");
  }
  if (is_dct4(map.rule)) {
    write_root("r", "8u * (TW_UINT)first + 1u", roots, text);
    const char* sign = map.rule == Rule::dst4_half_store ? "-" : "";
    return text.line(
        "const TW_COMPLEX a = element % 2 == 0 ? TW_MAKE(2 * r.x, 2 * r.y) : TW_MAKE({0}(-2 * r.y), {0}(2 * r.x));",
        sign);
  }
  write_root("r", "(TW_UINT)element", roots, text);
  text.line("TW_COMPLEX a = TW_MAKE(r.x, -r.y);");
  text.line("TW_COMPLEX b = TW_MAKE(-r.y, -r.x);");
  text.open("if (element == 0) {{");
  text.line("a = TW_MAKE({}, 0);", number(map.orthogonal ? std::numbers::sqrt2 : 1));
  text.line("b = TW_MAKE(0, {});", number(std::numbers::sqrt2));
  text.close();
}

bool takes_parts(Rule rule) { return rule == Rule::dct3_half_store || rule == Rule::dst3_half_store; }

// Where real `place` of those of dct2 and dct3 stands: even ones are in front, then odd ones backwards.
std::string reordered(const std::string& place, std::uint64_t n) {
  return fmt::format("{0} < {1} ? 2 * ({0}) : {2} - 2 * ({0})", place, n / 2, 2 * n - 1);
}

void write_moved_indices(const LineMap& map, Text& text) {
  const std::uint64_t n = map.length;
  if (takes_parts(map.rule)) {
    text.line("const TW_INDEX part_of = element % 2 == 0 ? element / 2 : {} - element / 2;", n - 1);
    return text.line("const TW_INDEX first = part_of / 2;");
  }
  const bool neighbours = map.rule == Rule::pairs_load;
  text.line("const TW_INDEX first = {};", neighbours ? "2 * element" : reordered("2 * element", n));
  text.line("const TW_INDEX second = {};", neighbours ? "2 * element + 1" : reordered("2 * element + 1", n));
}

// Of sines odd elements count with the other sign.
void write_moves(const LineMap& map, Text& text) {
  if (takes_parts(map.rule)) {
    text.line("TW_COMPLEX a = part_of % 2 == 0 ? TW_MAKE(1, 0) : TW_MAKE(0, -1);");
    if (map.rule == Rule::dst3_half_store) text.line("if (element % 2 != 0) a = TW_MAKE(-a.x, -a.y);");
    return;
  }
  const bool sine = map.rule == Rule::dst2_half_load;
  text.line("const TW_COMPLEX a = TW_MAKE({}, 0);", sine ? "first % 2 == 0 ? 1 : -1" : "1");
  text.line("const TW_COMPLEX b = TW_MAKE(0, {});", sine ? "second % 2 == 0 ? 1 : -1" : "1");
}

}  // namespace

bool computes_coefficients(const LineMap& map) {
  return formula_of(map.rule) != Formula::none && map.count > longest_table && map.length < longest &&
         map.half_columns == 0 && map.source_count == plan::full_source_count(map.rule, map.length);
}

RootTables add_root_tables(const LineMap& map, Tables& tables) {
  if (formula_of(map.rule) == Formula::moves) return {};
  const std::uint64_t order = order_of(map);
  // Indices of dct4 reach a quarter of the order.
  const std::uint64_t indices = is_dct4(map.rule) ? order / 4 : order;
  RootTables roots;
  const std::uint64_t fine = fine_entries(indices);
  roots.fine_count = static_cast<std::uint32_t>(fine);
  const plan::NearestRoots root{order};
  roots.fine = static_cast<std::uint32_t>(tables.constants.size());
  for (std::uint64_t k = 0; k < fine; ++k) tables.constants.push_back(root(k) - 1.0L);
  roots.coarse = static_cast<std::uint32_t>(tables.constants.size());
  for (std::uint64_t k = 0; k < indices; k += fine) tables.constants.push_back(root(k));
  return roots;
}

bool has_second_term(Rule rule) {
  return rule != Rule::dct4_half_store && rule != Rule::dst4_half_store && !takes_parts(rule);
}

void write_indices(const LineMap& map, Text& text) {
  const std::uint64_t n = map.length;
  const std::uint64_t half = n / 2;
  const auto put = [&](const char* name, const std::string& value) {
    text.line("const TW_INDEX {} = {};", name, value);
  };
  const bool backwards = is_backwards(map.rule);
  if (formula_of(map.rule) == Formula::moves) return write_moved_indices(map, text);
  if (loads_dct4(map.rule)) {
    put("first", backwards ? fmt::format("{} - 2 * element", n - 1) : "2 * element");
    return put("second", backwards ? "2 * element" : fmt::format("{} - 2 * element", n - 1));
  }
  if (is_dct4(map.rule)) return put("first", fmt::format("(element % 2 == 0 ? element : {} - element) / 2", n - 1));
  if (formula_of(map.rule) == Formula::reals) {  // dct3, dst3
    put("other", fmt::format("element == 0 ? {} : {} - element", half, n));
    put("first", backwards ? fmt::format("{} - element", n - 1) : "element");
    return put("second", backwards ? fmt::format("{} - other", n - 1) : "other");
  }
  if (formula_of(map.rule) == Formula::spectrum || makes_pairs(map.rule)) {
    put("first", "element");
    return put("second", fmt::format("element == 0 ? 0 : {} - element", half));
  }
  put("frequency", backwards ? fmt::format("{} - element", n - 1) : "element");
  put("folded", fmt::format("frequency > {} ? {} - frequency : frequency", half, n));
  put("first", fmt::format("folded == {} ? 0 : folded", half));
  put("second", fmt::format("folded == 0 ? 0 : {} - folded", half));
}

void write_coefficients(const LineMap& map, const RootTables& roots, Precision precision, Text& text) {
  switch (formula_of(map.rule)) {
    case Formula::frequencies:
      return write_frequencies(map, roots, precision, text);
    case Formula::spectrum:
      return write_spectrum(map, roots, precision, text);
    case Formula::reals:
      return write_reals(map, roots, precision, text);
    case Formula::moves:
      return write_moves(map, text);
    case Formula::none:
      return;
  }
}

}  // namespace twiddle::kernel
