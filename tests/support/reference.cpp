// References through FFTW's guru interface, which takes axes and strides as they are.
#include "support/reference.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <numeric>
#include <random>
#include <stdexcept>

namespace twiddle::test {
namespace {

// FFTW's names for one precision.
template <class Real>
struct Fftw;

template <>
struct Fftw<float> {
  using Value = fftwf_complex;
  using Dimension = fftwf_iodim64;
  static constexpr auto plan = fftwf_plan_guru64_dft;
  static constexpr auto execute = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
};

template <>
struct Fftw<long double> {
  using Value = fftwl_complex;
  using Dimension = fftwl_iodim64;
  static constexpr auto plan = fftwl_plan_guru64_dft;
  static constexpr auto execute = fftwl_execute;
  static constexpr auto destroy = fftwl_destroy_plan;
};

// Worked out here and not by the library's own functions: they are under test.
bool is_transformed(const Transform& transform, std::size_t axis) {
  return transform.axes.empty() || std::ranges::find(transform.axes, axis) != transform.axes.end();
}

long double expected_scale(const Transform& transform, Direction direction) {
  long double points = 1;
  for (std::size_t axis = 0; axis < transform.lengths.size(); ++axis) {
    if (is_transformed(transform, axis)) points *= static_cast<long double>(transform.lengths[axis]);
  }
  const bool forward = direction == Direction::forward;
  switch (transform.normalization) {
    case Normalization::backward:
      return forward ? 1 : 1 / points;
    case Normalization::ortho:
      return 1 / std::sqrt(points);
    case Normalization::forward:
      return forward ? 1 / points : 1;
    case Normalization::none:
      return 1;
  }
  throw std::logic_error("unknown normalization");
}

// Unscaled, in place.
template <class Real>
void transform_in_place(const Transform& transform, Direction direction, std::vector<std::complex<Real>>& data) {
  using Library = Fftw<Real>;
  using Dimension = typename Library::Dimension;
  static std::mutex planner;  // FFTW's planner is not safe to call from several threads

  std::vector<Dimension> transformed, repeated;
  std::ptrdiff_t stride = 1;
  for (std::size_t axis = transform.lengths.size(); axis-- > 0;) {
    const auto length = static_cast<std::ptrdiff_t>(transform.lengths[axis]);
    (is_transformed(transform, axis) ? transformed : repeated).push_back({length, stride, stride});
    stride *= length;
  }
  repeated.push_back({static_cast<std::ptrdiff_t>(transform.batch), stride, stride});
  if (data.size() != static_cast<std::size_t>(stride) * transform.batch) {
    throw std::invalid_argument("the reference needs as many elements as the transform has");
  }

  auto* values = reinterpret_cast<typename Library::Value*>(data.data());
  std::unique_lock lock(planner);
  const auto plan = Library::plan(static_cast<int>(transformed.size()), transformed.data(),
                                  static_cast<int>(repeated.size()), repeated.data(), values, values,
                                  direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  if (plan == nullptr) throw std::runtime_error("FFTW made no plan");
  lock.unlock();
  Library::execute(plan);
  lock.lock();
  Library::destroy(plan);
}

}  // namespace

Signal random_signal(std::size_t count, std::uint64_t seed) {
  // The standard's distributions differ between libraries; 24 bits of the generator are exact in a float.
  std::mt19937_64 generator(seed);
  const auto draw = [&] { return static_cast<float>(generator() >> 40) * 0x1p-23f - 1.0f; };
  Signal signal(count);
  for (auto& value : signal) {
    const float real = draw();
    value = {real, draw()};
  }
  return signal;
}

Spectrum direct_sum(std::span<const std::complex<long double>> line, Direction direction) {
  const std::size_t n = line.size();
  const long double turn = (direction == Direction::forward ? -2 : 2) * std::numbers::pi_v<long double>;
  Spectrum roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    roots[k] = std::polar(1.0L, turn * static_cast<long double>(k) / static_cast<long double>(n));
  }
  Spectrum result(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) result[k] += line[j] * roots[j * k % n];
  }
  return result;
}

Spectrum reference_transform(const Transform& transform, Direction direction, Spectrum input) {
  transform_in_place(transform, direction, input);
  const long double scale = expected_scale(transform, direction);
  for (auto& value : input) value *= scale;
  return input;
}

Spectrum reference_transform(const Transform& transform, Direction direction,
                             std::span<const std::complex<float>> input) {
  return reference_transform(transform, direction, Spectrum(input.begin(), input.end()));
}

Signal fftw_transform(const Transform& transform, Direction direction, std::span<const std::complex<float>> input) {
  Signal result(input.begin(), input.end());
  transform_in_place(transform, direction, result);
  const auto scale = static_cast<float>(expected_scale(transform, direction));
  for (auto& value : result) value *= scale;
  return result;
}

namespace {

template <class Real>
double relative_error(std::span<const std::complex<Real>> actual,
                      std::span<const std::complex<long double>> expected) {
  if (actual.size() != expected.size()) return std::numeric_limits<double>::quiet_NaN();
  long double difference = 0, norm = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    difference += std::norm(std::complex<long double>(actual[i]) - expected[i]);
    norm += std::norm(expected[i]);
  }
  return static_cast<double>(std::sqrt(norm == 0 ? difference : difference / norm));
}

}  // namespace

double relative_l2_error(std::span<const std::complex<float>> actual,
                         std::span<const std::complex<long double>> expected) {
  return relative_error(actual, expected);
}

double relative_l2_error(std::span<const std::complex<long double>> actual,
                         std::span<const std::complex<long double>> expected) {
  return relative_error(actual, expected);
}

}  // namespace twiddle::test
