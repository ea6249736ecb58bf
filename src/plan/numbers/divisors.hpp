// Divisors of lengths, of which parts and passes are made.
#pragma once

#include <cstddef>
#include <vector>

namespace twiddle::plan {

// Of a number from 1 on, ascending; the ones at equal distances from the ends have the number as their product.
[[nodiscard]] std::vector<std::size_t> divisors_of(std::size_t number);

}  // namespace twiddle::plan
