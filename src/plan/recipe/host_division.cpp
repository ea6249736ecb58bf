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

// Beyond a second-level cache of this size the last one is that of a large mesh, from which a core reads slowly: there
// two stages are faster for some lines that one would hold. Measured on a Xeon (2 MiB, 300 MiB shared), 10 to 14
// processes at once; not so with 1 and 1.25 MiB (EPYC, Ice Lake).
constexpr std::uint64_t large_second_cache = std::uint64_t{2} << 20;
// Two pairs of planes fill so much of the cache, in which input, output and roots are to stand as well.
constexpr double filled_by_doubles = 0.6;
constexpr double filled_by_floats = 0.75;
constexpr double filled_by_reals = 0.7;  // in double precision
constexpr double filled_by_planes = 0.95;

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

// Whether two stages are faster for lines that one stage holds. Complex ones, if few are transformed at once; of reals
// all that fill the cache, and in double precision one line, or so many that they are carried out one after the other
// (slice.cpp).
bool gains_by_two_stages(std::size_t length, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  const std::uint64_t parts = scalar_bytes(limits.arithmetic) / sizeof(float);  // limits count floats
  if (parts > 2 || limits.level2_cache * parts < large_second_cache) return false;
  const std::uint64_t line_bytes = length * sizeof(std::complex<float>);
  const double filled = 2 * static_cast<double>(line_bytes) / static_cast<double>(limits.level2_cache);
  if (use == LineUse::rows) {
    return filled >= (parts == 1 ? filled_by_floats : filled_by_doubles) &&
           lines * line_bytes <= priced_cores * limits.level2_cache;
  }
  if (use != LineUse::mapped_rows) return false;
  const bool one_by_one = lines == 1 || lines * line_bytes > host_rows_first_cores * limits.level2_cache;
  return filled >= filled_by_planes || (parts == 2 && filled >= filled_by_reals && one_by_one);
}

std::optional<std::pair<std::size_t, std::size_t>> divide(std::size_t length, LineUse use, std::uint64_t lines,
                                                          const DeviceLimits& limits) {
  const bool in_cache = lines * length * sizeof(std::complex<float>) <= priced_cores * limits.level2_cache;
  const bool priced = use == LineUse::rows || (use == LineUse::mapped_rows && in_cache);
  std::optional<std::size_t> columns;
  if (priced) columns = cheapest_columns(length, limits);
  if (!columns) columns = nearest_columns(length);
  if (*columns == 1) return std::nullopt;
  return std::pair{*columns, length / *columns};
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> host_split(std::size_t length, LineUse use, std::uint64_t lines,
                                                              const DeviceLimits& limits) {
  if (host_holds(length, limits) && !leaves_threads_idle(length, lines, limits)) return std::nullopt;
  return divide(length, use, lines, limits);
}

std::optional<std::pair<std::size_t, std::size_t>> host_faster_split(std::size_t length, LineUse use,
                                                                     std::uint64_t lines, const DeviceLimits& limits) {
  if (!host_holds(length, limits) || !gains_by_two_stages(length, use, lines, limits)) return std::nullopt;
  return divide(length, use, lines, limits);
}

}  // namespace twiddle::plan
