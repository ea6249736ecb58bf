// The kernels of stages: golden files of one of each kind, and what the values around the text promise.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "kernel/kernel_source.hpp"
#include "plan/limits.hpp"
#include "plan/lower.hpp"

namespace twiddle::kernel {
namespace {

plan::Program program(const char* limits_name, const Transform& transform, Direction direction = Direction::forward) {
  const DeviceLimits limits = plan::named_limits(limits_name);
  return plan::lower(plan::make_recipe(transform, limits), transform, direction, plan::Placement::out_of_place, limits);
}

struct Golden {
  const char* name;
  const char* limits;
  std::vector<std::size_t> lengths;
  std::size_t stage;
  Direction direction = Direction::forward;
};

// Rows on chip, tiles of columns with twiddles, rows written transposed, short runs through local memory, one radix
// through global memory, a chirp folded into loads and stores.
const Golden goldens[] = {
    {"rows_96", "nvidia-opencl", {96}, 0},
    {"columns_32768", "small", {32768}, 0},
    {"transposed_32768", "small", {32768}, 2, Direction::inverse},
    {"run_8", "nvidia-opencl", {8}, 0},
    {"staged_60", "mali", {60}, 1},
    {"bluestein_37", "nvidia-opencl", {37}, 0},
};

// TWIDDLE_UPDATE_GOLDEN=1 writes the files anew; review the difference before committing it.
TEST(StageKernel, EqualsTheGoldenFiles) {
  for (const Golden& golden : goldens) {
    const auto stages = program(golden.limits, {.lengths = golden.lengths, .batch = 3}, golden.direction).stages;
    ASSERT_LT(golden.stage, stages.size()) << golden.name;
    for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
      const std::string text = stage_kernel(stages[golden.stage], dialect).text;
      const std::string path = std::string(TWIDDLE_GOLDEN_FOLDER) + "/stage_" + golden.name + extension;
      if (std::getenv("TWIDDLE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
      std::stringstream stored;
      stored << std::ifstream(path).rdbuf();
      EXPECT_EQ(text, stored.str()) << path;
    }
  }
}

TEST(StageKernel, TextDoesNotDependOnTheBatch) {
  for (const std::size_t length : {8u, 96u, 1000u, 4096u}) {
    const auto few = program("nvidia-opencl", {.lengths = {length}, .batch = 500}).stages;
    const auto many = program("nvidia-opencl", {.lengths = {length}, .batch = 700}).stages;
    ASSERT_EQ(few.size(), many.size());
    for (std::size_t i = 0; i < few.size(); ++i) {
      const KernelSource a = stage_kernel(few[i], Dialect::opencl);
      const KernelSource b = stage_kernel(many[i], Dialect::opencl);
      EXPECT_EQ(a.text, b.text) << length;
      EXPECT_EQ(a.constants, b.constants) << length;
      EXPECT_LT(a.groups, b.groups) << length;
    }
  }
}

TEST(StageKernel, GroupsCoverEveryTransformOnce) {
  for (const char* limits : {"nvidia-opencl", "small", "mali"}) {
    for (const plan::Stage& stage : program(limits, {.lengths = {30, 96}, .batch = 7}).stages) {
      const KernelSource source = stage_kernel(stage, Dialect::opencl);
      const std::uint64_t taken = source.groups * stage.shape.transforms_per_group;
      EXPECT_EQ(source.transforms, plan::transform_count(stage));
      EXPECT_GE(taken, source.transforms);
      EXPECT_LT(taken - source.transforms, stage.shape.transforms_per_group);
      EXPECT_FALSE(source.constants.empty());
    }
  }
}

TEST(StageKernel, IndexesWithSixtyFourBitsWhereDataNeedsThem) {
  const auto small = program("nvidia-opencl", {.lengths = {1024}, .batch = 1024}).stages.front();
  const auto large = program("nvidia-opencl", {.lengths = {1024}, .batch = std::size_t{1} << 22}).stages.front();
  EXPECT_FALSE(stage_kernel(small, Dialect::opencl).wide_index);
  EXPECT_TRUE(stage_kernel(large, Dialect::opencl).wide_index);
  EXPECT_NE(stage_kernel(large, Dialect::opencl).text.find("#define TW_INDEX TW_WIDE"), std::string::npos);
}

}  // namespace
}  // namespace twiddle::kernel
