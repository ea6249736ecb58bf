// Sums of two doubles, for what is added up before it is rounded once.
#pragma once

#include <complex>

namespace twiddle::plan {

// The sum of both; the first has all but what rounding left over.
struct ExactNumber {
  double high = 0;
  double low = 0;

  ExactNumber() = default;
  constexpr ExactNumber(double value, double rest = 0) : high(value), low(rest) {}
  explicit operator double() const { return high + low; }
  explicit operator long double() const { return static_cast<long double>(high) + low; }
  explicit operator float() const { return static_cast<float>(high + low); }

  // As exact as `low` (D. E. Knuth, The Art of Computer Programming, volume 2, 4.2.2).
  friend ExactNumber operator+(const ExactNumber& a, const ExactNumber& b) {
    const double sum = a.high + b.high;
    const double other = sum - a.high;
    return {sum, (a.high - (sum - other)) + (b.high - other) + (a.low + b.low)};
  }
  friend ExactNumber operator-(const ExactNumber& a) { return {-a.high, -a.low}; }
  friend ExactNumber operator-(const ExactNumber& a, const ExactNumber& b) { return a + -b; }
};

// Exact for powers of two.
inline ExactNumber operator*(const ExactNumber& a, const ExactNumber& power) {
  return {a.high * power.high, a.low * power.high};
}

// The part of std::complex that roots of unity need; that is not for numbers like these.
struct ExactComplex {
  using value_type = ExactNumber;

  ExactComplex() = default;
  ExactComplex(const ExactNumber& real, const ExactNumber& imaginary) : real_(real), imaginary_(imaginary) {}
  [[nodiscard]] const ExactNumber& real() const { return real_; }
  [[nodiscard]] const ExactNumber& imag() const { return imaginary_; }

 private:
  ExactNumber real_;
  ExactNumber imaginary_;
};

}  // namespace twiddle::plan
