// What a strategy makes of a device in the eyes of planning.
#pragma once

#include "twiddle/device.hpp"

namespace twiddle::plan {

// The limits with what their strategy says of them: groups no larger, local memory left alone where lines go through
// global memory. Throws Unsupported where the device cannot follow the strategy.
[[nodiscard]] DeviceLimits apply_strategy(DeviceLimits limits);

// Whether the strategy says how lines are computed, so that no choice which was measured applies to them.
[[nodiscard]] bool shapes_lines(const Strategy& strategy);

// Whether every pass of a line goes through memory: said, or what the other choices need.
[[nodiscard]] bool goes_through_memory(const Strategy& strategy);

// Whether passes may have such a radix.
[[nodiscard]] bool allows_radix(const Strategy& strategy, unsigned radix);

}  // namespace twiddle::plan
