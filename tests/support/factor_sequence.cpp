// Chirps and their spectra, in extended precision.
#include "support/factor_sequence.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace twiddle::test {

std::complex<long double> root(Direction direction, std::uint64_t numerator, std::uint64_t denominator) {
  const long double turn = (direction == Direction::forward ? -2 : 2) * std::numbers::pi_v<long double>;
  return std::polar(1.0L, turn * static_cast<long double>(numerator) / static_cast<long double>(denominator));
}

Spectrum factor_sequence(const plan::Factor& factor) {
  Spectrum chirp(factor.length);
  for (std::uint64_t j = 0; j < factor.length; ++j) {
    chirp[j] = root(factor.direction, j * j % (2 * factor.length), 2 * factor.length);
  }
  if (factor.sequence == plan::Factor::Sequence::chirp) return chirp;
  Spectrum wrapped(factor.padded);
  for (std::uint64_t j = 0; j < factor.length; ++j) {
    wrapped[j] = wrapped[(factor.padded - j) % factor.padded] = std::conj(chirp[j]);
  }
  return reference_transform({.lengths = {factor.padded}, .normalization = Normalization::none}, factor.direction,
                             std::move(wrapped));
}

}  // namespace twiddle::test
