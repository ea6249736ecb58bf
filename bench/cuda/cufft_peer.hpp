// NVIDIA's cuFFT as a peer.
#pragma once

#include <memory>

#include "cuda_peer.hpp"

namespace twiddle::bench {

// Loads $TWIDDLE_CUFFT_LIBRARY, libcufft.so.12 or libcufft.so.11. Throws Unsupported where there is none.
[[nodiscard]] std::unique_ptr<CudaPeer> open_cufft();

}  // namespace twiddle::bench
