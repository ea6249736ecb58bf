// One rule for all of them, and those that it does not serve.
#include "plan/choice/large_primes.hpp"

#include <algorithm>
#include <array>

namespace twiddle::plan {
namespace {

// An H100 through CUDA, 2026-11-25, batches of 512 MiB: of 93 lengths these take 0.99 of the time or more, the others
// 0.58 to 0.97 (docs/cuda-shapes.md).
constexpr std::array<std::uint64_t, 6> others{111, 205, 215, 1147, 1271, 1312};

constexpr std::array<unsigned, 3> primes{37, 41, 43};
constexpr std::uint64_t most_cofactor = 32;
constexpr std::uint64_t many_items = 17;  // of a line

}  // namespace

// Each work-item has one butterfly of the prime, after which its results go to memory as they come.
std::optional<MeasuredChoice> row_with_large_prime(std::uint64_t length, bool there) {
  if (std::ranges::find(others, length) != others.end()) return std::nullopt;
  const auto prime = std::ranges::find_if(primes, [&](unsigned each) { return length % each == 0; });
  if (prime == primes.end() || length == *prime || length / *prime > most_cofactor) return std::nullopt;
  const auto items = static_cast<unsigned>(length / *prime);
  const unsigned group = items >= many_items && !there ? 128 : 64;
  return MeasuredChoice{{items, *prime}, items, group / items};
}

}  // namespace twiddle::plan
