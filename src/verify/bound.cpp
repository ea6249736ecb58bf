// The model of the error.
#include "verify/bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "verify/reference.hpp"
#include "verify/reference_hook.hpp"

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
      return {0x1p-63, 2e-19};  // twice the rounding: FFTW's butterflies for x87 are others than twiddle's
    default:
      return {0x1p-24, 1e-7};  // halves are computed in float
  }
}

constexpr double chirped = 2;               // two transforms in a row instead of one
constexpr std::size_t largest_direct = 13;  // prime factors beyond may go through Bluestein's algorithm

std::size_t largest_prime_factor(std::size_t n) {
  std::size_t largest = 1;
  for (std::size_t prime = 2; prime * prime <= n; ++prime) {
    for (; n % prime == 0; n /= prime) largest = prime;
  }
  return std::max(largest, n);
}

double stored_scalars(const Problem& problem) {
  const Transform& transform = problem.transform;
  const bool forward = problem.direction == Direction::forward;
  const auto& wanted = forward ? transform.output_extents : transform.input_extents;
  const std::vector<std::uint64_t> shape = full_shape(problem, true);
  double count = static_cast<double>(shape[0]);
  for (std::size_t d = 1; d < shape.size(); ++d)
    count *= static_cast<double>(wanted.empty() ? shape[d] : wanted[d - 1]);
  const bool complex = transform.kind == Kind::c2c || (transform.kind == Kind::r2c && forward);
  return complex ? 2 * count : count;
}

// The weights that make a transform orthogonal are constants, so that their roundings add up over the axes.
double weight_roundings(const Transform& transform) {
  const Kind kind = transform.kind;
  const bool weighted =
      kind == Kind::dct1 || kind == Kind::dct2 || kind == Kind::dct3 || kind == Kind::dst2 || kind == Kind::dst3;
  if (!weighted || transform.normalization != Normalization::ortho) return 0;
  return 1.5 * static_cast<double>(transformed_axes(transform).size());
}

}  // namespace

double arithmetic_bound(const Problem& problem, const Strategy& strategy) {
  const Transform& transform = problem.transform;
  const PrecisionModel model = model_of(transform.precision);
  // Where radices are said, all other lengths are left to convolutions.
  const std::size_t largest = strategy.radices == Strategy::Radices::all ? largest_direct : 2;
  double levels = 0;
  bool direct = true;
  for (const std::size_t axis : transformed_axes(transform)) {
    const std::size_t points = period(transform.kind, transform.lengths[axis]);
    levels += std::log2(static_cast<double>(std::max<std::size_t>(points, 2)));
    direct = direct && largest_prime_factor(points) <= largest;
  }
  // One rounding more for the scale. The fewer the results, the more their error varies around its mean.
  const double usual = model.rounding * std::sqrt(levels + 1);
  const double varying = std::max(usual, model.floor) * (1 + 2 / std::sqrt(stored_scalars(problem)));
  double bound = (direct ? 1 : chirped) * (varying + weight_roundings(transform) * model.rounding);
  for (const auto& hook : {transform.load_hook, transform.store_hook}) {
    if (!hook) continue;
    const ReferenceHook reference = reference_hook(*hook);
    // The square of a result is twice as far off; the host's hooks are functions of double, to which longer numbers are
    // rounded.
    if (!reference.linear && hook == transform.store_hook) bound *= 2;
    const double to_double = transform.precision == Precision::extended ? 1 : 0;
    bound += (reference.roundings + to_double) * std::max(model.rounding, 0x1p-53);
  }
  return bound;
}

double error_bound(const Problem& problem, const std::vector<Value>& expected, long double norm,
                   const Strategy& strategy) {
  const double arithmetic = arithmetic_bound(problem, strategy);
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
