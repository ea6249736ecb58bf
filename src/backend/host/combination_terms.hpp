// A LineMap's elements as terms in the precision of the arithmetic.
#pragma once

#include <cstdint>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::backend::host {

// What element k = 0..map.count-1 is made of; where there is no element, zero times element 0. Index: std::size_t, or
// std::uint32_t where the source has at most 2^32 elements. `targets`: a mask of SIMD targets.
template <class T, class Index>
[[nodiscard]] AlignedArray<CombinationTerm<T, Index>> combination_terms(const plan::LineMap& map, std::int64_t targets);

}  // namespace twiddle::backend::host
