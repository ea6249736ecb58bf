// How many registers work-items may use on NVIDIA's GPUs through OpenCL where no measured choice says it.
#pragma once

#include <cstdint>

#include "plan/choice/measured_choices.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Of a stage laid out so; 0: any. Where nothing limits them, the kernel says the size of its groups, with which that
// compiler makes kernels of up to 1.6 times the time of those it makes without (docs/opencl-speed.md).
[[nodiscard]] std::uint32_t register_limit(const Stage& stage, const KernelShape& shape, LineUse use,
                                           const DeviceLimits& limits);

}  // namespace twiddle::plan
