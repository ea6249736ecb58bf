// Roots of unity, correctly rounded: computed in extended precision with the argument reduced to an eighth of a turn.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "plan/lower/stage.hpp"
#include "plan/numbers/long_vector.hpp"

namespace twiddle::plan {

// A product without the checks for infinities that the standard's makes.
template <class Real>
[[nodiscard]] std::complex<Real> multiply(const std::complex<Real>& x, const std::complex<Real>& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// exp(-2 pi i k / n) from `within_octant(m)`, which gives cos + i sin of m / n of an eighth of a turn, 0 <= m <= n:
// only angles up to there are computed, where sine and cosine are accurate; the octant restores the rest exactly.
template <class Real, class WithinOctant>
[[nodiscard]] std::complex<Real> from_octant(std::uint64_t k, std::uint64_t n, const WithinOctant& within_octant) {
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

// exp(-2 pi i k / n) in extended precision, for any k; 0 < n < 2^61. Exact at quarter turns.
[[nodiscard]] std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n);

// The same values for one n.
struct NearestRoots {
  std::uint64_t n;
  [[nodiscard]] std::complex<long double> operator()(std::uint64_t k) const { return root_of_unity(k, n); }
};

// The same for many of them: each a product of two from tables of about sqrt(n) entries, so a rounding of
// `Real` off the nearest, which arithmetic in a shorter one does not see. 0 < n < 2^60.
template <class Real>
class ProductsOfRoots {
 public:
  explicit ProductsOfRoots(std::uint64_t n);
  [[nodiscard]] std::complex<Real> operator()(std::uint64_t k) const {
    return from_octant<Real>(k, n_, [&](std::uint64_t numerator) {
      const std::uint64_t step = numerator >> eighths_;
      return multiply(coarse_[step >> shift_], fine_[step & (fine_.size() - 1)]);
    });
  }

 private:
  std::uint64_t n_;
  unsigned eighths_ = 0;  // an eighth of a turn is n_ >> eighths_ steps
  unsigned shift_ = 0;    // of their number the lower bits are fine, the others coarse
  std::vector<std::complex<Real>> fine_;
  std::vector<std::complex<Real>> coarse_;
};
extern template class ProductsOfRoots<double>;
extern template class ProductsOfRoots<long double>;

using RootsOfUnity = ProductsOfRoots<long double>;

// Reals times 1 + this times i (Factor::Sequence::oblique) are complex numbers of which neither part is the other one's
// negative or zero, and no product is longer than four bits more: their transforms round mirrored elements each in its
// own way.
inline constexpr double oblique_slope = 7.0 / 16;

// The values of a factor's sequence (stage.hpp), factor.count() of them. In double a spectrum is a few roundings off,
// which tables in single precision do not see.
template <class Real>
[[nodiscard]] LongVector<std::complex<Real>> factor_values(const Factor& factor);
extern template LongVector<std::complex<double>> factor_values(const Factor& factor);
extern template LongVector<std::complex<long double>> factor_values(const Factor& factor);

// `scale` times the values of a forward factor's chirp_spectrum, from those of its chirp.
template <class Real>
[[nodiscard]] LongVector<std::complex<Real>> chirp_spectrum(const LongVector<std::complex<Real>>& chirp,
                                                            const Factor& factor, Real scale);
extern template LongVector<std::complex<double>> chirp_spectrum(const LongVector<std::complex<double>>&, const Factor&,
                                                                double);
extern template LongVector<std::complex<long double>> chirp_spectrum(const LongVector<std::complex<long double>>&,
                                                                     const Factor&, long double);

}  // namespace twiddle::plan
