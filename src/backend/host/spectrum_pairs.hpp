// The spectra of two lines of reals, told apart and put together again (plan/lower/pair_lines.hpp), and all of a
// spectrum from its half, as plain data: what the kernels are called with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"

namespace twiddle::backend::host {

// Planar lines [element][lane], `lanes` being 1 or a multiple of the vector's. The two do not overlap.
template <class T>
struct SpectrumPairCall {
  Planes<T> line;          // the spectrum of first + i second
  Planes<T> spectra;       // frequencies 0..length / 2 of the first, then those of the second
  std::size_t length = 1;  // of the line; odd where there are two
  std::size_t lanes = 1;
};

template <class T>
struct SpectrumPairKernels {
  void (*separate)(const SpectrumPairCall<T>&) = nullptr;  // line -> spectra
  void (*join)(const SpectrumPairCall<T>&) = nullptr;      // spectra -> line; of frequency 0 the real parts count
  void (*mirror)(const SpectrumPairCall<T>&) = nullptr;    // the same where the second is zero and not there
};

// For the best of the SIMD targets in the mask.
template <class T>
[[nodiscard]] SpectrumPairKernels<T> find_spectrum_pairs(std::int64_t targets);
template <>
SpectrumPairKernels<float> find_spectrum_pairs<float>(std::int64_t targets);
template <>
SpectrumPairKernels<double> find_spectrum_pairs<double>(std::int64_t targets);
template <>
SpectrumPairKernels<long double> find_spectrum_pairs<long double>(std::int64_t targets);

}  // namespace twiddle::backend::host
