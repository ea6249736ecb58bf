// Which two stages are transforms along both dimensions of the same planes: of images, or of two dimensions of volumes.
#pragma once

#include "plan/lower/stage.hpp"

namespace twiddle::plan {

// Puts the loop over the lines of a plane first in both stages, and the same loops over the planes behind it. False
// where they are no such stages, or where more happens to elements than the scale and the maps between reals and their
// spectrum; the stages may have changed then.
[[nodiscard]] bool divide_planes(Stage& first, Stage& second);

// Of stages so divided: whether each plane is written where it was read and nowhere else, so that within one memory
// nobody writes what others are still to read.
[[nodiscard]] bool stay_in_place(const Stage& first, const Stage& second);

}  // namespace twiddle::plan
