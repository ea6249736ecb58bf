// What packed numbers are multiplied by, as their kernels read it (PackedCall::factors).
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/packed_radices.hpp"
#include "backend/host/twiddle_tables.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::backend::host {

// Of a vector of so many numbers, which begins there, one's factor.
template <class T>
void put_packed_factor(T* vector, std::size_t numbers, std::size_t lane, T real, T imaginary) {
  vector[2 * lane] = vector[2 * lane + 1] = real;
  T* const turned = vector + 2 * numbers;
  turned[2 * lane] = -imaginary;
  turned[2 * lane + 1] = imaginary;
}

// The values times the scale for numbers in turn, in vectors of so many; zeros follow up to a whole vector.
template <class T, class Real>
[[nodiscard]] AlignedArray<T> packed_factors(const std::vector<std::complex<Real>>& values, std::size_t numbers,
                                             long double scale) {
  const std::size_t count = (values.size() + numbers - 1) / numbers * numbers;
  AlignedArray<T> factors(4 * count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::complex<Real> value = k < values.size() ? values[k] : std::complex<Real>();
    put_packed_factor(factors.data() + 4 * (k / numbers * numbers), numbers, k % numbers,
                      scaled_part<T>(value.real(), scale), scaled_part<T>(value.imag(), scale));
  }
  return factors;
}

template <class T>
[[nodiscard]] constexpr T sign_of(Direction direction) {
  return direction == Direction::forward ? T{1} : T{-1};
}

// PackedCall::alternate.
template <class T>
[[nodiscard]] std::array<T, 64 / sizeof(float)> alternating_signs(Direction direction) {
  std::array<T, 64 / sizeof(float)> signs;
  for (std::size_t lane = 0; lane < signs.size(); ++lane) {
    signs[lane] = lane % 2 == 0 ? sign_of<T>(direction) : -sign_of<T>(direction);
  }
  return signs;
}

// Those of the first of two passes, times the scale. `targets`: a mask of SIMD targets.
template <class T>
[[nodiscard]] AlignedArray<T> first_pass_factors(PackedRadices radices, std::size_t numbers, Direction direction,
                                                 long double scale, std::int64_t targets) {
  const std::size_t n = std::size_t{radices.first} * radices.last;
  const AllRoots<T> roots = all_roots<T>(n, targets, scale);
  const std::size_t vectors = (radices.last + numbers - 1) / numbers;
  AlignedArray<T> factors(4 * vectors * (radices.first - 1) * numbers);
  T* vector = factors.data();
  for (std::size_t column = 0; column < vectors * numbers; column += numbers) {
    for (std::size_t turn = 1; turn < radices.first; ++turn, vector += 4 * numbers) {
      for (std::size_t lane = 0; lane < numbers; ++lane) {
        const std::size_t power = (column + lane) * turn;
        const auto [real, imaginary] = roots[power < n ? power : power % n];  // beyond the last column
        put_packed_factor(vector, numbers, lane, real, sign_of<T>(direction) * imaginary);
      }
    }
  }
  return factors;
}

}  // namespace twiddle::backend::host
