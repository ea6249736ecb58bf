// The lengths that the exhaustive tests try.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "verify/random.hpp"

namespace twiddle::test {

// `count` different lengths above `from` and up to `to`, spread evenly over the octaves: in turn a prime, a power of a
// prime, twice a prime, a highly composite number, a product of two close primes, and any. The same on every machine.
[[nodiscard]] inline std::vector<std::size_t> varied_lengths(std::size_t from, std::size_t to, std::size_t count) {
  verify::Random random(from);
  const auto is_prime = [](std::uint64_t n) {
    for (std::uint64_t factor = 2; factor * factor <= n; ++factor) {
      if (n % factor == 0) return false;
    }
    return n > 1;
  };
  const auto prime_from = [&](std::uint64_t n) {
    while (!is_prime(n)) ++n;
    return n;
  };
  std::uint64_t octaves = 0;
  while ((from + 1) << (octaves + 1) <= to) ++octaves;
  std::set<std::size_t> lengths;
  for (std::size_t turn = 0; lengths.size() < count; ++turn) {
    const std::uint64_t low = (from + 1) << random.below(octaves + 1);
    const std::uint64_t near = random.between(low, 2 * low - 1);
    std::uint64_t n = near;
    switch (turn % 6) {
      case 0:
        n = prime_from(near);
        break;
      case 1: {
        const std::uint64_t prime =
            random.choose<std::uint64_t>({3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 61, 101, 127});
        for (n = prime; n * prime <= near;) n *= prime;
        break;
      }
      case 2:
        n = 2 * prime_from(near / 2);
        break;
      case 3:
        for (n = 1; n < near;) n *= random.choose<std::uint64_t>({2, 2, 2, 3, 3, 5, 7});
        break;
      case 4: {
        std::uint64_t root = 1;
        while ((root + 1) * (root + 1) <= near) ++root;
        const std::uint64_t prime = prime_from(root);
        n = prime * prime_from(prime + 1);
        break;
      }
      default:
        break;
    }
    if (n > from && n <= to) lengths.insert(n);
  }
  return {lengths.begin(), lengths.end()};
}

}  // namespace twiddle::test
