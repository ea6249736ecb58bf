// Lengths that are fast: what to pad a signal to where its length may be chosen.
#pragma once

#include <cstddef>

#include "twiddle/transform.hpp"

namespace twiddle {

// The least length that is at least `n` and fast for this kind of transform, along one axis. A complex transform is
// fast where its length is 2^a 3^b 5^c 7^d, times 11 or 13 at most once: every device has butterflies for these
// factors, and larger ones cost more for each point; FFTW's manual names the same lengths. What must have this form
// follows from the complex transform that each kind is computed with:
//   c2c, dht, dct2, dct3, dct4, dst2, dst3, dst4     n
//   r2c    n / 2: even lengths only (and 1), since they take half the work of odd ones
//   dct1   n - 1, from 2 points on
//   dst1   n + 1
// The answer does not depend on the device, so that padded data have one size everywhere. Throws InvalidArgument for
// n = 0 and where no such length fits a std::size_t.
[[nodiscard]] std::size_t good_size(std::size_t n, Kind kind = Kind::c2c);

}  // namespace twiddle
