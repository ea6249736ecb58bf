// How the host engine computes a line: which radices in which order, and from which length on as two shorter lines.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "twiddle/device.hpp"

namespace twiddle::plan {

// Larger prime factors are left to Bluestein's algorithm; those without a butterfly are computed directly.
inline constexpr unsigned host_largest_prime = 127;

// Whether the elements of a line are next to each other on both sides, and so its own elements share a vector, or not,
// and then neighbouring lines do.
enum class HostLine { contiguous, strided };

// Radices, in order of execution, whose product is `length`; empty for 1 and for a length with a prime factor above
// host_largest_prime. Chosen by least estimated cost, of which the SIMD width (limits.sub_group_size, in lanes) is
// part: passes whose runs are shorter than a vector waste lanes.
[[nodiscard]] std::vector<unsigned> host_radices(std::size_t length, const DeviceLimits& limits,
                                                 HostLine line = HostLine::contiguous);

// Columns and rows (columns * rows == length, as near to each other as the factors allow) where the line does not fit
// into the second-level cache with its scratch; nothing where it does.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> host_split(std::size_t length,
                                                                            const DeviceLimits& limits);

}  // namespace twiddle::plan
