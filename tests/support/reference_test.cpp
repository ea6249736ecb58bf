// The reference itself: against the definition, and its error measure against values known by hand.
#include "support/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace twiddle::test {
namespace {

long double largest_difference(const Spectrum& a, const Spectrum& b) {
  long double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Reference, EqualsTheDefinitionForEveryLengthTo64AndSomeBeyond) {
  std::vector<std::size_t> lengths{97, 360, 509, 1000, 1024};
  for (std::size_t n = 1; n <= 64; ++n) lengths.push_back(n);
  for (const std::size_t n : lengths) {
    const Signal input = random_signal(n, n);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const Spectrum exact(input.begin(), input.end());
      const Transform transform{.lengths = {n}, .normalization = Normalization::none};
      EXPECT_LT(largest_difference(reference_transform(transform, direction, input), direct_sum(exact, direction)),
                1e-16L * static_cast<long double>(n))
          << n;
    }
  }
}

TEST(Reference, DefinitionOfASingleFrequency) {
  // x[j] = exp(+2 pi i 3 j / 8) has its whole forward transform in X[3].
  Spectrum line(8);
  for (std::size_t j = 0; j < 8; ++j) line[j] = std::polar(1.0L, 2 * 3.14159265358979323846264338L * 3 * j / 8);
  const Spectrum result = direct_sum(line, Direction::forward);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_LT(std::abs(result[k] - std::complex<long double>(k == 3 ? 8 : 0)), 1e-17L) << k;
  }
}

TEST(Reference, TransformsTheAxesAskedForAndNoOthers) {
  // Along axis 1 of two arrays of 3 x 4 x 2, line by line by the definition.
  const Transform transform{.lengths = {3, 4, 2}, .axes = {1}, .batch = 2};
  const Signal input = random_signal(48);
  Spectrum expected(48);
  for (std::size_t outer = 0; outer < 6; ++outer) {
    for (std::size_t inner = 0; inner < 2; ++inner) {
      Spectrum line(4);
      for (std::size_t j = 0; j < 4; ++j) line[j] = input[outer * 8 + j * 2 + inner];
      line = direct_sum(line, Direction::inverse);
      for (std::size_t j = 0; j < 4; ++j) expected[outer * 8 + j * 2 + inner] = line[j] / 4.0L;
    }
  }
  EXPECT_LT(largest_difference(reference_transform(transform, Direction::inverse, input), expected), 1e-17L);
}

TEST(Reference, ScalesAsTheNormalizationSays) {
  const Signal input = random_signal(6 * 5);
  const auto first = [&](Normalization normalization, Direction direction) {
    return reference_transform({.lengths = {6, 5}, .normalization = normalization}, direction, input)[7];
  };
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const bool forward = direction == Direction::forward;
    const auto plain = first(Normalization::none, direction);
    EXPECT_LT(std::abs(first(Normalization::backward, direction) - plain / (forward ? 1.0L : 30.0L)), 1e-17L);
    EXPECT_LT(std::abs(first(Normalization::forward, direction) - plain / (forward ? 30.0L : 1.0L)), 1e-17L);
    EXPECT_LT(std::abs(first(Normalization::ortho, direction) - plain / std::sqrt(30.0L)), 1e-17L);
  }
}

TEST(Reference, FftwInSinglePrecisionIsCloseButNotExact) {
  const Transform transform{.lengths = {12, 90}, .batch = 3};
  const Signal input = random_signal(12 * 90 * 3);
  const double error = relative_l2_error(fftw_transform(transform, Direction::forward, input),
                                         reference_transform(transform, Direction::forward, input));
  EXPECT_LT(error, 5e-7);
  EXPECT_GT(error, 1e-9);
}

TEST(RelativeError, KnownValues) {
  const Spectrum expected{{3, 0}, {0, 4}};
  EXPECT_EQ(relative_l2_error(Signal{{3, 0}, {0, 4}}, expected), 0.0);
  EXPECT_DOUBLE_EQ(relative_l2_error(Signal{{3, 0}, {0, 3}}, expected), 0.2);
  EXPECT_DOUBLE_EQ(relative_l2_error(Signal{{0, 0.5f}}, Spectrum{{0, 0}}), 0.5);
  EXPECT_TRUE(std::isnan(relative_l2_error(Signal{{1, 1}}, expected)));
}

TEST(RandomSignal, IsReproducibleAndFillsTheRange) {
  const Signal signal = random_signal(10000, 7);
  EXPECT_EQ(signal, random_signal(10000, 7));
  EXPECT_NE(signal, random_signal(10000, 8));
  double low = 1, high = -1, sum = 0;
  for (const auto value : signal) {
    for (const double part : {value.real(), value.imag()}) {
      low = std::min(low, part);
      high = std::max(high, part);
      sum += part;
    }
  }
  EXPECT_GE(low, -1.0);
  EXPECT_LT(high, 1.0);
  EXPECT_LT(low, -0.99);
  EXPECT_GT(high, 0.99);
  EXPECT_LT(std::abs(sum / 20000), 0.02);
}

}  // namespace
}  // namespace twiddle::test
