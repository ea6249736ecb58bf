// Rows with a prime factor whose butterfly fills the registers of a work-item.
#pragma once

#include <cstdint>
#include <optional>

#include "plan/choice/measured_choices.hpp"

namespace twiddle::plan {

// The shape of rows of k times 37, 41 or 43 floats (k up to 32) that were measured to be faster with the prime in the
// last of two passes than as the model has them, on their way to spectra of reals (`there`) or without a map; nothing
// for other lengths.
[[nodiscard]] std::optional<MeasuredChoice> row_with_large_prime(std::uint64_t length, bool there);

}  // namespace twiddle::plan
