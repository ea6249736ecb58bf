// Random problems over all features together.
#pragma once

#include <cstdint>

#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::verify {

// What a device can do beyond float32.
struct Abilities {
  bool float16 = true;
  bool float64 = true;
  bool extended = true;
  std::uint64_t most_elements = std::uint64_t{1} << 15;  // of the arrays of a problem together
};

// Finds out by asking for plans.
[[nodiscard]] Abilities abilities_of(const Device& device);

// A valid problem: validate() and sides_of() accept it. The same for the same seed and abilities on every machine. It
// draws kind, precision, rank (mostly 1 to 4, sometimes up to 8), lengths (small, powers of two, smooth, primes, their
// powers and doubles, 1), batch, axes, direction, placement, normalization, factors, extents, and layouts: permuted,
// padded, reversed, shifted, planar, broadcast and overlapping where they are read; and hooks.
[[nodiscard]] Problem random_problem(std::uint64_t seed, const Abilities& abilities);

}  // namespace twiddle::verify
