// Copies timed by events.
#include "opencl_copy.hpp"

#include <algorithm>
#include <vector>

#include "backend/opencl/opencl_devices.hpp"
#include "backend/opencl/opencl_error.hpp"

namespace twiddle::bench {

double copy_gigabytes_per_second(std::size_t device_index, std::size_t bytes, std::size_t rounds) {
  const backend::OpenClDevice found = backend::find_opencl_devices().devices.at(device_index);
  return backend::check_opencl("measuring the copy rate", [&] {
    const cl::Context context(found.device);
    const cl::CommandQueue queue(context, found.device, CL_QUEUE_PROFILING_ENABLE);
    const cl::Buffer source(context, CL_MEM_READ_WRITE, bytes);
    const cl::Buffer destination(context, CL_MEM_READ_WRITE, bytes);
    std::vector<double> seconds;
    for (std::size_t round = 0; round < rounds + 2; ++round) {
      cl::Event event;
      queue.enqueueCopyBuffer(source, destination, 0, 0, bytes, nullptr, &event);
      event.wait();
      const auto nanoseconds =
          event.getProfilingInfo<CL_PROFILING_COMMAND_END>() - event.getProfilingInfo<CL_PROFILING_COMMAND_START>();
      if (round >= 2) seconds.push_back(static_cast<double>(nanoseconds) * 1e-9);  // the first ones touch new memory
    }
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(rounds / 2), seconds.end());
    return 2e-9 * static_cast<double>(bytes) / seconds[rounds / 2];
  });
}

}  // namespace twiddle::bench
