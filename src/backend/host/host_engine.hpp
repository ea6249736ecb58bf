// The CPU as a device: native SIMD code on the caller's memory.
#pragma once

#include <memory>

#include "backend/engine.hpp"
#include "backend/host/machine.hpp"

namespace twiddle::backend {

// Reads TWIDDLE_SIMD and TWIDDLE_THREADS (see host/settings.hpp); throws InvalidArgument where they are wrong. Work is
// done within run(), so there is never anything to wait for. Results that are more than the cache keeps are stored past
// it.
[[nodiscard]] std::shared_ptr<Engine> make_host_engine(const host::LastLevelCache& cache = host::last_level_cache());

}  // namespace twiddle::backend
