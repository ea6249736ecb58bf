// Finds NVIDIA's driver and run-time compiler when the program runs, so that one binary works with and without them.
#pragma once

#include <string>

#include "backend/cuda/cuda_api.hpp"

namespace twiddle::backend::cuda {

// Loads both libraries and initialises the driver on the first call; later calls repeat its answer. Empty when CUDA can
// be used, else why not and what helps. Looked for are the libraries that TWIDDLE_CUDA_LIBRARY and
// TWIDDLE_NVRTC_LIBRARY name; else libcuda.so.1, and libnvrtc.so of the versions that are known, where the system and
// its CUDA toolkit keep it.
[[nodiscard]] const std::string& load();

// Their functions; only after load() has returned an empty string.
[[nodiscard]] const Driver& driver();
[[nodiscard]] const Compiler& compiler();

}  // namespace twiddle::backend::cuda
