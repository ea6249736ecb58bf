// OpenCL programs from source text: shared within an engine, and kept on disk between runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "backend/opencl/opencl_api.hpp"
#include "backend/opencl/opencl_devices.hpp"
#include "backend/shared_values.hpp"
#include "run/kernel_cache.hpp"

namespace twiddle::backend {

// Compiles for one device. Safe to use from several threads; they compile one after the other.
class OpenClCompiler {
 public:
  OpenClCompiler(cl::Context context, const OpenClDevice& device, run::KernelCache cache);

  // The program of this text: one that is still in use, else from the cache, else compiled. Throws DeviceError with the
  // compiler's words where it is not accepted. `registers`: the most that a work-item should use, where the driver
  // takes such a hint (NVIDIA's does); 0 leaves it to the compiler.
  [[nodiscard]] std::shared_ptr<cl::Program> compile(const std::string& text, std::uint32_t registers = 0);

 private:
  [[nodiscard]] std::shared_ptr<cl::Program> load(const std::string& text, const std::string& options) const;
  [[nodiscard]] std::shared_ptr<cl::Program> build(const std::string& text, const std::string& options) const;
  [[nodiscard]] run::KernelIdentity identity(const std::string& text, const std::string& options) const;

  cl::Context context_;
  cl::Device device_;
  std::string options_;  // for every program
  bool takes_register_hint_;
  std::string device_identity_;
  std::string driver_identity_;
  run::KernelCache cache_;
  SharedValues<std::string, cl::Program> programs_;  // by options and text
};

}  // namespace twiddle::backend
