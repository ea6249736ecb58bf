// What this machine is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "twiddle/device.hpp"

namespace twiddle::backend::host {

// The host as a device, for the SIMD targets and the number of threads that are in use.
[[nodiscard]] DeviceInfo describe_machine(std::int64_t targets, std::size_t threads);

// Bytes of the last-level cache, all of it; a guess where the system does not say.
[[nodiscard]] std::size_t last_level_cache();

}  // namespace twiddle::backend::host
