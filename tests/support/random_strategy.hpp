// Random strategies.
#pragma once

#include <cstdint>

#include "twiddle/strategy.hpp"

namespace twiddle::test {

// One that validate() accepts, the same for the same seed: each choice is its default, half of the time. Without
// kernels, as on the host, what concerns them is left alone.
[[nodiscard]] Strategy random_strategy(std::uint64_t seed, bool kernels);

}  // namespace twiddle::test
