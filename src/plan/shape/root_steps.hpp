// Kernels that read some of the roots of unity that they multiply by, and make the others of these: between the passes
// of a stage, and between the two stages of a line.
#pragma once

#include <cstdint>

#include "plan/choice/measured_choices.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// KernelShape::root_step of a stage whose lines are used like that, as was measured to be faster on devices like this
// one; 0 where it was not. The limits are those for the precision (limits_for).
[[nodiscard]] std::uint32_t measured_root_step(const Stage& stage, const KernelShape& shape, LineUse use,
                                               const DeviceLimits& limits);

// Whether the twiddle of such columns was measured to be read faster by column (KernelShape::column_roots).
[[nodiscard]] bool prefers_column_roots(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits);

}  // namespace twiddle::plan
