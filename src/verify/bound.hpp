// How far from the reference a good transform may be. FFTW's own error is the measure (docs/verification.md tells how
// the model was fitted to it); the library does not link FFTW, so it is stated here as a formula.
#pragma once

#include <vector>

#include "twiddle/problem.hpp"
#include "twiddle/strategy.hpp"
#include "verify/long_fourier.hpp"

namespace twiddle::verify {

// For the relative L2 error of a problem's result. Half precision adds the rounding of every result to 11 bits, which
// depends on the results: `expected` are those that are stored, `norm` what the error is relative to.
[[nodiscard]] double error_bound(const Problem& problem, const std::vector<Value>& expected, long double norm,
                                 const Strategy& strategy = {});

// The part that comes from arithmetic.
[[nodiscard]] double arithmetic_bound(const Problem& problem, const Strategy& strategy = {});

}  // namespace twiddle::verify
