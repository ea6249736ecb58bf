// Stages by hand, for tests of whatever carries stages out.
#pragma once

#include <string>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::test {

struct NamedStage {
  std::string name;
  plan::Stage stage;
};

// The stage, writing where it reads.
[[nodiscard]] inline plan::Stage in_place(plan::Stage stage) {
  stage.destination = stage.source;
  return stage;
}

// One for each thing that a stage can say, as far as a device of these limits holds them, with the planner's radices
// and shapes for it.
[[nodiscard]] std::vector<NamedStage> stages_of_every_kind(const DeviceLimits& limits);

// Convolutions on chip with everything that may stand around them, in shapes by hand that the device holds.
[[nodiscard]] std::vector<NamedStage> convolution_stages(const DeviceLimits& limits);

// Lines whose results a group stores as one run (KernelShape::stores_together).
[[nodiscard]] std::vector<NamedStage> group_store_stages(const DeviceLimits& limits);

// The stages of even and odd lines, whatever the device.
[[nodiscard]] std::vector<NamedStage> symmetric_line_stages();

// Lines of an odd number of reals, which are taken two at a time.
[[nodiscard]] std::vector<NamedStage> lone_real_stages(const DeviceLimits& limits);

// Maps of half of the points of real lines: with mirror images, and of lines so long that kernels compute coefficients.
[[nodiscard]] std::vector<NamedStage> half_map_stages(const DeviceLimits& limits);

// The stages of even and odd lines in places of their reals, without radices.
[[nodiscard]] std::vector<NamedStage> symmetric_place_stages();

// Odd numbers of reals whose frequencies take their places, with what multiplies and moves these, and such lines.
[[nodiscard]] std::vector<NamedStage> odd_real_stages(const DeviceLimits& limits);

// Both behind those of every kind.
[[nodiscard]] std::vector<NamedStage> with_real_stages(const DeviceLimits& limits);

}  // namespace twiddle::test
