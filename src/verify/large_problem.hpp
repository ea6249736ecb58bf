// Random problems that take much memory.
#pragma once

#include <cstdint>

#include "twiddle/problem.hpp"

namespace twiddle::verify {

// A problem that KnownSpectrum serves, whose array of numbers (not that of half of a spectrum) takes at least so many
// bytes: mostly hardly more, sometimes two or four times as much. Batches of lines, single lines, images, volumes and
// batches of images, c2c and r2c, float32 and, if asked for, float64, in both directions, in place or not. The same for
// the same arguments on every machine.
[[nodiscard]] Problem large_problem(std::uint64_t seed, std::uint64_t least_bytes, bool float64);

}  // namespace twiddle::verify
