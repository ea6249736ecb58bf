// What users see where CUDA, or a part of it, cannot be used. Each test runs in a process of its own, whose environment
// (see CMakeLists.txt) makes CUDA absent in another way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "twiddle/twiddle.hpp"

namespace twiddle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Opening such a device and listing devices say the same.
std::string cuda_absence() {
  std::string reason;
  for (const auto& absence : list_devices().absences) {
    if (absence.backend == BackendKind::cuda) reason = absence.reason;
  }
  EXPECT_FALSE(reason.empty());
  for (const DeviceInfo& info : list_devices().devices) EXPECT_NE(info.backend, BackendKind::cuda);
  EXPECT_NE(Device::best().info().backend, BackendKind::cuda);
  try {
    static_cast<void>(Device::open("cuda"));
    ADD_FAILURE() << "a CUDA device was opened";
  } catch (const Unsupported& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr(reason), HasSubstr("available: host")));
  }
  return reason;
}

TEST(CudaAbsent, Driver) {  // TWIDDLE_CUDA_LIBRARY names a file that is not there
  EXPECT_THAT(cuda_absence(), AllOf(HasSubstr("cannot load the NVIDIA driver's library"),
                                    HasSubstr("/nonexistent/libcuda.so.1"), HasSubstr("unset TWIDDLE_CUDA_LIBRARY")));
}

TEST(CudaAbsent, DriverFunctions) {  // TWIDDLE_CUDA_LIBRARY names another kind of library
  EXPECT_THAT(cuda_absence(), AllOf(HasSubstr("libm.so.6"), HasSubstr("has no function cuInit"), HasSubstr("update")));
}

TEST(CudaAbsent, DriverStart) {  // the fake driver does not start
  EXPECT_THAT(cuda_absence(), AllOf(HasSubstr("cuInit failed with"), HasSubstr("803"), HasSubstr("restart")));
}

TEST(CudaAbsent, Compiler) {  // TWIDDLE_NVRTC_LIBRARY names a file that is not there
  EXPECT_THAT(cuda_absence(), AllOf(HasSubstr("cannot load NVIDIA's run-time compiler"),
                                    HasSubstr("/nonexistent/libnvrtc.so"), HasSubstr("unset TWIDDLE_NVRTC_LIBRARY")));
}

TEST(CudaAbsent, CompilerFunctions) {  // TWIDDLE_NVRTC_LIBRARY names another kind of library
  EXPECT_THAT(cuda_absence(), AllOf(HasSubstr("libm.so.6"), HasSubstr("has no function nvrtcVersion")));
}

TEST(CudaAbsent, Devices) {  // the fake driver has none
  EXPECT_THAT(cuda_absence(), AllOf(HasSubstr("found no device"), HasSubstr("CUDA_VISIBLE_DEVICES")));
}

TEST(CudaAbsent, NewerFunctions) {  // the fake driver's version is a new one, but it has no function of those
  const Device device = Device::open("cuda");
  EXPECT_FALSE(device.limits().dependent_launch);
  const Plan plan(device, {.lengths = {1 << 20}});
  Buffer data = Buffer::of<std::complex<float>>(device, 1 << 20);
  EXPECT_NO_THROW(plan.forward(data));
}

}  // namespace
}  // namespace twiddle
