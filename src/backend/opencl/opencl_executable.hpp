// A generated kernel, compiled and ready to launch.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "backend/engine.hpp"
#include "backend/opencl/opencl_api.hpp"
#include "kernel/kernel_source.hpp"

namespace twiddle::backend {

class OpenClMemory : public Memory {
 public:
  OpenClMemory(cl::CommandQueue queue, cl::Buffer buffer) : queue_(std::move(queue)), buffer_(std::move(buffer)) {}
  void write(const void* source, std::size_t bytes) override;
  void read(void* destination, std::size_t bytes) override;
  [[nodiscard]] const cl::Buffer& buffer() const { return buffer_; }

 private:
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
};

// A KernelSource's constants and indices on the device; the latter null where there are none.
struct OpenClTables {
  std::shared_ptr<cl::Buffer> constants;
  std::shared_ptr<cl::Buffer> indices;
};

class OpenClExecutable : public Executable {
 public:
  // `program` was compiled from source.text.
  OpenClExecutable(cl::CommandQueue queue, std::shared_ptr<cl::Program> program, OpenClTables tables,
                   const kernel::KernelSource& source, const plan::Stage& stage);
  void run(const Operands& operands, double* milliseconds) const override;

 private:
  // A parameter of the type of the kernel's indices.
  void set_index(cl_uint parameter, std::uint64_t value) const;

  cl::CommandQueue queue_;
  std::shared_ptr<cl::Program> program_;
  OpenClTables tables_;
  plan::Operand source_;
  plan::Operand destination_;
  std::optional<cl_uint> load_user_;  // the parameters that take the memory of hooks
  std::optional<cl_uint> store_user_;
  std::optional<cl_uint> spectra_;
  std::optional<cl_uint> apart_;
  bool wide_index_;
  std::uint64_t launches_;
  std::uint64_t launched_;  // transforms of one launch
  std::string activity_;    // for error messages
  std::size_t group_size_;
  std::size_t items_;
  // A kernel object holds its arguments, so setting them and submitting must not be interleaved with another thread's.
  // A lock costs less than a kernel object for every execution and needs no bookkeeping for every thread.
  mutable std::mutex mutex_;
  mutable cl::Kernel kernel_;
};

}  // namespace twiddle::backend
