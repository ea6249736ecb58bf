// Tables of on-chip convolutions in extended precision.
#include "plan/convolution.hpp"

#include <algorithm>
#include <utility>

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

template <class Real>
Values extended(const std::vector<std::complex<Real>>& values) {
  return {values.begin(), values.end()};
}

// Computed with in Real.
template <class Real>
ConvolutionTables bluestein_tables(std::uint64_t points, std::uint64_t length) {
  const auto values = [&](Factor::Sequence sequence) {
    return extended(factor_values<Real>({sequence, length, length, length, points, Direction::forward, 1, {}}));
  };
  ConvolutionTables tables;
  tables.chirp = values(Factor::Sequence::chirp);
  tables.spectrum = values(Factor::Sequence::chirp_spectrum);
  return tables;
}

template <class Real>
ConvolutionTables rader_tables(std::uint64_t prime) {
  const std::uint64_t root = primitive_root(prime);
  ConvolutionTables tables;
  tables.load_order = powers(root, prime);
  tables.store_order = powers(power(root, prime - 2, prime), prime);
  std::vector<std::complex<Real>> sequence;
  sequence.reserve(prime - 1);
  const ProductsOfRoots<Real> roots(prime);
  for (const std::uint32_t place : tables.store_order) sequence.push_back(roots(place));
  tables.spectrum = extended(smooth_transform(std::move(sequence)));
  return tables;
}

template <class Real>
ConvolutionTables tables_in(const Convolution& convolution, std::uint64_t length) {
  return convolution.algorithm == Convolution::Algorithm::bluestein ? bluestein_tables<Real>(convolution.points, length)
                                                                    : rader_tables<Real>(length);
}

}  // namespace

std::string_view to_string(Convolution::Algorithm algorithm) {
  return algorithm == Convolution::Algorithm::bluestein ? "Bluestein" : "Rader";
}

ConvolutionTables convolution_tables(const Convolution& convolution, std::uint64_t length, Direction direction,
                                     Precision precision) {
  ConvolutionTables tables = precision == Precision::float32 ? tables_in<double>(convolution, length)
                                                             : tables_in<long double>(convolution, length);
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
