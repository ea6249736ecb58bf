// Kernels of filter banks that sum directly.
#pragma once

#include "kernel/dialect.hpp"
#include "kernel/kernel_source.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::kernel {

// Whether sum_kernel() is what writes the stage's kernel.
[[nodiscard]] bool sums_directly(const plan::Stage& stage);

// A work-item has one result in each of `shape.block` neighbouring lines, so that a sample that it reads serves several
// sums. Of filters that are columns and rows, a group sums columns into local memory, and along rows from there. Throws
// Unsupported for stages with post-processing, hooks or arithmetic that devices do not have.
[[nodiscard]] KernelSource sum_kernel(const plan::Stage& stage, Dialect dialect);

}  // namespace twiddle::kernel
