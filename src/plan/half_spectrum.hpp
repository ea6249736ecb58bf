// Between the transform of pairs of reals and the reals' spectrum, for those who have roots of unity at hand.
#pragma once

#include <complex>

#include "plan/line_map.hpp"

namespace twiddle::plan {

// What map_tables() has as a[k] of the rules r2c_store and c2r_load, from root = exp(-2 pi i k / length). With b[k] its
// sum is 1 for r2c_store and 2 for c2r_load.
[[nodiscard]] std::complex<long double> half_spectrum_factor(LineMap::Rule rule, const std::complex<long double>& root);

}  // namespace twiddle::plan
