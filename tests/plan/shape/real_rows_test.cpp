// Rows of reals in passes of their own one way.
#include "plan/shape/real_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::first_stage;
using ::testing::HasSubstr;
using Radices = std::vector<unsigned>;

TEST(RealRows, HaveTheirMeasuredPassesEitherWay) {
  for (const char* text : {"r2c:f32:8191*16384:inplace", "r2c:f32:8191*16384"}) {
    const Stage there = first_stage(text);
    EXPECT_EQ(there.radices, (Radices{16, 4, 8, 16})) << text;
    EXPECT_EQ(there.shape.items_per_transform, 512U) << text;
    EXPECT_EQ(there.shape.registers, 64U) << text;
    EXPECT_THAT(there.step, HasSubstr("8192 = 16.4.8.16")) << text;
  }
  EXPECT_EQ(first_stage("c2r:f32:8191*16384:inplace").radices, (Radices{16, 16, 32}));
  EXPECT_EQ(first_stage("r2c:f32:2684354*49").shape.transforms_per_group, 4U);
}

// Two lines as one, by Rader's algorithm.
TEST(RealRows, HaveTheirMeasuredPassesInConvolutions) {
  const Stage there = first_stage("r2c:f32:2164802*61:inplace");
  EXPECT_EQ(there.radices, (Radices{15, 4}));
  EXPECT_EQ(there.shape.transforms_per_group, 16U);
  EXPECT_THAT(there.step, HasSubstr("60 = 15.4"));
  EXPECT_EQ(first_stage("c2r:f32:2164802*61:inplace").radices, (Radices{5, 12}));
}

TEST(RealRows, HaveTheirMeasuredPassesInACacheWhereThesePay) {
  const Stage back = first_stage("c2r:f32:25784*61:inplace");
  EXPECT_EQ(back.radices, (Radices{5, 12}));
  EXPECT_EQ(back.shape.items_per_transform, 12U);
  EXPECT_EQ(back.shape.transforms_per_group, 8U);
  EXPECT_EQ(first_stage("c2r:f32:1000*61").shape.items_per_transform, 6U);
}

// What the cache holds, other precisions, uses and devices, and what else happens to elements.
TEST(RealRows, HaveThoseOfTheRecipeElsewhere) {
  for (const char* text :
       {"r2c:f32:192*16384", "r2c:f32:50000*61", "r2c:f64:4000*16384", "c2c:f32:8191*8192", "dct2:f32:8191*8192",
        "r2c:f32:16384x8192:axes=0", "r2c:f32:8191*16384:nonzero=9000", "r2c:f32:8191*16384:store=power"}) {
    EXPECT_EQ(real_row_choice(first_stage(text), named_limits("nvidia-cuda")), std::nullopt) << text;
    EXPECT_NE(first_stage(text).radices, (Radices{16, 4, 8, 16})) << text;
  }
  EXPECT_EQ(first_stage("r2c:f32:8191*16384", named_limits("nvidia-opencl")).radices, (Radices{16, 4, 8, 16}));
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.compute_units = 20;  // of which none was measured
  EXPECT_NE(first_stage("r2c:f32:8191*16384", limits).radices, (Radices{16, 4, 8, 16}));
}

// There and back exchange otherwise.
TEST(RealRows, ExchangePartsApartWhereThatIsFaster) {
  using Exchange = KernelShape::Exchange;
  EXPECT_EQ(first_stage("r2c:f32:16380*8192").shape.exchange, Exchange::split);
  for (const char* text : {"c2r:f32:16380*8192", "r2c:f32:384*8192", "dct2:f32:16380*4096", "dct4:f32:16380*8192"}) {
    EXPECT_EQ(first_stage(text).shape.exchange, Exchange::complex) << text;
  }
}

TEST(RealRows, HaveWhatWasTuned) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  ChoiceTable choices;
  choices.set(line_key(8192, LineUse::mapped_rows, Precision::float32), {.stage = {{32, 16, 16}, 256, 1}});
  limits.choices = std::make_shared<const ChoiceTable>(choices);
  EXPECT_EQ(first_stage("r2c:f32:8191*16384", limits).radices, (Radices{32, 16, 16}));
}

}  // namespace
}  // namespace twiddle::plan
