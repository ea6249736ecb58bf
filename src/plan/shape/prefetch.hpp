// Lines, and tiles of columns, that are fetched ahead: each group takes one after the other, and while it transforms
// one the next is copied to its local memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/choice/measured_choices.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// How a group transforms lines that are fetched ahead, as the only one of its compute unit.
struct PrefetchChoice {
  std::vector<unsigned> radices;
  std::uint32_t items = 1;      // of a group
  bool split = false;           // real and imaginary parts are exchanged apart
  std::uint32_t root_step = 0;  // as in KernelShape
  bool operator==(const PrefetchChoice&) const = default;
};

// How `lines` lines of so many complex numbers are fetched ahead; nothing where a group for each line is at least as
// fast or was tuned, or where the device or its strategy has no copies beside other work, or less local memory than the
// measured one. The limits are those for the precision.
[[nodiscard]] std::optional<PrefetchChoice> prefetch_choice(std::uint64_t length, LineUse use, std::uint64_t lines,
                                                            const DeviceLimits& limits);

// The same for the lines of an axis of a transform, of `points` complex numbers each: nothing where they are not whole
// neighbours in memory, in the precision of the arithmetic, seen by no hook.
[[nodiscard]] std::optional<PrefetchChoice> prefetch_choice(const Transform& transform, std::size_t axis,
                                                            std::uint64_t points, const DeviceLimits& limits);

// The same for a stage: nothing where its radices are others, or where more happens to what it loads and stores than
// the map from reals to their spectrum behind it.
[[nodiscard]] std::optional<PrefetchChoice> prefetch_choice(const Stage& stage, const DeviceLimits& limits);

// The shape of columns, chosen otherwise already, in which groups fetch tiles of them ahead; as it was where that was
// not measured to be faster for so many, or where a tile's lines are not neighbours in memory.
[[nodiscard]] KernelShape with_fetched_tiles(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits);

// Whether groups fetch tiles of several lines ahead and not single lines.
[[nodiscard]] bool fetches_tiles(const KernelShape& shape);

// Complex numbers that a copy of 16 bytes takes.
[[nodiscard]] std::uint32_t copied_elements(Precision precision);

// Whether such copies take tiles of so many lines to local memory.
[[nodiscard]] bool are_whole_tiles(const Stage& stage, std::uint32_t transforms);

// Complex numbers of local memory that a line takes which may begin anywhere: copies go from multiples of 16 bytes to
// such.
[[nodiscard]] std::uint64_t prefetched_elements(std::uint64_t length, Precision precision);

}  // namespace twiddle::plan
