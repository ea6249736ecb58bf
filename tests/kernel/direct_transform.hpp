// The discrete Fourier transform by its definition, as the reference for butterflies.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "plan/numbers/tables.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::test {

using Extended = std::complex<long double>;

inline std::vector<Extended> direct_transform(const std::vector<Extended>& values, Direction direction) {
  std::vector<Extended> result(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t n = 0; n < values.size(); ++n) {
      const Extended root = plan::root_of_unity(n * k % values.size(), values.size());
      result[k] += values[n] * (direction == Direction::forward ? root : std::conj(root));
    }
  }
  return result;
}

// Values of magnitude about 1 that have no symmetry.
inline std::vector<Extended> sample_values(std::size_t count) {
  std::vector<Extended> values;
  for (std::size_t n = 0; n < count; ++n) {
    const auto x = static_cast<long double>(n);
    values.emplace_back(std::sin(1.7L * x * x + 0.3L), std::cos(2.3L * x * x + 0.9L * x));
  }
  return values;
}

// |a - b| / |b| over all elements.
template <class A, class B>
long double relative_error(const std::vector<std::complex<A>>& actual, const std::vector<std::complex<B>>& expected) {
  long double difference = 0;
  long double norm = 0;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    difference += std::norm(Extended(actual[n]) - Extended(expected[n]));
    norm += std::norm(Extended(expected[n]));
  }
  return std::sqrt(difference / norm);
}

}  // namespace twiddle::test
