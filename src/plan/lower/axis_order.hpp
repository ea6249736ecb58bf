// In which order the axes of a transform are carried out.
#pragma once

#include <vector>

#include "plan/lower/view.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// The recipe's axes in order of execution. The real axis of r2c comes first on the way to frequencies and last on the
// way back. Of all others those go first along which pruning leaves the least of what is there, and those last that
// make the most of it: what is between two of them is then no more than the larger of both sides, and the work is the
// least. A real axis of one point is left out where another one has stages, which take reals as they are, or leave real
// parts. On the way back to reals where nothing is pruned, one whose first part moves elements, which takes them from
// the input to scratch memory, goes before the others, whose lines can then stay where they are; complex axes of one
// point, which have no stages, are left out there.
[[nodiscard]] std::vector<const Recipe::Axis*> ordered_axes(const Recipe& recipe, const Transform& transform,
                                                            Direction direction, const Sides& sides);

}  // namespace twiddle::plan
