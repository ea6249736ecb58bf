// What the passes of columns and rows cost, and what they cost more beyond the caches.
#include "plan/recipe/host_division.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/stage.hpp"
#include "plan/numbers/divisors.hpp"
#include "plan/recipe/host_radices.hpp"

namespace twiddle::plan {
namespace {

// Of neighbouring lines this many bytes of each element stand together in a bundle, and its passes go from one pair of
// planes to another (bundle_width.cpp, where they have become narrower since).
constexpr std::uint64_t bundle_bytes = 128;
constexpr std::uint64_t cache_line = 64;

// In operations of the model for an element; fitted to 370 measured divisions of 29 lengths on an EPYC (Zen 5, 48 KiB
// and 1 MiB of cache). On a Xeon (48 KiB and 2 MiB) few columns gain as much, and many lose.
constexpr double beyond_first_cache = 0.5;  // of a pass of one part but the first one, for each doubling of its planes
                                            // over the cache
constexpr double beyond_second_cache = 8;   // of a pass but the first one, where half of the cache holds no planes
constexpr double uneven = 0.5;              // for each doubling of one part over the other
constexpr double unaligned = 3;             // of rows that end within a cache line, where columns then begin; many
                                            // lines of reals gained by few columns all the same
constexpr std::size_t large_power_of_two = 4096;  // points

// Of a single line of reals beyond what is priced one part may be so many times the other: 500 x 1000 complex doubles,
// in six passes, take 0.84 of the time of 625 x 800, in seven, on an EPYC (Zen 3). 1000000 and 1200000 reals take 0.98
// and 0.91 of the time on a Xeon by AVX2, 1.05 and 0.95 by AVX-512.
constexpr std::size_t most_uneven = 3;

// Lines of reals are priced up to so many cores' own caches of data. Beyond, nearly equal parts were no slower, but for
// lines that are carried out one after the other (core_caches.cpp) and fill no more than two of these caches.
constexpr std::uint64_t priced_cores = 4;
constexpr std::uint64_t sliced_cores = 2;
// Few columns take 0.71 to 0.98 of the time of nearly equal parts where the model says at most this, and both pairs of
// a row's planes leave half of the cache to the line; elsewhere up to 1.2 (32 divisions on an EPYC, Zen 5; the way back
// 0.79 to 1.03).
constexpr double worth_of_equal_parts = 0.95;

// Two pairs of planes fill so much of the cache, in which input, output and roots are to stand as well.
constexpr double filled_by_doubles = 0.6;
constexpr double filled_by_floats = 0.75;
constexpr double filled_by_reals = 0.7;  // in double precision
constexpr double filled_by_planes = 0.95;

// The same by large radices, where twiddles of long lines take little room: of doubles alone, complex or not. Lines up
// to there take 0.60 to 0.92 of the time of two stages on a Xeon (40000 to 64000 complex doubles, 93312 to 128000
// reals, in batches 0.72 to 0.87), back 0.65 to 0.84, two threads 0.67 to 0.80; 61250 and 62500, whose rows end within
// a cache line, 1.01 to 1.11; 65536 complex doubles 1.14 (in place 0.93), 131072 reals 1.08 (0.88); floats to 131072,
// 262144 reals 0.66 to 1.06.
constexpr double filled_by_large_radices = 0.95;

// Second-level caches that lines fill which are one stage where vectors are computed in halves.
constexpr std::size_t caches_filled_by_halves = 4;

constexpr double impossible = std::numeric_limits<double>::infinity();

bool in_caches(std::size_t length, std::uint64_t lines, const DeviceLimits& limits) {
  return lines * length * sizeof(std::complex<float>) <= priced_cores * limits.level2_cache;
}

double doublings(std::uint64_t larger, std::uint64_t smaller) {
  return larger <= smaller ? 0 : std::log2(static_cast<double>(larger) / static_cast<double>(smaller));
}

bool fills_cache_lines(std::size_t row, Precision arithmetic) {
  return row * 2 * scalar_bytes(arithmetic) % cache_line == 0;
}

// Of one part as a bundle: a pair of planes, as caches count.
std::uint64_t bundle_planes(std::size_t length, const DeviceLimits& limits) {
  return 2 * length * bundle_bytes / scalar_share(limits);
}

// What one part's passes cost for each of its elements.
double part_cost(std::size_t length, double beyond_first, const DeviceLimits& limits) {
  const std::vector<unsigned> radices = host_radices(length, limits, HostLine::strided);
  if (radices.empty()) return impossible;
  const std::uint64_t planes = bundle_planes(length, limits);
  const auto later = static_cast<double>(radices.size() - 1);
  double cost = host_cost(radices, limits, HostLine::strided);
  cost += beyond_first * later * doublings(planes, limits.level1_cache);
  if (2 * planes > limits.level2_cache) cost += beyond_second_cache * later;
  return cost;
}

// Rows that pay for planes beyond the first-level cache, as columns do elsewhere, are short.
double division_cost(std::size_t columns, std::size_t rows, bool short_rows, const DeviceLimits& limits) {
  return part_cost(columns, short_rows ? 0 : beyond_first_cache, limits) +
         part_cost(rows, short_rows ? beyond_first_cache : 0, limits) +
         uneven * (doublings(columns, rows) + doublings(rows, columns));
}

// Of complex lines in the caches that a large power of two divides, by AVX-512 beside a large second-level cache. 22
// such lines of 49152 to 262144 points take 0.85 to 1.01 of the time on a Xeon with 2 MiB (11 on two threads 0.85
// to 1.17, mean 0.98), 0.90 to 1.05 on another one; 12 others of 40000 to 300000 0.89 to 1.04 and 1.04 to 1.15; by AVX2
// 0.85 to 1.17; from memory 32 of 131072 doubles 1.17. By large radices those that fill twice the cache take 1.04 and
// 1.08 of the time so (262144, 524288 doubles), shorter ones 0.88 to 0.97.
bool takes_short_rows(std::size_t length, std::uint64_t lines, const DeviceLimits& limits) {
  return host_takes_large_radices(limits) && length % large_power_of_two == 0 &&
         length * sizeof(std::complex<float>) < 2 * limits.level2_cache && in_caches(length, lines, limits);
}

// Where the cost is least, and less than `least`.
template <class Cost>
std::optional<std::size_t> cheapest_columns(std::size_t length, double least, const Cost& cost_of) {
  std::optional<std::size_t> cheapest;
  for (const std::size_t columns : divisors_of(length)) {
    const double cost = cost_of(columns, length / columns);
    if (cost >= least) continue;
    cheapest = columns;
    least = cost;
  }
  return cheapest;
}

std::optional<std::size_t> priced_columns(std::size_t length, bool short_rows, const DeviceLimits& limits) {
  return cheapest_columns(length, impossible, [&](std::size_t columns, std::size_t rows) {
    if (columns == 1 || rows == 1 || !host_holds(std::max(columns, rows), limits)) return impossible;
    const bool aligned = fills_cache_lines(rows, limits.arithmetic);
    return division_cost(columns, rows, short_rows, limits) + (aligned ? 0 : unaligned);
  });
}

// As many as rows, or the next fewer that there can be.
std::size_t nearest_columns(std::size_t length) {
  std::size_t columns = 1;
  for (std::size_t divisor = 2; divisor * divisor <= length; ++divisor) {
    if (length % divisor == 0) columns = divisor;
  }
  return columns;
}

// Nearly as many as rows, so that their passes cost least, where there are such parts; `rows_last`: of which the rows
// can be transformed behind the columns.
std::optional<std::size_t> nearly_equal_columns(std::size_t length, bool rows_last, const DeviceLimits& limits) {
  return cheapest_columns(length, impossible, [&](std::size_t columns, std::size_t rows) {
    if (columns > rows || rows > most_uneven * columns) return impossible;
    if (rows_last && !host_maps_rows_last(columns, rows, limits.arithmetic)) return impossible;
    return division_cost(columns, rows, false, limits);
  });
}

// Whether two stages are faster for lines that one stage holds. Complex ones, if few are transformed at once; of reals
// all that fill the cache, and in double precision one line, or so many that they are carried out one after the other
// (core_caches.cpp).
bool gains_by_two_stages(std::size_t length, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  const std::size_t parts = scalar_share(limits);
  if (parts > 2 || second_level_cache(limits) < large_second_cache) return false;
  const std::uint64_t line_bytes = length * sizeof(std::complex<float>);
  const double filled = 2 * static_cast<double>(line_bytes) / static_cast<double>(limits.level2_cache);
  if (use != LineUse::rows && use != LineUse::mapped_rows) return false;
  if (use == LineUse::rows && !in_caches(length, lines, limits)) return false;
  if (host_takes_large_radices(limits)) return parts == 2 && filled >= filled_by_large_radices;
  if (use == LineUse::rows) return filled >= (parts == 1 ? filled_by_floats : filled_by_doubles);
  const bool one_by_one = lines == 1 || host_from_memory(length, lines, limits);
  return filled >= filled_by_planes || (parts == 2 && filled >= filled_by_reals && one_by_one);
}

// Of lines of reals beyond what is priced.
std::optional<std::size_t> columns_of_sliced_reals(std::size_t length, std::uint64_t lines,
                                                   const DeviceLimits& limits) {
  const std::uint64_t line_bytes = length * sizeof(std::complex<float>);
  const bool sliced = host_from_memory(length, lines, limits) && line_bytes <= sliced_cores * limits.level2_cache;
  if (!sliced) return std::nullopt;
  const std::size_t equal = nearest_columns(length);
  const double worth = worth_of_equal_parts * division_cost(equal, length / equal, false, limits);
  return cheapest_columns(length, worth, [&](std::size_t columns, std::size_t rows) {
    const bool leaves_half = 4 * bundle_planes(rows, limits) < limits.level2_cache;
    if (columns == 1 || columns > rows || !leaves_half || !host_holds(rows, limits)) return impossible;
    return division_cost(columns, rows, false, limits);
  });
}

}  // namespace

bool host_from_memory(std::size_t length, std::uint64_t lines, const DeviceLimits& limits) {
  return lines * length * sizeof(std::complex<float>) > host_rows_first_cores * limits.level2_cache;
}

bool host_maps_rows_last(std::size_t columns, std::size_t rows, Precision arithmetic) {
  return columns % 2 == 0 && fills_cache_lines(rows, arithmetic);
}

bool host_keeps_whole(std::size_t length, LineUse use, const DeviceLimits& limits) {
  const std::size_t caches = limits.halved_vectors && !are_columns(use) ? caches_filled_by_halves : 1;
  return host_holds((length + caches - 1) / caches, limits);
}

std::optional<std::pair<std::size_t, std::size_t>> host_division(std::size_t length, LineUse use, std::uint64_t lines,
                                                                 const DeviceLimits& limits) {
  std::optional<std::size_t> columns;
  if (use == LineUse::rows || (use == LineUse::mapped_rows && in_caches(length, lines, limits))) {
    columns = priced_columns(length, use == LineUse::rows && takes_short_rows(length, lines, limits), limits);
  } else if (use == LineUse::mapped_rows) {
    columns = columns_of_sliced_reals(length, lines, limits);
    if (!columns && host_from_memory(length, lines, limits)) columns = nearly_equal_columns(length, true, limits);
    if (!columns && lines == 1) columns = nearly_equal_columns(length, false, limits);
  }
  if (!columns) columns = nearest_columns(length);
  if (*columns == 1) return std::nullopt;
  return std::pair{*columns, length / *columns};
}

std::optional<std::pair<std::size_t, std::size_t>> host_split(std::size_t length, LineUse use, std::uint64_t lines,
                                                              const DeviceLimits& limits) {
  if (host_keeps_whole(length, use, limits) && !leaves_threads_idle(length, lines, limits)) return std::nullopt;
  return host_division(length, use, lines, limits);
}

std::optional<std::pair<std::size_t, std::size_t>> host_faster_split(std::size_t length, LineUse use,
                                                                     std::uint64_t lines, const DeviceLimits& limits) {
  if (!host_holds(length, limits) || !gains_by_two_stages(length, use, lines, limits)) return std::nullopt;
  return host_division(length, use, lines, limits);
}

}  // namespace twiddle::plan
