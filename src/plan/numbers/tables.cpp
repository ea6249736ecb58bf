// Roots of unity, chirps and their spectra in extended precision.
#include "plan/numbers/tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "plan/numbers/smooth_transform.hpp"

namespace twiddle::plan {

namespace {

// cos + i sin of `numerator` / `n` of an eighth of a turn.
template <class Real>
std::complex<Real> first_octant(std::uint64_t numerator, std::uint64_t n) {
  const long double eighths = static_cast<long double>(numerator) / static_cast<long double>(n);
  const auto angle = static_cast<Real>(eighths * (std::numbers::pi_v<long double> / 4));
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

std::complex<long double> root_of_unity(std::uint64_t k, std::uint64_t n) {
  return from_octant<long double>(k, n,
                                  [&](std::uint64_t numerator) { return first_octant<long double>(numerator, n); });
}

template <class Real>
ProductsOfRoots<Real>::ProductsOfRoots(std::uint64_t n) : n_(n) {
  eighths_ = static_cast<unsigned>(std::min(3, std::countr_zero(n)));
  const std::uint64_t steps = n >> eighths_;
  while ((std::uint64_t{1} << 2 * shift_) < steps) ++shift_;
  const std::uint64_t fine = std::uint64_t{1} << shift_;
  for (std::uint64_t i = 0; i < fine; ++i) fine_.push_back(first_octant<Real>(i, steps));
  for (std::uint64_t i = 0; i <= steps >> shift_; ++i) coarse_.push_back(first_octant<Real>(i << shift_, steps));
}

template class ProductsOfRoots<double>;
template class ProductsOfRoots<long double>;

namespace {

// Values j = 0..length - 1 of exp(-pi i j^2 / length): the squares are reduced modulo 2 length, so that nothing is lost
// for long sequences. The second half is the mirror image of the first, with the sign of (-1)^length.
template <class Real>
LongVector<std::complex<Real>> chirp_values(std::uint64_t length) {
  const ProductsOfRoots<Real> roots(2 * length);
  LongVector<std::complex<Real>> values;
  values.reserve(length);
  const Real sign = length % 2 == 0 ? 1 : -1;
  std::uint64_t square = 0;
  for (std::uint64_t j = 0; j <= length / 2 && j < length; ++j) {
    values.push_back(roots(square));
    square += 2 * j + 1;
    if (square >= 2 * length) square -= 2 * length;
  }
  while (values.size() < length) values.push_back(sign * values[length - values.size()]);
  return values;
}

}  // namespace

// A sequence that reaches equally far to both sides is its own mirror image. Vectors of long doubles grow instead of
// being filled with zeros first, which takes as long as a pass over them.
template <class Real>
LongVector<std::complex<Real>> chirp_spectrum(const LongVector<std::complex<Real>>& chirp, const Factor& factor,
                                              Real scale) {
  const auto value = [&](std::uint64_t j) {
    return std::complex<Real>(scale * chirp[j].real(), -scale * chirp[j].imag());
  };
  const std::uint64_t padded = factor.padded;
  const bool mirrored = factor.inputs == factor.outputs;
  LongVector<std::complex<Real>> values;
  values.reserve(padded);
  for (std::uint64_t j = 0; j < factor.outputs; ++j) values.push_back(value(j));
  values.resize(mirrored ? padded / 2 + 1 : padded);
  if (mirrored) {
    values = mirrored_transform(std::move(values), padded);
    while (values.size() < padded) values.push_back(values[padded - values.size()]);
    return values;
  }
  for (std::uint64_t j = 1; j < factor.inputs; ++j) values[padded - j] = value(j);
  return smooth_transform(std::move(values));
}

namespace {

template <class Real>
LongVector<std::complex<Real>> eighth_turns(const Factor& factor) {
  const auto length = static_cast<std::int64_t>(factor.length);
  const std::int64_t middle = length / 2;
  const Real half = std::numbers::sqrt2_v<Real> / 2;
  LongVector<std::complex<Real>> values;
  values.reserve(factor.length);
  for (std::int64_t j = 0; j < length; ++j) {
    const std::int64_t from_zero = j <= middle ? j : j - length;
    std::int64_t eighths = 1 + 2 * (length % 4) * (from_zero % 4);
    if (factor.sequence == Factor::Sequence::alternating_eighth_turns) eighths += 4 * ((from_zero + middle) % 2);
    const auto turn = static_cast<std::uint64_t>(eighths) % 8;  // odd
    values.emplace_back(turn == 1 || turn == 7 ? half : -half, turn < 4 ? -half : half);
  }
  return values;
}

}  // namespace

template <class Real>
LongVector<std::complex<Real>> factor_values(const Factor& factor) {
  LongVector<std::complex<Real>> values;
  if (factor.sequence == Factor::Sequence::oblique) {
    values.assign(factor.inputs, {1, oblique_slope});
    return values;  // in both directions
  }
  if (factor.sequence == Factor::Sequence::diagonal) {
    values.assign(factor.inputs, {1, 1});
    return values;
  }
  if (factor.sequence == Factor::Sequence::eighth_turns ||
      factor.sequence == Factor::Sequence::alternating_eighth_turns) {
    return eighth_turns<Real>(factor);
  }
  const bool has_chirp = factor.sequence == Factor::Sequence::chirp ||
                         factor.sequence == Factor::Sequence::half_spectrum_chirp ||
                         factor.sequence == Factor::Sequence::chirp_spectrum;
  if (has_chirp) values = chirp_values<Real>(factor.length);
  switch (factor.sequence) {
    case Factor::Sequence::chirp:
    case Factor::Sequence::oblique:
    case Factor::Sequence::diagonal:
    case Factor::Sequence::eighth_turns:
    case Factor::Sequence::alternating_eighth_turns:
      break;
    case Factor::Sequence::quarter_points: {
      const ProductsOfRoots<Real> roots(32 * factor.length);
      values.reserve(factor.length);
      for (std::uint64_t j = 0; j < factor.length; ++j) values.push_back(roots(8 * j + 1));
      break;
    }
    case Factor::Sequence::quarter_turn:
    case Factor::Sequence::half_spectrum_turn: {
      const ProductsOfRoots<Real> roots(4 * factor.length);
      values.reserve(factor.length);
      const Real weight = factor.of_half_spectrum() ? 2 : 1;
      for (std::uint64_t j = 0; j < factor.length; ++j) values.push_back(weight * roots(j));
      values[0] = static_cast<Real>(factor.first_weight);
      break;
    }
    case Factor::Sequence::half_turn:
    case Factor::Sequence::odd_half_turn: {
      const ProductsOfRoots<Real> roots(2 * factor.length);
      values.reserve(factor.inputs);
      for (std::uint64_t j = 0; j < factor.inputs; ++j) values.push_back(roots(j));
      if (factor.sequence == Factor::Sequence::half_turn) break;
      for (std::uint64_t j = 1; j < factor.inputs; ++j) values[j] = {-values[j].imag(), values[j].real()};
      break;
    }
    case Factor::Sequence::half_spectrum:
      values.assign(factor.inputs, 2);
      values[0] = 1;
      break;
    case Factor::Sequence::half_spectrum_chirp:
      values.resize(factor.inputs);
      for (std::uint64_t j = 1; j < factor.inputs; ++j) values[j] *= 2;
      break;
    case Factor::Sequence::chirp_spectrum:
      values = chirp_spectrum(values, factor, Real{1});
  }
  if (factor.direction == Direction::inverse) {
    for (auto& value : values) value = std::conj(value);
  }
  return values;
}

template LongVector<std::complex<double>> factor_values(const Factor& factor);
template LongVector<std::complex<long double>> factor_values(const Factor& factor);
template LongVector<std::complex<double>> chirp_spectrum(const LongVector<std::complex<double>>&, const Factor&,
                                                         double);
template LongVector<std::complex<long double>> chirp_spectrum(const LongVector<std::complex<long double>>&,
                                                              const Factor&, long double);

}  // namespace twiddle::plan
