// Lays a stage out on a device with work-groups: who holds what, and how it is exchanged.
#pragma once

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Elements along the side of a block of a transposition.
inline constexpr std::uint32_t usual_block = 16;

// The kernel shape for a stage whose length, radices, strides and loops are final. Throws Unsupported where no
// work-group of the device can hold one transform. For owned devices the shape stays the default, but for the columns
// that a tuned choice takes together (transforms_per_group).
[[nodiscard]] KernelShape choose_shape(const Stage& stage, const DeviceLimits& limits);

// The program with that shape for each of its stages.
[[nodiscard]] Program shaped(Program program, const DeviceLimits& limits);

// Whether the elements of a line are nearer to each other than the lines are, in and out.
[[nodiscard]] bool are_rows(const Stage& stage);

// Whether neighbouring transforms form one run of memory in element order, in and out, and nothing is folded into loads
// and stores.
[[nodiscard]] bool is_one_run(const Stage& stage);

// Whether the stage's lines are more than the second-level cache holds of the device that was measured.
[[nodiscard]] bool is_beyond_cache(const Stage& stage);

// Whether the device carries out the stage's store_map behind its transform. Where it does not, the map must be a stage
// of its own.
[[nodiscard]] bool holds_store_map(const Stage& stage, const DeviceLimits& limits);

// Whether groups can take enough transforms of the stage's length for a shared map behind them (Stage::shared_map).
[[nodiscard]] bool holds_shared_map(const Stage& stage, const DeviceLimits& limits);

}  // namespace twiddle::plan
