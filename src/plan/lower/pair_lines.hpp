// Two lines of reals for the price of one complex transform.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether there are two lines of reals or more along an axis, of an odd length and with all of their frequencies
// wanted, so that those that are computed in many stages, or by convolution, are taken two at a time. On the host all
// of their reals exist, too: else Bluestein's algorithm needs far fewer points for one line.
[[nodiscard]] bool pairs_real_lines(const Transform& transform, std::size_t axis, const DeviceLimits& limits);

// Stages that together compute what a stage with reals on one side or both does: two lines are taken as the real and
// the imaginary parts of one line (as for two real transforms in W. H. Press et al., Numerical Recipes, section 12.3).
// Real-to-real transforms and their maps keep them apart because they are linear with real results; the spectra of
// lines of odd length are told apart by symmetry, where the device holds whole lines in local memory, and on the host
// where they are transformed by convolution. A line that is left over makes a stage of its own, unless all are so few
// that none is paired then; on devices with work-groups the spectrum of one by convolution is the mean of its halves.
// Any other stage is returned as it is. Both lines are of one launch. For stages that are bound to memory but have no
// kernel shape yet; `limits` are those for the stage's precision.
[[nodiscard]] std::vector<Stage> pair_lines(Stage stage, const DeviceLimits& limits);

}  // namespace twiddle::plan
