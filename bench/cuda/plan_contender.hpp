// Plans of this library in contests, on the memory and the stream that all contenders have.
#pragma once

#include <memory>

#include "cuda_peer.hpp"
#include "twiddle/device.hpp"

namespace twiddle::bench {

// As CudaPeer::plan() says, on `device`, whose memory that is.
[[nodiscard]] std::unique_ptr<Contender> make_plan_contender(const Device& device, const Transform& transform,
                                                             const CudaPlace& place);

}  // namespace twiddle::bench
