// Both stages of long lines in one launch: groups draw tickets, and what passes between the stages stays in the cache
// that all of a device shares. The first stage of a line and the second of an earlier one take turns, so that a line's
// place in scratch memory is written again soon after it was read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// Counters of 32 bits in scratch memory: so many for tickets, then one for each line of what was written, and, of lines
// that take turns in a ring, one of what was read.
inline constexpr std::uint64_t joined_ticket_counters = 32;
inline constexpr std::uint64_t joined_counter_bytes = 4;

// One of two stages: its passes, and how its transforms are divided among groups.
struct JoinedPart {
  std::vector<unsigned> radices;
  std::uint32_t items = 0;
  std::uint32_t transforms = 0;  // of a group
};

// Of lines: columns, then rows.
struct JoinedChoice {
  JoinedPart columns;
  JoinedPart rows;                  // of as many work-items in a group
  std::uint32_t registers = 0;      // as KernelShape's
  std::uint32_t groups_a_unit = 0;  // that each compute unit has room for
  std::uint64_t ring = 0;           // lines
  std::uint64_t lag = 0;            // in parts of a line
};

// The program `apart` with its two stages as one launch, whatever was measured. They are columns and rows of lines by
// way of scratch memory, complex or with the map between reals and their spectrum shared by mirrored transforms
// (nothing else is folded in but the scale); within one memory, each line is written where it was read. Nothing where
// they are not, or no group of the device holds its part.
[[nodiscard]] std::optional<Program> with_joined_lines(const Program& apart, Placement placement,
                                                       const JoinedChoice& choice, const DeviceLimits& limits);

// The same where that was measured to be faster on devices like this one, of enough lines. Else as it was.
[[nodiscard]] Program with_joined_stages(Program program, Placement placement, const DeviceLimits& limits);

// The passes of columns and of rows.
struct JoinedDivision {
  std::vector<unsigned> columns;
  std::vector<unsigned> rows;
};

// How the lines of a transform are divided for that: all of its data in enough plain lines of one length that was
// measured. The limits are those for the precision.
[[nodiscard]] std::optional<JoinedDivision> joined_division(const Transform& transform, const DeviceLimits& limits);

// The shape of a stage in such a launch: its elements are exchanged whole, and moved one at a time.
[[nodiscard]] KernelShape joined_shape(const Stage& stage, const JoinedPart& part, KernelShape::Lanes load,
                                       KernelShape::Lanes store, std::uint32_t registers);

// Whether groups of the device hold both stages, in as many work-items, which meet between the passes of each: there
// the launch waits until what a stage writes over was read.
[[nodiscard]] bool fit_one_launch(const Stage& first, const Stage& second, const DeviceLimits& limits);

// Whether this stage of a program and the one behind it are one launch on devices: joined, or of planes.
[[nodiscard]] bool are_one_launch(const Program& program, std::size_t stage);

// The first stage with the destination of the second: what a launch of both reads and writes beside scratch memory.
[[nodiscard]] Stage ends_of(const Stage& columns, const Stage& rows);

}  // namespace twiddle::plan
