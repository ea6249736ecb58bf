// This library as it is without dependent launches: each kernel starts when the one before has ended. To measure what
// these bring, beside plans that have them.
#pragma once

#include <memory>

#include "cuda_peer.hpp"
#include "twiddle/device.hpp"

namespace twiddle::bench {

// The same CUDA device with a stream of its own, whose plans launch so. Its buffers fit no other device's plans.
[[nodiscard]] Device with_serial_launches(const Device& device);

// Such plans, on whatever device holds the memory that they are given.
[[nodiscard]] std::unique_ptr<CudaPeer> open_serial_launches();

}  // namespace twiddle::bench
