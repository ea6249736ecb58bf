// Which lines the host convolves in one stage, in the cache of a core or beyond it.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {
namespace {

// The recipe of the last axis on a host of so many threads.
std::string host_line(const Transform& transform, std::size_t threads) {
  DeviceLimits limits = named_limits("host");
  limits.compute_units = threads;
  return to_string(make_recipe(transform, limits).axes.front().line);
}

// Up to some length, unless most threads would be idle, or columns, which stand side by side, are meant.
TEST(HostConvolution, ConvolvesBeyondTheCacheOfACoreWhereHalfOfThemHaveALine) {
  for (const auto& [length, one_stage] :
       {std::pair{std::size_t{65537}, "65537 = Rader 65536 ="}, {std::size_t{61681}, "61681 = Bluestein 124416 ="}}) {
    const auto is_one_stage = [&, text = std::string(one_stage)](const Transform& transform, std::size_t threads) {
      return host_line(transform, threads).substr(0, text.size()) == text;
    };
    const Transform one{.lengths = {length}, .precision = Precision::float64};
    const Transform four{.lengths = {length}, .batch = 4, .precision = Precision::float64};
    EXPECT_TRUE(is_one_stage(one, 2)) << length;
    EXPECT_FALSE(is_one_stage(one, 3)) << length;
    EXPECT_TRUE(is_one_stage(four, 8)) << length;
    const Transform columns{.lengths = {length, 4}, .axes = {0}, .precision = Precision::float64};
    EXPECT_FALSE(is_one_stage(columns, 1)) << length;
  }
  const Transform longer{.lengths = {786433}, .precision = Precision::float64};  // 2^18 * 3 + 1
  EXPECT_EQ(host_line(longer, 1).substr(0, 20), "786433 = Bluestein [");
}

// Where parts of the line stay in the cache, these; else a part beyond it rather than the line through memory.
TEST(HostConvolution, ConvolvesBeyondTheCacheOfACoreWhatHasNoPartsWithin) {
  const auto line = [](std::size_t length) {
    return host_line({.lengths = {length}, .batch = 8, .precision = Precision::float64}, 2);
  };
  EXPECT_EQ(line(65092).substr(0, 37), "65092 = [4 = 4] x [16273 = Bluestein ");
  EXPECT_EQ(line(1048577).substr(0, 41), "1048577 = [17 = 17] x [61681 = Bluestein ");
  EXPECT_EQ(line(1048577).find("Bluestein ["), std::string::npos);
}

// Half of a spectrum is enough for several stages, which two threads share: but two lines are one in one stage.
TEST(HostConvolution, ConvolvesALoneLineOfRealsThroughMemoryBeyondTheCacheOfACore) {
  const Transform one{.lengths = {61681}, .kind = Kind::dct2, .precision = Precision::float64};
  const Transform four{.lengths = {61681}, .batch = 4, .kind = Kind::dct2, .precision = Precision::float64};
  EXPECT_EQ(host_line(one, 2).substr(0, 25), "61681 = Bluestein [98304 ");
  EXPECT_EQ(host_line(four, 2).substr(0, 26), "61681 = Bluestein 124416 =");
}

// Two of many lines of reals are one line of all points; each of few takes fewer.
TEST(HostConvolution, PairsManyLinesOfRealsBeyondTheCacheOfACore) {
  const Transform sixteen{.lengths = {40009}, .batch = 16, .kind = Kind::r2c};
  EXPECT_EQ(host_line(sixteen, 2).substr(0, 25), "40009 = Bluestein 82944 =");
  EXPECT_EQ(host_line(sixteen, 3).substr(0, 25), "40009 = Bluestein 61440 =");
  const Transform two{.lengths = {1019}, .batch = 2, .kind = Kind::r2c};  // within it
  EXPECT_EQ(host_line(two, 1), host_line(two, 3));
}

}  // namespace
}  // namespace twiddle::plan
