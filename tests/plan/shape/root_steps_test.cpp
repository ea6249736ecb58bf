// Which lines read fewer roots, and where.
#include "plan/shape/root_steps.hpp"

#include <gtest/gtest.h>

#include <string>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

// The step of each stage, as digits.
std::string steps_of(const char* text, const char* limits_name = "nvidia-cuda", const char* strategy = "") {
  DeviceLimits limits = named_limits(limits_name);
  limits.strategy = parse_strategy(strategy);
  const Problem problem = parse_problem(text);
  const Program program =
      lower(make_recipe(problem.transform, limits), problem.transform, problem.direction, problem.placement, limits);
  std::string digits;
  for (const Stage& stage : program.stages) digits += std::to_string(stage.shape.root_step);
  return digits;
}

TEST(RootSteps, OfLinesThatWereMeasured) {
  EXPECT_EQ(steps_of("c2c:f32:13421*5000"), "4");
  EXPECT_EQ(steps_of("r2c:f32:21474*3125"), "4");
  EXPECT_EQ(steps_of("c2c:f32:7*3000x3000:inplace"), "04");  // columns alone
  EXPECT_EQ(steps_of("c2c:f32:4*16777216"), "44");           // with twiddles too
  EXPECT_EQ(steps_of("c2c:f32:3409*19683"), "4");
  EXPECT_EQ(steps_of("r2c:f32:16380*8192"), "8");
  EXPECT_EQ(steps_of("c2c:f32:8192*8192"), "8");
  EXPECT_EQ(steps_of("r2c:f32:13419*10000"), "4");
  EXPECT_EQ(steps_of("c2c:f64:3355*10000"), "4");
  EXPECT_EQ(steps_of("c2c:f32:131844*509"), "4");
  EXPECT_EQ(steps_of("c2c:f64:65922*509"), "4");
  EXPECT_EQ(steps_of("r2c:f32:65792*2039"), "4");
  EXPECT_EQ(steps_of("c2c:f32:13421*5000", "nvidia-opencl"), "4");
  EXPECT_EQ(steps_of("c2c:f64:3355*10000", "nvidia-opencl"), "4");
}

TEST(RootSteps, OfNoOthers) {
  EXPECT_EQ(steps_of("c2c:f32:33554*2000"), "0");
  EXPECT_EQ(steps_of("r2c:f32:13421*5000"), "0");
  EXPECT_EQ(steps_of("c2c:f64:9320*3600"), "0");
  EXPECT_EQ(steps_of("c2c:f64:16456*2039"), "0");
  EXPECT_EQ(steps_of("c2c:f32:66510*1009"), "0");
  EXPECT_EQ(steps_of("c2c:f32:509x4096:axes=0"), "0");
  EXPECT_EQ(steps_of("r2c:f64:3355*20000"), "0");
  EXPECT_EQ(steps_of("c2c:f32:13421*5000", "nvidia-cuda", "elements=32"), "0");
  EXPECT_EQ(steps_of("c2c:f32:13421*5000", "nvidia-opencl", "elements=32"), "0");
  EXPECT_EQ(steps_of("c2c:f32:13421*5000", "small").find('4'), std::string::npos);
}

// Whether the first stage's twiddle is read by column, on devices like the measured one.
bool has_column_roots(const char* text, const char* limits_name = "nvidia-cuda", const char* strategy = "") {
  DeviceLimits limits = named_limits(limits_name);
  limits.strategy = parse_strategy(strategy);
  const Problem problem = parse_problem(text);
  const Program program =
      lower(make_recipe(problem.transform, limits), problem.transform, problem.direction, problem.placement, limits);
  return program.stages[0].shape.column_roots;
}

TEST(ColumnRoots, OfLinesInTwoLaunchesThatWereMeasured) {
  for (const char* text :
       {"c2c:f32:8*262144", "c2c:f32:55*262144:inplace:inverse", "c2c:f32:8*524288", "c2c:f32:32*2097152",
        "c2c:f32:4194304:norm=ortho", "c2c:f32:67*1000000", "c2c:f32:16777216", "c2c:f32:20*1048576", "c2c:f32:8388608",
        "c2c:f64:32*1048576", "c2c:f64:2097152", "c2c:f64:4*4194304", "c2c:f64:16777216"}) {
    EXPECT_TRUE(has_column_roots(text)) << text;
  }
}

TEST(ColumnRoots, OfSomeThroughOpenCl) { EXPECT_TRUE(has_column_roots("c2c:f32:64*1048576", "nvidia-opencl")); }

TEST(ColumnRoots, OfNoOthers) {
  for (const char* text : {"c2c:f32:100*59049", "c2c:f64:16*262144", "c2c:f32:8*262144:load=alternate",
                           "c2c:f32:8*262144:in=planar", "c2c:f32:8*262144:nonzero=100000", "c2c:f32:1048576"}) {
    EXPECT_FALSE(has_column_roots(text)) << text;
  }
  EXPECT_FALSE(has_column_roots("c2c:f32:8*262144", "small"));
  EXPECT_FALSE(has_column_roots("c2c:f32:32*2097152", "nvidia-cuda", "vector=1"));
}

}  // namespace
}  // namespace twiddle::plan
