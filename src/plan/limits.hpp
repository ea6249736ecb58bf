// Named sets of device limits, for planning and writing kernels with no such device at hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twiddle/device.hpp"

namespace twiddle::plan {

// "host", "nvidia-opencl" (48 KiB of local memory), "nvidia-cuda" (227 KiB), "small" (16 KiB, work-groups of at most
// 64), "mali" (Mali-T604-like: no real local memory, work-groups of at most 256).
// Throws InvalidArgument, listing the names, for any other.
[[nodiscard]] DeviceLimits named_limits(std::string_view name);
[[nodiscard]] std::vector<std::string> limit_names();

}  // namespace twiddle::plan
