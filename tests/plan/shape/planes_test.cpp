// Which two stages are planes in one launch, and which are left in two.
#include "plan/shape/planes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

using test::program_of;

// Rows of 24 points and columns of 16, or the other way round on the way back to reals.
std::optional<Program> in_planes(const char* text, std::size_t first = 0) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const Problem problem = parse_problem(text);
  Program program = program_of(text);
  const auto part = [&](std::size_t stage) {
    const std::uint64_t length = program.stages.at(stage).length;
    if (length == 12) return PlanePart{{3, 4}, 4};
    return length == 24 ? PlanePart{{4, 6}, 4} : PlanePart{{4, 4}, 4};
  };
  const PlaneChoice choice{part(first), part(first + 1)};
  return with_planes(program, problem.placement, first, choice, limits_for(limits, problem.transform.precision));
}

TEST(Planes, AreBothDimensionsOfThose) {
  for (const char* text : {"c2c:f32:16x24", "c2c:f32:9*16x24:inplace", "c2c:f64:9*16x24:inverse",
                           "r2c:f32:9*16x24:inplace", "r2c:f64:9*16x24:norm=ortho", "c2r:f32:9*16x24",
                           "c2c:f32:9*16x24:in=30,1/batch=1000", "c2c:f32:5x16x24:axes=1,2"}) {
    const std::uint64_t planes = std::string_view(text).find("9*") != std::string_view::npos   ? 9
                                 : std::string_view(text).find("5x") != std::string_view::npos ? 5
                                                                                               : 1;
    const auto program = in_planes(text);
    ASSERT_TRUE(program) << text;
    EXPECT_EQ(program->planes->count, planes) << text;
    EXPECT_EQ(program->scratch_bytes, 0u) << text;
    EXPECT_EQ(group_items(program->stages[0].shape), group_items(program->stages[1].shape)) << text;
    EXPECT_TRUE(joined_text(*program, 0)) << text;
    EXPECT_FALSE(joined_text(*program, 1)) << text;
  }
}

TEST(Planes, AreTwoOfThreeDimensions) {
  const auto program = in_planes("c2c:f32:3*20x16x24");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->planes->count, 60u);
  EXPECT_FALSE(in_planes("c2c:f32:3*16x24x24", 1));  // columns of the second lie across the planes of the first
}

TEST(Planes, HaveStepsThatNameTheirPasses) {
  const auto program = in_planes("c2c:f32:9*16x24");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->stages[0].step, "axis 1: 24 = 4.6");
  EXPECT_EQ(program->stages[1].step, "axis 0: 16 = 4.4");
  EXPECT_EQ(program_of("c2c:f32:16384*64x64").stages[0].step, "axis 1: 64 = 8.8");
}

TEST(Planes, AreNotWhereMoreHappensToElements) {
  for (const char* text : {"c2c:f32:16x24:load=alternate", "c2c:f32:16x24:store=power", "c2c:f32:16x24:nonzero=8,24",
                           "c2c:f16:16x24", "c2c:f32:16x24:in=planar", "dct2:f32:16x24"}) {
    EXPECT_FALSE(in_planes(text)) << text;
  }
}

TEST(Planes, AreOneLaunchWhereThatWasMeasuredToBeFaster) {
  for (const char* text :
       {"c2c:f32:16384*64x64:inplace", "c2c:f64:8192*64x64:inverse", "c2c:f32:4660*120x120",
        "c2c:f32:4096*128x128:norm=ortho", "r2c:f32:31775*64x64:inplace", "r2c:f32:9167*120x120",
        "r2c:f32:8065*128x128:inplace", "c2c:f32:256*64x64x64", "r2c:f32:63*128x128x128:inplace", "c2c:f32:65536*32x32",
        "r2c:f32:13158*100x100", "c2r:f32:31775*64x64:inplace", "c2r:f32:9167*120x120", "c2r:f32:8065*128x128:inplace",
        "c2r:f32:13158*100x100:norm=ortho"}) {
    EXPECT_TRUE(program_of(text).planes) << text;
  }
  // Few planes, other lengths and precisions, other strategies and devices.
  for (const char* text : {"c2c:f32:131*64x64", "c2c:f32:4095*128x128", "c2c:f32:30*16x64x64x64", "c2r:f32:4095*64x64",
                           "c2r:f64:31775*64x64", "c2c:f32:16384*64x80", "c2c:f64:4096*128x128",
                           "c2c:f32:300x64x64:axes=0,2", "c2c:f32:16384*64x64:load=alternate"}) {
    EXPECT_FALSE(program_of(text).planes) << text;
  }
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.strategy.vector = 1;
  EXPECT_FALSE(program_of("c2c:f32:16384*64x64", limits).planes);
  limits = named_limits("nvidia-cuda");
  limits.compute_units = 64;
  EXPECT_FALSE(program_of("c2c:f32:16384*64x64", limits).planes);
}

// Those that 48 KiB of local memory hold; larger ones are not joined either, since groups cannot wait for each other.
TEST(Planes, AreOneLaunchThroughOpenClToo) {
  const DeviceLimits opencl = named_limits("nvidia-opencl");
  EXPECT_TRUE(program_of("c2c:f32:16384*64x64", opencl).planes);
  EXPECT_TRUE(program_of("r2c:f32:31775*64x64:inplace", opencl).planes);
  EXPECT_FALSE(program_of("c2c:f64:8192*64x64", opencl).planes);
  const Program images = program_of("c2c:f32:256*512x512:inplace", opencl);
  EXPECT_FALSE(images.planes || images.joined);
}

// A group would write what another one has not read yet.
TEST(Planes, AreNotWhereTheyMoveWithinOneMemory) {
  constexpr const char* layouts = "in=24,1/batch=384:out=26,1/batch=416";
  EXPECT_TRUE(in_planes(fmt::format("c2c:f32:9*16x24:{}", layouts).c_str()));
  EXPECT_FALSE(in_planes(fmt::format("c2c:f32:9*16x24:inplace:{}", layouts).c_str()));
}

TEST(Planes, AreNotWhereNoGroupHoldsThem) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const Program program = program_of("c2c:f32:16x24");
  EXPECT_FALSE(with_planes(program, Placement::out_of_place, 0, {{{4, 6}, 24}, {{4, 4}, 48}},
                           limits));  // more than 1024 work-items
  EXPECT_FALSE(with_planes(program, Placement::out_of_place, 0, {{{4, 4}, 4}, {{4, 4}, 4}}, limits));  // not the length
  EXPECT_FALSE(
      with_planes(program, Placement::out_of_place, 1, {{{4, 6}, 4}, {{4, 4}, 4}}, limits));  // no stage follows
  DeviceLimits small = limits;
  small.local_memory = 2048;
  EXPECT_FALSE(with_planes(program, Placement::out_of_place, 0, {{{4, 6}, 4}, {{4, 4}, 4}}, small));
}

}  // namespace
}  // namespace twiddle::plan
