// The definition of the DFT, term by term, for chosen frequencies.
#include "sampled_spectrum.hpp"

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

namespace twiddle::bench {
namespace {

constexpr std::size_t outputs_per_array = 5;

using Roots = std::vector<std::complex<double>>;

Roots roots_of_unity(std::size_t length) {
  Roots roots(length);
  for (std::size_t k = 0; k < length; ++k) {
    roots[k] = std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
  }
  return roots;
}

// Sums along the last axis, then along the one before it, and so on.
std::complex<double> output_at(std::span<const std::complex<float>> array, const std::vector<std::size_t>& lengths,
                               const std::vector<Roots>& roots, std::size_t axis, std::size_t frequency_index) {
  // The frequency along this axis, from the row-major index of the output.
  std::size_t inner = 1;
  for (std::size_t later = axis + 1; later < lengths.size(); ++later) inner *= lengths[later];
  const std::size_t frequency = frequency_index / inner % lengths[axis];
  std::complex<double> sum = 0.0;
  std::size_t turn = 0;  // frequency * n modulo the length
  for (std::size_t n = 0; n < lengths[axis]; ++n) {
    const std::complex<double> value = axis + 1 == lengths.size() ? std::complex<double>(array[n])
                                                                  : output_at(array.subspan(n * inner, inner), lengths,
                                                                              roots, axis + 1, frequency_index);
    sum += value * roots[axis][turn];
    turn = (turn + frequency) % lengths[axis];
  }
  return sum;
}

}  // namespace

double sampled_error(const Transform& transform, std::span<const std::complex<float>> input,
                     std::span<const std::complex<float>> output) {
  std::vector<Roots> roots;
  for (const std::size_t length : transform.lengths) roots.push_back(roots_of_unity(length));
  const std::size_t size = array_elements(transform);
  double difference = 0.0;
  double norm = 0.0;
  for (const std::size_t array : std::set<std::size_t>{0, transform.batch / 2, transform.batch - 1}) {
    for (std::size_t i = 0; i < outputs_per_array; ++i) {
      const std::size_t index = (i * (size / 3 + 1) + i) % size;  // 0 and some scattered others
      const auto expected = output_at(input.subspan(array * size, size), transform.lengths, roots, 0, index);
      difference += std::norm(std::complex<double>(output[array * size + index]) - expected);
      norm += std::norm(expected);
    }
  }
  return std::sqrt(difference / norm);
}

}  // namespace twiddle::bench
