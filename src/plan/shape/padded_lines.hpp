// Lines by Bluestein's algorithm through memory, whose columns carry a chirp besides their twiddle, and whose rows go
// there and back: what is fastest for plain columns and rows of their lengths is not for them.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/lower/stage.hpp"
#include "plan/shape/joined.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Of padded lines: columns, rows there and back, and columns again.
struct PaddedChoice {
  JoinedPart columns;
  JoinedPart rows;
  std::uint32_t registers = 0;  // as KernelShape's, of both
  std::uint32_t root_step = 0;  // likewise; 0: as for other stages
};

// How `lines` neighbouring lines of so many padded points are divided, as measured on devices like this one; nothing
// where that was not, where one of the parts was tuned, or where there are too few lines to fill the device several
// times with whole tiles. The limits are those for the precision.
[[nodiscard]] std::optional<PaddedChoice> padded_choice(std::uint64_t points, std::uint64_t lines,
                                                        const DeviceLimits& limits);

// How a group takes a stage of such lines.
struct PaddedPart {
  JoinedPart part;
  std::uint32_t registers = 0;
  std::uint32_t root_step = 0;
};

// Nothing where the stage is no part of such a line, has other passes, or too few transforms to fill the device.
[[nodiscard]] std::optional<PaddedPart> padded_part(const Stage& stage, const DeviceLimits& limits);

}  // namespace twiddle::plan
