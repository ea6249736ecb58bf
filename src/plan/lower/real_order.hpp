// The orders in which transforms of reals have their elements before and behind the complex transforms inside them.
#pragma once

#include <cstdint>
#include <vector>

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

// Reals that are moved alike: the first one from `user` to `place`, and so on.
struct RealRun {
  std::uint64_t count = 1;
  std::int64_t user = 0;
  std::int64_t user_step = 1;
  std::int64_t place = 0;
  std::int64_t place_step = 1;
  bool negated = false;
  bool operator==(const RealRun&) const = default;
};

// As dct4 of an odd number n of reals has them, and dst4 `backwards`: with c = n / 2 and the real DFT Z of what stands
// in these places, 2 exp(-2 pi i (1 + 2 n f) / 8) Z[f] has result c + f as its real part and minus c - f as its
// imaginary one, where -c <= f <= c (Chan and Ho's algorithm, line_map.hpp, its frequencies counted from the middle).
[[nodiscard]] std::vector<RealRun> quarter_shifted(std::uint64_t points, bool backwards);

}  // namespace twiddle::plan
