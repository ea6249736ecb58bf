// Plans under the limits of other devices, which CTest names in TWIDDLE_LIMITS, on the OpenCL device that is here: the
// kernels that an NVIDIA GPU, a device with small work-groups, or one without local memory would run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "support/accuracy.hpp"
#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"

namespace twiddle::test {
namespace {

class OpenClLimits : public DeviceTest, public testing::WithParamInterface<Transform> {};

TEST_P(OpenClLimits, KernelsAreAccurate) {
  const Transform& transform = GetParam();
  const Plan plan(device(), transform);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const auto accuracy = measure_accuracy(plan, direction);
    EXPECT_TRUE(accuracy.within_bound()) << describe(plan, direction, accuracy);
  }
  // Host memory is transformed in place on the device; out of place may take other kernels.
  const Signal signal = random_signal(total_elements(transform));
  Buffer input = Buffer::of<std::complex<float>>(device(), signal.size());
  Buffer output = Buffer::of<std::complex<float>>(device(), signal.size());
  input.write(signal);
  plan.forward(input, output);
  Signal result(signal.size());
  output.read(result);
  EXPECT_LT(relative_l2_error(result, reference_transform(transform, Direction::forward, signal)), 1e-6);
  input.read(result);
  EXPECT_EQ(result, signal);
}

INSTANTIATE_TEST_SUITE_P(Lengths, OpenClLimits,
                         testing::ValuesIn(sampled_on_devices<Transform>(
                             {Transform{{1}}, Transform{{13}}, Transform{{97}}, Transform{{360}}, Transform{{1024}},
                              Transform{{1200}, {}, 7}, Transform{{2187}}, Transform{{8192}}, Transform{{15015}},
                              Transform{{100000}}, Transform{{1 << 20}}},
                             4)));

INSTANTIATE_TEST_SUITE_P(Shapes, OpenClLimits,
                         testing::ValuesIn(sampled_on_devices<Transform>(
                             {Transform{{15, 28}}, Transform{{91, 99}}, Transform{{256, 200}}, Transform{{5, 10000}},
                              Transform{{10000, 3}}, Transform{{16, 32, 24}}, Transform{{4, 3, 5, 6}}},
                             4)));

INSTANTIATE_TEST_SUITE_P(
    Batches, OpenClLimits,
    testing::ValuesIn(sampled_on_devices<Transform>({Transform{{16}, {}, 257}, Transform{{1000}, {}, 7},
                                                     Transform{{65536}, {}, 3}, Transform{{6, 20, 9}, {0, 2}, 3}},
                                                    4)));

// The limits do reach the plans: no kernel is larger than they allow.
TEST_F(DeviceTest, PlansKeepToTheLimits) {
  const char* name = std::getenv("TWIDDLE_LIMITS");
  ASSERT_NE(name, nullptr);
  const DeviceLimits expected = plan::named_limits(name);
  const DeviceLimits& limits = device().info().limits;
  EXPECT_EQ(limits.shape, expected.shape);
  EXPECT_LE(limits.max_group_size, expected.max_group_size);
  EXPECT_LE(limits.local_memory, expected.local_memory);
  const Transform transform{{4096}};
  const auto program = plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward,
                                   plan::Placement::in_place, limits);
  for (const plan::Stage& stage : program.stages) {
    EXPECT_LE(stage.shape.items_per_transform * stage.shape.transforms_per_group, expected.max_group_size);
  }
}

}  // namespace
}  // namespace twiddle::test
