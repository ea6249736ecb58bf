// Roots of unity, correctly rounded: computed in extended precision with the argument reduced to an eighth of a turn.
#pragma once

#include <complex>
#include <cstdint>

namespace twiddle::plan {

// exp(-2 pi i k / n) in extended precision, for any k; n > 0. Exact at multiples of an eighth of a turn's axes.
[[nodiscard]] std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n);

}  // namespace twiddle::plan
