// Elements of maps by products of roots are those of map_tables(), rounded once.
#include "plan/lower/map_entries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

// Half of the last place, and what a longer precision is off by. Coefficients are of size 1 but for differences of two
// such, which may be near zero.
template <class Real>
void expect_rounded(const std::complex<Real>& value, const std::complex<long double>& expected) {
  const auto near = [](Real part, long double exact) {
    const long double unit = std::numeric_limits<Real>::epsilon() / 2;
    EXPECT_LE(std::abs(part - exact), unit * (1.002L * std::abs(exact) + 0x1p-9L));
  };
  near(value.real(), expected.real());
  near(value.imag(), expected.imag());
}

template <class Real>
void expect_entries(const LineMap& map) {
  SCOPED_TRACE(to_string(map));
  const MapTables tables = map_tables(map);
  const MapEntries<Real> entries(map);
  ASSERT_EQ(tables.first.size(), map.count);
  for (std::uint64_t k = 0; k < map.count; ++k) {
    SCOPED_TRACE(k);
    const MapEntry<Real> entry = entries(k);
    EXPECT_EQ(entry.first.index, tables.first[k]);
    EXPECT_EQ(entry.second.index, tables.second[k]);
    expect_rounded(entry.first.coefficient, tables.a[k]);
    expect_rounded(entry.second.coefficient, tables.b[k]);
  }
}

void expect_entries(const LineMap& map) {
  expect_entries<float>(map);
  expect_entries<double>(map);
}

// Every rule, of lengths that it allows: whole, with the weights of orthogonal transforms, and in part.
TEST(MapEntriesTest, AreThoseOfTheTables) {
  for (int number = 0; number <= static_cast<int>(Rule::dct3_pairs_load); ++number) {
    const auto rule = static_cast<Rule>(number);
    const bool odd = rule == Rule::dct4_odd_load || rule == Rule::dct4_odd_store || rule == Rule::dst4_odd_load ||
                     rule == Rule::dst4_odd_store;
    for (const std::uint64_t even : {2, 4, 12, 30, 100, 126}) {
      const std::uint64_t length = odd ? even + 1 : even;
      LineMap map{rule, length, full_source_count(rule, length), full_count(rule, length)};
      expect_entries(map);
      map.orthogonal = true;
      expect_entries(map);
      map.orthogonal = false;
      map.source_count = (map.source_count + 1) / 2;
      map.count = (map.count + 1) / 2;
      expect_entries(map);
    }
  }
}

// The values themselves: the tables take the same rules.
TEST(MapEntriesTest, MultiplyByTheRootsOfTheRule) {
  const MapEntries<double> cosines({Rule::dct2_store, 1000, full_source_count(Rule::dct2_store, 1000), 1000});
  const MapEntries<double> eighths({Rule::dct4_half_load, 1000, full_source_count(Rule::dct4_half_load, 1000), 500});
  for (const std::uint64_t k : {0, 1, 333, 499}) {
    expect_rounded(cosines(k).first.coefficient, root_of_unity(k, 4000));
    expect_rounded(cosines(k).second.coefficient, std::conj(root_of_unity(k, 4000)));
    expect_rounded(eighths(k).first.coefficient, root_of_unity(8 * k + 1, 16000));
  }
}

}  // namespace
}  // namespace twiddle::plan
