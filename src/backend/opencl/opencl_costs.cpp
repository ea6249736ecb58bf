// Each step of an OpenCL execution by itself, waited for and timed.
#include "backend/opencl/opencl_costs.hpp"

#include <chrono>
#include <cstring>

#include "backend/opencl/opencl_api.hpp"
#include "backend/opencl/opencl_devices.hpp"
#include "backend/opencl/opencl_error.hpp"
#include "kernel/image_kernel.hpp"

namespace twiddle::backend {
namespace {

class Steps {
 public:
  // Ends the step that began at the end of the one before.
  void end(std::string_view name) {
    const auto now = Clock::now();
    costs_.emplace_back(name, std::chrono::duration<double, std::micro>(now - start_).count());
    start_ = Clock::now();
  }
  void add(std::string_view name, double microseconds) {
    costs_.emplace_back(name, microseconds);
    start_ = Clock::now();
  }
  [[nodiscard]] const StepCosts& costs() const { return costs_; }

 private:
  using Clock = std::chrono::steady_clock;
  StepCosts costs_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

std::vector<StepCosts> opencl_step_costs(std::size_t device_index, const plan::ImagePass& pass,
                                         const std::vector<std::byte>& image, std::vector<std::byte>& result,
                                         std::size_t rounds) {
  const OpenClDevice found = find_opencl_devices().devices.at(device_index);
  const kernel::KernelSource source = kernel::image_kernel(pass, kernel::Dialect::opencl);
  return check_opencl("measuring what the driver takes", [&] {
    const std::size_t bytes = image.size();
    result.resize(bytes);
    const cl::Context context(found.device);
    const cl::CommandQueue queue(context, found.device, CL_QUEUE_PROFILING_ENABLE);
    const cl::Buffer input(context, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, bytes);
    const cl::Buffer output(context, CL_MEM_WRITE_ONLY | CL_MEM_ALLOC_HOST_PTR, bytes);
    auto* table = const_cast<std::byte*>(source.constants.data());  // OpenCL only reads it
    const cl::Buffer constants(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, source.constants.size(), table);
    cl::Program program(context, source.text);
    program.build(found.device);
    cl::Kernel kernel(program, source.entry.c_str());
    std::vector<StepCosts> rounds_of_costs;
    for (std::size_t round = 0; round < rounds; ++round) {
      Steps steps;
      void* place = queue.enqueueMapBuffer(input, CL_TRUE, CL_MAP_WRITE, 0, bytes);
      steps.end("map for writing");
      std::memcpy(place, image.data(), bytes);
      steps.end("copy in");
      queue.enqueueUnmapMemObject(input, place);
      queue.finish();
      steps.end("unmap");
      kernel.setArg(0, input);
      kernel.setArg(1, output);
      kernel.setArg(2, constants);
      if (source.wide_index) {
        kernel.setArg(3, static_cast<cl_ulong>(source.transforms));
      } else {
        kernel.setArg(3, static_cast<cl_uint>(source.transforms));
      }
      steps.end("arguments");
      cl::Event event;
      queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(source.groups * source.group_size),
                                 cl::NDRange(source.group_size), nullptr, &event);
      steps.end("enqueue");
      event.wait();
      const auto time = [&](auto tag) { return static_cast<double>(tag) * 1e-3; };
      const auto queued = event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>();
      const auto started = event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
      const auto ended = event.getProfilingInfo<CL_PROFILING_COMMAND_END>();
      steps.add("dispatch", time(started - queued));
      steps.add("kernel", time(ended - started));
      void* there = queue.enqueueMapBuffer(output, CL_TRUE, CL_MAP_READ, 0, bytes);
      steps.end("map for reading");
      std::memcpy(result.data(), there, bytes);
      steps.end("copy out");
      queue.enqueueUnmapMemObject(output, there);
      queue.finish();
      steps.end("unmap result");
      rounds_of_costs.push_back(steps.costs());
    }
    return rounds_of_costs;
  });
}

}  // namespace twiddle::backend
