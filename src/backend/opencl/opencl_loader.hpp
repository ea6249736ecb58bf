// Finds the system's OpenCL library at run time, so that one binary works with and without it.
#pragma once

#include <string>

namespace twiddle::backend {

// Loads the library on the first call; later calls repeat its answer. Empty when OpenCL can be used, else why not and
// what helps. No other OpenCL function may be called before this one has returned an empty string. Looked for, in
// order: the library that TWIDDLE_OPENCL_LIBRARY names; one that the process holds already; libOpenCL.so.1.
[[nodiscard]] const std::string& load_opencl();

}  // namespace twiddle::backend
