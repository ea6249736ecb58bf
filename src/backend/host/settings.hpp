// What the environment says about how the host computes: SIMD target and number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace twiddle::backend::host {

// Mask of Highway targets to choose from: all that this machine supports, capped by TWIDDLE_SIMD = avx512 | avx2 | sse4
// | neon | plain. Throws InvalidArgument for an unknown or unavailable value, naming those that work.
[[nodiscard]] std::int64_t simd_targets();

// All but those with the widest vectors, whose bit is the lowest; 0: there are no others.
[[nodiscard]] constexpr std::int64_t without_widest(std::int64_t targets) { return targets & (targets - 1); }

// The best of the targets in the mask, for users: "AVX-512", "AVX2", "SSE4", "NEON", "plain".
[[nodiscard]] std::string target_name(std::int64_t targets);

// All hardware threads that this process may use, or TWIDDLE_THREADS of them. Throws InvalidArgument unless that is a
// number from 1 to 1024.
[[nodiscard]] std::size_t thread_count();

}  // namespace twiddle::backend::host
