// Roots of unity, correctly rounded: computed in extended precision with the argument reduced to an eighth of a turn.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "plan/stage.hpp"

namespace twiddle::plan {

// exp(-2 pi i k / n) in extended precision, for any k; 0 < n < 2^61. Exact at quarter turns.
[[nodiscard]] std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n);

// The values of a factor's sequence (stage.hpp), factor.count() of them, in extended precision.
[[nodiscard]] std::vector<std::complex<long double>> factor_values(const Factor& factor);

}  // namespace twiddle::plan
