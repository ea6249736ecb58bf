// Tables of on-chip convolutions in extended precision.
#include "plan/recipe/convolution.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "plan/numbers/smooth_transform.hpp"
#include "plan/numbers/tables.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

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
ConvolutionTables<Real> bluestein_tables(const Convolution& convolution, std::uint64_t length) {
  const auto [algorithm, points, inputs, outputs] = convolution;
  const Factor chirp{Factor::Sequence::chirp,
                     length,
                     inputs == 0 ? length : inputs,
                     outputs == 0 ? length : outputs,
                     points,
                     Direction::forward,
                     1,
                     {}};
  ConvolutionTables<Real> tables;
  const auto values = factor_values<Real>(chirp);
  const auto spectrum = chirp_spectrum(values, chirp, 1 / static_cast<Real>(points));
  tables.chirp.assign(values.begin(), values.end());
  tables.spectrum.assign(spectrum.begin(), spectrum.end());
  return tables;
}

// The sequence of roots r[q] has their conjugates in its second half, so that r is c + i s, where c repeats itself
// after half of the points and s changes its sign. The spectrum of the reals c + s has c's at even and s's at odd
// frequencies.
template <class Real>
ConvolutionTables<Real> rader_tables(std::uint64_t prime) {
  const std::uint64_t points = prime - 1;
  ConvolutionTables<Real> tables;
  std::tie(tables.load_order, tables.store_order) = rader_orders(prime);
  const ProductsOfRoots<Real> roots(prime);
  const Real scale = 1 / static_cast<Real>(points);
  std::vector<Real> sums(points);
  for (std::uint64_t q = 0; q < points / 2; ++q) {
    const std::complex<Real> root = roots(tables.store_order[q]);
    sums[q] = scale * (root.real() + root.imag());
    sums[points / 2 + q] = scale * (root.real() - root.imag());
  }
  const auto half = real_transform(sums);
  tables.spectrum.assign(half.begin(), half.end());
  tables.spectrum.resize(points);
  for (std::uint64_t k = points / 2 + 1; k < points; ++k) tables.spectrum[k] = std::conj(tables.spectrum[points - k]);
  for (std::uint64_t k = 1; k < points; k += 2) {
    tables.spectrum[k] = {-tables.spectrum[k].imag(), tables.spectrum[k].real()};
  }
  // All roots but 1. Of size 1 where the others have sqrt(prime), it would be the least exact, and it passes the sum of
  // the elements on.
  tables.spectrum.front() = -scale;
  return tables;
}

}  // namespace

std::uint64_t bluestein_points(std::uint64_t inputs, std::uint64_t outputs) {
  const std::uint64_t differences = inputs + outputs - 1;
  return inputs == outputs && inputs > 1 ? differences - 1 : differences;
}

std::uint64_t Convolution::least_points(std::uint64_t length) const {
  return bluestein_points(inputs == 0 ? length : inputs, outputs == 0 ? length : outputs);
}

std::string_view to_string(Convolution::Algorithm algorithm) {
  return algorithm == Convolution::Algorithm::bluestein ? "Bluestein" : "Rader";
}

template <class Real>
ConvolutionTables<Real> convolution_tables(const Convolution& convolution, std::uint64_t length, Direction direction) {
  ConvolutionTables<Real> tables = convolution.algorithm == Convolution::Algorithm::bluestein
                                       ? bluestein_tables<Real>(convolution, length)
                                       : rader_tables<Real>(length);
  if (direction == Direction::forward) return tables;
  for (auto* const values : {&tables.spectrum, &tables.chirp}) {
    for (auto& value : *values) value.imag(-value.imag());
  }
  return tables;
}

template ConvolutionTables<double> convolution_tables(const Convolution&, std::uint64_t, Direction);
template ConvolutionTables<long double> convolution_tables(const Convolution&, std::uint64_t, Direction);

std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> rader_orders(std::uint64_t prime) {
  std::vector<std::uint32_t> load = powers(primitive_root(prime), prime);
  std::vector<std::uint32_t> store = load;
  std::reverse(store.begin() + 1, store.end());
  return {std::move(load), std::move(store)};
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
