// What users see where OpenCL cannot be used. Each test runs in a process of its own, whose environment (see
// CMakeLists.txt) makes OpenCL absent in another way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string opencl_absence() {
  const DeviceList list = list_devices();
  EXPECT_EQ(list.devices.size(), 1U);
  EXPECT_EQ(device_name(list.devices.at(0)), "host");
  for (const auto& absence : list.absences) {
    if (absence.backend == BackendKind::opencl) return absence.reason;
  }
  ADD_FAILURE() << "the absence of OpenCL is not listed";
  return {};
}

void expect_host_only() {
  EXPECT_EQ(Device::best().info().backend, BackendKind::host);
  try {
    static_cast<void>(Device::open("opencl"));
    FAIL() << "an OpenCL device was opened";
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(opencl_absence()), HasSubstr("available: host")));
  }
}

TEST(OpenClAbsent, Library) {  // TWIDDLE_OPENCL_LIBRARY names a file that is not there
  EXPECT_THAT(opencl_absence(), AllOf(HasSubstr("cannot load"), HasSubstr("/nonexistent/libOpenCL.so.1"),
                                      HasSubstr("unset TWIDDLE_OPENCL_LIBRARY")));
  expect_host_only();
}

TEST(OpenClAbsent, Functions) {  // TWIDDLE_OPENCL_LIBRARY names another kind of library
  EXPECT_THAT(opencl_absence(), AllOf(HasSubstr("libm.so.6"), HasSubstr("has no function clGetPlatformIDs")));
  expect_host_only();
}

TEST(OpenClAbsent, Drivers) {  // OCL_ICD_VENDORS names an empty folder
  EXPECT_THAT(opencl_absence(), HasSubstr("install the OpenCL driver"));
  expect_host_only();
}

}  // namespace
}  // namespace twiddle
