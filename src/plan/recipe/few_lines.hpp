// Rows so few that compute units stay idle, and how work-items share them.
#pragma once

#include <cstdint>

#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether so few lines, each in a work-group of its own, take longer than all of the device with passes through memory.
[[nodiscard]] inline bool leaves_units_idle(std::uint64_t lines, const DeviceLimits& limits) {
  return lines * 3 < limits.compute_units;
}

// The limits by which `lines` rows in one stage of so many points (those of a convolution, where it is `convolved`) get
// their passes and work-items. Where the rows leave units idle, on GPUs like the measured one, a work-item holds few
// elements: more of them share a row, which takes no longer, and the kernel has a butterfly or two for each pass, which
// are compiled in a half to a third of the time (docs/cuda-shapes.md). What was tuned goes before that. Other rows have
// the limits as they are.
[[nodiscard]] DeviceLimits limits_of_rows(std::uint64_t lines, std::uint64_t points, bool convolved,
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

}  // namespace twiddle::plan
