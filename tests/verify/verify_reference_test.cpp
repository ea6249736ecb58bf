// The reference of the verification: against sums of the definition, and against FFTW in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/fftw_lines.hpp"
#include "verify/definition.hpp"
#include "verify/long_fourier.hpp"
#include "verify/random.hpp"
#include "verify/reference.hpp"

namespace twiddle::verify {
namespace {

const std::vector<Kind> real_kinds{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1,
                                   Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht};

std::vector<Value> random_values(std::size_t count, bool real) {
  Random random(count);
  std::vector<Value> values(count);
  for (Value& value : values) {
    const long double part = random.uniform();
    value = {part, real ? 0 : random.uniform()};
  }
  return values;
}

long double relative_difference(const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return INFINITY;
  long double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(norm == 0 ? difference : difference / norm);
}

std::vector<long double> scalars(const std::vector<Value>& values, bool real) {
  std::vector<long double> result;
  for (const Value& value : values) {
    result.push_back(value.real());
    if (!real) result.push_back(value.imag());
  }
  return result;
}

std::vector<Value> values_of(const std::vector<long double>& scalars, bool real) {
  std::vector<Value> result;
  for (std::size_t i = 0; i < scalars.size(); i += real ? 1 : 2) {
    result.emplace_back(scalars[i], real ? 0 : scalars[i + 1]);
  }
  return result;
}

// Sums of the definition along the only axis.
std::vector<Value> direct_sums(const Problem& problem, const std::vector<Value>& values) {
  const Transform& transform = problem.transform;
  const std::uint64_t n = transform.lengths[0];
  const bool inverse = problem.direction == Direction::inverse;
  std::vector<Value> result(full_shape(problem, true)[1]);
  for (std::size_t k = 0; k < result.size(); ++k) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      Value term = values[j] * coefficient(executed_kind(problem), n, j, k, inverse,
                                           transform.normalization == Normalization::ortho);
      if (transform.kind == Kind::r2c && inverse) term = term.real() * (j == 0 || 2 * j == n ? 1.0L : 2.0L);
      result[k] += term * expected_scale(problem);
    }
  }
  return result;
}

TEST(UnitRoot, IsExactOnTheAxesAndSymmetric) {
  EXPECT_EQ(unit_root(0, 5), Value(1, 0));
  EXPECT_EQ(unit_root(3, 12), Value(0, -1));
  EXPECT_EQ(unit_root(6, 12), Value(-1, 0));
  EXPECT_EQ(unit_root(9, 12), Value(0, 1));
  for (const std::uint64_t n : {3u, 7u, 8u, 100u, 1009u, 4096u}) {
    for (std::uint64_t k = 0; k < n; ++k) {
      const long double angle = -2 * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n);
      EXPECT_LT(std::abs(unit_root(k, n) - std::polar(1.0L, angle)), 1e-18L) << k << " of " << n;
      EXPECT_EQ(unit_root(n - k, n), std::conj(unit_root(k, n))) << k << " of " << n;
    }
  }
}

TEST(LongFourier, EqualsFftwInLongDouble) {
  std::vector<std::size_t> lengths{509, 1009, 1024, 2310, 4096, 53 * 59, 6561, 8192, 10007, 30030, 65536, 100003};
  for (std::size_t n = 1; n <= 400; ++n) lengths.push_back(n);
  for (const std::size_t n : lengths) {
    LongFourier fourier(n);
    const std::vector<Value> input = random_values(n, false);
    std::vector<Value> line = input;
    fourier.forward(line);
    const auto fftw = test::fftw_lines<long double>(Kind::c2c, Direction::forward, n, scalars(input, false));
    EXPECT_LT(relative_difference(line, values_of(fftw, false)), 2e-18L) << n;
    fourier.inverse(line);
    for (Value& value : line) value /= static_cast<long double>(n);
    EXPECT_LT(relative_difference(line, input), 2e-18L) << n;
  }
}

TEST(Reference, EqualsTheDefinitionOfEveryKind) {
  std::vector<Kind> kinds = real_kinds;
  kinds.insert(kinds.end(), {Kind::c2c, Kind::r2c});
  for (const Kind kind : kinds) {
    for (std::size_t n = kind == Kind::dct1 ? 2 : 1; n <= 24; ++n) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        for (const Normalization normalization : {Normalization::backward, Normalization::ortho, Normalization::none}) {
          const Problem problem{{.lengths = {n}, .normalization = normalization, .kind = kind}, direction};
          const bool real = kind != Kind::c2c && !(kind == Kind::r2c && direction == Direction::inverse);
          const std::vector<Value> values = random_values(full_shape(problem, false)[1], real);
          EXPECT_LT(relative_difference(reference_transform(problem, values), direct_sums(problem, values)), 1e-17L)
              << to_string(problem);
        }
      }
    }
  }
}

TEST(Reference, EqualsFftwForEveryKind) {
  for (const Kind kind : {Kind::r2c, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3,
                          Kind::dst4, Kind::dht}) {
    for (const std::size_t n : {2u, 3u, 8u, 15u, 53u, 64u, 100u, 101u, 360u, 1009u}) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Problem problem{{.lengths = {n}, .normalization = Normalization::none, .kind = kind}, direction};
        const bool complex_input = kind == Kind::r2c && direction == Direction::inverse;
        const bool complex_output = kind == Kind::r2c && direction == Direction::forward;
        std::vector<Value> values = random_values(full_shape(problem, false)[1], !complex_input);
        if (complex_input) {  // what FFTW makes of imaginary parts that real data cannot have is not documented
          values[0] = values[0].real();
          if (n % 2 == 0) values[n / 2] = values[n / 2].real();
        }
        const auto fftw = test::fftw_lines<long double>(kind, direction, n, scalars(values, !complex_input));
        EXPECT_LT(relative_difference(reference_transform(problem, values), values_of(fftw, !complex_output)), 3e-18L)
            << to_string(problem);
      }
    }
  }
}

TEST(Reference, OrthogonalTransformsKeepTheNormAndAreUndoneByTheirInverse) {
  for (const Kind kind : real_kinds) {
    const Problem forward{{.lengths = {5, 6}, .normalization = Normalization::ortho, .kind = kind}};
    Problem inverse = forward;
    inverse.direction = Direction::inverse;
    const std::vector<Value> values = random_values(30, true);
    const std::vector<Value> transformed = reference_transform(forward, values);
    EXPECT_LT(relative_difference(reference_transform(inverse, transformed), values), 2e-18L) << to_string(forward);
    long double before = 0, after = 0;
    for (const Value& value : values) before += std::norm(value);
    for (const Value& value : transformed) after += std::norm(value);
    EXPECT_LT(std::abs(after / before - 1), 1e-17L) << to_string(forward);
  }
}

TEST(Reference, TransformsTheAxesAskedForAndNoOthers) {
  // Two arrays of 3 x 4 x 2 along axis 1, line by line.
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dst3}) {
    const Problem problem{{.lengths = {3, 4, 2}, .axes = {1}, .batch = 2, .kind = kind}};
    const Problem line_problem{{.lengths = {4}, .kind = kind}};
    const std::size_t made = kind == Kind::r2c ? 3 : 4;
    const std::vector<Value> values = random_values(48, kind != Kind::c2c);
    std::vector<Value> expected(12 * made);
    for (std::size_t outer = 0; outer < 6; ++outer) {
      for (std::size_t inner = 0; inner < 2; ++inner) {
        std::vector<Value> line(4);
        for (std::size_t j = 0; j < 4; ++j) line[j] = values[outer * 8 + j * 2 + inner];
        line = direct_sums(line_problem, line);
        for (std::size_t k = 0; k < made; ++k) expected[(outer * made + k) * 2 + inner] = line[k];
      }
    }
    EXPECT_LT(relative_difference(reference_transform(problem, values), expected), 1e-18L) << to_string(problem);
  }
}

TEST(Reference, RealDataSurviveForwardAndInverseOfSeveralAxes) {
  for (const std::size_t last : {6u, 7u}) {
    const Problem forward{{.lengths = {4, 5, last}, .axes = {0, 2}, .kind = Kind::r2c}};
    Problem inverse = forward;
    inverse.direction = Direction::inverse;
    const std::vector<Value> values = random_values(20 * last, true);
    EXPECT_LT(relative_difference(reference_transform(inverse, reference_transform(forward, values)), values), 1e-18L);
  }
}

TEST(Scale, CombinesNormalizationAndFactor) {
  Problem problem{{.lengths = {4, 9}, .axes = {1}, .kind = Kind::dct1, .forward_factor = 3, .inverse_factor = 5}};
  EXPECT_EQ(expected_scale(problem), 3);
  problem.direction = Direction::inverse;
  EXPECT_EQ(expected_scale(problem), 5.0L / 16);
  problem.transform.normalization = Normalization::ortho;
  EXPECT_EQ(expected_scale(problem), 5.0L / 4);
  problem.transform.kind = Kind::dst1;
  problem.transform.normalization = Normalization::forward;
  EXPECT_EQ(expected_scale(problem), 5);
  problem.direction = Direction::forward;
  EXPECT_EQ(expected_scale(problem), 3.0L / 20);
}

}  // namespace
}  // namespace twiddle::verify
