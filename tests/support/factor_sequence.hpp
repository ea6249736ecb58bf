// The sequences that stages multiply by, from their definitions.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "support/reference.hpp"

namespace twiddle::test {

// exp(sign 2 pi i numerator / denominator), where forward has the negative sign.
[[nodiscard]] std::complex<long double> root(Direction direction, std::uint64_t numerator, std::uint64_t denominator);

// The roots of a twiddle, each computed when it is asked for first.
class TwiddleRoots {
 public:
  TwiddleRoots(Direction direction, std::uint64_t modulus) : direction_(direction), roots_(modulus) {}

  // The root whose numerator is the product of the two indices.
  [[nodiscard]] std::complex<long double> at(std::uint64_t element, std::uint64_t transform);

 private:
  Direction direction_;
  std::vector<std::optional<std::complex<long double>>> roots_;
};

// All of a factor's sequence.
[[nodiscard]] Spectrum factor_sequence(const plan::Factor& factor);

// Whether an element of a stage that multiplies by the factor counts without its imaginary part; `base` is the position
// of its transform's first one in the sequence.
[[nodiscard]] bool starts_half_spectrum(const std::optional<plan::Factor>& factor, std::int64_t base,
                                        std::uint64_t element);

}  // namespace twiddle::test
