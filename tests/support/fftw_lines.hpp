// FFTW on many lines at once, for every kind of transform and in three precisions.
#pragma once

#include <cstddef>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::test {

// The scalars of a line of `n` points as it is read (`written` false) or written: 2 n for c2c, n for real data,
// 2 (n/2+1) for the frequencies of r2c.
[[nodiscard]] std::size_t line_scalars(Kind kind, Direction direction, std::size_t n, bool written);

// Transforms lines of `n` points that follow each other, as many as `input` holds, unscaled. `kind` and `direction` are
// those of a Transform: the inverse of dct2 is dct3. Real is float, double or long double.
template <class Real>
[[nodiscard]] std::vector<Real> fftw_lines(Kind kind, Direction direction, std::size_t n, std::vector<Real> input);

}  // namespace twiddle::test
