// Devices held to the limits of others: their kernels, run on the OpenCL device that is here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "support/environment.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"
#include "verify/verify.hpp"

namespace twiddle::test {
namespace {

using ::testing::HasSubstr;

std::string message_of(const char* name) {
  try {
    (void)Device::open(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class SimulatedDevice : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    try {
      (void)Device::open("opencl");
    } catch (const Unsupported& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

TEST_P(SimulatedDevice, ComputesByItsOwnKernels) {
  const Device plain = Device::open("opencl:0");
  const std::string name = std::string("opencl:0@") + GetParam();
  const Device device = Device::open(name);
  EXPECT_EQ(device_name(device.info()), name);
  EXPECT_EQ(device.info().name, plain.info().name + " as " + GetParam());
  EXPECT_NE(&device.engine(), &plain.engine());
  EXPECT_EQ(&device.engine(), &Device::open(name).engine());
  const DeviceLimits expected = plan::named_limits(GetParam());
  EXPECT_EQ(device.limits().shape, expected.shape);
  EXPECT_LE(device.limits().local_memory, expected.local_memory);
  EXPECT_LE(device.limits().max_group_size, expected.max_group_size);
  for (const char* text : {"c2c:f32:3*360", "r2c:f32:20x36"}) {
    const verify::Outcome outcome = verify::verify(device, parse_problem(text), 1);
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
  }
}

// What was measured through CUDA and serves NVIDIA's OpenCL as well: planes in one launch, rows that are stored as one
// run, summed or convolved, fewer roots, groups of few rows from memory.
class MeasuredShapes : public SimulatedDevice {};

TEST_P(MeasuredShapes, AreRightInOpenClToo) {
  const Device device = Device::open("opencl:0@nvidia-opencl");
  const verify::Outcome outcome = verify::verify(device, parse_problem(GetParam()), 1);
  EXPECT_TRUE(outcome.within) << outcome.complaint;
}

INSTANTIATE_TEST_SUITE_P(Problems, MeasuredShapes,
                         testing::Values("c2c:f32:140*64x64:inplace", "r2c:f32:4100*64x64",
                                         "c2r:f32:4100*64x64:inplace", "c2c:f32:3x60x64x64:axes=2,3", "c2c:f32:500*60",
                                         "c2c:f32:41", "c2c:f32:37", "c2c:f32:40*8192:inplace", "c2c:f64:40*3125",
                                         "c2c:f32:1310720*5:inplace", "c2c:f64:524288*7"));

INSTANTIATE_TEST_SUITE_P(Limits, SimulatedDevice, testing::Values("nvidia-opencl", "nvidia-cuda", "small", "mali"));

TEST(SimulatedLimits, AreTheSmallerOfBoth) {
  DeviceInfo info;
  info.name = "some device";
  info.max_item_sizes = {128, 128, 64};
  info.reported_group_size = 4096;
  info.reported_local_memory = 20000;
  info.limits.compute_units = 7;
  info.limits.float64 = false;
  const DeviceLimits cuda = plan::simulated_limits(info, "nvidia-cuda");
  EXPECT_EQ(cuda.local_memory, 20000U);
  EXPECT_EQ(cuda.max_group_size, 128U);
  EXPECT_EQ(cuda.compute_units, 7U);
  EXPECT_FALSE(cuda.float64);
  EXPECT_EQ(cuda.largest_cluster, 1U);
  info.limits.largest_cluster = 16;
  EXPECT_EQ(plan::simulated_limits(info, "nvidia-cuda").largest_cluster, 8U);
  EXPECT_EQ(plan::simulated_limits(info, "nvidia-opencl").largest_cluster, 1U);
  EXPECT_FALSE(cuda.dependent_launch);
  info.limits.dependent_launch = true;
  EXPECT_TRUE(plan::simulated_limits(info, "nvidia-cuda").dependent_launch);
  EXPECT_FALSE(plan::simulated_limits(info, "small").dependent_launch);
  EXPECT_FALSE(cuda.bulk_copies);
  info.limits.bulk_copies = true;
  EXPECT_TRUE(plan::simulated_limits(info, "nvidia-cuda").bulk_copies);
  EXPECT_FALSE(plan::simulated_limits(info, "nvidia-opencl").bulk_copies);
  EXPECT_EQ(plan::simulated_limits(info, "small").local_memory, 16384U);
  EXPECT_EQ(plan::simulated_limits(info, "mali").shape, DeviceLimits::Shape::staged);
  EXPECT_THROW((void)plan::simulated_limits(info, "host"), InvalidArgument);
  EXPECT_THROW((void)plan::simulated_limits(info, "huge"), InvalidArgument);
  EXPECT_THROW((void)plan::simulated_limits(Device::host().info(), "mali"), InvalidArgument);
}

TEST(SimulatedNames, SayWhatIsWrong) {
  EXPECT_THAT(message_of("opencl@huge"), HasSubstr("no device limits are named 'huge'; known are"));
  EXPECT_THAT(message_of("opencl@"), HasSubstr("device name is 'opencl@'"));
  EXPECT_THAT(message_of("host@mali"), HasSubstr("device name is 'host@mali'"));
  EXPECT_THAT(message_of("opencl:x@mali"), HasSubstr("device name is 'opencl:x@mali'"));
}

}  // namespace
}  // namespace twiddle::test
