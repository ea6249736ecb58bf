// Transforms along both dimensions of planes in one launch: a group holds a plane in local memory between the two.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Of one stage: its passes, and how many work-items share a line.
struct PlanePart {
  std::vector<unsigned> radices;
  std::uint32_t items = 0;
};

struct PlaneChoice {
  PlanePart first;
  PlanePart second;
  std::uint32_t registers = 0;  // as KernelShape's
  bool split = false;           // real and imaginary parts are exchanged one after the other in the first stage
};

// The program with its stages `first` and `first` + 1 as one launch, whatever was measured. Both are transforms along
// one dimension each of the same planes, which nothing is folded into but the scale and the maps between reals and
// their spectrum; nothing where they are not, where what is read in place is written elsewhere, or no group of the
// device holds a plane so.
[[nodiscard]] std::optional<Program> with_planes(Program program, Placement placement, std::size_t first,
                                                 const PlaneChoice& choice, const DeviceLimits& limits);

// The same of the stages of images, or the first two of volumes, where that was measured to be faster on devices like
// this one. Else as it was.
[[nodiscard]] Program with_measured_planes(Program program, Placement placement, const DeviceLimits& limits);

// Gives a stage other passes of the same product, and its step their names.
void take_passes(Stage& stage, std::vector<unsigned> radices);

// A stage of planes as it is of one plane, which begins at the distance that its loops but the first say: its only loop
// is that over the lines of the plane. Of the two stages, the first writes local memory and the second reads it.
struct PlaneStages {
  Stage first;
  Stage second;
  std::vector<Loop> outer;  // over the planes: strides of what is read, then of what is written
};
[[nodiscard]] PlaneStages plane_stages(const Program& program);

}  // namespace twiddle::plan
