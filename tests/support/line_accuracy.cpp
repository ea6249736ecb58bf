// Measures lines.
#include "support/line_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "support/accuracy.hpp"
#include "support/fftw_lines.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::test {
namespace {

double floor_of(Precision precision) { return precision == Precision::float64 ? 2e-16 : 1e-7; }

// The error of a short line varies much between inputs, that of a long one hardly, being a mean over many elements.
std::size_t inputs_for(std::size_t length) {
  if (length > 1 << 20) return 1;
  if (length > 65536) return 2;
  return std::max<std::size_t>(8, 16384 / length);
}

std::vector<float> random_lines(const LineCase& line, std::size_t count) {
  std::mt19937_64 generator(line.length);
  const std::size_t scalars = line_scalars(line.kind, line.direction, line.length, false);
  std::vector<float> values(count * scalars);
  for (float& value : values) value = static_cast<float>(generator() >> 40) * 0x1p-23f - 1.0f;
  if (line.kind == Kind::r2c && line.direction == Direction::inverse) {  // parts that real data do not have
    for (std::size_t i = 0; i < count; ++i) {
      values[i * scalars + 1] = 0;
      if (line.length % 2 == 0) values[i * scalars + line.length + 1] = 0;
    }
  }
  return values;
}

template <class Real>
double mean_error(const std::vector<Real>& actual, const std::vector<long double>& expected, std::size_t count) {
  const std::size_t scalars = actual.size() / count;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    long double difference = 0, norm = 0;
    for (std::size_t j = i * scalars; j < (i + 1) * scalars; ++j) {
      difference += (actual[j] - expected[j]) * (actual[j] - expected[j]);
      norm += expected[j] * expected[j];
    }
    sum += static_cast<double>(std::sqrt(norm == 0 ? difference : difference / norm));
  }
  return sum / static_cast<double>(count);
}

template <class Real>
LineAccuracy measure(const Device& device, const LineCase& line, const std::vector<float>& inputs,
                     const std::vector<long double>& expected, std::size_t count) {
  const std::size_t executions = line.together ? 1 : count;
  const Transform transform{.lengths = {line.length},
                            .batch = count / executions,
                            .normalization = Normalization::none,
                            .kind = line.kind,
                            .precision = precision_of<Real>};
  const Plan plan(device, transform);
  const std::vector<Real> values(inputs.begin(), inputs.end());
  std::vector<Real> results(expected.size());
  for (std::size_t i = 0; i < executions; ++i) {
    const auto part = [&](auto& all) {
      const std::size_t size = all.size() / executions;
      return std::span(all).subspan(i * size, size);
    };
    plan.execute_bytes(line.direction, std::as_bytes(part(values)), std::as_writable_bytes(part(results)));
  }
  const double error = mean_error(results, expected, count);
  const double fftw_error =
      mean_error(fftw_lines<Real>(line.kind, line.direction, line.length, values), expected, count);
  const double good = fftw_error * allowance(transform, device);
  return {transform.precision, error, fftw_error, std::max(good, floor_of(transform.precision))};
}

}  // namespace

double LineAccuracy::ratio() const { return error / std::max(fftw_error, floor_of(precision)); }

std::vector<LineAccuracy> measure_line(const Device& device, const LineCase& line,
                                       const std::vector<Precision>& precisions) {
  const std::size_t count = inputs_for(line.length);
  const std::vector<float> inputs = random_lines(line, count);
  const auto expected = fftw_lines<long double>(line.kind, line.direction, line.length,
                                                std::vector<long double>(inputs.begin(), inputs.end()));
  std::vector<LineAccuracy> result;
  for (const Precision precision : precisions) {
    switch (precision) {
      case Precision::float32:
        result.push_back(measure<float>(device, line, inputs, expected, count));
        break;
      case Precision::float64:
        result.push_back(measure<double>(device, line, inputs, expected, count));
        break;
      default:
        throw std::logic_error("lines are measured in float and double");
    }
  }
  return result;
}

std::string kind_name(Kind kind, Direction direction) {
  if (kind == Kind::r2c && direction == Direction::inverse) return "c2r";
  return std::string(to_string(kind)) + (direction == Direction::inverse ? "_inverse" : "");
}

}  // namespace twiddle::test
