// The algorithm for the transforms along one axis.
#pragma once

#include <cstddef>

#include "plan/recipe.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// For lines of any length. `strided`: a line's elements are not next to each other on one side at least, so that a
// work-group must take a tile of neighbouring lines. The limits are those for the precision (limits_for).
[[nodiscard]] LineRecipe choose_line(std::size_t length, bool strided, const DeviceLimits& limits);

}  // namespace twiddle::plan
