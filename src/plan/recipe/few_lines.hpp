// Rows so few that compute units stay idle, and how work-items share them.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/choice/measured_choices.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether so few lines, each in a work-group of its own, take longer than all of the device with passes through memory.
[[nodiscard]] inline bool leaves_units_idle(std::uint64_t lines, const DeviceLimits& limits) {
  return lines * 3 < limits.compute_units;
}

// The limits by which `lines` rows in one stage of so many points (those of a convolution, where it is `convolved`) get
// their passes and work-items. Where the rows leave units idle, on GPUs like the measured one, a work-item holds few
// elements: more of them share a row, which takes no longer, and the kernel has a butterfly or two for each pass, which
// are compiled in a half to a third of the time (docs/cuda-primes.md). What was tuned goes before that. Other rows have
// the limits as they are.
[[nodiscard]] DeviceLimits limits_of_rows(std::uint64_t lines, std::uint64_t points, bool convolved,
                                          const DeviceLimits& limits);

// What rows carry out beside their transform in the same stage.
enum class RowMaps {
  none,
  light,  // half of a spectrum, or reals in another order on one side
  heavy   // both sides are multiplied, those of dct4 and dst4
};

// The passes and work-items of so few rows by how much each work-item has to do, one after the other: its butterflies
// of every pass, what passes cost beside these, and work-items beyond those that a compute unit carries out at once.
// For lengths that were timed, on GPUs like the measured one, where nothing was tuned for rows of this use; else
// nothing. Rows without maps have it in double precision alone, where no shape was measured for many.
[[nodiscard]] std::optional<MeasuredChoice> few_rows_choice(std::uint64_t points, RowMaps maps, std::uint64_t lines,
                                                            const DeviceLimits& limits);

// Whether rows of `points` points, which a butterfly of one work-item transforms, are so few that several items
// convolve them faster, on GPUs like the measured one; there NVRTC is done with the kernel in a half to a third of the
// time.
[[nodiscard]] bool convolves_few_rows(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits);

// Whether so many rows, convolved in so many points, are to go back by the passes that they went there by
// (shape/way_back.hpp), so that their kernel is compiled in less time and takes no longer, on GPUs like the measured
// one: few rows by a rule, many of some points. Their passes have one radix at both ends for that, where they have it
// twice.
[[nodiscard]] bool go_back_alike(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits);

// How many registers a work-item may have in a group of so many that stands alone, on any GPU of NVIDIA's: each
// scheduler has a quarter of group_registers, and gives as many to all of its sub-groups, by eights.
[[nodiscard]] std::uint64_t registers_of_item(std::uint64_t items, std::uint64_t sub_group);

}  // namespace twiddle::plan
