// Roots of unity, correctly rounded: computed in extended precision with the argument reduced to an eighth of a turn.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "plan/stage.hpp"

namespace twiddle::plan {

// A product without the checks for infinities that the standard's makes.
template <class Real>
[[nodiscard]] std::complex<Real> multiply(const std::complex<Real>& x, const std::complex<Real>& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
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
  [[nodiscard]] std::complex<Real> operator()(std::uint64_t k) const;

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

// The values of a factor's sequence (stage.hpp), factor.count() of them. In double a spectrum is a few roundings off,
// which tables in single precision do not see.
template <class Real>
[[nodiscard]] std::vector<std::complex<Real>> factor_values(const Factor& factor);
extern template std::vector<std::complex<double>> factor_values(const Factor& factor);
extern template std::vector<std::complex<long double>> factor_values(const Factor& factor);

// `scale` times the values of a forward factor's chirp_spectrum, from those of its chirp.
template <class Real>
[[nodiscard]] std::vector<std::complex<Real>> chirp_spectrum(const std::vector<std::complex<Real>>& chirp,
                                                             const Factor& factor, Real scale);
extern template std::vector<std::complex<double>> chirp_spectrum(const std::vector<std::complex<double>>&,
                                                                 const Factor&, double);
extern template std::vector<std::complex<long double>> chirp_spectrum(const std::vector<std::complex<long double>>&,
                                                                      const Factor&, long double);

}  // namespace twiddle::plan
