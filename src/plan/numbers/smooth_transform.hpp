// Fourier transforms in extended precision, for the spectra that convolutions multiply by.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "plan/numbers/long_vector.hpp"

namespace twiddle::plan {

// The forward transform, unscaled; N log N operations where the length's prime factors are small. In the precision of
// the values: double takes a third of the time, and is enough for tables in single precision.
template <class Real>
[[nodiscard]] LongVector<std::complex<Real>> smooth_transform(LongVector<std::complex<Real>> values);
extern template LongVector<std::complex<double>> smooth_transform(LongVector<std::complex<double>>);
extern template LongVector<std::complex<long double>> smooth_transform(LongVector<std::complex<long double>>);

// The same of an even number of reals: elements 0..length / 2 of the spectrum, by half the work.
template <class Real>
[[nodiscard]] LongVector<std::complex<Real>> real_transform(const std::vector<Real>& values);
extern template LongVector<std::complex<double>> real_transform(const std::vector<double>&);
extern template LongVector<std::complex<long double>> real_transform(const std::vector<long double>&);

// The same of a sequence that is its own mirror image, x[j] = x[length - j], whose spectrum is so too: elements
// 0..length / 2 of either, by half the work.
template <class Real>
[[nodiscard]] LongVector<std::complex<Real>> mirrored_transform(LongVector<std::complex<Real>> half,
                                                                std::size_t length);
extern template LongVector<std::complex<double>> mirrored_transform(LongVector<std::complex<double>>, std::size_t);
extern template LongVector<std::complex<long double>> mirrored_transform(LongVector<std::complex<long double>>,
                                                                         std::size_t);

}  // namespace twiddle::plan
