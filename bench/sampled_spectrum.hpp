// Checks a large transform by a few of its outputs, summed from the definition in double precision.
#pragma once

#include <complex>
#include <span>

#include "twiddle/transform.hpp"

namespace twiddle::bench {

// Relative L2 error of an unscaled forward transform of all axes, over some outputs of the first, a middle and the last
// array of the batch. `input` and `output` hold the arrays of the whole batch.
[[nodiscard]] double sampled_error(const Transform& transform, std::span<const std::complex<float>> input,
                                   std::span<const std::complex<float>> output);

}  // namespace twiddle::bench
