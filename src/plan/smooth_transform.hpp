// Fourier transforms in extended precision, for the spectra that convolutions multiply by.
#pragma once

#include <complex>
#include <vector>

namespace twiddle::plan {

// The forward transform, unscaled; N log N operations where the length's prime factors are small.
[[nodiscard]] std::vector<std::complex<long double>> smooth_transform(
    const std::vector<std::complex<long double>>& values);

}  // namespace twiddle::plan
