// Rows with a large prime factor have it in their last pass where that was measured to be faster.
#include "plan/choice/large_primes.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::first_stage;
using Radices = std::vector<unsigned>;

TEST(LargePrimes, GoLastInRowsOfFloats) {
  const Stage stage = first_stage("c2c:f32:453438*148:inplace");
  EXPECT_EQ(stage.radices, (Radices{4, 37}));
  EXPECT_EQ(stage.shape.items_per_transform, 4U);
  EXPECT_EQ(stage.shape.transforms_per_group, 16U);
  EXPECT_EQ(first_stage("c2c:f32:67176*999:inverse").radices, (Radices{27, 37}));
  EXPECT_EQ(first_stage("c2c:f32:67176*999:inverse").shape.transforms_per_group, 4U);
  EXPECT_EQ(first_stage("c2c:f32:765*296x296").radices, (Radices{8, 37}));
}

// Where the prime goes first, or another pass more is taken: other lengths, uses and devices, and few lines.
TEST(LargePrimes, AreAsTheModelHasThemElsewhere) {
  for (const std::uint64_t length : {37U, 111U, 205U, 215U, 1147U, 1271U, 1312U, 37U * 33, 37U * 41, 47U * 8, 1000U}) {
    EXPECT_EQ(row_with_large_prime(length, false), std::nullopt) << length;
  }
  for (const char* text : {"c2c:f32:604584*111", "c2c:f32:500*148x500:axes=1", "c2c:f32:148"}) {
    EXPECT_NE(first_stage(text).radices.back(), 37U) << text;
  }
  EXPECT_EQ(first_stage("c2c:f32:453438*148", named_limits("nvidia-opencl")).radices.back(), 37U);
  EXPECT_NE(first_stage("c2c:f32:453438*148", named_limits("small")).radices.back(), 37U);
}

TEST(LargePrimes, CanBeCarriedOut) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  int found = 0;
  for (std::uint64_t length = 74; length <= 1376; ++length) {
    for (const bool there : {false, true}) {
      const auto choice = row_with_large_prime(length, there);
      if (!choice) continue;
      ++found;
      const LineKey key = line_key(length, LineUse::rows, Precision::float32);
      EXPECT_EQ(objection(key, {0, *choice}, limits).value_or(""), "") << length;
    }
  }
  EXPECT_EQ(found, 2 * 87);
}

// Few elements in all take longer so, and the model's passes then.
TEST(LargePrimes, GoLastWhereTheLinesHaveElementsEnough) {
  const auto last = [](const char* text) { return first_stage(text).radices.back(); };
  EXPECT_EQ(last("c2c:f32:3000*1184"), 37U);
  EXPECT_NE(last("c2c:f32:1328*1184"), 37U);
  EXPECT_EQ(last("c2c:f32:8200*387"), 43U);
  EXPECT_NE(last("c2c:f32:4064*387"), 43U);
  EXPECT_EQ(last("c2c:f32:2656*592"), 37U);
  EXPECT_NE(last("c2c:f32:1000*592"), 37U);
  EXPECT_EQ(last("c2c:f32:1000*172"), 43U);
  EXPECT_EQ(first_stage("c2c:f64:30000*74").shape.items_per_transform, 2U);
  EXPECT_NE(first_stage("c2c:f64:10627*74").shape.items_per_transform, 2U);
}

// Only there: the way back of reals is as fast with the prime first, or faster.
TEST(LargePrimes, GoLastOnTheWayToSpectra) {
  EXPECT_EQ(first_stage("r2c:f32:450395*296").radices, (Radices{4, 37}));
  EXPECT_EQ(first_stage("r2c:f32:90565*1480").shape.transforms_per_group, 3U);
  EXPECT_EQ(first_stage("c2r:f32:450395*296").radices, (Radices{37, 4}));
}

}  // namespace
}  // namespace twiddle::plan
