// Work-items beyond the last transform of a stage: in place, what they would read is being overwritten.
#include <gtest/gtest.h>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::kernel {
namespace {

// So many columns of `points` elements each.
plan::Stage columns(std::uint64_t points, std::uint64_t count) {
  const DeviceLimits limits = plan::named_limits("nvidia-opencl");
  plan::Stage stage;
  stage.length = points;
  stage.radices = plan::choose_radices(points, 1, limits)->radices;
  stage.input_stride = stage.output_stride = 1000;
  stage.loops = {{count, 1, 1}};
  stage.shape = plan::choose_shape(stage, limits);
  return stage;
}

bool contains(const plan::Stage& stage, const char* text, Dialect dialect = Dialect::opencl) {
  return stage_kernel(stage, dialect).text.find(text) != std::string::npos;
}

TEST(IdleItems, ReadNothingWhereNoBarrierKeepsOthersFromStoring) {
  plan::Stage stage = columns(11, 50);
  stage.shape.transforms_per_group = 38;
  for (const Dialect dialect : {Dialect::opencl, Dialect::cuda}) {
    EXPECT_FALSE(contains(stage, "TW_BARRIER();", dialect));
    const std::string text = stage_kernel(stage, dialect).text;
    const std::size_t end = text.find("if ((TW_INDEX)TW_GROUP * 38 + slot >= count) return;");
    ASSERT_NE(end, std::string::npos);
    EXPECT_LT(end, text.find("// load"));
    EXPECT_FALSE(contains(stage, "own : count", dialect));
  }
}

TEST(IdleItems, AreNotLookedForWhereThereAreNone) {
  plan::Stage stage = columns(11, 76);
  stage.shape.transforms_per_group = 38;
  EXPECT_FALSE(contains(stage, "return;\n\n  // load"));
  EXPECT_TRUE(contains(stage, "own < count ? own : count - 1"));
}

TEST(IdleItems, MeetTheOthersWhereThereAreBarriers) {
  const plan::Stage stage = columns(500, 3);
  ASSERT_GT(stage.radices.size(), 1u);
  ASSERT_NE(3 % stage.shape.transforms_per_group, 0u);
  EXPECT_TRUE(contains(stage, "TW_BARRIER();"));
  EXPECT_FALSE(contains(stage, ">= count) return;"));
  EXPECT_TRUE(contains(stage, "own < count ? own : count - 1"));
}

}  // namespace
}  // namespace twiddle::kernel
