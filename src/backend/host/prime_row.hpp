// One line of a prime length that has no butterfly, by the definition, its results in the lanes: as plain data, what
// the SIMD kernels are called with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"
#include "backend/host/short_rows.hpp"

namespace twiddle::backend::host {

// A line, complex numbers being interleaved, which may be transformed in place, times `scale`. Tables: [j
// = 1..length/2][k = 1..pitch] of the real and of the imaginary parts of exp(-2 pi i j k / length), pitch being
// length/2 in whole vectors.
template <class T>
struct PrimeRowCall {
  const T* input = nullptr;
  T* output = nullptr;
  std::size_t length = 1;  // odd, at most largest_direct_radix; for complex lines not below 1 + pitch
  std::size_t pitch = 0;
  const T* real_roots = nullptr;
  const T* imaginary_roots = nullptr;
  T scale = 1;
};

template <class T>
using PrimeRowFunction = void (*)(const PrimeRowCall<T>&);

// Complex lines, swapped: with the parts swapped on the way in and out; reals to their spectrum and back. Null for
// other kinds.
template <class T>
[[nodiscard]] PrimeRowFunction<T> find_prime_row(ShortRowsKind kind, bool swapped, std::int64_t targets);
template <>
PrimeRowFunction<float> find_prime_row<float>(ShortRowsKind kind, bool swapped, std::int64_t targets);
template <>
PrimeRowFunction<double> find_prime_row<double>(ShortRowsKind kind, bool swapped, std::int64_t targets);
template <>
PrimeRowFunction<long double> find_prime_row<long double>(ShortRowsKind kind, bool swapped, std::int64_t targets);

}  // namespace twiddle::backend::host
