// Even numbers of reals with hooks, which see each of them, are half as many complex numbers all the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plan/device/limits.hpp"
#include "support/lowered_problem.hpp"
#include "support/planned_program.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class HookedPairs : public testing::TestWithParam<std::string> {};

TEST_P(HookedPairs, NeedTheData) {
  const DeviceLimits limits = plan::named_limits(GetParam());
  for (const char* text :
       {"r2c:f32:1048576:load=alternate", "r2c:f64:1048576:store=power", "r2c:f32:1048576:inverse:store=alternate",
        "r2c:f64:270000:inverse:inplace:load=alternate", "dht:f32:1048576:load=alternate:store=power",
        "r2c:f32:3*262144:inplace:load=bartlett/64", "r2c:f16:1048576:load=alternate:store=power"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits);
    EXPECT_LE(scratch, data) << text;
  }
}

TEST_P(HookedPairs, AreHalfAsLong) {
  const DeviceLimits limits = plan::named_limits(GetParam());
  if (limits.shape == DeviceLimits::Shape::staged) GTEST_SKIP() << "each radix is a stage there";
  const auto program = program_of("r2c:f32:1000:load=alternate:store=power", limits);
  EXPECT_EQ(program.stages.front().length, 500U);
  ASSERT_TRUE(program.stages.front().load_hook);
  EXPECT_EQ(program.stages.front().load_hook->part, 1);
  EXPECT_EQ(program.stages.back().store_hook->part, 0);
}

TEST_P(HookedPairs, AreRight) {
  DeviceLimits limits = plan::named_limits(GetParam());
  if (limits.shape == DeviceLimits::Shape::on_chip) limits = plan::named_limits("small");
  for (const char* text : {"r2c:f32:3*60:load=alternate", "r2c:f64:3*60:inverse:inplace:store=power",
                           "r2c:f32:4000:load=bartlett/7:store=alternate", "r2c:f32:4000:inverse:store=alternate",
                           "dht:f64:2*48:inplace:load=alternate", "r2c:f32:5x12:in=24,2:load=alternate",
                           "r2c:f32:12x5:axes=0:inplace:load=alternate", "r2c:f32:60:nonzero=30:load=alternate",
                           "r2c:f32:60:nonzero=31:load=alternate", "r2c:f32:2*60:inverse:wanted=30:store=alternate"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, HookedPairs, testing::Values("host", "nvidia-opencl", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
