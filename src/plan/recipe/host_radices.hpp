// How the host engine computes a line: which radices in which order, and which lines one stage holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/recipe/convolution.hpp"
#include "plan/recipe/host_vectors.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// Larger prime factors are left to convolutions; those without a butterfly are computed directly.
inline constexpr unsigned host_largest_prime = 127;
inline constexpr unsigned host_largest_prime_butterfly = 13;

// Whether vectors are long beside a large second-level cache (host_division.hpp). There large radices are chosen, and
// blocks (below), where they were measured: a pass that waits for the caches takes about as long whatever its radix, so
// fewer passes are faster.
[[nodiscard]] bool host_takes_large_radices(const DeviceLimits& limits);

// Of butterflies on packed complex numbers, which short lines take.
inline constexpr unsigned largest_packed_radix = 16;
// Larger ones, for lines that are no longer.
inline constexpr std::array packed_line_radices = {18u, 20u, 21u, 22u, 24u, 25u, 26u, 27u,
                                                   28u, 30u, 32u, 36u, 40u, 48u, 50u, 64u};

// Whether there is a pass of that radix: by a butterfly, or, for primes, by the definition.
[[nodiscard]] bool host_has_pass(unsigned radix, const DeviceLimits& limits);

// Whether the elements of a line are next to each other on both sides, and so its own elements share a vector, or not,
// and then neighbouring lines do.
enum class HostLine { contiguous, strided };

// Radices, in order of execution, whose product is `length`; empty for 1 and for a length with a prime factor above
// host_largest_prime. Chosen by least estimated cost, of which the SIMD width (limits.sub_group_size, in lanes) is
// part: passes whose runs are shorter than a vector waste lanes. Contiguous lines no longer than a butterfly take that
// one pass: the host has workers of their own for them. `past_cache`: lines, and results, are too many for the caches.
[[nodiscard]] std::vector<unsigned> host_radices(std::size_t length, const DeviceLimits& limits,
                                                 HostLine line = HostLine::contiguous, bool past_cache = false);

// Three passes for complex lines in the caches that go by blocks behind the first pass, vectors of its results' columns
// (column_blocks.hpp); empty where there are none that cost less than those above. Where vectors are a cache line long
// and the second-level cache is large.
[[nodiscard]] std::vector<unsigned> host_blocked_radices(std::size_t length, const DeviceLimits& limits);
inline constexpr std::size_t most_block_bytes = 32768;  // more would not stay in the first-level cache
// Of so many points in each lane.
[[nodiscard]] constexpr std::size_t block_bytes(std::size_t points) { return 2 * points * long_vector_bytes; }

// Those of contiguous lines with a map before or after them. In double precision 400 reals made from their spectrum
// by 8.5.5 had an error of 2.03e-16, where FFTW's is 1.79e-16; by 5.8.5 it is 1.99e-16, and one line takes 1.04 of the
// time, many as long as before. `maps_last`: of those whose last pass carries out the map (host_halves_map_last).
[[nodiscard]] std::vector<unsigned> host_mapped_radices(std::size_t length, const DeviceLimits& limits,
                                                        bool past_cache = false, bool maps_last = false);

// Radices that the host has butterflies for between reals and half of their spectrum. Large ones fill the vectors of
// single lines (contiguous); where neighbouring lines do that, they gain nothing.
inline constexpr std::array<unsigned, 10> host_real_radix_table = {3, 5, 7, 9, 11, 13, 15, 16, 25, 27};
inline constexpr unsigned host_largest_real_bundle = 16;

// The same for a line of real data, the first radix (the last one of a transform back) being real: of its r results
// r / 2 + 1 are computed, the rest are their conjugates. One of host_real_radix_table, or a prime factor without a
// butterfly if `direct`. Empty where neither divides the length. `lanes`: of a vector.
[[nodiscard]] std::vector<unsigned> host_real_radices(std::size_t length, std::size_t lanes, HostLine line,
                                                      bool direct);

// What such passes are estimated to cost: vector operations for a vector of elements.
[[nodiscard]] double host_cost(const std::vector<unsigned>& radices, const DeviceLimits& limits, HostLine line);

// At most what any passes whose product is `length` are estimated to cost, for what need not be searched.
[[nodiscard]] double host_cost_bound(std::size_t length, HostLine line, const DeviceLimits& limits);

// Rows of so many points are computed one after the other however many there are; shorter ones leave lanes idle then.
inline constexpr std::uint64_t host_shortest_row = 256;

// Whether so many rows, more than leave lanes idle, are computed side by side even so, as columns are. By the
// definition a pass waits for each of a row's few columns, so that rows whose first pass is one take 0.1 to 0.3 of the
// time, and most others 0.4 to 0.95 (64 lines of 62 lengths from 279 to 11849, an EPYC, Zen 4). Not where a first radix
// leaves runs that fill whole vectors (1.04 to 2.7), nor where lines fill more than two of the core's caches (24225
// doubles 1.5); doubles with one such pass, half of it (0.95 to 1.15). Beside a large cache all that are within it: on
// a Xeon with 2 MiB 28 of 33 lengths take 0.39 to 1.01, five 1.1 to 1.6, and longer lines 1.0 to 1.44.
[[nodiscard]] bool host_takes_rows_side_by_side(const std::vector<unsigned>& radices, std::uint64_t lines,
                                                std::size_t lanes, std::size_t scalar_bytes, std::size_t second_cache);

// Whether so few lines would fill half of a vector at most, and are computed one after the other.
[[nodiscard]] inline bool leaves_lanes_idle(std::uint64_t lines, std::uint64_t lanes) { return 2 * lines <= lanes; }

// Whether the lanes of the host's vectors hold neighbouring lines that are convolved, or else columns of one line after
// the other: whether there are enough lines for `lanes`, and a cache of so many scalars holds as many. Bluestein's
// lines of adjacent elements soon are faster one by one, as their planes then are in the first-level cache; those of
// Rader's algorithm are put into their order element by element.
[[nodiscard]] bool convolves_side_by_side(const Convolution& convolution, std::uint64_t lines, bool adjacent,
                                          std::size_t lanes, std::uint64_t cache_scalars);

// Whether a line of so many points fits into the second-level cache with its scratch.
[[nodiscard]] bool host_holds(std::size_t points, const DeviceLimits& limits);

// Whether lines of so many points are so few that most threads would have none, were each one stage.
[[nodiscard]] bool leaves_threads_idle(std::size_t length, std::uint64_t lines, const DeviceLimits& limits);

}  // namespace twiddle::plan
