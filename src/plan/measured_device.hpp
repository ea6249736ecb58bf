// For which devices and stages it holds what was measured of two stages in one launch (joined.hpp, joined_images.hpp,
// planes.hpp).
#pragma once

#include "plan/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether the device is like the H200 that was measured, through CUDA, and no other strategy is asked for.
[[nodiscard]] bool is_like_measured(const DeviceLimits& limits);

// Whether lines of this stage were tuned on the device itself, which goes before what was measured elsewhere.
[[nodiscard]] bool is_tuned(const Stage& stage, const DeviceLimits& limits);

// What both stages of images do to reals: spectra of them in the first one, reals of these in the second.
enum class Reals { none, there, back };
[[nodiscard]] Reals reals_of(const Stage& first, const Stage& second);

}  // namespace twiddle::plan
