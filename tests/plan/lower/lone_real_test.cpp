// Odd numbers of reals taken two at a time: half of the points, and nothing beside the last one.
#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "support/scratch_sizes.hpp"

namespace twiddle::test {
namespace {

Transform reals(std::size_t length, std::size_t given, std::size_t batch) {
  Transform transform;
  transform.lengths = {length};
  transform.kind = Kind::r2c;
  transform.batch = batch;
  transform.input_extents = {given};
  return transform;
}

DeviceLimits like_cpu() {
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  limits.registers_per_item = 64;
  return limits;
}

std::size_t points(std::size_t given, std::size_t batch, const DeviceLimits& limits) {
  return plan::make_recipe(reals(1024, given, batch), limits).axes.front().line.length;
}

TEST(LoneReal, HalfOfThePointsAreTransformedOnDevices) {
  ASSERT_TRUE(plan::is_like_cpu(like_cpu()));
  for (const std::size_t given : {1u, 511u, 1023u}) {
    EXPECT_EQ(points(given, 3, like_cpu()), 512u) << given;
    EXPECT_EQ(points(given, 1024, plan::named_limits("nvidia-cuda")), 512u) << given;
    EXPECT_EQ(points(given, 1023, plan::named_limits("nvidia-cuda")), 1024u) << given;
  }
}

TEST(LoneReal, StagesComputeAndTouchWhatIsThereAlone) {
  std::uint64_t seed = 1;
  for (const DeviceLimits& limits : {plan::named_limits("host"), plan::named_limits("small"), like_cpu()}) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (const std::size_t given : {1u, 301u, 1023u})
        check_lowering({reals(1024, given, 3), direction, Placement::out_of_place}, limits, ++seed);
      check_lowering({reals(2 * 67, 67, 2), direction, Placement::out_of_place}, limits, ++seed);  // by convolution
      check_lowering({reals(2 * 1021, 2041, 1), direction, Placement::out_of_place}, limits,
                     ++seed);  // by convolution through memory
      check_lowering({reals(1 << 16, 40001, 2), direction, Placement::out_of_place}, limits,
                     ++seed);  // in several stages
      Transform image = reals(64, 31, 2);
      image.lengths.insert(image.lengths.begin(), 12);
      image.input_extents.insert(image.input_extents.begin(), 7);
      check_lowering({image, direction, Placement::out_of_place}, limits, ++seed);
    }
  }
}

// All points of a line that one stage does not hold would need up to four times the data.
TEST(LoneReal, HalfOfThePointsOfLinesInSeveralStagesNeedTheData) {
  for (const char* name : {"nvidia-cuda", "nvidia-opencl", "small", "mali"}) {
    const DeviceLimits limits = plan::named_limits(name);
    for (const char* text : {"r2c:f64:320000:nonzero=307501:inplace", "r2c:f32:100000:nonzero=90001",
                             "c2r:f32:100000:wanted=307", "c2r:f64:320000:wanted=30751:inplace"}) {
      const ScratchSizes sizes = scratch_sizes(text, limits);
      EXPECT_LE(sizes.scratch, sizes.data) << text << " on " << name;
    }
  }
  for (const char* name : {"small", "mali"}) {
    for (const char* text : {"r2c:f32:10000:nonzero=9001:inplace", "c2r:f64:2*8192:wanted=307",
                             "r2c:f16:9000:nonzero=8999", "c2r:f32:10000:wanted=9999:inplace:norm=ortho"}) {
      SCOPED_TRACE(text);
      check_lowering(parse_problem(text), plan::named_limits(name), 3);
    }
  }
}

}  // namespace
}  // namespace twiddle::test
