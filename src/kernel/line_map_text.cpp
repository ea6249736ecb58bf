// Indices as arithmetic wherever they follow a rule, coefficients from tables; the rules of real transforms by hand.
#include "kernel/line_map_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernel/index_rule.hpp"
#include "kernel/long_map_text.hpp"
#include "plan/numbers/tables.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

using plan::LineMap;
using plan::MapTables;
using Complex = std::complex<long double>;
using Rule = LineMap::Rule;

constexpr std::uint64_t longest_root_table = 16384;

std::uint32_t size_of(const auto& table) { return static_cast<std::uint32_t>(table.size()); }

// What the difference of the two elements is multiplied by: -i/2 exp(-2 pi i k / n) after a transform of reals,
// i exp(2 pi i k / n) before one to reals.
Complex rotation(const LineMap& map, std::uint64_t k) {
  const Complex root = plan::root_of_unity(k, map.length);
  return map.rule == Rule::r2c_store ? Complex(0, -0.5L) * root : Complex(0, 1) * std::conj(root);
}

void add_roots(const LineMap& map, MapLayout& layout, Tables& tables) {
  layout.one_table = map.count <= longest_root_table;
  if (layout.one_table) {
    layout.roots = size_of(tables.constants);
    for (std::uint64_t k = 0; k < map.count; ++k) tables.constants.push_back(rotation(map, k));
    return;
  }
  const std::uint64_t fine = fine_entries(map.count);
  layout.root_pairs.fine_count = static_cast<std::uint32_t>(fine);
  layout.root_pairs.fine = size_of(tables.constants);
  for (std::uint64_t k = 0; k < fine; ++k) {
    const Complex root = plan::root_of_unity(k, map.length);
    tables.constants.push_back(map.rule == Rule::r2c_store ? root : std::conj(root));
  }
  layout.root_pairs.coarse = size_of(tables.constants);
  for (std::uint64_t k = 0; k < map.count; k += fine) tables.constants.push_back(rotation(map, k));
}

using Term = MapLayout::Term;

bool all_terms(const std::vector<std::uint64_t>& indices, const std::function<bool(std::size_t k)>& holds) {
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (indices[k] != MapTables::none && !holds(k)) return false;
  }
  return true;
}

Term place_term(const std::vector<std::uint64_t>& indices, Tables& tables) {
  Term term;
  std::vector<std::uint32_t> narrow;
  for (const std::uint64_t index : indices) {
    (index == MapTables::none ? term.may_be_none : term.used) = true;
    narrow.push_back(index == MapTables::none ? no_index : static_cast<std::uint32_t>(index));
  }
  if (!term.used) return term;
  if (auto expression = index_expression(narrow)) {
    term.index = *expression;
  } else {
    term.index = fmt::format("indices[{} + element]", tables.indices.size());
    tables.indices.insert(tables.indices.end(), narrow.begin(), narrow.end());
  }
  return term;
}

// `coefficients` of the elements that have the term.
void choose_factor(const std::vector<std::uint64_t>& indices, const std::vector<Complex>& coefficients,
                   Precision precision, Tables& tables, Term& term) {
  if (!term.used) return;
  std::size_t some = 0;
  while (indices[some] == MapTables::none) ++some;
  const Complex constant = coefficients[some];
  if (!all_terms(indices, [&](std::size_t k) { return coefficients[k] == constant; })) {
    term.factor = Term::Factor::table;
    term.table = size_of(tables.constants);
    tables.constants.insert(tables.constants.end(), coefficients.begin(), coefficients.end());
  } else if (constant != Complex(1)) {
    term.factor = Term::Factor::constant;
    term.constant = fmt::format("{}, {}", literal(static_cast<double>(constant.real()), precision),
                                literal(static_cast<double>(constant.imag()), precision));
  }
}

// The second coefficient often follows from the first.
void choose_factors(const MapTables& values, Precision precision, Tables& tables, MapLayout& layout) {
  choose_factor(values.first, values.a, precision, tables, layout.first);
  const auto follows = [&](const std::function<Complex(Complex)>& rule) {
    return layout.second.used && layout.first.factor == Term::Factor::table &&
           all_terms(values.second, [&](std::size_t k) {
             return values.first[k] != MapTables::none && values.b[k] == rule(values.a[k]);
           });
  };
  if (follows([](Complex a) { return std::conj(a); })) {
    layout.second.factor = Term::Factor::conjugate_of_first;
  } else if (follows([](Complex a) { return Complex(a.imag(), -a.real()); })) {
    layout.second.factor = Term::Factor::minus_i_of_first;
  } else {
    choose_factor(values.second, values.b, precision, tables, layout.second);
  }
}

void write_factor(const Term& term, Text& text) {
  switch (term.factor) {
    case Term::Factor::one:
      return;
    case Term::Factor::constant:
      return text.line("part = multiply(part, TW_MAKE({}));", term.constant);
    case Term::Factor::table:
      return text.line("part = multiply(part, constants[{} + element]);", term.table);
    case Term::Factor::conjugate_of_first:
      return text.line("part = multiply(part, TW_MAKE(factor.x, -factor.y));");
    case Term::Factor::minus_i_of_first:
      return text.line("part = multiply(part, TW_MAKE(factor.y, -factor.x));");
  }
}

// A block in which `index` is that of the element's term, entered where there is one.
void write_block(const Term& term, const std::function<void()>& body, Text& text) {
  if (!term.used) return;
  text.open("{{");
  text.line("const TW_UINT index = {};", term.index);
  if (term.may_be_none) text.open("if (index != {}u) {{", no_index);
  body();
  if (term.may_be_none) text.close();
  text.close();
}

void write_term(int number, const MapLayout& layout, const ReadTerm& read, Text& text) {
  const Term& term = number == 0 ? layout.first : layout.second;
  const auto add = [&] {
    text.line("TW_COMPLEX part = {};", read(number, "index"));
    if (layout.real_end != MapTables::none) text.line("if (index == 0 || index == {}u) part.y = 0;", layout.real_end);
    if (number == 1 && layout.conjugate) text.line("part.y = -part.y;");
    write_factor(term, text);
    text.line("made.x += part.x;");
    text.line("made.y += part.y;");
  };
  write_block(term, add, text);
}

// Reads an element into a variable; one beyond the source, whose end is `count`, is zero.
void write_read(const char* name, const std::string& index, bool checked, std::uint64_t count, const std::string& value,
                Text& text) {
  if (!checked) {
    text.line("TW_COMPLEX {} = {};", name, value);
    return;
  }
  text.line("TW_COMPLEX {} = TW_MAKE(0, 0);", name);
  text.line("if ({} < {}) {} = {};", index, count, name, value);
}

void write_rotation(const MapLayout& layout, Text& text) {
  if (layout.one_table) {
    text.line("const TW_COMPLEX root = constants[{} + element];", layout.roots);
    return;
  }
  const RootTables& roots = layout.root_pairs;
  text.line("const TW_COMPLEX root = multiply(constants[{} + element % {}], constants[{} + element / {}]);", roots.fine,
            roots.fine_count, roots.coarse, roots.fine_count);
}

// Declares the indices of an element's two sources, and returns their names.
std::array<const char*, 2> write_end_indices(const LineMap& map, Text& text) {
  const std::uint64_t half = map.length / 2;
  text.line("const TW_INDEX mirrored = {} - element;", half);
  if (map.rule != Rule::r2c_store) return {"element", "mirrored"};
  text.line("const TW_INDEX near = element == {} ? 0 : element;", half);
  text.line("const TW_INDEX far = element == 0 ? 0 : mirrored;");
  return {"near", "far"};
}

void write_sums(const MapLayout& layout, Text& text) {
  write_rotation(layout, text);
  text.line("const TW_COMPLEX sum = TW_MAKE(p.x + q.x, p.y - q.y);");
  text.line("const TW_COMPLEX turned = multiply(TW_MAKE(p.x - q.x, p.y + q.y), root);");
}

// Declares `p` and `q`, which lie as far from the two ends, `sum` = p + conj q, and `turned` = root (p - conj q).
void write_ends(const LineMap& map, const MapLayout& layout, const ReadTerm& read, Text& text) {
  const auto [near, far] = write_end_indices(map, text);
  const bool checked = map.source_count < plan::full_source_count(map.rule, map.length);
  write_read("p", near, checked, map.source_count, read(0, near), text);
  write_read("q", far, checked, map.source_count, read(1, far), text);
  if (map.rule == Rule::c2r_load) text.line("if (element == 0) p.y = q.y = 0;");
  write_sums(layout, text);
}

void write_made(const LineMap& map, Text& text) {
  const char* format =
      map.rule == Rule::r2c_store ? "TW_FMA((TW_REAL)0.5f, sum.{0}, turned.{0})" : "sum.{0} + turned.{0}";
  text.line("const TW_COMPLEX made = TW_MAKE({}, {});", fmt::format(fmt::runtime(format), "x"),
            fmt::format(fmt::runtime(format), "y"));
}

void write_half_size(const LineMap& map, const MapLayout& layout, const ReadTerm& read, Text& text) {
  write_ends(map, layout, read, text);
  write_made(map, text);
}

void write_opposite(Text& text) {
  text.line("const TW_COMPLEX opposite = TW_MAKE(TW_FMA((TW_REAL)0.5f, sum.x, -turned.x),");
  text.line("                                     TW_FMA((TW_REAL)-0.5f, sum.y, turned.y));");
}

// Frequencies beyond the middle are the conjugates of those before it.
void write_hermitian(const LineMap& map, const ReadTerm& read, Text& text) {
  text.line("const int upper = element > {};", map.length / 2);
  text.line("const TW_INDEX index = upper ? {} - element : element;", map.length);
  const bool checked = map.source_count < plan::full_source_count(map.rule, map.length);
  write_read("made", "index", checked, map.source_count, read(0, "index"), text);
  text.line("made.y = index == 0 ? 0 : upper ? -made.y : made.y;");
}

// The spectra P and Q of two lines, from that of P + i Q, of which P is the even part.
void write_two_spectra(const LineMap& map, const ReadTerm& read, Text& text) {
  text.line("const TW_INDEX mirrored = element == 0 ? 0 : {} - element;", map.length);
  text.line("const TW_COMPLEX p = {};", read(0, "element"));
  text.line("const TW_COMPLEX q = {};", read(1, "mirrored"));
  text.line("const TW_COMPLEX made = TW_MAKE((TW_REAL)0.5f * (p.x + q.x), (TW_REAL)0.5f * (p.y - q.y));");
  text.line("const TW_COMPLEX opposite = TW_MAKE((TW_REAL)0.5f * (p.y + q.y), (TW_REAL)0.5f * (q.x - p.x));");
}

// P + i Q from the lower halves of both spectra.
void write_sum_of_spectra(const LineMap& map, const ReadTerm& read, Text& text) {
  text.line("const int upper = element > {};", map.length / 2);
  text.line("const TW_INDEX index = upper ? {} - element : element;", map.length);
  text.line("TW_COMPLEX p = {};", read(0, "index"));
  text.line("TW_COMPLEX q = {};", read(1, "index"));
  text.line("if (index == 0) p.y = q.y = 0;");
  text.line("const TW_COMPLEX made = upper ? TW_MAKE(p.x + q.y, q.x - p.y) : TW_MAKE(p.x - q.y, p.y + q.x);");
}

void write_computed(const LineMap& map, const MapLayout& layout, const ReadTerm& read, Text& text) {
  write_indices(map, text);
  write_coefficients(map, layout.root_pairs, layout.precision, text);
  text.line("TW_COMPLEX made = multiply({}, a);", read(0, "first"));
  if (!has_second_term(map.rule)) return;
  text.line("TW_COMPLEX part = {};", read(1, "second"));
  if (layout.conjugate) text.line("part.y = -part.y;");
  text.line("part = multiply(part, b);");
  text.line("made.x += part.x;");
  text.line("made.y += part.y;");
}

}  // namespace

std::uint32_t fine_entries(std::uint64_t values) {
  std::uint64_t fine = 1;
  while (fine * fine < values) fine *= 2;
  return static_cast<std::uint32_t>(fine);
}

MapLayout lay_out_map(const LineMap& map, Precision precision, Tables& tables) {
  MapLayout layout;
  if (map.rule == Rule::hermitian_load || plan::holds_two_spectra(map.rule)) return layout;
  if (map.rule == Rule::r2c_store || map.rule == Rule::c2r_load) {
    add_roots(map, layout, tables);
    return layout;
  }
  if (computes_coefficients(map)) {
    layout.root_pairs = add_root_tables(map, tables);
    layout.computed = true;
    layout.precision = precision;
    layout.conjugate = plan::map_rules(map).conjugate;
    return layout;
  }
  if (std::max(map.count, plan::full_source_count(map.rule, map.length)) >= no_index) {
    throw Unsupported(
        fmt::format("a line of {} points of the map '{}' is longer than 32-bit indices reach; use the host", map.length,
                    plan::to_string(map)));
  }
  LineMap ordered = map;  // its indices follow rules
  ordered.source_parts.clear();
  const MapTables values = plan::map_tables(ordered);
  layout.first = place_term(values.first, tables);
  layout.second = place_term(values.second, tables);
  choose_factors(values, precision, tables, layout);
  layout.real_end = values.real_end;
  layout.conjugate = values.conjugate;
  return layout;
}

std::string place_in_source(const LineMap& map, const std::string& index) {
  std::string place;
  std::uint64_t below = 1;  // the weight of the part's digit in the index
  for (std::size_t i = 0; i < map.source_parts.size(); ++i) {
    const std::uint64_t part = map.source_parts[i];
    std::string digit = below == 1 ? index : fmt::format("{} / {}u", index, below);
    if (i + 1 < map.source_parts.size()) digit += fmt::format(" % {}u", part);
    place = place.empty() ? digit : fmt::format("({}) * {}u + {}", place, part, digit);
    below *= part;
  }
  return place.empty() ? index : fmt::format("({})", place);
}

void write_map_pair(const LineMap& map, const MapLayout& layout, const ReadTerm& read, Text& text) {
  if (map.rule == Rule::two_spectra_store) return write_two_spectra(map, read, text);
  write_half_size(map, layout, read, text);
  write_opposite(text);
}

void write_map_of(const LineMap& map, const MapLayout& layout, const std::string& near, const std::string& far,
                  Text& text) {
  text.line("const TW_COMPLEX p = {};", near);
  text.line("const TW_COMPLEX q = {};", far);
  write_sums(layout, text);
  write_made(map, text);
  write_opposite(text);
}

void write_map(const LineMap& map, const MapLayout& layout, const ReadTerm& read, Text& text) {
  if (map.rule == Rule::hermitian_load) {
    write_hermitian(map, read, text);
  } else if (map.rule == Rule::two_spectra_load) {
    write_sum_of_spectra(map, read, text);
  } else if (map.rule == Rule::r2c_store || map.rule == Rule::c2r_load) {
    write_half_size(map, layout, read, text);
  } else if (layout.computed) {
    write_computed(map, layout, read, text);
  } else {
    text.line("TW_COMPLEX made = TW_MAKE(0, 0);");
    const bool shared = layout.second.factor == Term::Factor::conjugate_of_first ||
                        layout.second.factor == Term::Factor::minus_i_of_first;
    if (shared) text.line("const TW_COMPLEX factor = constants[{} + element];", layout.first.table);
    write_term(0, layout, read, text);
    write_term(1, layout, read, text);
  }
}

void write_map_terms(const LineMap& map, const MapLayout& layout, const ReadTerm& statement, Text& text) {
  if (map.rule == Rule::two_spectra_store) {
    text.line("{}", statement(0, "element"));
    text.line("{}", statement(1, fmt::format("(element == 0 ? 0 : {} - element)", map.length)));
    return;
  }
  if (map.rule == Rule::r2c_store) {
    const auto [near, far] = write_end_indices(map, text);
    text.line("{}", statement(0, near));
    text.line("{}", statement(1, far));
    return;
  }
  if (layout.computed) {
    text.open("{{");
    write_indices(map, text);
    text.line("{}", statement(0, "first"));
    if (has_second_term(map.rule)) text.line("{}", statement(1, "second"));
    return text.close();
  }
  write_block(
      layout.first, [&] { text.line("{}", statement(0, "index")); }, text);
  write_block(
      layout.second, [&] { text.line("{}", statement(1, "index")); }, text);
}

}  // namespace twiddle::kernel
