// Odd numbers of reals taken two at a time: half of the points, and nothing beside the last one.
#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"

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

TEST(LoneReal, HalfOfThePointsAreTransformedOnDevices) {
  for (const char* const name : {"nvidia-cuda", "nvidia-opencl", "mali"}) {
    const DeviceLimits limits = plan::named_limits(name);
    for (const std::size_t given : {1u, 511u, 1023u}) {
      const plan::Recipe recipe = plan::make_recipe(reals(1024, given, 3), limits);
      EXPECT_EQ(recipe.axes.front().line.length, 512u) << name << " " << given;
    }
  }
}

TEST(LoneReal, StagesComputeAndTouchWhatIsThereAlone) {
  std::uint64_t seed = 1;
  for (const char* const name : {"nvidia-cuda", "nvidia-opencl", "small", "mali", "host"}) {
    const DeviceLimits limits = plan::named_limits(name);
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

}  // namespace
}  // namespace twiddle::test
