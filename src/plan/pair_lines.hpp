// Two lines of reals for the price of one complex transform.
#pragma once

#include <vector>

#include "plan/stage.hpp"

namespace twiddle::plan {

// Stages that together compute what a real-to-real stage does: neighbouring lines are taken as the real and the imaginary
// parts of one line, which the transform and its maps keep apart because they are linear with real results (as for two
// real transforms in W. H. Press et al., Numerical Recipes, section 12.3). A line that is left over makes a stage of its
// own. Any other stage is returned as it is. For stages that are bound to memory but have no kernel shape yet.
[[nodiscard]] std::vector<Stage> pair_lines(Stage stage);

}  // namespace twiddle::plan
