// The stages of dct1 and dst1 that keep to exactly as many places as there are reals, in and out of place: what
// moved_odd_reals.hpp has of other kinds.
#pragma once

#include <optional>

#include "plan/lower/emit.hpp"
#include "plan/lower/line_in_places.hpp"

namespace twiddle::plan {

// The even or odd line of P = n1 n2 points that symmetric_line.hpp has, of n2 = 2 q. Columns 1 to q - 1 of n1 reals
// each leave n1 / 2 + 1 frequencies, of which the first one is real, and with an even n1 the last one: as many reals.
// Columns 0 and q are even or odd lines themselves, and together the even or odd line of 2 n1 points, of which memory
// has half. So there are n1 rows of q places and one place more, or one less. In order, rows of parts of frequency f
// are
//   even, n1 odd:  real parts of n1/2, imaginary parts of n1/2, real parts of n1/2 - 1, ..., imaginary parts of 1, and
//                  of 0 all
//   else:          of 0 all, imaginary parts of 1, real parts of 1, imaginary parts of 2, ..., and last real parts of
//                  n1/2, or of an even n1 imaginary ones
// Rows of frequencies other than 0 are halves of spectra, whose ends are one complex number, and become 2 q reals. That
// of frequency 0 is a line of dct1 or dst1 itself, and that of n1/2 with an even n1 one of dct3 or dst3, whose elements
// are known from imaginary parts alone: the twiddle multiplies reals. The stages multiply by `scale` in all. The first
// stage reads the reals from where they stand if `first_moves`. Nothing where the line has other parts, or is pruned.
[[nodiscard]] std::optional<LineInPlaces> symmetric_in_places(const AxisTask& task, const LineRecipe& line,
                                                              bool first_moves, long double scale);

}  // namespace twiddle::plan
