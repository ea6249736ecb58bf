// For which devices and stages it holds what was measured of two stages in one launch (joined.hpp, joined_images.hpp,
// planes.hpp).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "plan/lower/stage.hpp"
#include "plan/recipe/radices.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether the device is like the H200 that was measured, through CUDA, and no other strategy is asked for.
[[nodiscard]] bool is_like_measured(const DeviceLimits& limits);

// The same, through CUDA or OpenCL. What was measured through CUDA and asks for nothing that OpenCL lacks serves there
// as well, where it fits 48 KiB of local memory, but for what tables say of it (docs/opencl-speed.md).
[[nodiscard]] bool is_like_measured_card(const DeviceLimits& limits);

// Through OpenCL alone.
[[nodiscard]] bool is_like_measured_through_opencl(const DeviceLimits& limits);

// Through OpenCL, or through CUDA with however many compute units, for what does not depend on these.
[[nodiscard]] bool is_recent_gpu(const DeviceLimits& limits);

// Whether lines of this stage were tuned on the device itself, which goes before what was measured elsewhere.
[[nodiscard]] bool is_tuned(const Stage& stage, const DeviceLimits& limits);

// What both stages of images do to reals: spectra of them in the first one, reals of these in the second.
enum class Reals { none, there, back };
[[nodiscard]] Reals reals_of(const Stage& first, const Stage& second);

// What `take` makes of the program by the first row of a table of measured choices (each with a part for either stage,
// a precision and reals) that is of the program's first two stages and that it makes something of; else the program as
// it was, as on devices unlike the measured one.
template <class Row, class Take>
[[nodiscard]] Program with_measured(Program program, const std::vector<Row>& table, const DeviceLimits& limits,
                                    const Take& take) {
  if (!is_like_measured_card(limits) || (program.stages.size() != 2 && program.stages.size() != 3)) return program;
  const Stage& first = program.stages[0];
  const Stage& second = program.stages[1];
  if (is_tuned(first, limits) || is_tuned(second, limits)) return program;
  const Reals reals = reals_of(first, second);
  for (const Row& row : table) {
    if (product(row.choice.first.radices) != first.length || product(row.choice.second.radices) != second.length ||
        row.precision != first.precision || row.reals != reals) {
      continue;
    }
    if (std::optional<Program> taken = take(program, row)) return std::move(*taken);
  }
  return program;
}

}  // namespace twiddle::plan
