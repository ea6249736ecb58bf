// What the host's kernels and the choice of their radices agree on.
#pragma once

#include <cstddef>

namespace twiddle::plan {

// Vectors of a cache line, AVX-512's.
inline constexpr std::size_t long_vector_bytes = 64;

// Butterflies of radices above this one, 20 to 32, are for long vectors alone, whose registers are many.
inline constexpr unsigned host_largest_common_radix = 16;

}  // namespace twiddle::plan
