// The engine that runs generated kernels on one CUDA device.
#pragma once

#include <memory>

#include "backend/cuda/cuda_devices.hpp"
#include "backend/cuda/cuda_executable.hpp"
#include "backend/engine.hpp"

namespace twiddle::backend {

class CudaEngine : public Engine {
 public:
  // Memory of the caller's on the device, which stays the caller's. Throws DeviceError or InvalidArgument where the
  // driver does not know the pointer, or as one of another device.
  [[nodiscard]] virtual std::unique_ptr<Memory> wrap_device(cuda::DevicePointer pointer) = 0;
  // The stream on which everything runs that names no other.
  [[nodiscard]] virtual cuda::StreamHandle stream() const = 0;
};

// Throws DeviceError where the driver refuses a context or a stream.
[[nodiscard]] std::shared_ptr<Engine> make_cuda_engine(const CudaDevice& device);

}  // namespace twiddle::backend
