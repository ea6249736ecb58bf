// How the work-items of a group pass elements to each other: whole or parts of numbers, in one round or two, with which
// padding of local memory.
#pragma once

#include <cstdint>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// One unused slot after so many, so that the first exchange, which writes with a stride of the first radix, spreads
// over all banks.
[[nodiscard]] std::uint32_t preferred_padding(const Stage& stage, const KernelShape& shape);

// Complex numbers of a line that local memory must hold in such a shape, in which it may be found as it is stored:
// Rader's algorithm leaves one element out of its points, and sums are added up in whole fours.
[[nodiscard]] std::uint64_t local_points(const Stage& stage, const KernelShape& shape);

// Local memory that a group exchanges through, in bytes where a scalar has four, as limits for a precision count it.
[[nodiscard]] std::uint64_t exchange_size(const Stage& stage, const KernelShape& shape);

// Whether the strategy leaves such an exchange open.
[[nodiscard]] bool may_exchange(KernelShape::Exchange exchange, const DeviceLimits& limits);

// Whether a group must hold transforms together with those that mirror them, and so an even number.
[[nodiscard]] bool keeps_pairs(const Stage& stage);

// The roomiest exchange that fits, for the items and transforms of `shape`, of which fewer are taken where a map needs
// whole lines. Splitting costs two more barriers but halves the room, so whole elements are moved only where many
// groups still fit side by side. Throws Unsupported where none fits.
void choose_exchange(const Stage& stage, const DeviceLimits& limits, KernelShape& shape);

// Elements of lines that are read along them, exchanged, and written across them: blocks of a transposition. Throws
// Unsupported where local memory does not hold one.
void choose_block(const Stage& stage, const DeviceLimits& limits, KernelShape& shape);

}  // namespace twiddle::plan
