// Roots of unity, correctly rounded: computed in extended precision with the argument reduced to an eighth of a turn.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "plan/stage.hpp"

namespace twiddle::plan {

// A product without the checks for infinities that the standard's makes.
[[nodiscard]] inline std::complex<long double> multiply(const std::complex<long double>& x,
                                                        const std::complex<long double>& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

// exp(-2 pi i k / n) in extended precision, for any k; 0 < n < 2^61. Exact at quarter turns.
[[nodiscard]] std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n);

// The same values for one n, many of them: each a product of two from tables of about sqrt(n) entries, so a rounding of
// extended precision off the nearest, which double precision does not see. 0 < n < 2^60.
class RootsOfUnity {
 public:
  explicit RootsOfUnity(std::uint64_t n);
  [[nodiscard]] std::complex<long double> operator()(std::uint64_t k) const;

 private:
  std::uint64_t n_;
  unsigned shift_ = 0;  // an eighth of a turn is n_ steps: the lower bits are fine, the others coarse
  std::vector<std::complex<long double>> fine_;
  std::vector<std::complex<long double>> coarse_;
};

// The values of a factor's sequence (stage.hpp), factor.count() of them, in extended precision.
[[nodiscard]] std::vector<std::complex<long double>> factor_values(const Factor& factor);

}  // namespace twiddle::plan
