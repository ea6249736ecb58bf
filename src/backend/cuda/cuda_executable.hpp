// A compiled stage and the memory it works on.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backend/cuda/cuda_context.hpp"
#include "backend/cuda/cuda_program.hpp"
#include "backend/engine.hpp"
#include "kernel/kernel_source.hpp"

namespace twiddle::backend {

class CudaMemory : public Memory {
 public:
  explicit CudaMemory(std::unique_ptr<const cuda::Allocation> allocation) : allocation_(std::move(allocation)) {}
  void write(const void* source, std::size_t bytes) override { allocation_->write(source, bytes); }
  void read(void* destination, std::size_t bytes) override { allocation_->read(destination, bytes); }
  [[nodiscard]] cuda::DevicePointer pointer() const { return allocation_->pointer(); }

 private:
  std::unique_ptr<const cuda::Allocation> allocation_;
};

// A KernelSource's constants and indices on the device; the latter null where there are none.
struct CudaTables {
  std::shared_ptr<const cuda::Allocation> constants;
  std::shared_ptr<const cuda::Allocation> indices;
};

// Launches allocate nothing and wait for nothing, so that they can be captured into graphs.
class CudaExecutable : public Executable {
 public:
  // `program` was compiled from source.text. Throws Unsupported for more groups than a launch can have.
  CudaExecutable(std::shared_ptr<const cuda::Context> context, std::shared_ptr<const CudaProgram> program,
                 CudaTables tables, const kernel::KernelSource& source, const plan::Stage& stage);
  void run(const Operands& operands, double* milliseconds) const override;

 private:
  void launch(const Operands& operands, cuda::StreamHandle stream) const;
  void launch(const Operands& operands, cuda::StreamHandle stream, std::uint64_t begin, std::uint64_t end) const;
  void clear_counters(const Operands& operands, cuda::StreamHandle stream) const;
  void launch_dependent(void** parameters, cuda::StreamHandle stream) const;

  std::shared_ptr<const cuda::Context> context_;
  std::shared_ptr<const CudaProgram> program_;
  CudaTables tables_;
  plan::Operand source_;
  plan::Operand destination_;
  bool has_load_user_;
  bool has_store_user_;
  bool reads_spectra_;
  bool parts_apart_;
  bool starts_early_;
  bool wide_index_;
  bool dependent_launch_;
  std::size_t ring_bytes_;
  std::size_t counter_bytes_;
  std::uint64_t transforms_;
  std::uint64_t launches_;
  unsigned groups_;
  unsigned group_size_;
  unsigned shared_bytes_;
  std::string activity_;  // for error messages
  cuda::FunctionHandle function_;
};

}  // namespace twiddle::backend
