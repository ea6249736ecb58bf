// One context and one in-order queue for a device. Everything that is submitted, by whatever thread, runs in the order
// of submission: a buffer may pass between threads, and memory given back after submission may be used again at once.
#include "backend/opencl/opencl_engine.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <span>

#include "backend/opencl/opencl_error.hpp"
#include "backend/opencl/opencl_executable.hpp"
#include "backend/opencl/opencl_program.hpp"
#include "backend/shared_values.hpp"
#include "kernel/image_kernel.hpp"
#include "kernel/kernel_source.hpp"
#include "plan/shape/joined.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend {
namespace {

class OpenClEngine : public Engine {
 public:
  OpenClEngine(const OpenClDevice& device, cl::Context context, cl::CommandQueue queue)
      : info_(device.info),
        context_(context),
        queue_(std::move(queue)),
        compiler_(std::move(context), device,
                  run::KernelCache(device.binaries_serve ? run::KernelCache::default_folder() : "")) {}

  const DeviceInfo& info() const override { return info_; }

  std::unique_ptr<Memory> allocate(std::size_t bytes) override {
    const std::string activity = fmt::format("allocating {} bytes on {}, whose largest allocation is {} bytes", bytes,
                                             info_.name, info_.limits.max_buffer);
    return check_opencl(activity, [&] {
      return std::make_unique<OpenClMemory>(queue_, cl::Buffer(context_, CL_MEM_READ_WRITE, bytes));
    });
  }

  // A buffer made of the caller's memory would still be copied by most drivers, and at times that they choose.
  std::shared_ptr<const Executable> compile(const plan::Stage& stage) override {
    require_precision(stage, info_);
    const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::opencl);
    OpenClTables tables{upload(source.constants), nullptr};
    if (!source.indices.empty()) tables.indices = upload(std::as_bytes(std::span(source.indices)));
    return std::make_shared<OpenClExecutable>(queue_, compiler_.compile(source.text, source.registers),
                                              std::move(tables), source, stage);
  }

  std::shared_ptr<const Executable> compile_two(const plan::Program& program, std::size_t first) override {
    const plan::Stage ends = plan::ends_of(program.stages[first], program.stages[first + 1]);
    require_precision(ends, info_);
    const kernel::KernelSource source = kernel::two_stage_kernel(program, kernel::Dialect::opencl);
    return std::make_shared<OpenClExecutable>(queue_, compiler_.compile(source.text, source.registers),
                                              OpenClTables{upload(source.constants), nullptr}, source, ends);
  }

  std::shared_ptr<const Executable> compile_image(const plan::ImagePass& pass) override {
    const plan::Stage stage = plan::launch_of(pass);
    require_precision(stage, info_);
    const kernel::KernelSource source = kernel::image_kernel(pass, kernel::Dialect::opencl);
    return std::make_shared<OpenClExecutable>(queue_, compiler_.compile(source.text, source.registers),
                                              OpenClTables{upload(source.constants), nullptr}, source, stage);
  }

  void synchronize() override {
    check_opencl("waiting for the device", [&] { queue_.finish(); });
  }

 private:
  // Equal tables are uploaded once: those of both directions and placements often are.
  std::shared_ptr<cl::Buffer> upload(std::span<const std::byte> table) {
    const XXH128_hash_t hash = XXH3_128bits(table.data(), table.size());
    return tables_.get({hash.high64, hash.low64}, [&] {
      return check_opencl("uploading tables of constants", [&] {
        auto* data = const_cast<std::byte*>(table.data());  // OpenCL only reads it
        return std::make_shared<cl::Buffer>(context_, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, table.size(), data);
      });
    });
  }

  DeviceInfo info_;
  cl::Context context_;
  cl::CommandQueue queue_;
  OpenClCompiler compiler_;
  SharedValues<std::pair<std::uint64_t, std::uint64_t>, cl::Buffer> tables_;  // by hash of the contents
};

}  // namespace

void require_precision(const plan::Stage& stage, const DeviceInfo& info) {
  const auto is_double = [](Precision precision) { return precision == Precision::float64; };
  if (info.limits.float64) return;
  if (!is_double(stage.precision) && !is_double(stage.input_storage.precision) &&
      !is_double(stage.output_storage.precision)) {
    return;
  }
  throw Unsupported(
      fmt::format("{} ({}) does not compute in double precision, which float64 needs; use float32, which "
                  "works on it, or the host",
                  device_name(info), info.name));
}

std::shared_ptr<Engine> make_opencl_engine(const OpenClDevice& device) {
  return check_opencl(fmt::format("opening {}", device.info.name), [&] {
    cl::Context context(device.device);
    cl::CommandQueue queue(context, device.device, CL_QUEUE_PROFILING_ENABLE);
    return std::make_shared<OpenClEngine>(device, std::move(context), std::move(queue));
  });
}

}  // namespace twiddle::backend
