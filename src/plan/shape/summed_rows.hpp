// Rows of one butterfly, in which as many work-items as points each sum one result: a kernel of a few instructions in
// place of a butterfly's thousands.
#pragma once

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Whether a row of the stage may be summed: it is one butterfly, and its elements are neighbours on both sides.
[[nodiscard]] bool may_be_summed(const Stage& stage);

// Whether it is, in this shape.
[[nodiscard]] bool is_summed(const Stage& stage, const KernelShape& shape);

// The shape in which a group sums a row.
[[nodiscard]] KernelShape summed_shape(const Stage& stage);

// Whether rows are summed: few of them, whose butterfly takes compilers long, on devices like the measured one.
[[nodiscard]] bool sums_rows(const Stage& stage, const DeviceLimits& limits);

}  // namespace twiddle::plan
