// Line maps in kernels: their tables, and the statements that make one element from at most two others.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernel/dialect.hpp"
#include "kernel/text.hpp"
#include "plan/lower/line_map.hpp"
#include "plan/numbers/long_vector.hpp"

namespace twiddle::kernel {

// Two tables for exp(-+ 2 pi i a / modulus): fine[a % fine_count] and coarse[a / fine_count].
struct RootTables {
  std::uint32_t fine = 0;  // where each begins
  std::uint32_t coarse = 0;
  std::uint32_t fine_count = 1;
};

// Entries of the finer of two tables whose products are so many values: a power of two, with about as many in either.
[[nodiscard]] std::uint32_t fine_entries(std::uint64_t values);

// What a kernel finds in memory beside the data.
struct Tables {
  plan::LongVector<std::complex<long double>> constants;
  std::vector<std::uint32_t> indices;
};

// How a kernel finds the terms of a map: expressions in `element`, or where tables begin.
struct MapLayout {
  struct Term {
    enum class Factor { one, constant, table, conjugate_of_first, minus_i_of_first };
    bool used = false;
    bool may_be_none = false;  // some elements lack this term
    std::string index;         // expression for the index
    Factor factor = Factor::one;
    std::string constant;  // for Factor::constant, its two parts
    std::uint32_t table = 0;
  };
  Term first;
  Term second;
  std::uint64_t real_end = plan::MapTables::none;
  bool conjugate = false;
  // r2c_store and c2r_load compute indices instead, and need one root for each element: from a table, or for long lines
  // as the product of two.
  bool one_table = true;
  std::uint32_t roots = 0;
  RootTables root_pairs;
  bool computed = false;  // coefficients from those roots (long_map_text.hpp); there are no terms then
  Precision precision = Precision::float32;
};

// Appends the tables of `map`, for kernels that compute in `precision`. Throws Unsupported where a line has elements
// beyond 32-bit indices and no closed form.
[[nodiscard]] MapLayout lay_out_map(const plan::LineMap& map, Precision precision, Tables& tables);

// Where the map's source has its element of an index, a name: LineMap::source_parts.
[[nodiscard]] std::string place_in_source(const plan::LineMap& map, const std::string& index);

// The expression for the source's element of an index, for the map's first (0) or second (1) term.
using ReadTerm = std::function<std::string(int term, const std::string& index)>;

// Writes statements that declare `made`: element `element` (a variable in the kernel) of the line.
void write_map(const plan::LineMap& map, const MapLayout& layout, const ReadTerm& read, Text& text);

// For r2c_store: declares `made` and also `opposite`, the element as far from the other end of the frequencies, which
// costs hardly more. For two_spectra_store: `opposite` is the second line's element.
void write_map_pair(const plan::LineMap& map, const MapLayout& layout, const ReadTerm& read, Text& text);

// For r2c_store: the same for `element`, whose two sources are these values.
void write_map_of(const plan::LineMap& map, const MapLayout& layout, const std::string& near, const std::string& far,
                  Text& text);

// Writes `statement(term, index)` for each term that the element has, in the kernels' order.
void write_map_terms(const plan::LineMap& map, const MapLayout& layout, const ReadTerm& statement, Text& text);

}  // namespace twiddle::kernel
