// Fourier transforms in extended precision, for the spectra that convolutions multiply by.
#pragma once

#include <complex>
#include <vector>

namespace twiddle::plan {

// The forward transform, unscaled; N log N operations where the length's prime factors are small. In the precision of
// the values: double takes a quarter of the time, and is enough for tables in single precision.
[[nodiscard]] std::vector<std::complex<long double>> smooth_transform(
    const std::vector<std::complex<long double>>& values);
[[nodiscard]] std::vector<std::complex<double>> smooth_transform(const std::vector<std::complex<double>>& values);

}  // namespace twiddle::plan
