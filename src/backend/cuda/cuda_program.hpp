// CUDA programs from source text: shared within an engine, and kept on disk between runs.
#pragma once

#include <memory>
#include <string>

#include "backend/cuda/cuda_context.hpp"
#include "backend/cuda/cuda_devices.hpp"
#include "backend/shared_values.hpp"
#include "run/kernel_cache.hpp"

namespace twiddle::backend {

// A compiled program in the device's memory.
class CudaProgram {
 public:
  // Throws DeviceError where the driver refuses the binary.
  CudaProgram(std::shared_ptr<const cuda::Context> context, const run::KernelCache::Binary& binary);
  ~CudaProgram();
  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;

  // The kernel of that name, prepared to be launched with so many bytes of dynamic shared memory.
  [[nodiscard]] cuda::FunctionHandle function(const std::string& entry, std::size_t shared_bytes) const;

 private:
  std::shared_ptr<const cuda::Context> context_;
  cuda::ModuleHandle module_ = nullptr;
};

// Compiles for one device. Safe to use from several threads; they compile one after the other.
class CudaCompiler {
 public:
  // Throws DeviceError where NVRTC makes no code that the device can run.
  CudaCompiler(std::shared_ptr<const cuda::Context> context, const CudaDevice& device, run::KernelCache cache);

  // The program of this text: one that is still in use, else from the cache, else compiled. Throws DeviceError with the
  // compiler's words where it is not accepted.
  [[nodiscard]] std::shared_ptr<const CudaProgram> compile(const std::string& text);

 private:
  [[nodiscard]] std::shared_ptr<const CudaProgram> load(const std::string& text) const;
  [[nodiscard]] std::shared_ptr<const CudaProgram> build(const std::string& text) const;
  [[nodiscard]] run::KernelIdentity identity(const std::string& text) const;

  std::shared_ptr<const cuda::Context> context_;
  std::string device_identity_;
  std::string driver_identity_;
  std::string target_;  // compiler option
  bool intermediate_;   // the compiler is older than the device: the driver translates its output
  run::KernelCache cache_;
  SharedValues<std::string, const CudaProgram> programs_;  // by text
};

}  // namespace twiddle::backend
