// What a convolution should give: its definition in convolution.hpp, summed in long double.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "twiddle/convolution.hpp"

namespace twiddle::test {

using LongComplex = std::complex<long double>;

// All outputs in the order in which they are stored, the indices of maxima behind them. Real operands have imaginary
// parts 0. O(outputs * taps).
[[nodiscard]] std::vector<LongComplex> convolution_reference(const Convolution& convolution,
                                                             const std::vector<LongComplex>& signals,
                                                             const std::vector<LongComplex>& filters);

// A random valid convolution of `dimensions`, small enough for the reference.
[[nodiscard]] Convolution random_convolution(std::uint64_t seed, std::size_t dimensions = 1);

// `count` values with both parts (real: the first) uniform in [-1, 1), exact in single precision.
[[nodiscard]] std::vector<LongComplex> random_values(std::size_t count, bool complex, std::uint64_t seed);

}  // namespace twiddle::test
