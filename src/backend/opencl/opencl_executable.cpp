// Memory transfers and kernel launches.
#include "backend/opencl/opencl_executable.hpp"

#include <fmt/format.h>

#include "backend/opencl/opencl_error.hpp"

namespace twiddle::backend {
namespace {

const cl::Buffer& select(const Operands& operands, plan::Operand which) {
  return static_cast<OpenClMemory*>(operands.memory(which))->buffer();
}

// A null buffer where the user gave none: the kernel sees a null pointer.
cl::Buffer user_memory(const Memory* memory) {
  return memory == nullptr ? cl::Buffer() : static_cast<const OpenClMemory*>(memory)->buffer();
}

}  // namespace

void OpenClMemory::write(const void* source, std::size_t bytes) {
  check_opencl("copying to the device", [&] { queue_.enqueueWriteBuffer(buffer_, CL_TRUE, 0, bytes, source); });
}

void OpenClMemory::read(void* destination, std::size_t bytes) {
  check_opencl("copying from the device", [&] { queue_.enqueueReadBuffer(buffer_, CL_TRUE, 0, bytes, destination); });
}

OpenClExecutable::OpenClExecutable(cl::CommandQueue queue, std::shared_ptr<cl::Program> program, OpenClTables tables,
                                   const kernel::KernelSource& source, const plan::Stage& stage)
    : queue_(std::move(queue)),
      program_(std::move(program)),
      tables_(std::move(tables)),
      source_(stage.source),
      destination_(stage.destination),
      wide_index_(source.wide_index),
      launches_(source.launches),
      launched_(source.transforms / source.launches),
      activity_(fmt::format("running stage '{}'", plan::to_string(stage))),
      group_size_(source.group_size),
      items_(source.groups * source.group_size) {
  check_opencl(fmt::format("preparing stage '{}'", plan::to_string(stage)), [&] {
    kernel_ = cl::Kernel(*program_, source.entry.c_str());
    // CL_KERNEL_WORK_GROUP_SIZE is not asked: NVIDIA's driver answers 256 for kernels that it runs with 512 items. A
    // group that is truly too large fails when it is enqueued.
    kernel_.setArg(2, *tables_.constants);
    cl_uint next = source.launches > 1 ? 5 : 4;
    if (tables_.indices) kernel_.setArg(next++, *tables_.indices);
    if (stage.load_hook) load_user_ = next++;
    if (plan::stores_with_user(stage)) store_user_ = next++;
    if (source.reads_spectra) spectra_ = next++;
    if (source.parts_apart) apart_ = next++;
    set_index(3, source.transforms);
  });
}

void OpenClExecutable::set_index(cl_uint parameter, std::uint64_t value) const {
  if (wide_index_) {
    kernel_.setArg(parameter, static_cast<cl_ulong>(value));
  } else {
    kernel_.setArg(parameter, static_cast<cl_uint>(value));
  }
}

void OpenClExecutable::run(const Operands& operands, double* milliseconds) const {
  cl::Event first;
  cl::Event event;
  check_opencl(activity_, [&] {
    {
      const std::lock_guard lock(mutex_);
      kernel_.setArg(0, select(operands, source_));
      kernel_.setArg(1, select(operands, destination_));
      if (load_user_) kernel_.setArg(*load_user_, user_memory(operands.load_user));
      if (store_user_) kernel_.setArg(*store_user_, user_memory(operands.store_user));
      if (spectra_) kernel_.setArg(*spectra_, select(operands, plan::Operand::spectra));
      if (apart_) kernel_.setArg(*apart_, select(operands, plan::Operand::scratch));
      const auto [begin, end] = operands.launches_of(launches_);
      for (std::uint64_t launch = begin; launch < end; ++launch) {
        if (launches_ > 1) {
          set_index(3, (launch + 1) * launched_);
          set_index(4, launch * launched_);
        }
        queue_.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(items_), cl::NDRange(group_size_), nullptr,
                                    milliseconds != nullptr ? &event : nullptr);
        if (launch == begin) first = event;
      }
    }
    if (milliseconds == nullptr) return;
    event.wait();
    const auto nanoseconds =
        event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - first.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    *milliseconds = static_cast<double>(nanoseconds) * 1e-6;
  });
}

}  // namespace twiddle::backend
