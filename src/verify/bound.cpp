// The model of the error.
#include "verify/bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/reference.hpp"

namespace twiddle::verify {
namespace {

struct PrecisionModel {
  double rounding;  // largest relative error of one rounding
  double floor;     // what is always good enough
};

PrecisionModel model_of(Precision precision) {
  switch (precision) {
    case Precision::float64:
      return {0x1p-53, 2e-16};
    case Precision::extended:
      return {0x1p-64, 1e-19};
    default:
      return {0x1p-24, 1e-7};  // halves are computed in float
  }
}

// In units of rounding * sqrt(log2(points)): FFTW's error is 0.5 to 0.75 of this.
constexpr double per_level = 1;
constexpr double chirped = 2;               // two transforms in a row instead of one
constexpr std::size_t largest_direct = 13;  // prime factors beyond may go through Bluestein's algorithm

std::size_t largest_prime_factor(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t prime = 2; prime * prime <= n; ++prime) {
    for (; n % prime == 0; n /= prime) largest = prime;
  }
  return std::max(largest, n);
}

}  // namespace

double arithmetic_bound(const Problem& problem) {
  const Transform& transform = problem.transform;
  const PrecisionModel model = model_of(transform.precision);
  double levels = 0;
  bool direct = true;
  for (const std::size_t axis : transformed_axes(transform)) {
    const std::size_t points = period(transform.kind, transform.lengths[axis]);
    levels += std::log2(static_cast<double>(std::max<std::size_t>(points, 2)));
    direct = direct && largest_prime_factor(points) <= largest_direct;
  }
  const double bound = std::max(per_level * model.rounding * std::sqrt(levels), model.floor);
  return direct ? bound : chirped * bound;
}

double error_bound(const Problem& problem, const std::vector<Value>& expected, long double norm) {
  const double arithmetic = arithmetic_bound(problem);
  if (problem.transform.precision != Precision::float16 || norm == 0) return arithmetic;
  constexpr long double rounding = 0x1p-11L, smallest = 0x1p-25L;  // of normal numbers; half the step of the others
  long double sum = 0;
  for (const Value& value : expected) {
    for (const long double part : {value.real(), value.imag()}) {
      const long double error = std::max(rounding * std::abs(part), part == 0 ? 0 : smallest);
      sum += error * error;
    }
  }
  return static_cast<double>(std::sqrt(sum) / norm) + arithmetic;
}

}  // namespace twiddle::verify
