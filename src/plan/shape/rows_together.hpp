// How many rows of one butterfly a group takes that come from memory.
#pragma once

#include <cstdint>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Of rows that single work-items transform by way of local memory: fewer in a group than otherwise, so that more groups
// are on their way. 0: as many as the rules say, where a cache holds the data, or nothing like it was measured.
[[nodiscard]] std::uint32_t rows_together(const Stage& stage, const DeviceLimits& limits);

}  // namespace twiddle::plan
