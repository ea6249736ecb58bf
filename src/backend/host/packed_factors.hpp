// What packed numbers are multiplied by, as their kernels read it (PackedCall::factors).
#pragma once

#include <array>
#include <complex>
#include <cstddef>

#include "backend/host/aligned_array.hpp"
#include "backend/host/packed_radices.hpp"
#include "backend/host/twiddle_tables.hpp"
#include "twiddle/transform.hpp"

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

// Those of the first of two passes, times the scale.
template <class T>
[[nodiscard]] AlignedArray<T> first_pass_factors(PackedRadices radices, std::size_t numbers, Direction direction,
                                                 long double scale) {
  const std::size_t turns = radices.first - 1;
  const Roots<T> roots{std::size_t{radices.first} * radices.last};
  return packed_factors((radices.last + numbers - 1) / numbers * turns, numbers, sign_of<T>(direction),
                        [&](std::size_t i, std::size_t lane) -> std::complex<long double> {
                          const auto root = roots((i / turns * numbers + lane) * (i % turns + 1));
                          return std::complex<long double>(root) * scale;
                        });
}

}  // namespace twiddle::backend::host
