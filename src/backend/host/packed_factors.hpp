// What packed numbers are multiplied by, as their kernels read it (PackedCall::factors).
#pragma once

#include <complex>
#include <cstddef>

#include "backend/host/aligned_array.hpp"

namespace twiddle::backend::host {

// `count` vectors of so many numbers: those of value(i, lane) for i below `count`. `direction` is 1, or -1 for their
// conjugates.
template <class T, class Value>
[[nodiscard]] AlignedArray<T> packed_factors(std::size_t count, std::size_t numbers, T direction, const Value& value) {
  AlignedArray<T> factors(4 * count * numbers);
  for (std::size_t i = 0; i < count; ++i) {
    T* const real = factors.data() + 4 * i * numbers;
    T* const imaginary = real + 2 * numbers;
    for (std::size_t lane = 0; lane < numbers; ++lane) {
      const std::complex<long double> factor = value(i, lane);
      real[2 * lane] = real[2 * lane + 1] = static_cast<T>(factor.real());
      imaginary[2 * lane + 1] = direction * static_cast<T>(factor.imag());
      imaginary[2 * lane] = -imaginary[2 * lane + 1];
    }
  }
  return factors;
}

}  // namespace twiddle::backend::host
