// A dialect is data: the words in which the same arithmetic is written for OpenCL C, CUDA C++ and host SIMD C++.
#pragma once

#include <string_view>

namespace twiddle::kernel {

enum class Dialect { opencl, cuda, host };

// Macros that give a generated kernel one spelling in OpenCL C and CUDA C++ (TW_KERNEL, TW_LOCAL, TW_BARRIER, ...).
// Empty for the host, whose kernels are C++ that includes the generated butterflies.
[[nodiscard]] std::string_view prelude(Dialect dialect);

}  // namespace twiddle::kernel
