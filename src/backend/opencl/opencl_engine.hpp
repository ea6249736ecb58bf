// The engine that runs generated kernels on one OpenCL device.
#pragma once

#include <memory>

#include "backend/engine.hpp"
#include "backend/opencl/opencl_devices.hpp"

namespace twiddle::backend {

// Throws DeviceError where the driver refuses a context or a queue.
[[nodiscard]] std::shared_ptr<Engine> make_opencl_engine(const OpenClDevice& device);

// Throws Unsupported, naming the device, where the stage needs doubles that the device does not have.
void require_precision(const plan::Stage& stage, const DeviceInfo& info);

}  // namespace twiddle::backend
