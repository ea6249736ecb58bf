// Reals, and halves of their spectra, as lines of complex numbers.
#pragma once

#include <cstddef>

#include "backend/host/short_rows.hpp"

namespace twiddle::backend::host {

// Writes to `line` as many complex numbers as there are reals, an odd number: these with imaginary parts of zero
// (ShortRowsKind::reals), or the whole spectrum, of which the first half is read without the first one's imaginary part
// (reals_back).
template <class T>
void widen_reals(ShortRowsKind kind, const T* from, std::size_t length, T* line) {
  if (kind == ShortRowsKind::reals) {
    for (std::size_t i = 0; i < length; ++i) {
      line[2 * i] = from[i];
      line[2 * i + 1] = 0;
    }
    return;
  }
  line[0] = from[0];
  line[1] = 0;
  for (std::size_t i = 1; i <= length / 2; ++i) {
    line[2 * i] = line[2 * (length - i)] = from[2 * i];
    line[2 * i + 1] = from[2 * i + 1];
    line[2 * (length - i) + 1] = -from[2 * i + 1];
  }
}

}  // namespace twiddle::backend::host
