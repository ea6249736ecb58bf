// The primary context of a device and one stream of its own. What names no other stream, by whatever thread, runs in
// the order of submission.
#include "backend/cuda/cuda_engine.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <span>
#include <utility>

#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "backend/shared_values.hpp"
#include "kernel/image_kernel.hpp"
#include "plan/shape/joined.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend {
namespace {

constexpr cuda::DevicePointer pointer_alignment = 16;  // bytes of the largest element

class LoadedCudaEngine : public CudaEngine {
 public:
  explicit LoadedCudaEngine(const CudaDevice& device)
      : info_(device.info),
        context_(std::make_shared<const cuda::Context>(device.handle,
                                                       device_name(device.info) + " (" + device.info.name + ")")),
        compiler_(context_, device, run::KernelCache(run::KernelCache::default_folder())) {}

  const DeviceInfo& info() const override { return info_; }
  cuda::StreamHandle stream() const override { return context_->stream(); }

  std::unique_ptr<Memory> allocate(std::size_t bytes) override {
    return std::make_unique<CudaMemory>(std::make_unique<const cuda::Allocation>(context_, bytes));
  }

  // Memory of the host is reached over the bus only: a copy is faster than kernels that read and write it.
  std::unique_ptr<Memory> wrap_device(cuda::DevicePointer pointer) override {
    if (pointer == 0 || pointer % pointer_alignment != 0) {
      throw InvalidArgument(
          fmt::format("device pointer is {:#x}; expected one that is a multiple of {}", pointer, pointer_alignment));
    }
    int ordinal = 0;
    {
      const cuda::Context::Scope scope(*context_);
      TWIDDLE_CHECK_CUDA(fmt::format("looking up the pointer {:#x} given to {}", pointer, context_->device_name()),
                         cuPointerGetAttribute, &ordinal, cuda::pointer_device_ordinal, pointer);
    }
    if (ordinal != context_->device()) {
      throw InvalidArgument(fmt::format("device pointer {:#x} belongs to CUDA device {}; expected {}", pointer, ordinal,
                                        context_->device_name()));
    }
    return std::make_unique<CudaMemory>(std::make_unique<const cuda::Allocation>(context_, pointer));
  }

  std::shared_ptr<const Executable> compile(const plan::Stage& stage) override {
    const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
    CudaTables tables{upload(source.constants), nullptr};
    if (!source.indices.empty()) tables.indices = upload(std::as_bytes(std::span(source.indices)));
    return std::make_shared<CudaExecutable>(context_, compiler_.compile(source.text), std::move(tables), source, stage);
  }

  std::shared_ptr<const Executable> compile_two(const plan::Program& program, std::size_t first) override {
    const kernel::KernelSource source = kernel::two_stage_kernel(program, kernel::Dialect::cuda);
    return std::make_shared<CudaExecutable>(context_, compiler_.compile(source.text),
                                            CudaTables{upload(source.constants), nullptr}, source,
                                            plan::ends_of(program.stages[first], program.stages[first + 1]));
  }

  std::shared_ptr<const Executable> compile_image(const plan::ImagePass& pass) override {
    const kernel::KernelSource source = kernel::image_kernel(pass, kernel::Dialect::cuda);
    return std::make_shared<CudaExecutable>(context_, compiler_.compile(source.text),
                                            CudaTables{upload(source.constants), nullptr}, source,
                                            plan::launch_of(pass));
  }

  void synchronize() override {
    const cuda::Context::Scope scope(*context_);
    TWIDDLE_CHECK_CUDA(fmt::format("waiting for {}", context_->device_name()), cuStreamSynchronize, context_->stream());
  }

 private:
  // Equal tables are uploaded once: those of both directions and placements often are.
  std::shared_ptr<const cuda::Allocation> upload(std::span<const std::byte> table) {
    const XXH128_hash_t hash = XXH3_128bits(table.data(), table.size());
    return tables_.get({hash.high64, hash.low64}, [&] {
      auto fresh = std::make_shared<const cuda::Allocation>(context_, table.size());
      fresh->write(table.data(), table.size());
      return fresh;
    });
  }

  DeviceInfo info_;
  std::shared_ptr<const cuda::Context> context_;
  CudaCompiler compiler_;
  SharedValues<std::pair<std::uint64_t, std::uint64_t>, const cuda::Allocation> tables_;  // by contents' hash
};

}  // namespace

std::shared_ptr<Engine> make_cuda_engine(const CudaDevice& device) {
  return std::make_shared<LoadedCudaEngine>(device);
}

}  // namespace twiddle::backend
