// Kernels that read some of the roots of unity that they multiply by, and make the others of these.
#pragma once

#include <cstdint>

#include "plan/measured_choices.hpp"
#include "plan/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// KernelShape::root_step of a stage whose lines are used like that, as was measured to be faster on devices like this
// one; 0 where it was not. The limits are those for the precision (limits_for).
[[nodiscard]] std::uint32_t measured_root_step(const Stage& stage, const KernelShape& shape, LineUse use,
                                               const DeviceLimits& limits);

}  // namespace twiddle::plan
