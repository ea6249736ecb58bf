// A model of stages, fitted to measurements: its weights, and how full vectors are.
#include "plan/recipe/host_parts.hpp"

#include <algorithm>

#include "plan/device/limits.hpp"
#include "plan/lower/stage.hpp"
#include "plan/recipe/host_vectors.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

// Fitted to 11,000 ways of 1,000 lines from 34 to 300000 points, single, in batches, as columns and of reals, floats
// and doubles, on a Xeon (by AVX-512 and AVX2) and an EPYC (Zen 3): what is chosen takes 1.03 of the fastest's time in
// the mean.
constexpr double lone_passes_weight = 1.25;      // of passes of one line after the other, from memory to memory
constexpr double lone_convolution_weight = 0.5;  // of those of a convolution, between which a line stays in the cache
constexpr double second_stage_cost = 300;
constexpr double second_stage_of_columns_cost = 20;  // unmapped ones: they are read and written piece by piece anyway
constexpr double call_cost = 7000;                   // of a stage, in operations of a vector
// Rows side by side are turned on both sides, and long sums outgrow registers: so much, and times the square of what
// their passes cost. Fitted to 64 rows of 34 lengths beside Bluestein's algorithm and two parts on an EPYC (Zen 4).
constexpr double turned_rows_cost = 120;
constexpr double long_sums_weight = 0.0035;
// Passes of one line of reals that have a radix between these and their spectrum take so much of what a complex line
// would; fitted to 76 odd lengths from 123 to 228475. Several stand side by side; to 5, 20 and 90 of 11 lengths.
constexpr double lone_reals_share = 0.8;
constexpr double long_sums_of_reals_weight = 0.0007;

std::uint64_t lanes_of(const DeviceLimits& limits) { return std::max<std::uint64_t>(limits.sub_group_size, 1); }

// The host's stages choose lines for their lanes by how many there are and how near they stand: parts of a line
// `nearness` times as near as lines of a batch.
std::uint64_t chosen(std::uint64_t parts, std::uint64_t nearness, std::uint64_t lines, const DeviceLimits& limits) {
  const auto filled = [&](std::uint64_t count) { return std::min(count, lanes_of(limits)); };
  return nearness * filled(parts) >= filled(lines) ? parts : lines;
}

double lone_cost(const std::vector<unsigned>& radices, const DeviceLimits& limits) {
  return lone_passes_weight * host_cost(radices, limits, HostLine::contiguous);
}

double side_by_side_cost(const std::vector<unsigned>& radices, std::uint64_t lines, const DeviceLimits& limits) {
  const std::uint64_t lanes = lanes_of(limits);
  const auto used = static_cast<double>((lines + lanes - 1) / lanes * lanes);
  return host_cost(radices, limits, HostLine::strided) * used / static_cast<double>(lines);
}

bool takes_rows_side_by_side(const std::vector<unsigned>& radices, std::uint64_t lines, const DeviceLimits& limits) {
  return host_takes_rows_side_by_side(radices, lines, lanes_of(limits), scalar_bytes(limits.arithmetic),
                                      second_level_cache(limits));
}

double turned_cost(const std::vector<unsigned>& radices, std::uint64_t lines, const DeviceLimits& limits) {
  const double cost = side_by_side_cost(radices, lines, limits);
  return turned_rows_cost + cost + long_sums_weight * cost * cost;
}

}  // namespace

std::uint64_t beside_columns(std::size_t rows, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  return are_columns(use) ? lines : chosen(rows, 7, lines, limits);
}

std::uint64_t beside_rows(std::size_t columns, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  return are_columns(use) ? lines : chosen(columns, 2, lines, limits);
}

double host_whole_cost(const std::vector<unsigned>& radices, LineUse use, std::uint64_t lines,
                       const DeviceLimits& limits) {
  if (are_columns(use)) return side_by_side_cost(radices, lines, limits);
  if (leaves_lanes_idle(lines, lanes_of(limits))) return lone_cost(radices, limits);
  if (takes_rows_side_by_side(radices, lines, limits)) return turned_cost(radices, lines, limits);
  const bool long_rows = product(radices) >= host_shortest_row;
  return long_rows ? lone_cost(radices, limits) : side_by_side_cost(radices, lines, limits);
}

double host_reals_cost(const std::vector<unsigned>& radices, std::uint64_t pairs, const DeviceLimits& limits) {
  const std::uint64_t lanes = lanes_of(limits);
  const std::uint64_t lines = 2 * pairs;
  const bool long_rows = product(radices) >= host_shortest_row && !takes_rows_side_by_side(radices, lines, limits);
  const bool real_radix = !host_real_radices(product(radices), lanes, HostLine::contiguous, false).empty();
  if (real_radix && (long_rows || leaves_lanes_idle(lines, lanes)))
    return lone_reals_share * lone_cost(radices, limits);
  if (pairs == 1) return lone_cost(radices, limits);
  const double cost = side_by_side_cost(radices, lines, limits);
  return cost + long_sums_of_reals_weight * cost * cost;
}

double host_part_cost(const std::vector<unsigned>& radices, std::uint64_t neighbours, const DeviceLimits& limits) {
  const bool lone = radices.size() > 1 && leaves_lanes_idle(neighbours, lanes_of(limits));
  return lone ? lone_cost(radices, limits) : side_by_side_cost(radices, neighbours, limits);
}

double host_convolved_cost(const std::vector<unsigned>& radices, HostLine line, std::uint64_t lines,
                           const DeviceLimits& limits) {
  if (line == HostLine::strided) return side_by_side_cost(radices, lines, limits);
  return lone_convolution_weight * host_cost(radices, limits, line);
}

double host_convolved_bound(std::size_t points, const DeviceLimits& limits) {
  return std::min(host_cost_bound(points, HostLine::strided, limits),
                  lone_convolution_weight * host_cost_bound(points, HostLine::contiguous, limits));
}

// The same machines, primes from 17 to 127. Of rows side by side from 89 on 1.05 to 2 times as fast (by AVX-512 from 61
// on, 1.2 to 2.1), of single rows of doubles 1.1 to 1.6, of columns by AVX-512 1.2 to 1.4, by AVX2 0.7 to 1.05.
// Single rows of floats 0.7 to 1.1. By Bluestein's algorithm, as 83, 103 and 107 points would be, at most 1.2.
bool host_convolves_prime(std::size_t prime, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  if (prime_factors(prime - 1).back() > host_largest_prime_butterfly) return false;
  const bool doubles = limits.arithmetic == Precision::float64;
  const bool wide = lanes_of(limits) * scalar_bytes(limits.arithmetic) == long_vector_bytes;
  if (are_columns(use)) return wide && prime >= 97;
  if (leaves_lanes_idle(lines, lanes_of(limits))) return doubles && prime >= 97;
  return prime >= (wide ? 61 : 89);
}

double host_two_stages_cost(std::size_t length, LineUse use, std::uint64_t lines, bool unmapped,
                            const DeviceLimits& limits) {
  const double elements = static_cast<double>(length) * static_cast<double>(lines);
  const double called = call_cost * static_cast<double>(lanes_of(limits)) / elements;
  return (are_columns(use) && unmapped ? second_stage_of_columns_cost : second_stage_cost) + called;
}

}  // namespace twiddle::plan
