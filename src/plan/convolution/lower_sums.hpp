// Convolutions as direct sums on devices with work-groups: of all taps, or of columns and then along rows.
#pragma once

#include "plan/convolution/lower_bank.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::plan {

// The programs of a valid convolution, of two dimensions where filters are columns and rows (`separable`). A stage with
// a filter bank stores results as they are, lines whole and in one segment; what else is made of them `results` does
// (lower_results.hpp), from lines with the neighbours that it needs. Shapes are left open.
[[nodiscard]] BankPrograms lower_sums(const twiddle::Convolution& convolution, bool separable);

}  // namespace twiddle::plan
