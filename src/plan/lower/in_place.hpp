// Whether stages may work within one memory.
#pragma once

#include <cstddef>

#include "plan/lower/stage.hpp"
#include "plan/lower/view.hpp"

namespace twiddle::plan {

// True where the transforms of a stage whose source and destination are the same memory do not disturb each other. The
// views say which elements there are.
[[nodiscard]] bool works_in_place(const Stage& stage, const View& read, const View& written);

// True where what is read of each index along a dimension, and written of it, are bytes of its own in the same memory.
[[nodiscard]] bool keeps_to_slices(const View& read, const View& written, std::size_t dimension);

}  // namespace twiddle::plan
