// What goes into measured transforms, and how results are compared.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twiddle/problem.hpp"

namespace twiddle::bench {

// Random scalars of the precision, the same every time, small enough for repeated unscaled transforms.
[[nodiscard]] std::vector<std::byte> random_input(Precision precision, std::size_t bytes);

// How many times a problem may be executed on its own results before they overflow; out of place as often as one likes.
[[nodiscard]] std::size_t most_executions(const Problem& problem);

// Relative L2 difference of two results.
[[nodiscard]] double difference_of(const Problem& problem, std::span<const std::byte> expected,
                                   const std::byte* actual);

// Beyond this difference a result is wrong. No bound of rounding errors, which `twiddle verify` has.
[[nodiscard]] double accepted_difference(Precision precision);

}  // namespace twiddle::bench
