// Chirps, their spectra and other sequences, in extended precision.
#include "support/factor_sequence.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "plan/numbers/tables.hpp"

namespace twiddle::test {

std::complex<long double> root(Direction direction, std::uint64_t numerator, std::uint64_t denominator) {
  const long double turn = (direction == Direction::forward ? -2 : 2) * std::numbers::pi_v<long double>;
  return std::polar(1.0L, turn * static_cast<long double>(numerator) / static_cast<long double>(denominator));
}

std::complex<long double> TwiddleRoots::at(std::uint64_t element, std::uint64_t transform) {
  const std::uint64_t index = element * transform % roots_.size();
  if (!roots_[index]) roots_[index] = root(direction_, index, roots_.size());
  return *roots_[index];
}

Spectrum factor_sequence(const plan::Factor& factor) {
  if (factor.sequence == plan::Factor::Sequence::oblique) return Spectrum(factor.inputs, {1, plan::oblique_slope});
  if (factor.sequence == plan::Factor::Sequence::diagonal) return Spectrum(factor.inputs, {1, 1});
  Spectrum chirp(factor.length);
  if (factor.sequence == plan::Factor::Sequence::quarter_points) {
    for (std::uint64_t j = 0; j < factor.length; ++j) chirp[j] = root(factor.direction, 8 * j + 1, 32 * factor.length);
    return chirp;
  }
  const bool alternating = factor.sequence == plan::Factor::Sequence::alternating_eighth_turns;
  if (alternating || factor.sequence == plan::Factor::Sequence::eighth_turns) {
    for (std::uint64_t j = 0; j < factor.length; ++j) {
      const auto n = static_cast<long double>(factor.length);
      const auto index = static_cast<long double>(j) - (2 * j < factor.length ? 0 : n);
      const long double eighths = 1 + 2 * n * index + (alternating ? 4 * (index + (n - 1) / 2) : 0);
      chirp[j] = std::polar(1.0L, -2 * std::numbers::pi_v<long double> * std::fmod(eighths, 8.0L) / 8);
    }
    return chirp;
  }
  if (factor.sequence == plan::Factor::Sequence::quarter_turn ||
      factor.sequence == plan::Factor::Sequence::half_spectrum_turn) {
    const long double weight = factor.of_half_spectrum() ? 2 : 1;
    for (std::uint64_t j = 1; j < factor.length; ++j) chirp[j] = weight * root(factor.direction, j, 4 * factor.length);
    chirp[0] = factor.first_weight;
    return chirp;
  }
  const bool odd = factor.sequence == plan::Factor::Sequence::odd_half_turn;
  if (odd || factor.sequence == plan::Factor::Sequence::half_turn) {
    chirp.resize(factor.inputs);
    const std::complex<long double> i(0, factor.direction == Direction::forward ? 1 : -1);
    for (std::uint64_t j = 0; j < factor.inputs; ++j) {
      chirp[j] = root(factor.direction, j, 2 * factor.length) * (odd && j > 0 ? i : 1);
    }
    return chirp;
  }
  for (std::uint64_t j = 0; j < factor.length; ++j) {
    chirp[j] = root(factor.direction, j * j % (2 * factor.length), 2 * factor.length);
  }
  if (factor.sequence == plan::Factor::Sequence::chirp) return chirp;
  if (factor.sequence == plan::Factor::Sequence::half_spectrum) chirp.assign(factor.inputs, 1);
  if (factor.of_half_spectrum()) {
    chirp.resize(factor.inputs);
    for (std::uint64_t j = 1; j < factor.inputs; ++j) chirp[j] *= 2;
    return chirp;
  }
  Spectrum wrapped(factor.padded);
  for (std::uint64_t j = 0; j < factor.outputs; ++j) wrapped[j] = std::conj(chirp[j]);
  for (std::uint64_t j = 1; j < factor.inputs; ++j) wrapped[factor.padded - j] = std::conj(chirp[j]);
  return reference_transform({.lengths = {factor.padded}, .normalization = Normalization::none}, factor.direction,
                             std::move(wrapped));
}

bool starts_half_spectrum(const std::optional<plan::Factor>& factor, std::int64_t base, std::uint64_t element) {
  return factor && factor->of_half_spectrum() &&
         base + factor->element_stride * static_cast<std::int64_t>(element) == 0;
}

}  // namespace twiddle::test
