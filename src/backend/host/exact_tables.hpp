// Tables of convolutions whose every value is rounded once, for arithmetic in float and double.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "plan/recipe/convolution.hpp"

namespace twiddle::backend::host {

// The values of plan::convolution_tables, computed as sums of two doubles in a small part of the time that long double
// takes. Nothing where none of the SIMD targets in the mask serves, where the points have a prime factor that has no
// butterfly here, or are too few or, of Rader's algorithm, too many.
[[nodiscard]] std::optional<plan::ConvolutionTables<double>> exact_tables(const plan::Convolution& convolution,
                                                                          std::uint64_t length, Direction direction,
                                                                          std::int64_t targets);

// Calls take(tables) with those for arithmetic in T, exact ones where there are any.
template <class T, class Take>
void take_convolution_tables(const plan::Convolution& convolution, std::uint64_t length, Direction direction,
                             std::int64_t targets, const Take& take) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;  // until they are rounded
  if constexpr (!std::is_same_v<T, long double>) {
    if (auto exact = exact_tables(convolution, length, direction, targets)) return take(*std::move(exact));
  }
  take(plan::convolution_tables<Wide>(convolution, length, direction));
}

// Of Rader's algorithm, where in the convolution each result but the first is found: result store_order[q] is at q.
[[nodiscard]] inline std::vector<std::uint32_t> places_of_results(const std::vector<std::uint32_t>& store_order) {
  std::vector<std::uint32_t> places(store_order.size() + 1);
  for (std::uint32_t q = 0; q < store_order.size(); ++q) places[store_order[q]] = q;
  return places;
}

}  // namespace twiddle::backend::host
