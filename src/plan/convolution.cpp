// Tables of on-chip convolutions in extended precision.
#include "plan/convolution.hpp"

#include <algorithm>

#include "plan/radices.hpp"
#include "plan/smooth_transform.hpp"
#include "plan/tables.hpp"

namespace twiddle::plan {
namespace {

using Values = std::vector<std::complex<long double>>;

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent /= 2, base = base * base % modulus) {
    if (exponent % 2 == 1) result = result * base % modulus;
  }
  return result;
}

std::vector<std::uint32_t> powers(std::uint64_t base, std::uint64_t prime) {
  std::vector<std::uint32_t> result;
  std::uint64_t value = 1;
  for (std::uint64_t q = 0; q + 1 < prime; ++q, value = value * base % prime) {
    result.push_back(static_cast<std::uint32_t>(value));
  }
  return result;
}

// The spectrum of a sequence in extended precision, for arithmetic in `precision`.
Values spectrum_of(const Values& sequence, Precision precision) {
  if (precision != Precision::float32) return smooth_transform(sequence);
  const std::vector<std::complex<double>> spectrum =
      smooth_transform(std::vector<std::complex<double>>(sequence.begin(), sequence.end()));
  return {spectrum.begin(), spectrum.end()};
}

ConvolutionTables bluestein_tables(std::uint64_t points, std::uint64_t length, Precision precision) {
  ConvolutionTables tables;
  tables.chirp = factor_values({Factor::Sequence::chirp, length, points, Direction::forward, 1, {}});
  Values sequence(points);
  for (std::uint64_t j = 0; j < length; ++j) sequence[j] = sequence[(points - j) % points] = std::conj(tables.chirp[j]);
  tables.spectrum = spectrum_of(sequence, precision);
  return tables;
}

ConvolutionTables rader_tables(std::uint64_t prime, Precision precision) {
  const std::uint64_t root = primitive_root(prime);
  ConvolutionTables tables;
  tables.load_order = powers(root, prime);
  tables.store_order = powers(power(root, prime - 2, prime), prime);
  Values sequence;
  sequence.reserve(prime - 1);
  const RootsOfUnity roots(prime);
  for (const std::uint32_t place : tables.store_order) sequence.push_back(roots(place));
  tables.spectrum = spectrum_of(sequence, precision);
  return tables;
}

}  // namespace

std::string_view to_string(Convolution::Algorithm algorithm) {
  return algorithm == Convolution::Algorithm::bluestein ? "Bluestein" : "Rader";
}

ConvolutionTables convolution_tables(const Convolution& convolution, std::uint64_t length, Direction direction,
                                     Precision precision) {
  ConvolutionTables tables = convolution.algorithm == Convolution::Algorithm::bluestein
                                 ? bluestein_tables(convolution.points, length, precision)
                                 : rader_tables(length, precision);
  const long double scale = 1 / static_cast<long double>(convolution.points);
  for (auto& value : tables.spectrum) value *= scale;
  if (direction == Direction::forward) return tables;
  for (auto* const values : {&tables.spectrum, &tables.chirp}) {
    for (auto& value : *values) value = std::conj(value);
  }
  return tables;
}

std::uint64_t primitive_root(std::uint64_t prime) {
  std::vector<std::size_t> factors = prime_factors(prime - 1);
  factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  std::uint64_t root = 2;
  const auto generates = [&] {
    return std::all_of(factors.begin(), factors.end(),
                       [&](std::uint64_t factor) { return power(root, (prime - 1) / factor, prime) != 1; });
  };
  while (!generates()) ++root;
  return root;
}

}  // namespace twiddle::plan
