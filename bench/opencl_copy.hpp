// What the memory of an OpenCL device can do: the driver's own copy between two buffers.
#pragma once

#include <cstddef>

namespace twiddle::bench {

// Bytes read plus bytes written per second, in 1e9, of copies of `bytes` bytes: the median of `rounds` by event times.
[[nodiscard]] double copy_gigabytes_per_second(std::size_t device_index, std::size_t bytes, std::size_t rounds);

}  // namespace twiddle::bench
