// The rules of real transforms beside the definitions: maps before and after a complex transform by its definition.
#include "plan/lower/line_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;
using Complex = std::complex<long double>;
using Line = std::vector<Complex>;

constexpr long double pi = std::numbers::pi_v<long double>;

// What map_tables() means.
Line mapped(const LineMap& map, Line source) {
  const MapTables tables = map_tables(map);
  EXPECT_GE(source.size(), map.source_count);
  if (tables.real_end != MapTables::none) {
    for (const std::uint64_t end : {std::uint64_t{0}, tables.real_end}) {
      if (end < source.size()) source[end] = source[end].real();
    }
  }
  Line made;
  for (std::uint64_t k = 0; k < map.count; ++k) {
    Complex value = 0;
    if (tables.first[k] != MapTables::none) value += tables.a[k] * source.at(tables.first[k]);
    if (tables.second[k] != MapTables::none) {
      const Complex second = source.at(tables.second[k]);
      value += tables.b[k] * (tables.conjugate ? std::conj(second) : second);
    }
    made.push_back(k >= tables.conjugated_from ? std::conj(value) : value);
  }
  return made;
}

Line transform(const Line& line, bool inverse) {
  Line result(line.size());
  const auto n = static_cast<long double>(line.size());
  for (std::size_t k = 0; k < line.size(); ++k) {
    for (std::size_t j = 0; j < line.size(); ++j) {
      const long double angle = 2 * pi * static_cast<long double>(j * k % line.size()) / n;
      result[k] += line[j] * std::polar(1.0L, inverse ? angle : -angle);
    }
  }
  return result;
}

// A transform by its definition: result k of n elements, from element j.
using Definition = long double (*)(long double j, long double k, long double n);
long double dct1(long double j, long double k, long double n) {
  return (j == 0 || j == n - 1 ? 1 : 2) * std::cos(pi * j * k / (n - 1));
}
long double dct2(long double j, long double k, long double n) { return 2 * std::cos(pi * (j + 0.5L) * k / n); }
long double dct3(long double j, long double k, long double n) {
  return (j == 0 ? 1 : 2) * std::cos(pi * j * (k + 0.5L) / n);
}
long double dct4(long double j, long double k, long double n) { return 2 * std::cos(pi * (j + 0.5L) * (k + 0.5L) / n); }
long double dst1(long double j, long double k, long double n) { return 2 * std::sin(pi * (j + 1) * (k + 1) / (n + 1)); }
long double dst2(long double j, long double k, long double n) { return 2 * std::sin(pi * (j + 0.5L) * (k + 1) / n); }
long double dst3(long double j, long double k, long double n) {
  return (j == n - 1 ? 1 : 2) * std::sin(pi * (j + 1) * (k + 0.5L) / n);
}
long double dst4(long double j, long double k, long double n) { return 2 * std::sin(pi * (j + 0.5L) * (k + 0.5L) / n); }
long double dht(long double j, long double k, long double n) {
  return std::cos(2 * pi * j * k / n) + std::sin(2 * pi * j * k / n);
}

// Of reals: the maps before the complex transform and the one behind it.
struct Way {
  Definition definition;
  std::vector<Rule> before;
  Rule after;
  bool inverse = false;
  bool even = false;  // the lengths that it serves
  bool odd = false;
};
const std::vector<Way> ways = {
    {dct1, {Rule::dct1_load}, Rule::dct1_store},
    {dct1, {Rule::dct1_load}, Rule::dct1_mean_store},
    {dct1, {Rule::dct1_half_load}, Rule::dct1_half_store},
    {dct2, {Rule::dct2_load}, Rule::dct2_store},
    {dct2, {Rule::dct2_half_load}, Rule::dct2_half_store, false, true},
    {dct3, {Rule::dct3_load}, Rule::dct3_store, true},
    {dct3, {Rule::dct3_half_before, Rule::half_spectrum_load}, Rule::dct3_half_store, true, true},
    {dct4, {Rule::dct4_load}, Rule::dct4_store},
    {dct4, {Rule::dct4_odd_load}, Rule::dct4_odd_store, false, false, true},
    {dct4, {Rule::dct4_half_load}, Rule::dct4_half_store, false, true},
    {dst1, {Rule::dst1_load}, Rule::dst1_store},
    {dst1, {Rule::dst1_load}, Rule::dst1_mean_store},
    {dst1, {Rule::dst1_half_load}, Rule::dst1_half_store},
    {dst2, {Rule::dst2_load}, Rule::dst2_store},
    {dst2, {Rule::dst2_half_load}, Rule::dst2_half_store, false, true},
    {dst3, {Rule::dst3_load}, Rule::dst3_store, true},
    {dst3, {Rule::dst3_half_before, Rule::half_spectrum_load}, Rule::dst3_half_store, true, true},
    {dst4, {Rule::dst4_load}, Rule::dst4_store},
    {dst4, {Rule::dst4_odd_load}, Rule::dst4_odd_store, false, false, true},
    {dst4, {Rule::dst4_half_load}, Rule::dst4_half_store, false, true},
    {dht, {}, Rule::dht_store},
    {dht, {Rule::pairs_load}, Rule::dht_half_store, false, true},
};

LineMap whole(Rule rule, std::uint64_t n) { return {rule, n, full_source_count(rule, n), full_count(rule, n)}; }

// The reals that a way makes of these: the elements beyond are zero, results beyond `wanted` are not made. Those of the
// complex transform stand as stages of `parts` leave them.
std::vector<long double> results(const Way& way, std::uint64_t n, Line line, std::uint64_t wanted, bool orthogonal,
                                 const std::vector<std::uint64_t>& parts = {}) {
  for (std::size_t i = 0; i < way.before.size(); ++i) {
    LineMap map = whole(way.before[i], n);
    if (i == 0) map.source_count = line.size();
    map.orthogonal = orthogonal;
    line = mapped(map, std::move(line));
  }
  line.resize(full_source_count(way.after, n));
  line = transform(line, way.inverse);
  LineMap map = whole(way.after, n);
  map.count = wanted;
  map.orthogonal = orthogonal;
  map.source_parts = parts;
  Line placed(line.size());
  for (std::size_t k = 0; k < line.size(); ++k) placed[reversed_place(k, parts)] = line[k];
  std::vector<long double> made;
  for (const Complex& value : mapped(map, placed)) made.push_back(value.real());
  return made;
}

Line random_line(std::size_t length, bool reals) {
  std::mt19937_64 random(length);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Line line;
  for (std::size_t i = 0; i < length; ++i) line.emplace_back(uniform(random), reals ? 0 : uniform(random));
  return line;
}

constexpr long double tolerance = 1e-17L;

class LineMapTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  // Every way that serves the length.
  template <class Check>
  void for_each_way(Check check) {
    const bool even = GetParam() % 2 == 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if ((ways[i].even && !even) || (ways[i].odd && even)) continue;
      SCOPED_TRACE(to_string(whole(ways[i].after, GetParam())));
      check(ways[i]);
    }
  }
  static void expect_defined(const Way& way, std::uint64_t n, const Line& line,
                             const std::vector<long double>& results) {
    for (std::size_t k = 0; k < results.size(); ++k) {
      long double expected = 0;
      for (std::size_t j = 0; j < line.size(); ++j) expected += line[j].real() * way.definition(j, k, n);
      EXPECT_LE(std::abs(results[k] - expected), tolerance * n) << "result " << k;
    }
  }
};

TEST_P(LineMapTest, TransformsByTheDefinition) {
  const std::uint64_t n = GetParam();
  for_each_way([&](const Way& way) {
    const Line line = random_line(n, true);
    expect_defined(way, n, line, results(way, n, line, n, false));
  });
}

TEST_P(LineMapTest, TransformsPartsOfALine) {
  const std::uint64_t n = GetParam();
  for_each_way([&](const Way& way) {
    const Line line = random_line((n + 1) / 2, true);
    if (!way.before.empty()) expect_defined(way, n, line, results(way, n, line, n / 2, false));
  });
}

TEST_P(LineMapTest, FindsResultsWhereStagesLeaveThem) {
  const std::uint64_t n = GetParam();
  for_each_way([&](const Way& way) {
    const Line line = random_line(n, true);
    const std::uint64_t points = full_source_count(way.after, n);
    for (const std::vector<std::uint64_t>& parts : {std::vector<std::uint64_t>{2}, {3}, {5}, {2, 2}, {2, 3}, {3, 2}}) {
      const std::uint64_t upper = std::accumulate(parts.begin(), parts.end(), std::uint64_t{1}, std::multiplies<>());
      if (points % upper != 0) continue;
      std::vector<std::uint64_t> all = parts;
      all.push_back(points / upper);
      expect_defined(way, n, line, results(way, n, line, n, false, all));
    }
  });
}

// The images of unit vectors are at right angles and of the same length.
TEST_P(LineMapTest, WeighsOrthogonalTransforms) {
  const std::uint64_t n = GetParam();
  for_each_way([&](const Way& way) {
    std::vector<std::vector<long double>> images;
    for (std::uint64_t i = 0; i < n; ++i) {
      Line unit(n);
      unit[i] = 1;
      images.push_back(results(way, n, unit, n, true));
    }
    const auto product = [&](std::size_t i, std::size_t j) {
      long double sum = 0;
      for (std::uint64_t k = 0; k < n; ++k) sum += images[i][k] * images[j][k];
      return sum;
    };
    const long double square = product(0, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        EXPECT_LE(std::abs(product(i, j) - (i == j ? square : 0)), tolerance * n * n);
    }
  });
}

TEST_P(LineMapTest, MakesHalfOfTheSpectrumOfReals) {
  const std::uint64_t n = GetParam();
  const Line line = random_line(n, true);
  const Line spectrum = transform(line, false);
  const auto expect_half = [&](const Line& half) {
    ASSERT_EQ(half.size(), n / 2 + 1);
    for (std::size_t k = 0; k < half.size(); ++k) EXPECT_LE(std::abs(half[k] - spectrum[k]), tolerance * n) << k;
  };
  expect_half(mapped(whole(Rule::mean_spectrum_store, n), spectrum));
  if (n % 2 != 0) return;
  const Line pairs = mapped(whole(Rule::pairs_load, n), line);
  expect_half(mapped(whole(Rule::r2c_store, n), transform(pairs, false)));
}

TEST_P(LineMapTest, MakesRealsOfHalfOfTheirSpectrum) {
  const std::uint64_t n = GetParam();
  const Line half = random_line(n / 2 + 1, false);  // the imaginary parts at both ends do not count
  Line spectrum = half;
  spectrum[0] = half[0].real();
  if (n % 2 == 0) spectrum[n / 2] = half[n / 2].real();
  spectrum.resize(n);
  for (std::size_t k = n / 2 + 1; k < n; ++k) spectrum[k] = std::conj(spectrum[n - k]);
  const Line expected = transform(spectrum, true);
  const Line reals = transform(mapped(whole(Rule::hermitian_load, n), half), true);
  for (std::size_t j = 0; j < n; ++j) EXPECT_LE(std::abs(reals[j] - expected[j].real()), tolerance * n) << j;
  if (n % 2 != 0) return;
  const Line pairs = transform(mapped(whole(Rule::c2r_load, n), half), true);
  for (std::size_t j = 0; j < n; ++j) {
    const long double part = j % 2 == 0 ? pairs[j / 2].real() : pairs[j / 2].imag();
    EXPECT_LE(std::abs(part - expected[j].real()), tolerance * n) << j;
  }
}

// Numbers that hold results k and n - k, or minus the latter; number 0 holds 0 and n / 2.
Line in_pairs(const std::vector<long double>& reals, bool negated) {
  const std::size_t n = reals.size();
  Line pairs{{reals[0], reals[n / 2]}};
  for (std::size_t k = 1; k < n / 2; ++k) pairs.emplace_back(reals[k], negated ? -reals[n - k] : reals[n - k]);
  return pairs;
}

// What the maps of half of the points make of single results, or of single reals, they also do in pairs.
TEST_P(LineMapTest, MakesPairsOfResults) {
  const std::uint64_t n = GetParam();
  if (n % 2 != 0) return;
  for (const bool orthogonal : {false, true}) {
    const auto with_weights = [&](Rule rule) {
      LineMap map = whole(rule, n);
      map.orthogonal = orthogonal;
      return map;
    };
    const Line points = random_line(n / 2, false);
    for (const auto& [single, pairs] :
         {std::pair(Rule::dht_half_store, Rule::dht_pairs_store), {Rule::dct2_half_store, Rule::dct2_pairs_store}}) {
      std::vector<long double> results;
      for (const Complex& value : mapped(with_weights(single), points)) results.push_back(value.real());
      const Line expected = in_pairs(results, pairs == Rule::dct2_pairs_store);
      const Line made = mapped(with_weights(pairs), points);
      ASSERT_EQ(made.size(), n / 2);
      for (std::size_t k = 0; k < made.size(); ++k) EXPECT_LE(std::abs(made[k] - expected[k]), tolerance) << k;
    }
    std::vector<long double> reals;
    for (const Complex& value : random_line(n, true)) reals.push_back(value.real());
    const Line line(reals.begin(), reals.end());
    const Line spectrum = mapped(with_weights(Rule::dct3_half_before), line);
    const Line expected = mapped(with_weights(Rule::half_spectrum_load), spectrum);
    const Line made = mapped(with_weights(Rule::dct3_pairs_load), in_pairs(reals, true));
    ASSERT_EQ(made.size(), n / 2);
    for (std::size_t k = 0; k < made.size(); ++k) EXPECT_LE(std::abs(made[k] - expected[k]), tolerance) << k;
  }
}

// Rows of an even or odd line have their frequencies elsewhere, or imaginary parts of what they would be.
TEST_P(LineMapTest, TakesRowsAsTheyStand) {
  const std::uint64_t n = GetParam();
  const auto expect_equal = [&](const Line& made, const Line& expected) {
    ASSERT_EQ(made.size(), expected.size());
    for (std::size_t k = 0; k < made.size(); ++k) EXPECT_LE(std::abs(made[k] - expected[k]), tolerance * n) << k;
  };
  if (n % 2 == 0) {
    const Line spectrum = random_line(n / 2, false);
    Line shifted(spectrum.begin() + 1, spectrum.end());
    shifted.emplace_back(spectrum[0].imag(), spectrum[0].real());
    expect_equal(mapped(whole(Rule::half_spectrum_shifted_load, n), shifted),
                 mapped(whole(Rule::half_spectrum_load, n), spectrum));
  }
  const Line reals = random_line(n, true);
  const auto turn = [&](std::uint64_t j) { return std::numbers::pi_v<long double> * j / (2 * n); };
  Line sines;
  for (std::uint64_t j = 1; j < n; ++j) sines.push_back(reals[j] * std::sin(turn(j)));
  sines.push_back(reals[0]);
  expect_equal(mapped(whole(Rule::dct3_row_load, n), sines), mapped(whole(Rule::dct3_load, n), reals));
  Line cosines{reals[n - 1]};
  for (std::uint64_t j = 1; j < n; ++j) cosines.push_back(-reals[j - 1] * std::cos(turn(j)));
  expect_equal(mapped(whole(Rule::dst3_row_load, n), cosines), mapped(whole(Rule::dst3_load, n), reals));
}

TEST_P(LineMapTest, TakesTwoLinesAsOne) {
  const std::uint64_t n = GetParam();
  if (n % 2 == 0) return;
  const Line both = random_line(n, false);
  const Line spectra = mapped(whole(Rule::two_spectra_store, n), transform(both, false));
  ASSERT_EQ(spectra.size(), 2 * (n / 2 + 1));
  for (const bool second : {false, true}) {
    Line line;
    for (const Complex& pair : both) line.emplace_back(second ? pair.imag() : pair.real());
    const Line expected = transform(line, false);
    for (std::size_t k = 0; k <= n / 2; ++k) {
      EXPECT_LE(std::abs(spectra[k + (second ? n / 2 + 1 : 0)] - expected[k]), tolerance * n) << k;
    }
  }
  const Line back = transform(mapped(whole(Rule::two_spectra_load, n), spectra), true);
  for (std::size_t j = 0; j < n; ++j) {
    EXPECT_LE(std::abs(back[j] / static_cast<long double>(n) - both[j]), tolerance) << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, LineMapTest, testing::Values(2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 15, 16, 21, 30));

}  // namespace
}  // namespace twiddle::plan
