// Which kernels store past the cache, and what their text says.
#include "plan/shape/past_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Program program_of(const char* text, const char* limits_name = "nvidia-cuda", const char* strategy = "") {
  DeviceLimits limits = named_limits(limits_name);
  limits.strategy = parse_strategy(strategy);
  const Problem problem = parse_problem(text);
  return lower(make_recipe(problem.transform, limits), problem.transform, problem.direction, problem.placement, limits);
}

// A digit for each stage.
std::string stores_of(const char* text, const char* limits_name = "nvidia-cuda", const char* strategy = "") {
  std::string digits;
  for (const Stage& stage : program_of(text, limits_name, strategy).stages)
    digits += stage.shape.past_cache ? '1' : '0';
  return digits;
}

TEST(PastCache, OfLinesWithLargeTables) {
  EXPECT_EQ(stores_of("c2c:f64:4096*8192:inplace"), "1");
  EXPECT_EQ(stores_of("c2c:f32:4096*16384:inplace"), "1");
  EXPECT_EQ(stores_of("r2c:f32:65472*2048:inplace"), "1");
  EXPECT_EQ(stores_of("r2c:f32:42935*3125:inplace"), "10");    // pairs of lines; the one left has no map
  EXPECT_EQ(stores_of("c2c:f64:32*1024x1024:inplace"), "01");  // columns alone
  EXPECT_EQ(stores_of("c2c:f64:8*4194304:inplace"), "11");
  EXPECT_EQ(stores_of("c2c:f64:27*262144:inplace"), "10");    // a second stage of 512 points has a small table
  EXPECT_EQ(stores_of("c2c:f32:40*1500007:inplace"), "010");  // rows of 2048 points, there and back
}

TEST(PastCache, OfNoOthers) {
  EXPECT_EQ(stores_of("c2c:f64:32768*1024:inplace"), "0");
  EXPECT_EQ(stores_of("c2c:f64:5114*6561:inplace"), "0");
  EXPECT_EQ(stores_of("c2c:f32:8192*8192:inplace"), "0");
  EXPECT_EQ(stores_of("c2c:f32:64*1024x1024:inplace"), "00");
  EXPECT_EQ(stores_of("c2c:f32:67*1000003:inplace"), "000000");  // two slices, rows of 1024 points there and back
  EXPECT_EQ(stores_of("r2c:f32:1000000*64:inplace"), "0");
  EXPECT_EQ(stores_of("c2c:f32:1024*65536:inplace"), "00");  // in one launch
  EXPECT_EQ(stores_of("c2c:f64:128*262144:inplace"), "00");
  EXPECT_EQ(stores_of("r2c:f32:511*262144:inplace"), "00");  // maps across lines
  EXPECT_EQ(stores_of("c2r:f32:65472*2048"), "0");           // not measured
  EXPECT_EQ(stores_of("c2c:f64:4096*8192:out=planar"), "0");
  EXPECT_EQ(stores_of("c2c:f64:4096*8192:store=conjugate"), "0");
  EXPECT_EQ(stores_of("c2c:f64:8192"), "0");  // too few
  EXPECT_EQ(stores_of("r2c:f32:500*2048"), "0");
  EXPECT_EQ(stores_of("c2c:f64:8000*4096", "nvidia-cuda", "elements=8"), "0");
  EXPECT_EQ(stores_of("c2c:f64:8000*2048", "nvidia-opencl"), "0");
}

TEST(PastCache, IsInTheText) {
  const auto text = [](const char* problem) {
    const Program program = program_of(problem);
    return kernel::stage_kernel(program.stages.front(), kernel::Dialect::cuda).text;
  };
  const std::string past = text("c2c:f64:4096*8192:inplace");
  EXPECT_THAT(past, HasSubstr("TW_STREAM(destination + ("));
  EXPECT_THAT(past, HasSubstr("st.global.L1::no_allocate.v2.f64"));
  EXPECT_THAT(text("c2c:f64:32768*1024:inplace"), Not(HasSubstr("TW_STREAM")));
  EXPECT_THAT(to_string(program_of("c2c:f64:4096*8192:inplace").stages.front()), HasSubstr(", stores past the cache"));
}

}  // namespace
}  // namespace twiddle::plan
