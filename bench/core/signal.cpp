// Random input, and comparing.
#include "signal.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "measurement.hpp"
#include "twiddle/half.hpp"

namespace twiddle::bench {
namespace {

template <class Real>
std::vector<std::byte> random_bytes(std::size_t bytes, double magnitude) {
  const auto values = make_input<Real>((bytes + sizeof(Real) - 1) / sizeof(Real), magnitude);
  std::vector<std::byte> memory(bytes);
  std::memcpy(memory.data(), values.data(), bytes);
  return memory;
}

float scalar_of(Half value) { return to_float(value); }
template <class Real>
Real scalar_of(Real value) {
  return value;
}

// Relative L2 difference; of rows of reals in place, what fills them up to a whole number of complex ones is left out.
template <class Real>
double difference_by(const Problem& problem, std::span<const std::byte> expected, const std::byte* actual) {
  std::size_t row = std::numeric_limits<std::size_t>::max();
  std::size_t filled = row;
  if (problem.transform.kind == Kind::r2c && problem.direction == Direction::inverse &&
      problem.placement == Placement::in_place) {
    filled = problem.transform.lengths.back();
    row = 2 * (filled / 2 + 1);
  }
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < expected.size() / sizeof(Real); ++i) {
    if (i % row >= filled) continue;
    Real a{};
    Real b{};
    std::memcpy(&a, expected.data() + i * sizeof(Real), sizeof(Real));
    std::memcpy(&b, actual + i * sizeof(Real), sizeof(Real));
    // Scaled up, since squares of the input's magnitude are no normal numbers in every precision.
    const double da = static_cast<double>(scalar_of(a)) / input_magnitude;
    const double db = static_cast<double>(scalar_of(b)) / input_magnitude;
    difference += (da - db) * (da - db);
    size += da * da;
  }
  return std::sqrt(difference / size);
}

}  // namespace

std::vector<std::byte> random_input(Precision precision, std::size_t bytes) {
  switch (precision) {
    case Precision::float32:
      return random_bytes<float>(bytes, input_magnitude);
    case Precision::float64:
      return random_bytes<double>(bytes, input_magnitude);
    case Precision::extended:
      return random_bytes<long double>(bytes, input_magnitude);
    case Precision::float16:
      break;
  }
  std::vector<std::byte> memory(bytes);
  const auto values = make_input<float>(bytes / sizeof(Half), 1e-2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Half half = to_half(values[i]);
    std::memcpy(memory.data() + i * sizeof(Half), &half, sizeof(Half));
  }
  return memory;
}

// Each execution may multiply the largest value by the number of points.
std::size_t most_executions(const Problem& problem) {
  if (problem.placement == Placement::out_of_place) return std::numeric_limits<std::size_t>::max();
  const double decades = problem.transform.precision == Precision::float16   ? 4
                         : problem.transform.precision == Precision::float32 ? 57
                                                                             : 327;
  double points = 1;
  for (const std::size_t axis : transformed_axes(problem.transform)) {
    points *= static_cast<double>(problem.transform.lengths[axis]);
  }
  return std::max<std::size_t>(1, static_cast<std::size_t>(decades / std::log10(std::max(2.0, points))));
}

double difference_of(const Problem& problem, std::span<const std::byte> expected, const std::byte* actual) {
  switch (problem.transform.precision) {
    case Precision::float16:
      return difference_by<Half>(problem, expected, actual);
    case Precision::float32:
      return difference_by<float>(problem, expected, actual);
    case Precision::float64:
      return difference_by<double>(problem, expected, actual);
    case Precision::extended:
      return difference_by<long double>(problem, expected, actual);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double accepted_difference(Precision precision) {
  switch (precision) {
    case Precision::float16:
      return 1e-2;
    case Precision::float32:
      return 1e-5;
    case Precision::float64:
    case Precision::extended:
      return 1e-13;
  }
  return 0;
}

}  // namespace twiddle::bench
