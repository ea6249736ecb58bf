// Runs of the reals of dct4 and dst4.
#include "plan/lower/real_order.hpp"

#include <algorithm>
#include <array>

namespace twiddle::plan {
namespace {

std::int64_t wrapped(std::int64_t place, std::int64_t n) { return (place % n + n) % n; }

}  // namespace

std::vector<RealRun> quarter_shifted(std::uint64_t points, bool backwards) {
  constexpr std::int64_t step = 4;  // of a class of reals that have the same sign
  constexpr std::array negated{false, true, true, false};
  const auto n = static_cast<std::int64_t>(points);
  const std::int64_t quarter = (n % 4 == 3 ? n + 1 : 3 * n + 1) / 4;  // the inverse of 4 modulo n
  std::vector<RealRun> runs;
  for (std::int64_t first = 0; first < std::min(step, n); ++first) {
    const std::int64_t t = first / 2;
    const bool even = first % 2 == 0;
    const std::int64_t place_step = even ? 2 : -2;
    std::int64_t user = first;
    std::int64_t place = even ? wrapped(t + quarter, n) : wrapped(-t - 3 * quarter, n);
    for (std::int64_t left = (n - first + step - 1) / step; left > 0;) {  // what is beyond an end goes on at the other
      const std::int64_t room = even ? (n - 1 - place) / 2 + 1 : place / 2 + 1;
      const std::int64_t count = std::min(left, room);
      runs.push_back({static_cast<std::uint64_t>(count), backwards ? n - 1 - user : user, backwards ? -step : step,
                      place, place_step, negated[static_cast<std::size_t>(first)]});
      user += count * step;
      place = wrapped(place + count * place_step, n);
      left -= count;
    }
  }
  return runs;
}

}  // namespace twiddle::plan
