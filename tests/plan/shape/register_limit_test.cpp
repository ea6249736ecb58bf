// Which kernels have a limit of registers through NVIDIA's OpenCL.
#include "plan/shape/register_limit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::first_stage;
using test::program_of;

std::uint32_t registers(const char* text, const char* limits = "nvidia-opencl") {
  return first_stage(text, named_limits(limits)).shape.registers;
}

TEST(RegisterLimit, LetsGroupsStandSideBySide) {
  EXPECT_EQ(registers("c2c:f32:92056*729"), 128U);
  EXPECT_EQ(registers("c2c:f64:31068*1080"), 128U);
  EXPECT_EQ(registers("r2c:f32:4793490*27"), 128U);
  EXPECT_EQ(registers("c2c:f64:11184*3000"), 96U);  // of 300 work-items
}

// What items hold would not fit a half.
TEST(RegisterLimit, LeavesALineWhatItHolds) {
  EXPECT_EQ(registers("c2c:f64:53687*625"), 255U);
  EXPECT_EQ(registers("c2c:f64:10737*3125"), 255U);
  EXPECT_EQ(registers("c2c:f32:5592*12000"), 96U);  // 600 work-items, of which a scheduler has 160
}

// Measured otherwise, butterflies of one work-item without a map, and what else happens to elements.
TEST(RegisterLimit, IsForNoOthers) {
  for (const char* text : {"c2c:f32:671088*100", "c2c:f64:159783*210", "c2c:f32:2236962*30", "c2c:f32:4096*16384",
                           "c2c:f32:92056*729:store=power"}) {
    EXPECT_EQ(registers(text), 0U) << text;
  }
  EXPECT_EQ(registers("c2c:f32:22369*3000"), 96U);  // the shape's own
  for (const char* limits : {"nvidia-cuda", "small", "mali"}) EXPECT_EQ(registers("c2c:f32:92056*729", limits), 0U);
}

// As many as a unit has, for whole sub-groups of each of its schedulers.
TEST(RegisterLimit, CanBeLaunched) {
  for (const char* text :
       {"c2c:f32:100*{}", "c2c:f64:100*{}", "r2c:f32:100*{}", "dct2:f64:100*{}", "c2c:f32:{}x64:axes=0"}) {
    for (const int length :
         {60, 81, 243, 500, 625, 1000, 1331, 2187, 3000, 4000, 4096, 5000, 6000, 8192, 10000, 12000}) {
      for (const Stage& stage :
           program_of(fmt::format(fmt::runtime(text), length), named_limits("nvidia-opencl")).stages) {
        const std::uint64_t items = (group_items(stage.shape) + 127) / 128 * 128;
        EXPECT_LE(items * stage.shape.registers, 65536U) << text << length << to_string(stage);
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::plan
