// A stage whose elements change places within one memory.
#pragma once

#include "kernel/kernel_source.hpp"

namespace twiddle::kernel {

// A group for each pair of blocks that mirror each other, of which those below the diagonal have nothing to do: the other
// one's group moves both. Throws Unsupported for what stage_kernel() refuses.
[[nodiscard]] KernelSource swap_kernel(const plan::Stage& stage, Dialect dialect);

}  // namespace twiddle::kernel
