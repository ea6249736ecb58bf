// Roots of unity, chirps and their spectra in extended precision.
#include "plan/tables.hpp"

#include <cmath>
#include <numbers>

#include "plan/smooth_transform.hpp"

namespace twiddle::plan {

namespace {

using Value = std::complex<long double>;

// cos + i sin of `numerator` / `n` of an eighth of a turn.
Value first_octant(std::uint64_t numerator, std::uint64_t n) {
  const long double eighths = static_cast<long double>(numerator) / static_cast<long double>(n);
  const long double angle = eighths * (std::numbers::pi_v<long double> / 4);
  return {std::cos(angle), std::sin(angle)};
}

// exp(-2 pi i k / n) from `within_octant(m)`, which gives cos + i sin of m / n of an eighth of a turn, 0 <= m <= n:
// only angles up to there are computed, where sine and cosine are accurate; the octant restores the rest exactly.
template <class Real, class WithinOctant>
std::complex<Real> from_octant(std::uint64_t k, std::uint64_t n, const WithinOctant& within_octant) {
  std::uint64_t within = (k < n ? k : k % n) * 8;
  unsigned octant = 0;
  for (const unsigned part : {4U, 2U, 1U}) {  // within / n, which is below 8: sooner than a division
    if (within < part * n) continue;
    within -= part * n;
    octant += part;
  }
  const bool mirrored = octant % 2 == 1;  // measure from the octant's far end
  const std::complex<Real> value = within_octant(mirrored ? n - within : within);
  const Real c = value.real();
  const Real s = value.imag();
  switch (octant) {  // counter-clockwise, then the conjugate
    case 0:
      return {c, -s};
    case 1:
      return {s, -c};
    case 2:
      return {-s, -c};
    case 3:
      return {-c, -s};
    case 4:
      return {-c, s};
    case 5:
      return {-s, c};
    case 6:
      return {s, c};
    default:
      return {c, s};
  }
}

}  // namespace

std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n) {
  return from_octant<long double>(k, n, [&](std::uint64_t numerator) { return first_octant(numerator, n); });
}

template <class Real>
ProductsOfRoots<Real>::ProductsOfRoots(std::uint64_t n) : n_(n) {
  while ((std::uint64_t{1} << 2 * shift_) < n) ++shift_;
  const std::uint64_t fine = std::uint64_t{1} << shift_;
  for (std::uint64_t i = 0; i < fine; ++i) fine_.emplace_back(first_octant(i, n));
  for (std::uint64_t i = 0; i <= n >> shift_; ++i) coarse_.emplace_back(first_octant(i << shift_, n));
}

template <class Real>
std::complex<Real> ProductsOfRoots<Real>::operator()(std::uint64_t k) const {
  return from_octant<Real>(k, n_, [&](std::uint64_t numerator) {
    return multiply(coarse_[numerator >> shift_], fine_[numerator & (fine_.size() - 1)]);
  });
}

template class ProductsOfRoots<double>;
template class ProductsOfRoots<long double>;

namespace {

// The power of exp(-2 pi i / modulus), modulus = 2 n, that is exp(-pi i j^2 / n): the square is reduced, so that
// nothing is lost for long sequences.
std::uint64_t chirp_power(std::uint64_t j, std::uint64_t modulus) {
  std::uint64_t square = 0;  // j * j mod modulus by doubling where the product would overflow
  if (j < (std::uint64_t{1} << 32)) {
    square = j * j % modulus;
  } else {
    for (std::uint64_t bits = j, term = j % modulus; bits != 0; bits >>= 1, term = term * 2 % modulus) {
      if (bits & 1) square = (square + term) % modulus;
    }
  }
  return square;
}

}  // namespace

std::vector<std::complex<long double>> factor_values(const Factor& factor) {
  std::vector<std::complex<long double>> values(factor.count());
  const std::uint64_t n = factor.length;
  const RootsOfUnity roots(2 * n);
  const auto chirp = [&](std::uint64_t j) { return roots(chirp_power(j, 2 * n)); };
  if (factor.sequence == Factor::Sequence::chirp) {
    for (std::uint64_t j = 0; j < n; ++j) values[j] = chirp(j);
  } else {
    values[0] = 1;
    for (std::uint64_t j = 1; j < n; ++j) values[j] = values[factor.padded - j] = std::conj(chirp(j));
    values = smooth_transform(values);
  }
  if (factor.direction == Direction::inverse) {
    for (auto& value : values) value = std::conj(value);
  }
  return values;
}

}  // namespace twiddle::plan
