// What is made of the results of a convolution of the whole on devices before they are stored.
#pragma once

#include "plan/lower/stage.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::plan {

// Stages from results [signal][filter][lines with the neighbours that post-processing needs] to the convolution's
// output. They read their input by way of a hook, which must get it as its `user` memory as well (Operands::load_user).
// Shapes are left open.
[[nodiscard]] Program lower_results(const twiddle::Convolution& convolution);

}  // namespace twiddle::plan
