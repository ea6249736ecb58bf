// Coefficients of the transforms.
#include "verify/definition.hpp"

#include <numbers>

namespace twiddle::verify {
namespace {

// cos(2 pi a b / n) and sin(2 pi a b / n).
long double cosine(std::uint64_t a, std::uint64_t b, std::uint64_t n) { return unit_root(a * b % n, n).real(); }
long double sine(std::uint64_t a, std::uint64_t b, std::uint64_t n) { return -unit_root(a * b % n, n).imag(); }

long double real_coefficient(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k) {
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

// What makes the matrix of a kind orthogonal, beside a common factor.
long double orthogonal_weight(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k) {
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

}  // namespace

Value coefficient(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k, bool inverse, bool orthogonal) {
  if (kind == Kind::c2c || kind == Kind::r2c) {
    const Value root = unit_root(j * k % n, n);
    return inverse ? std::conj(root) : root;
  }
  return real_coefficient(kind, n, j, k) * (orthogonal ? orthogonal_weight(kind, n, j, k) : 1);
}

}  // namespace twiddle::verify
