// Whether the host computes a line with a prime factor without a butterfly by the definition, by a convolution or in
// two parts.
#include "plan/recipe/host_parts.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

// Vectors of so many floats, one thread.
DeviceLimits host_with(std::uint32_t lanes) {
  DeviceLimits limits = named_limits("host");
  limits.sub_group_size = lanes;
  limits.compute_units = 1;
  return limits;
}

std::string line_of(const char* problem, std::uint32_t lanes) {
  return to_string(make_recipe(parse_problem(problem).transform, host_with(lanes)).axes.front().line);
}

bool begins(const std::string& text, const std::string& beginning) { return text.starts_with(beginning); }

// Four lines take as long as eight by vectors of eight.
TEST(HostParts, PayForEmptyLanes) {
  const std::vector<unsigned> passes{8, 8};
  const DeviceLimits limits = host_with(8);
  EXPECT_DOUBLE_EQ(host_convolved_cost(passes, HostLine::strided, 4, limits),
                   2 * host_convolved_cost(passes, HostLine::strided, 8, limits));
  EXPECT_DOUBLE_EQ(host_part_cost(passes, 6, limits) * 6, host_part_cost(passes, 8, limits) * 8);
  EXPECT_DOUBLE_EQ(host_part_cost(passes, 9, limits) * 9, host_part_cost(passes, 16, limits) * 16);
  EXPECT_DOUBLE_EQ(host_whole_cost(passes, LineUse::columns, 5, limits) * 5,
                   host_whole_cost(passes, LineUse::columns, 8, limits) * 8);
}

// Those of a batch fill vectors that the few parts of a line do not; parts are nearer to each other.
TEST(HostParts, HaveTheNeighboursThatFillVectors) {
  const DeviceLimits limits = host_with(8);
  EXPECT_EQ(beside_rows(2, LineUse::rows, 100, limits), 100U);
  EXPECT_EQ(beside_rows(4, LineUse::rows, 100, limits), 4U);
  EXPECT_EQ(beside_rows(2, LineUse::rows, 1, limits), 2U);
  EXPECT_EQ(beside_columns(2, LineUse::rows, 100, limits), 2U);
  EXPECT_EQ(beside_columns(2, LineUse::columns, 64, limits), 64U);
}

TEST(HostParts, CostNoLessThanTheirBound) {
  const DeviceLimits limits = host_with(8);
  for (std::size_t points = 2; points <= 5000; ++points) {
    for (const HostLine line : {HostLine::contiguous, HostLine::strided}) {
      const auto passes = host_radices(points, limits, line);
      if (passes.empty()) continue;
      EXPECT_LT(host_convolved_bound(points, limits), host_convolved_cost(passes, line, 8, limits)) << points;
    }
  }
}

TEST(HostParts, LeaveWholeLinesToAConvolutionWhereThatCostsLess) {
  EXPECT_TRUE(begins(line_of("c2c:f32:916", 8), "916 = Bluestein "));    // rather than 4 x 229
  EXPECT_TRUE(begins(line_of("c2c:f32:2021", 8), "2021 = Bluestein "));  // rather than 43.47
  EXPECT_TRUE(begins(line_of("c2c:f32:214", 16), "214 = Bluestein "));   // rather than 2.107
  EXPECT_TRUE(begins(line_of("r2c:f32:508", 8), "254 = Bluestein "));    // likewise, half of the reals
  EXPECT_EQ(line_of("c2c:f32:952", 8), "952 = 8.7.17");
  EXPECT_EQ(line_of("c2c:f32:145x64:axes=0", 8), "145 = 5.29");
  EXPECT_EQ(line_of("c2c:f32:76", 8), "76 = 4.19");   // too short: it would round too much
  EXPECT_EQ(line_of("c2c:f32:92", 16), "92 = 4.23");  // likewise
  EXPECT_TRUE(begins(line_of("c2c:f32:106", 16), "106 = Bluestein "));
  EXPECT_EQ(line_of("c2c:f32:214:nonzero=100", 8), "214 = 2.107");  // pruned: not compared
}

TEST(HostParts, ConvolvePrimesSideBySide) {
  EXPECT_TRUE(begins(line_of("c2c:f32:100*97", 8), "97 = Rader 96"));
  EXPECT_TRUE(begins(line_of("c2c:f32:100*97", 16), "97 = Rader 96"));
  EXPECT_TRUE(begins(line_of("c2c:f32:100*61", 16), "61 = Rader 60"));
  EXPECT_EQ(line_of("c2c:f32:100*61", 8), "61 = 61");
  EXPECT_EQ(line_of("c2c:f32:97", 8), "97 = 97");
  EXPECT_TRUE(begins(line_of("c2c:f64:97", 8), "97 = Rader 96"));
  EXPECT_EQ(line_of("c2c:f64:97x64:axes=0", 8), "97 = 97");
  EXPECT_TRUE(begins(line_of("c2c:f64:97x64:axes=0", 16), "97 = Rader 96"));
  EXPECT_EQ(line_of("c2c:f64:100*83", 8), "83 = 83");  // 82 = 2 * 41
}

// An odd number of reals has no pass of reals where all factors are large, and one line of it no vectors.
TEST(HostParts, LeaveFewLinesOfOddRealsToOtherWays) {
  EXPECT_TRUE(begins(line_of("r2c:f32:779", 16), "779 = Bluestein 1200 "));   // rather than 19.41
  EXPECT_TRUE(begins(line_of("dct2:f32:779", 16), "779 = Bluestein 1600 "));  // of reals to reals all points are needed
  EXPECT_TRUE(begins(line_of("r2c:f64:2*1829", 8), "1829 = Bluestein "));     // a pair
  EXPECT_EQ(line_of("r2c:f32:47141", 16).substr(0, 16), "47141 = [47 = 47");
  EXPECT_EQ(line_of("r2c:f32:855", 16), "855 = 15.19.3");            // whose first pass is of reals
  EXPECT_EQ(line_of("r2c:f32:64*779", 16), "779 = 19.41");           // which fill vectors
  EXPECT_EQ(line_of("r2c:f32:779x64:axes=0", 16), "779 = 19.41");    // likewise
  EXPECT_EQ(line_of("r2c:f32:779:nonzero=700", 16), "779 = 19.41");  // pruned: not compared
}

// Many rows with a pass by the definition stand side by side, where a row by itself would wait for its few columns.
TEST(HostParts, ComputeManyRowsByTheDefinitionSideBySide) {
  EXPECT_EQ(line_of("c2c:f32:64*323", 16), "323 = 17.19");
  EXPECT_TRUE(begins(line_of("c2c:f32:2*323", 16), "323 = Bluestein "));
  const auto turned = [](const std::vector<unsigned>& radices, std::uint64_t lines, std::size_t scalar) {
    return host_takes_rows_side_by_side(radices, lines, 64 / scalar, scalar, 1 << 20);
  };
  EXPECT_TRUE(turned({17, 19}, 9, 4));  // worth while however empty vectors are
  EXPECT_TRUE(turned({11, 17, 5}, 64, 4));
  EXPECT_FALSE(turned({11, 17, 5}, 9, 4));
  EXPECT_FALSE(turned({16, 29}, 64, 4));     // whose runs fill vectors
  EXPECT_FALSE(turned({15, 16, 4}, 64, 4));  // butterflies alone
  EXPECT_FALSE(turned({13, 17}, 64, 4));     // short rows are side by side anyway
  EXPECT_TRUE(turned({15, 23, 8}, 64, 4));
  EXPECT_FALSE(turned({15, 23, 8}, 64, 8));      // too large beside a core's cache
  EXPECT_FALSE(turned({15, 17, 19, 5}, 64, 8));  // likewise
}

}  // namespace
}  // namespace twiddle::plan
