// Convolutions as direct sums on devices with work-groups: of all taps, or of columns and then along rows.
#pragma once

#include "plan/convolution/lower_bank.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::plan {

// The programs of a valid convolution, of two dimensions where filters are columns and rows (`separable`). A stage with
// a filter bank stores results as they are, lines whole and in one segment; what else is made of them `results` does
// (lower_results.hpp), from lines with the neighbours that it needs. Shapes are left open.
[[nodiscard]] BankPrograms lower_sums(const twiddle::Convolution& convolution, bool separable);

// The same sums of one dimension for results that transforms have made, of segments of so many results of a line: where
// these are not finite.
[[nodiscard]] BankPrograms lower_repairs(const twiddle::Convolution& convolution, std::uint64_t segment);

}  // namespace twiddle::plan
