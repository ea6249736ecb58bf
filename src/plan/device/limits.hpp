// Named sets of device limits, for planning and writing kernels with no such device at hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// Bytes of local memory that a group can have on the cards that shapes were measured on: through NVIDIA's OpenCL, and
// through CUDA on an H200. Plans in double precision see half of them (limits_for).
inline constexpr std::size_t nvidia_opencl_local_memory = 48 * 1024;
inline constexpr std::size_t nvidia_cuda_local_memory = 227 * 1024;

// "host", "nvidia-opencl" (48 KiB of local memory), "nvidia-cuda" (227 KiB, clusters of 8, dependent launches, bulk
// copies), "small" (16 KiB, work-groups of at most 64), "mali" (Mali-T604-like: no real local memory, work-groups of at
// most 256). Throws InvalidArgument, listing the names, for any other.
[[nodiscard]] DeviceLimits named_limits(std::string_view name);
[[nodiscard]] std::vector<std::string> limit_names();

// What a device can do while it simulates another: the other one's limits, or what it itself reports where that is
// less. Throws InvalidArgument where either is a CPU by native code, which has no kernels in common with others.
[[nodiscard]] DeviceLimits simulated_limits(const DeviceInfo& info, std::string_view name);

// The limits as plans for arithmetic in `precision` should see them. Planning counts in float32: twice as large scalars
// find half the registers, local memory, cache and vector lanes.
[[nodiscard]] DeviceLimits limits_for(DeviceLimits limits, Precision precision);

// How many times as large as in single precision a scalar of `limits.arithmetic` is: what limits_for divided by.
[[nodiscard]] std::size_t scalar_share(const DeviceLimits& limits);

// Bytes of the device's second-level cache, of which limits_for left a share.
[[nodiscard]] std::uint64_t second_level_cache(const DeviceLimits& limits);

// Whether these look like a CPU's behind OpenCL, as plans in `limits.arithmetic` see them: it has fewer registers than
// GPUs, and as large groups.
[[nodiscard]] bool is_like_cpu(const DeviceLimits& limits);

}  // namespace twiddle::plan
