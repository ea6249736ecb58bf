// Measures what a device is like, so that it can be compared with others.
#pragma once

#include "plan/device/device_profile.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tuning {

// Times short transforms and transfers of a few sizes, in less than a second once the kernel that does them is
// compiled. Where compiling takes long, what would need further kernels is left at 1 (columns, double precision).
// Throws DeviceError where the device fails.
[[nodiscard]] plan::DeviceProfile measure_profile(const Device& device);

}  // namespace twiddle::tuning
