// What the passes of columns and rows cost, and what they cost more beyond the caches.
#include "plan/recipe/host_division.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "plan/lower/stage.hpp"
#include "plan/numbers/divisors.hpp"
#include "plan/recipe/host_radices.hpp"

namespace twiddle::plan {
namespace {

// Of neighbouring lines this many bytes of each element stand together in a bundle, and its passes go from one pair of
// planes to another (bundle_worker.cpp).
constexpr std::uint64_t bundle_bytes = 128;
constexpr std::uint64_t cache_line = 64;

// In operations of the model for an element; fitted to 370 measured divisions of 29 lengths on an EPYC (Zen 5, 48 KiB
// and 1 MiB of cache). On a Xeon (48 KiB and 2 MiB) few columns gain as much, and many lose.
constexpr double beyond_first_cache = 0.5;  // of a pass of columns but the first one, for each doubling of their planes
                                            // over the cache
constexpr double beyond_second_cache = 8;   // of a pass but the first one, where half of the cache holds no planes
constexpr double uneven = 0.5;              // for each doubling of one part over the other
constexpr double unaligned = 3;             // of rows that end within a cache line, where columns then begin

// Lines of reals are priced up to so many cores' own caches of data. Beyond, nearly equal parts were no slower.
constexpr std::uint64_t priced_cores = 4;

double doublings(std::uint64_t larger, std::uint64_t smaller) {
  return larger <= smaller ? 0 : std::log2(static_cast<double>(larger) / static_cast<double>(smaller));
}

// What one part's passes cost for each of its elements.
double part_cost(std::size_t length, double beyond_first, const DeviceLimits& limits) {
  const std::vector<unsigned> radices = host_radices(length, limits, HostLine::strided);
  if (radices.empty()) return std::numeric_limits<double>::infinity();
  const std::uint64_t scalars = bundle_bytes * sizeof(float) / scalar_bytes(limits.arithmetic);  // as caches count
  const std::uint64_t planes = 2 * length * scalars;
  const auto later = static_cast<double>(radices.size() - 1);
  double cost = host_cost(radices);
  cost += beyond_first * later * doublings(planes, limits.level1_cache);
  if (2 * planes > limits.level2_cache) cost += beyond_second_cache * later;
  return cost;
}

std::optional<std::size_t> cheapest_columns(std::size_t length, const DeviceLimits& limits) {
  std::optional<std::size_t> cheapest;
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t columns : divisors_of(length)) {
    const std::size_t rows = length / columns;
    if (columns == 1 || rows == 1 || !host_holds(std::max(columns, rows), limits)) continue;
    double cost = part_cost(columns, beyond_first_cache, limits) + part_cost(rows, 0, limits);
    cost += uneven * (doublings(columns, rows) + doublings(rows, columns));
    if (rows * 2 * scalar_bytes(limits.arithmetic) % cache_line != 0) cost += unaligned;
    if (cost >= least) continue;
    cheapest = columns;
    least = cost;
  }
  return cheapest;
}

// As many as rows, or the next fewer that there can be.
std::size_t nearest_columns(std::size_t length) {
  std::size_t columns = 1;
  for (std::size_t divisor = 2; divisor * divisor <= length; ++divisor) {
    if (length % divisor == 0) columns = divisor;
  }
  return columns;
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> host_split(std::size_t length, LineUse use, std::uint64_t lines,
                                                              const DeviceLimits& limits) {
  if (host_holds(length, limits) && !leaves_threads_idle(length, lines, limits)) return std::nullopt;
  const bool in_cache = lines * length * sizeof(std::complex<float>) <= priced_cores * limits.level2_cache;
  const bool priced = use == LineUse::rows || (use == LineUse::mapped_rows && in_cache);
  std::optional<std::size_t> columns;
  if (priced) columns = cheapest_columns(length, limits);
  if (!columns) columns = nearest_columns(length);
  if (*columns == 1) return std::nullopt;
  return std::pair{*columns, length / *columns};
}

}  // namespace twiddle::plan
