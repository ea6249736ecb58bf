// Device names, the device list and the limits that planning is given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/device/limits.hpp"
#include "support/environment.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using test::ScopedVariable;
using ::testing::AllOf;
using ::testing::HasSubstr;

bool has(BackendKind backend) {
  for (const auto& absence : list_devices().absences) {
    if (absence.backend == backend) return false;
  }
  return true;
}

bool has_opencl() { return has(BackendKind::opencl); }

TEST(Devices, ListTheHostFirstAndOpenByTheirNames) {
  const DeviceList list = list_devices();
  ASSERT_FALSE(list.devices.empty());
  EXPECT_EQ(device_name(list.devices[0]), "host");
  for (const DeviceInfo& info : list.devices) {
    const Device device = Device::open(device_name(info));
    EXPECT_EQ(device.info().name, info.name);
    EXPECT_EQ(device_name(device.info()), device_name(info));
    EXPECT_EQ(device.info().limits, info.limits);
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.driver.empty());
    EXPECT_GT(info.global_memory, 0U);
    EXPECT_EQ(info.max_item_sizes.size(), info.max_item_dimensions);
  }
}

TEST(Devices, OpenedTwiceAreTheSame) {
  for (const DeviceInfo& info : list_devices().devices) {
    const Device first = Device::open(device_name(info));
    EXPECT_EQ(&first.engine(), &Device::open(device_name(info)).engine()) << info.name;
  }
}

TEST(Devices, BestIsAGpuOrTheHost) {
  const DeviceInfo info = Device::best().info();
  EXPECT_EQ(info.backend == BackendKind::cuda, has(BackendKind::cuda));
  EXPECT_THAT(info.vendor + info.name, ::testing::Not(HasSubstr("pthread")));  // PoCL's name for a CPU
}

TEST(Devices, WithoutANumberAreTheFirstOfTheirKind) {
  if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  EXPECT_EQ(&Device::open("opencl").engine(), &Device::open("opencl:0").engine());
}

TEST(Devices, RejectNamesThatAreNone) {
  for (const char* name : {"", "gpu", "HOST", "host:0", "opencl:", "opencl:-1", "opencl:x", "opencl:1x", "opencl:0:0",
                           "opencl:99999999999999999999999"}) {
    try {
      static_cast<void>(Device::open(name));
      ADD_FAILURE() << "'" << name << "' was opened";
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("'" + std::string(name) + "'"), HasSubstr("opencl:1")));
    }
  }
}

TEST(Devices, ThatAreNotThereAreNamedWithWhatIs) {
  for (const char* name : {"opencl:99", "cuda:99"}) {
    try {
      static_cast<void>(Device::open(name));
      ADD_FAILURE() << name << " was opened";
    } catch (const Unsupported& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(name), HasSubstr("available: host")));
    }
  }
}

TEST(Devices, OfABackendAreListedOrTheReasonWhyThereAreNone) {
  const DeviceList list = list_devices();
  for (const BackendKind backend : {BackendKind::opencl, BackendKind::cuda}) {
    const bool listed = std::any_of(list.devices.begin(), list.devices.end(),
                                    [&](const DeviceInfo& info) { return info.backend == backend; });
    EXPECT_EQ(listed, has(backend)) << to_string(backend);
  }
}

class OpenClLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_opencl()) GTEST_SKIP() << "no OpenCL device";
  }
};

TEST_F(OpenClLimits, AreNotBelievedBlindly) {
  const ScopedVariable none("TWIDDLE_LIMITS", nullptr);
  for (const DeviceInfo& info : list_devices().devices) {
    if (info.backend != BackendKind::opencl) continue;
    EXPECT_NE(info.limits.shape, DeviceLimits::Shape::owned);
    EXPECT_LE(info.limits.local_memory, 48U * 1024);
    EXPECT_LE(info.limits.local_memory, info.reported_local_memory);
    EXPECT_GE(info.limits.max_group_size, 1U);
    EXPECT_LE(info.limits.max_group_size, info.max_item_sizes.at(0));
    EXPECT_LE(info.limits.max_group_size, info.reported_group_size);
    EXPECT_GE(info.limits.compute_units, 1U);
  }
}

TEST_F(OpenClLimits, CanBeThoseOfAnotherDevice) {
  for (const char* name : {"nvidia-opencl", "small", "mali"}) {
    const ScopedVariable chosen("TWIDDLE_LIMITS", name);
    const DeviceLimits expected = plan::named_limits(name);
    const DeviceInfo info = Device::open("opencl").info();
    EXPECT_EQ(info.limits.shape, expected.shape);
    EXPECT_LE(info.limits.max_group_size, expected.max_group_size);
    EXPECT_LE(info.limits.max_group_size, info.max_item_sizes.at(0));
    EXPECT_LE(info.limits.max_group_size, info.reported_group_size);
    EXPECT_LE(info.limits.local_memory, expected.local_memory);
    EXPECT_EQ(info.limits.registers_per_item, expected.registers_per_item);
  }
}

TEST_F(OpenClLimits, OfUnknownNamesAreRejected) {
  for (const char* name : {"host", "nvidia-cuda", "huge"}) {
    const ScopedVariable chosen("TWIDDLE_LIMITS", name);
    try {
      static_cast<void>(Device::open("opencl"));
      ADD_FAILURE() << "TWIDDLE_LIMITS=" << name << " was accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("TWIDDLE_LIMITS"), HasSubstr(name), HasSubstr("small")));
    }
  }
}

}  // namespace
}  // namespace twiddle
