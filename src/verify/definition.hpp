// The definitions of the transforms, coefficient by coefficient.
#pragma once

#include <cstdint>

#include "twiddle/transform.hpp"
#include "verify/long_fourier.hpp"

namespace twiddle::verify {

// What element j of a line of n adds to result k, unscaled: a complex number for c2c and r2c, where `inverse`
// conjugates it (`n` is the length of the real data, and c2r takes the real part of the sum over 0..n/2, all but the
// ends twice); a real one for the others. `orthogonal`: with the weights of Normalization::ortho.
[[nodiscard]] Value coefficient(Kind kind, std::uint64_t n, std::uint64_t j, std::uint64_t k, bool inverse,
                                bool orthogonal);

}  // namespace twiddle::verify
