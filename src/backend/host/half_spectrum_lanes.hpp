// The maps between the transform of pairs of reals and the reals' spectrum (plan::LineMap::Rule::r2c_store and
// c2r_load) on planar lines side by side, as plain data: what the kernels are called with. Elements that mirror each
// other are read and made together.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"

namespace twiddle::backend::host {

// Lines [element][lane] of `half` complex numbers, or of the half + 1 of a spectrum, all of them:
//   to[k] = sum * conj(source[half - k]) + a[k] * (source[k] - conj(source[half - k]))
// where source[half] of pairs is source[0].
template <class T>
struct HalfSpectrumCall {
  Planes<T> source;
  Planes<T> to;
  const T* factors = nullptr;  // a[k] for k = 0..half / 2: [k][real, imaginary]
  T sum = 1;
  std::size_t half = 1;
  std::size_t lanes = 1;
  bool load = false;  // from the spectrum
};

template <class T>
using HalfSpectrumFunction = void (*)(const HalfSpectrumCall<T>&);

// For the best of the SIMD targets in the mask.
template <class T>
[[nodiscard]] HalfSpectrumFunction<T> find_half_spectrum(std::int64_t targets);
template <>
HalfSpectrumFunction<float> find_half_spectrum<float>(std::int64_t targets);
template <>
HalfSpectrumFunction<double> find_half_spectrum<double>(std::int64_t targets);
template <>
HalfSpectrumFunction<long double> find_half_spectrum<long double>(std::int64_t targets);

}  // namespace twiddle::backend::host
