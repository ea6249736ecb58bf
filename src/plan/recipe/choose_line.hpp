// The algorithm for the transforms along one axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "plan/choice/measured_choices.hpp"
#include "plan/lower/axis_rule.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// For so many lines of any length, whose use is one of a whole line's: rows, mapped_rows or
// columns. The limits are those for the precision (limits_for). `extents` may be those of either direction.
[[nodiscard]] LineRecipe choose_line(std::size_t length, LineUse use, std::uint64_t lines, const DeviceLimits& limits,
                                     const LineExtents& extents);

// The same in two stages: on the host where one holds it as well; on devices also where it takes several, by groups
// that read and write less than a segment of memory of each row side by side. Nothing where there are no such parts.
[[nodiscard]] std::optional<LineRecipe> choose_two_stages(std::size_t length, LineUse use, std::uint64_t lines,
                                                          const DeviceLimits& limits);

// Whether the host convolves the line in one stage by Bluestein's algorithm, in more memory than a core's cache holds.
[[nodiscard]] bool exceeds_cache(const LineRecipe& line, const DeviceLimits& limits);

// Whether the last part of the line that Bluestein's algorithm through memory pads one of this use to finds its
// elements side by side, and leaves them there.
[[nodiscard]] bool keeps_middle_in_rows(LineUse use, const DeviceLimits& limits);

}  // namespace twiddle::plan
