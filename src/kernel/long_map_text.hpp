// Maps of long lines in kernels: coefficients are computed from roots of unity, of which short tables have as many as
// all others are products of. A table of coefficients would be a multiple of the data.
#pragma once

#include "kernel/line_map_text.hpp"
#include "kernel/text.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::kernel {

// Whether the map is one of those by half the points, of a long line that is there as a whole. Some have no roots: of
// these not even the indices are looked at one by one.
[[nodiscard]] bool computes_coefficients(const plan::LineMap& map);

// Appends the tables: exp(-2 pi i a fine / order), and exp(-2 pi i a / order) - 1 for a below `fine`, which keeps the
// rounding of the difference out of the product.
[[nodiscard]] RootTables add_root_tables(const plan::LineMap& map, Tables& tables);

// Whether its elements have a second term.
[[nodiscard]] bool has_second_term(plan::LineMap::Rule rule);

// Declares `first` and `second`, the indices of the element's terms, as far as it has two. An element without its first
// term has the factor 0 for it.
void write_indices(const plan::LineMap& map, Text& text);

// Declares `a` and `b`, what these are multiplied by.
void write_coefficients(const plan::LineMap& map, const RootTables& roots, Precision precision, Text& text);

}  // namespace twiddle::kernel
