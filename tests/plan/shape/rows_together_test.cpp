// Groups of rows of one butterfly are smaller where the rows come from memory.
#include "plan/shape/rows_together.hpp"

#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::first_stage;

std::uint32_t together(const char* text, const char* limits = "nvidia-cuda") {
  return first_stage(text, named_limits(limits)).shape.transforms_per_group;
}

TEST(RowsTogether, AreFewThatComeFromMemory) {
  for (const char* limits : {"nvidia-cuda", "nvidia-opencl"}) {
    EXPECT_EQ(together("c2c:f32:13421772*5:inplace", limits), 32U);
    EXPECT_EQ(together("c2c:f32:2164802*31", limits), 32U);
    EXPECT_EQ(together("r2c:f32:13421772*8", limits), 32U);
    EXPECT_EQ(together("r2c:f32:4194304*31:inplace", limits), 32U);
    EXPECT_EQ(together("c2c:f64:8388608*4:inverse", limits), 32U);
    EXPECT_EQ(together("c2c:f64:4793490*7", limits), 16U);
    EXPECT_EQ(together("c2c:f64:1082401*31:inplace", limits), 24U);
  }
}

TEST(RowsTogether, AreAsManyAsElse) {
  // Too short to have enough bytes on their way, in a cache, and of other devices.
  for (const char* text : {"c2c:f32:16777216*4", "r2c:f32:16777216*6", "c2c:f64:16777216*2", "c2c:f32:100000*31",
                           "r2c:f32:300000*8", "c2c:f64:100000*16"}) {
    EXPECT_EQ(together(text), 128U) << text;
  }
  EXPECT_EQ(together("c2c:f32:2164802*31", "small"), 64U);
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.compute_units = 20;  // of which none was measured
  EXPECT_EQ(first_stage("c2c:f32:2164802*31", limits).shape.transforms_per_group, 128U);
}

}  // namespace
}  // namespace twiddle::plan
