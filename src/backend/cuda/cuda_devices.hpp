// The CUDA devices of this machine and what planning may use of them.
#pragma once

#include <string>
#include <vector>

#include "backend/cuda/cuda_api.hpp"
#include "twiddle/device.hpp"

namespace twiddle::backend {

struct CudaDevice {
  cuda::DeviceHandle handle = 0;
  int architecture = 0;         // compute capability: 90 for 9.0
  int target_architecture = 0;  // the newest that NVRTC knows and the device runs; 0: there is none
  DeviceInfo info;
};

struct CudaDevices {
  std::vector<CudaDevice> devices;  // in the driver's order, which CUDA_VISIBLE_DEVICES changes
  std::string absence;              // why there are none; empty where there are some
};

// Asks the driver anew on every call.
[[nodiscard]] CudaDevices find_cuda_devices();

}  // namespace twiddle::backend
