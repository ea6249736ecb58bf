// How long a plan takes on a device, from how much there is to do and what was measured of the device.
#pragma once

#include <cstddef>

#include "plan/device/device_profile.hpp"
#include "plan/device/work.hpp"

namespace twiddle::plan {

// Estimated seconds of one execution on memory of the device. Beyond its launch a stage takes as long as moving its
// bytes does, or, where that is longer, as its operations do at the rate of the fastest size measured, of those of one
// unit where it is divided among few, or as the lines that one of the `units` (cores, compute units) has to work on,
// each by itself. (The larger of the first two as in S. Williams, A. Waterman, D. Patterson, Roofline: an insightful
// visual performance model for multicore architectures, 2009.) On the host, whose cores wait for what others have, what
// measured rows took beside their operations comes on top of a stage's operations or lines.
[[nodiscard]] double execution_seconds(const Work& work, const DeviceProfile& profile, std::size_t units);

}  // namespace twiddle::plan
