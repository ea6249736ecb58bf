// The orders in which transforms of reals have their elements before and behind the complex transforms inside them.
#pragma once

#include <cstdint>

namespace twiddle::plan {

// Where the parts of complex number m stand in the line of n reals: at number * m + part * (0 or 1), or beyond the end
// of half of a period as far before it. `period` 0: none is beyond.
struct RealOrder {
  std::uint64_t number = 2;
  std::uint64_t part = 1;
  std::uint64_t period = 0;
  bool negated = false;    // what is mirrored
  bool backwards = false;  // the line
};

// As dct2 and dct3 have their reals: even ones in order, then odd ones backwards. Of an odd number each is by itself:
// real m stands at 2 m.
[[nodiscard]] inline RealOrder reordered(std::uint64_t n, bool negated) {
  return n % 2 == 0 ? RealOrder{4, 2, 2 * n - 1, negated, false} : RealOrder{2, 0, 2 * n - 1, negated, false};
}
// As dct4 has them: each with the one as far from the end.
[[nodiscard]] inline RealOrder folded(std::uint64_t n, bool negated, bool backwards) {
  return {2, n, 2 * n - 1, negated, backwards};
}
// m and n - m; the second part of number 0 is at n / 2, which is none of these.
[[nodiscard]] inline RealOrder mirrored(std::uint64_t n, bool negated, bool backwards) {
  return {1, n + 1, 2 * n + 1, negated, backwards};
}

}  // namespace twiddle::plan
