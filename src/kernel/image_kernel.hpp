// Kernels of image convolution as text.
#pragma once

#include "kernel/kernel_source.hpp"
#include "plan/convolution/image_pass.hpp"

namespace twiddle::kernel {

// Samples of the input and the output are bytes or 16-bit words as the format says; sums in scratch memory are numbers
// of the pass's type. Throws Unsupported for windows of more weights, and images of more samples, than such text can
// hold.
[[nodiscard]] KernelSource image_kernel(const plan::ImagePass& pass, Dialect dialect);

}  // namespace twiddle::kernel
