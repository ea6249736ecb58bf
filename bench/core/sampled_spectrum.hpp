// Checks a large transform by a few of its outputs, summed from the definition in extended precision,
// on all of the host's cores.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

#include "twiddle/transform.hpp"

namespace twiddle::bench {

// Some outputs of an unscaled forward transform (complex, or real to complex) of all axes, of some arrays of its batch.
class SampledSpectrum {
 public:
  using Value = std::complex<long double>;
  using Roots = std::vector<Value>;

  explicit SampledSpectrum(const Transform& transform);

  // The arrays worth looking at: the first, a middle and the last one.
  [[nodiscard]] std::vector<std::size_t> arrays() const;
  // Elements of one array of the output, row-major.
  [[nodiscard]] std::size_t output_size() const;

  // Sums outputs of array number `array` from its elements, row-major.
  void add(std::size_t array, const std::vector<std::complex<double>>& elements);

  // Relative L2 error of those outputs; `output` gives an element of an array that was added, by its row-major index.
  [[nodiscard]] double error(
      const std::function<std::complex<double>(std::size_t array, std::size_t element)>& output) const;

 private:
  struct Sample {
    std::size_t array;
    std::size_t element;
    Value value;
  };
  std::vector<std::size_t> lengths_;
  std::vector<std::size_t> output_lengths_;
  std::size_t batch_;
  std::vector<Roots> roots_;
  std::vector<Sample> samples_;
};

}  // namespace twiddle::bench
