// Lays a stage out on a device with work-groups: who holds what, and how it is exchanged.
#pragma once

#include "plan/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// The kernel shape for a stage whose length, radices, strides and loops are final. Throws Unsupported where no
// work-group of the device can hold one transform. For owned devices the shape stays the default.
[[nodiscard]] KernelShape choose_shape(const Stage& stage, const DeviceLimits& limits);

}  // namespace twiddle::plan
