// The tables of on-chip convolutions give the transform that they are for.
#include "plan/recipe/convolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <random>
#include <set>

#include "plan/numbers/smooth_transform.hpp"
#include "support/reference.hpp"

namespace twiddle::plan {
namespace {

using Value = std::complex<long double>;
using Values = LongVector<Value>;
using Algorithm = Convolution::Algorithm;

Values by_the_reference(const Values& x, Direction direction) {
  const auto spectrum = test::reference_transform({.lengths = {x.size()}, .normalization = Normalization::none},
                                                  direction, {x.begin(), x.end()});
  return {spectrum.begin(), spectrum.end()};
}

Values transform(Values values, Direction direction) {
  if (direction == Direction::forward) return smooth_transform(values);
  for (Value& value : values) value = std::conj(value);
  values = smooth_transform(values);
  for (Value& value : values) value = std::conj(value);
  return values;
}

// As convolution.hpp says.
template <class Real>
Values convolve(const Convolution& convolution, const Values& x, Direction direction) {
  const ConvolutionTables<Real> tables = convolution_tables<Real>(convolution, x.size(), direction);
  const bool rader = convolution.algorithm == Algorithm::rader;
  Values a(convolution.points);
  for (std::size_t j = 0; !rader && j < x.size(); ++j) a[j] = x[j] * Value(tables.chirp[j]);
  for (std::size_t q = 0; rader && q < a.size(); ++q) a[q] = x[tables.load_order[q]];
  a = transform(a, direction);
  Values result(x.size());
  result[0] = x[0] + a[0];
  for (std::size_t k = 0; k < a.size(); ++k) a[k] *= Value(tables.spectrum[k]);
  if (rader) a[0] += x[0];
  a = transform(a, direction == Direction::forward ? Direction::inverse : Direction::forward);
  for (std::size_t k = 0; !rader && k < x.size(); ++k) result[k] = a[k] * Value(tables.chirp[k]);
  for (std::size_t q = 0; rader && q < a.size(); ++q) result[tables.store_order[q]] = a[q];
  return result;
}

// Lines, columns and rows; and of sequences that are their own mirror image, which cannot tell a direction from the
// other.
TEST(SmoothTransform, IsTheTransform) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  for (const std::size_t length : {1, 2, 7, 30, 64, 189, 1024, 4096, 6000, 12288, 16384}) {
    Values x(length);
    for (Value& value : x) value = Value(normal(random), normal(random));
    const Values expected = by_the_reference(x, Direction::forward);
    Values half(length / 2 + 1);
    for (std::size_t j = 0; j < half.size(); ++j) half[j] = x[j % length] + x[(length - j) % length];
    half = mirrored_transform(half, length);
    const Values whole = smooth_transform(x);
    std::vector<long double> reals(length);
    for (std::size_t j = 0; j < length; ++j) reals[j] = x[j].real();
    const Values of_reals = length % 2 == 0 ? real_transform(reals) : Values();
    const LongVector<std::complex<double>> rounded =
        smooth_transform(LongVector<std::complex<double>>(x.begin(), x.end()));
    ASSERT_EQ(half.size(), length / 2 + 1);
    long double norm = 0;
    for (const Value& value : expected) norm += std::norm(value);
    const long double size = std::sqrt(norm / static_cast<long double>(length));
    for (std::size_t k = 0; k < length; ++k) {
      const Value mirrored = expected[k] + expected[(length - k) % length];
      EXPECT_LT(std::abs(whole[k] - expected[k]), 1e-16L * size) << length << ", " << k;
      EXPECT_LT(std::abs(Value(rounded[k]) - expected[k]), 1e-14L * size) << length << ", " << k;
      if (k < of_reals.size()) {
        const Value of_real_parts = (expected[k] + std::conj(expected[(length - k) % length])) * 0.5L;
        EXPECT_LT(std::abs(of_reals[k] - of_real_parts), 1e-16L * size) << length << ", " << k;
      }
      EXPECT_LT(std::abs(half[std::min(k, length - k)] - mirrored), 1e-16L * size) << length << ", " << k;
    }
  }
}

// The sum of all elements goes by this one, and what precedes Rader's order: both may be all there is.
TEST(Convolution, HasTheExactMeanOfRootsInRadersSpectrum) {
  for (const std::uint64_t prime : {3, 211, 1009, 13729}) {
    const auto tables = convolution_tables<long double>({Algorithm::rader, prime - 1}, prime, Direction::forward);
    EXPECT_EQ(tables.spectrum[0], Value(-1 / static_cast<long double>(prime - 1))) << prime;
  }
}

TEST(Convolution, GivesTheTransformOfAnyLength) {
  const std::vector<std::pair<std::uint64_t, Convolution>> cases{
      {3, {Algorithm::rader, 2}},       {17, {Algorithm::rader, 16}},      {211, {Algorithm::rader, 210}},
      {1009, {Algorithm::rader, 1008}}, {1, {Algorithm::bluestein, 1}},    {2, {Algorithm::bluestein, 2}},
      {37, {Algorithm::bluestein, 80}}, {94, {Algorithm::bluestein, 189}}, {33, {Algorithm::bluestein, 64}},
      {50, {Algorithm::bluestein, 98}}};
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const auto& [length, convolution] : cases) {
    Values x(length);
    for (Value& value : x) value = Value(normal(random), normal(random));
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const Values expected = by_the_reference(x, direction);
      const Values exact = convolve<long double>(convolution, x, direction);
      const Values rounded = convolve<double>(convolution, x, direction);
      for (std::size_t k = 0; k < length; ++k) {
        EXPECT_LT(std::abs(exact[k] - expected[k]), 1e-15L * static_cast<long double>(length))
            << length << " points by " << to_string(convolution.algorithm) << ", output " << k;
        EXPECT_LT(std::abs(rounded[k] - expected[k]), 1e-13L * static_cast<long double>(length))
            << length << " points by " << to_string(convolution.algorithm) << ", output " << k;
      }
    }
  }
}

// The chirp is its own mirror image, so that the farthest elements to either side may share a point: not where these
// differ.
TEST(Convolution, NeedsAPointForEachDifferenceButOne) {
  EXPECT_EQ(bluestein_points(1, 1), 1U);
  EXPECT_EQ(bluestein_points(2, 2), 2U);
  EXPECT_EQ(bluestein_points(65537, 65537), 131072U);
  EXPECT_EQ(bluestein_points(144, 287), 430U);
  EXPECT_EQ((Convolution{Algorithm::bluestein, 512}.least_points(257)), 512U);
  EXPECT_EQ((Convolution{Algorithm::bluestein, 512, 129}.least_points(257)), 385U);
}

TEST(Convolution, PrimitiveRootsVisitEveryResidue) {
  for (const std::uint64_t prime : {3U, 5U, 7U, 23U, 41U, 191U, 65537U}) {
    const std::uint64_t root = primitive_root(prime);
    std::set<std::uint64_t> seen;
    for (std::uint64_t value = 1, i = 1; i < prime; ++i, value = value * root % prime) seen.insert(value);
    EXPECT_EQ(seen.size(), prime - 1) << "root " << root << " of " << prime;
  }
  EXPECT_EQ(primitive_root(23), 5U);
  EXPECT_EQ(primitive_root(65537), 3U);
}

}  // namespace
}  // namespace twiddle::plan
