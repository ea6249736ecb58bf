// The two stages of even and odd lines of reals (plan/lower/symmetric_line.hpp), each as one radix, without offsets and
// shapes.
#pragma once

#include <cstdint>

#include "plan/lower/stage.hpp"

namespace twiddle::test {

// A line of columns * rows points, `lines` of them a little apart, in memory from element 0 or, of odd lines, from
// element 1 on.
struct SymmetricLines {
  std::uint64_t column_length = 1;
  std::uint64_t row_length = 1;
  std::uint64_t lines = 1;
  bool odd = false;
  std::uint64_t left_out = 0;  // elements at the end that do not exist
  long double end_weight = 1;
  bool all_columns = false;     // also those that mirror others
  std::uint64_t first_row = 0;  // of those that are transformed
  bool means = false;           // of both halves of what columns become
};

[[nodiscard]] plan::Stage symmetric_columns(const SymmetricLines& lines);
[[nodiscard]] plan::Stage symmetric_rows(const SymmetricLines& lines);

}  // namespace twiddle::test
