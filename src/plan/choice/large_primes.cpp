// One rule for all of them, and those that it does not serve.
#include "plan/choice/large_primes.hpp"

#include <algorithm>
#include <array>

namespace twiddle::plan {
namespace {

// An H100 through CUDA, 2026-11-25, batches of 512 MiB: of 93 lengths these take 0.99 of the time or more, the others
// 0.58 to 0.97 (docs/cuda-primes.md).
constexpr std::array<std::uint64_t, 6> others{111, 205, 215, 1147, 1271, 1312};

constexpr std::array<unsigned, 3> primes{37, 41, 43};
constexpr std::uint64_t most_cofactor = 32;
constexpr std::uint64_t many_items = 17;  // of a line

constexpr std::uint64_t mebibyte_elements = (std::uint64_t{1} << 20) / 8;

// An H200, 2026-11-26, data of 3, 12 and 36 MiB: 2 and 4 times a prime take 0.83, 0.70 and 0.62 of the time in the
// mean, up to 26 times 37 1.02, 0.79 and 0.74 (of 6 MiB 0.86), the others 1.12, 1.03 and 0.85 (of 24 MiB 0.87).
std::uint64_t fewest_elements(unsigned prime, unsigned cofactor) {
  if (cofactor == 2 || cofactor == 4) return 0;
  return (prime == 37 && cofactor <= 26 ? 6 : 24) * mebibyte_elements;
}

}  // namespace

// Each work-item has one butterfly of the prime, after which its results go to memory as they come.
std::optional<MeasuredChoice> row_with_large_prime(std::uint64_t length, bool there) {
  if (std::ranges::find(others, length) != others.end()) return std::nullopt;
  const auto prime = std::ranges::find_if(primes, [&](unsigned each) { return length % each == 0; });
  if (prime == primes.end() || length == *prime || length / *prime > most_cofactor) return std::nullopt;
  const auto items = static_cast<unsigned>(length / *prime);
  const unsigned group = items >= many_items && !there ? 128 : 64;
  MeasuredChoice choice{{items, *prime}, items, group / items};
  choice.fewest_elements = fewest_elements(*prime, items);
  return choice;
}

}  // namespace twiddle::plan
