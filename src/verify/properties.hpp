// Verification of problems that are too large for a reference.
#pragma once

#include <cstdint>

#include "verify/verify.hpp"

namespace twiddle::verify {

// F. Ergün, Testing multivariate linear functions: overcoming the generator bottleneck, 1995: that the transform is
// linear, that it gives the coefficients of the definition for an impulse, and (c2c and forward r2c, where no input is
// pruned) that a shift of the input turns phases. The error is the largest of these; the bound, three times that of one
// transform, since results of three come together. Impulse and shift are left out where elements that are read overlap.
[[nodiscard]] Outcome verify_properties(const Problem& problem, std::uint64_t seed, const Execute& execute);

}  // namespace twiddle::verify
