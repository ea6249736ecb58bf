// Kernels whose results do not go through a unit's own cache, where their tables stay.
#pragma once

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// KernelShape::past_cache of a stage in such a shape, as was measured to be faster on devices like this one.
[[nodiscard]] bool stores_past_cache(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits);

}  // namespace twiddle::plan
