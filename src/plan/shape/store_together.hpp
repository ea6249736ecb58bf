// Lines whose results a group stores as one run of memory: where few items share a short line, each by itself would
// store pieces that fill no whole segments.
#pragma once

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether a kernel can do so: plain rows that are neighbours in memory, shared by items that exchange whole numbers.
[[nodiscard]] bool may_store_together(const Stage& stage, const KernelShape& shape);

// Whether that was measured to be faster for a stage in such a shape, on devices like this one.
[[nodiscard]] bool prefers_stores_together(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits);

}  // namespace twiddle::plan
