// The next fast length, among all products of small primes.
#include "twiddle/good_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "twiddle/error.hpp"

namespace twiddle {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

// The least odd * 2^a that is at least n.
std::optional<std::size_t> doubled_to(std::size_t odd, std::size_t n) {
  if (odd >= n) return odd;
  const std::size_t quotient = n / odd + (n % odd != 0 ? 1 : 0);
  if (quotient > std::size_t{1} << (std::numeric_limits<std::size_t>::digits - 1)) return std::nullopt;
  const std::size_t power = std::bit_ceil(quotient);
  if (power > largest / odd) return std::nullopt;
  return odd * power;
}

// The least of the form 2^a 3^b 5^c 7^d, times 11 or 13 at most once, that is at least n: the odd parts are enumerated,
// a few thousand at most, and each is doubled until it is large enough.
std::optional<std::size_t> smooth_from(std::size_t n) {
  std::optional<std::size_t> best;
  for (const std::size_t rare : {std::size_t{1}, std::size_t{11}, std::size_t{13}}) {
    for (std::size_t sevens = rare;; sevens *= 7) {
      for (std::size_t fives = sevens;; fives *= 5) {
        for (std::size_t threes = fives;; threes *= 3) {
          const auto candidate = doubled_to(threes, n);
          if (candidate) best = std::min(best.value_or(largest), *candidate);
          if (threes >= n || threes > largest / 3) break;
        }
        if (fives >= n || fives > largest / 5) break;
      }
      if (sevens >= n || sevens > largest / 7) break;
    }
  }
  return best;
}

std::optional<std::size_t> fast_from(std::size_t n, Kind kind) {
  switch (kind) {
    case Kind::r2c: {
      if (n == 1) return 1;
      const auto half = smooth_from(n / 2 + n % 2);
      if (!half || *half > largest / 2) return std::nullopt;
      return 2 * *half;
    }
    case Kind::dct1: {
      const auto intervals = smooth_from(std::max<std::size_t>(n, 2) - 1);
      if (!intervals || *intervals == largest) return std::nullopt;
      return *intervals + 1;
    }
    case Kind::dst1: {
      if (n == largest) return std::nullopt;
      const auto intervals = smooth_from(n + 1);
      if (!intervals) return std::nullopt;
      return *intervals - 1;
    }
    default:
      return smooth_from(n);
  }
}

}  // namespace

std::size_t good_size(std::size_t n, Kind kind) {
  if (n == 0) throw InvalidArgument("the next fast length was asked for 0 points; expected at least 1");
  const auto length = fast_from(n, kind);
  if (!length) {
    throw InvalidArgument(fmt::format("no fast length for {} lies between {} and {}, the largest number of elements",
                                      to_string(kind), n, largest));
  }
  return *length;
}

}  // namespace twiddle
