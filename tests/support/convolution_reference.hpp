// What a convolution should give: its definition in convolution.hpp, summed in long double.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "twiddle/convolution.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {

using LongComplex = std::complex<long double>;

// All outputs in the order in which they are stored, hooks applied, the indices of maxima behind them. Real operands
// have imaginary parts 0. O(outputs * taps).
[[nodiscard]] std::vector<LongComplex> convolution_reference(const Convolution& convolution,
                                                             const std::vector<LongComplex>& signals,
                                                             const std::vector<LongComplex>& filters);

// A random valid convolution of `dimensions`, small enough for the reference.
[[nodiscard]] Convolution random_convolution(std::uint64_t seed, std::size_t dimensions = 1);

// A hook on results that tells each of its neighbours from the others: a sum of all of them with different weights, and
// of their place.
[[nodiscard]] std::shared_ptr<const Hook> neighbour_hook(std::size_t left, std::size_t right);

// `count` values with both parts (real: the first) uniform in [-1, 1), exact in single precision.
[[nodiscard]] std::vector<LongComplex> random_values(std::size_t count, bool complex, std::uint64_t seed);

}  // namespace twiddle::test
