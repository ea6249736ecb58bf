// How the host's threads share a stage: what the engine does, and what estimates count with.
#pragma once

#include <cstdint>

#include "plan/lower/stage.hpp"

namespace twiddle::plan {

// Below this many points a stage stays on the calling thread: waking another takes about 8 us, and costs as much as it
// saves up to here.
inline constexpr std::uint64_t host_shared_points = 98304;

// What each further thread that shares a stage adds to the first one.
inline constexpr double host_further_thread = 0.8;

// How many times as fast so many threads are as one.
constexpr double host_speedup(double threads) { return 1 + host_further_thread * (threads - 1); }

// Points of a launch of the stage, once for each transform of them or for about as many sums.
[[nodiscard]] std::uint64_t host_points(const Stage& stage);

// How many pieces such a launch is divided into, which threads can share: 1 for few points, and otherwise so many that
// each has at least 16384.
[[nodiscard]] std::uint64_t host_pieces(std::uint64_t points);

}  // namespace twiddle::plan
