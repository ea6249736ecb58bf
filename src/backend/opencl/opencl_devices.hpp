// The OpenCL devices of this machine and what planning may believe of them.
#pragma once

#include <string>
#include <vector>

#include "backend/opencl/opencl_api.hpp"
#include "twiddle/device.hpp"

namespace twiddle::backend {

struct OpenClDevice {
  cl::Device device;
  cl::Platform platform;
  bool gpu = false;            // a GPU, and not a CPU or a simulator that calls itself everything
  bool binaries_serve = true;  // worth keeping: the driver has no cache of its own that does as well
  DeviceInfo info;
};

struct OpenClDevices {
  std::vector<OpenClDevice> devices;  // numbered across the platforms, in the order in which the ICD loader lists them
  std::string absence;                // why there are none; empty where there are some
};

// Asks the drivers anew on every call. The limits obey TWIDDLE_LIMITS ("nvidia-opencl", "small" or "mali"), which plans
// for another device as far as the real one allows; throws InvalidArgument for any other value of it.
[[nodiscard]] OpenClDevices find_opencl_devices();

}  // namespace twiddle::backend
