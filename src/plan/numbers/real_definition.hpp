// The definitions of the real-to-real transforms (Kind in twiddle/transform.hpp), coefficient by coefficient.
#pragma once

#include <cstdint>
#include <numbers>

#include "twiddle/transform.hpp"

namespace twiddle::plan {

// What element j of a line of n adds to result k, unscaled. root(m, order) is exp(-2 pi i m / order) for m < order, in
// complex long doubles.
template <class Root>
[[nodiscard]] long double real_coefficient(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k,
                                           const Root& root) {
  const auto cosine = [&](std::uint64_t a, std::uint64_t b, std::uint64_t order) {
    return root(a * b % order, order).real();
  };
  const auto sine = [&](std::uint64_t a, std::uint64_t b, std::uint64_t order) {
    return -root(a * b % order, order).imag();
  };
  switch (kind) {
    case Kind::dct1:
      return (j == 0 || j == n - 1 ? 1 : 2) * cosine(j, k, 2 * (n - 1));
    case Kind::dct2:
      return 2 * cosine(2 * j + 1, k, 4 * n);
    case Kind::dct3:
      return (j == 0 ? 1 : 2) * cosine(j, 2 * k + 1, 4 * n);
    case Kind::dct4:
      return 2 * cosine(2 * j + 1, 2 * k + 1, 8 * n);
    case Kind::dst1:
      return 2 * sine(j + 1, k + 1, 2 * (n + 1));
    case Kind::dst2:
      return 2 * sine(2 * j + 1, k + 1, 4 * n);
    case Kind::dst3:
      return (j == n - 1 ? 1 : 2) * sine(j + 1, 2 * k + 1, 4 * n);
    case Kind::dst4:
      return 2 * sine(2 * j + 1, 2 * k + 1, 8 * n);
    default:
      return cosine(j, k, n) + sine(j, k, n);
  }
}

// What makes the matrix of a kind orthogonal (Normalization::ortho), beside a common factor.
[[nodiscard]] inline long double orthogonal_weight(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k) {
  const long double root2 = std::numbers::sqrt2_v<long double>;
  const auto is_end = [n](std::uint64_t i) { return i == 0 || i == n - 1; };
  switch (kind) {
    case Kind::dct1:
      return (is_end(j) ? root2 : 1) / (is_end(k) ? root2 : 1);
    case Kind::dct2:
      return k == 0 ? 1 / root2 : 1;
    case Kind::dct3:
      return j == 0 ? root2 : 1;
    case Kind::dst2:
      return k == n - 1 ? 1 / root2 : 1;
    case Kind::dst3:
      return j == n - 1 ? root2 : 1;
    default:
      return 1;
  }
}

}  // namespace twiddle::plan
