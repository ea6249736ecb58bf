// Lines of any length whose Fourier transform is known element by element.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace twiddle::verify {

// A random line and its spectrum (unscaled, with exp(-2 pi i j k / n)), in Real or better:
//   - lines of at most `most_tabulated` points: random numbers
//   - longer ones, of n = pq points with p and q coprime and tabulated: x[j] = a[j mod p] b[j mod q], the product of
//   two
//     lines, whose spectrum is the product of theirs in other orders (I. J. Good, The interaction algorithm and
//     practical Fourier analysis, 1958)
//   - all others, of n = pq points with p tabulated: x[q i + j] = a[i] b[j], where b is zero but for a few j, so that
//     the spectrum is that of a times a short sum
// Numbers of the line have 5 bits in each factor. Throws Unsupported where n has no such divisor.
template <class Real>
class ProductLine {
 public:
  using Complex = std::complex<Real>;
  static constexpr std::uint64_t most_tabulated = std::uint64_t{1} << 17;

  // `real`: the line consists of real numbers. Not `transformed`: the spectrum is the line itself.
  ProductLine(std::uint64_t length, bool real, bool transformed, std::uint64_t seed);
  ~ProductLine();
  ProductLine(ProductLine&&) noexcept;
  ProductLine& operator=(ProductLine&&) noexcept;

  // Elements `begin` to `begin + count` of the line, or of its spectrum; into `room` (at least `count`) where there is
  // no table of them.
  [[nodiscard]] const Complex* values(bool spectrum, std::uint64_t begin, std::uint64_t count, Complex* room) const;

  [[nodiscard]] static bool serves(std::uint64_t length);

 private:
  struct Rule;
  std::unique_ptr<Rule> rule_;
};

extern template class ProductLine<double>;
extern template class ProductLine<long double>;

}  // namespace twiddle::verify
