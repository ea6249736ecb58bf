// What an OpenCL driver takes for each step of sending a picture through a kernel.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/convolution/image_pass.hpp"

namespace twiddle::backend {

// Microseconds of each step, in order of execution, by the host's clock unless the device's events tell more:
// "map for writing", "copy in", "unmap", "arguments", "enqueue", "dispatch" (from enqueued to started, by events),
// "kernel" (by events), "map for reading", "copy out", "unmap result".
using StepCosts = std::vector<std::pair<std::string_view, double>>;

// One way there and back of a picture, `rounds` times. `result` gets the last one's samples. Throws DeviceError where
// the driver fails.
[[nodiscard]] std::vector<StepCosts> opencl_step_costs(std::size_t device_index, const plan::ImagePass& pass,
                                                       const std::vector<std::byte>& image,
                                                       std::vector<std::byte>& result, std::size_t rounds);

}  // namespace twiddle::backend
