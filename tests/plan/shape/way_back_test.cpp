// Which convolutions go back by the passes that they went there by.
#include "plan/shape/way_back.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::first_stage;
using Radices = std::vector<unsigned>;

// With a radix at both ends that they have twice.
TEST(WayBack, OfFewRowsIsAsTheWayThere) {
  for (const char* text : {"c2c:f32:1009", "c2c:f32:43*1009:inverse", "c2c:f64:101", "r2c:f32:821", "c2r:f32:167"}) {
    const Stage stage = first_stage(text);
    EXPECT_TRUE(stage.shape.same_way_back) << text;
    EXPECT_EQ(stage.radices.front(), stage.radices.back()) << text;
  }
  EXPECT_EQ(first_stage("c2c:f32:1009").radices, (Radices{12, 7, 12}));
  EXPECT_EQ(first_stage("c2c:f32:1153").radices, (Radices{12, 4, 2, 12}));
  EXPECT_EQ(first_stage("c2c:f32:4507").radices, (Radices{24, 16, 24}));
}

TEST(WayBack, OfManyRowsIsAsTheWayThereWhereThatWasMeasured) {
  for (const char* text : {"c2c:f32:373*4211", "c2c:f32:44*4211", "r2c:f64:8132*2063", "c2r:f64:8132*2063:inplace"}) {
    const Stage stage = first_stage(text);
    EXPECT_TRUE(stage.shape.same_way_back) << text;
    EXPECT_EQ(stage.radices.front(), stage.radices.back()) << text;
  }
  EXPECT_EQ(first_stage("c2c:f64:381*2063").radices, (Radices{24, 8, 24}));
  EXPECT_FALSE(first_stage("c2c:f32:381*2063").shape.same_way_back);
  EXPECT_FALSE(first_stage("c2c:f64:272*2887").shape.same_way_back);
}

// Where no radix is there twice, other many rows, columns, no convolution, and other devices.
TEST(WayBack, IsMirroredElsewhere) {
  for (const char* text : {"c2c:f32:61", "c2c:f32:44*1009", "c2c:f32:2039", "c2c:f32:53x5:axes=0", "c2c:f32:1024"}) {
    EXPECT_FALSE(first_stage(text).shape.same_way_back) << text;
  }
  EXPECT_TRUE(first_stage("c2c:f32:1009", named_limits("nvidia-opencl")).shape.same_way_back);
  EXPECT_FALSE(first_stage("c2c:f32:1009", named_limits("small")).shape.same_way_back);
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.strategy.exchange = Strategy::Exchange::complex;
  EXPECT_FALSE(first_stage("c2c:f32:1009", limits).shape.same_way_back);
}

TEST(WayBack, NeedsEqualEndsAndLanes) {
  Stage stage = first_stage("c2c:f32:2039");
  EXPECT_TRUE(may_go_back_alike(stage, stage.shape));
  KernelShape across = stage.shape;
  across.store = KernelShape::Lanes::transforms;
  EXPECT_FALSE(may_go_back_alike(stage, across));
  stage.radices = {16, 8, 32};
  EXPECT_FALSE(may_go_back_alike(stage, stage.shape));
}

}  // namespace
}  // namespace twiddle::plan
