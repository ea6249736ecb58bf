// How a bundle of neighbouring lines meets memory on either side.
#pragma once

#include <cstdint>

namespace twiddle::backend::host {

enum class Access {
  lanes,  // neighbouring lines are adjacent
  rows,   // elements of one line are adjacent
  staged  // neither, or more to do than load and store
};

// `plain`: nothing but moving numbers of the arithmetic's precision; `unit`: scalars of one, 1 for reals.
[[nodiscard]] constexpr Access access(bool plain, std::int64_t unit, std::int64_t lane_stride,
                                      std::int64_t element_stride) {
  if (plain && lane_stride == unit) return Access::lanes;
  if (plain && element_stride == unit) return Access::rows;
  return Access::staged;
}

}  // namespace twiddle::backend::host
