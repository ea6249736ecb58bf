// From the real and complex numbers of a computation back to the levels of a picture.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "image.hpp"

namespace twiddle::tool {

// Which real number of each complex result becomes a level.
enum class Part { magnitude, real };

// The channels of `image`, one after the other, as complex numbers with the levels as real parts.
[[nodiscard]] std::vector<std::complex<float>> to_complex(const Image& image);

[[nodiscard]] std::vector<float> take_part(std::span<const std::complex<float>> values, Part part);

// Replaces the channels of `image` by `values` (as many as the channels have samples), rounded and clamped to the range
// of the picture's depth. With `normalize`, first scaled so that 0..max fills the range, max being the largest value of
// all channels together: colours stay in proportion. A max of at most `noise` counts as 0: nothing but rounding errors.
void set_levels(Image& image, std::span<const float> values, bool normalize, float noise);

}  // namespace twiddle::tool
