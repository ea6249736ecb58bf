// What the host's stages cost where a line with a prime factor that has no butterfly may be computed in one or in two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/choice/measured_choices.hpp"
#include "plan/recipe/host_radices.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// How many lines a stage has to choose from for the lanes of the host's vectors: of `lines` lines of columns * rows
// points that which transforms the columns, and that which transforms the rows.
[[nodiscard]] std::uint64_t beside_columns(std::size_t rows, LineUse use, std::uint64_t lines,
                                           const DeviceLimits& limits);
[[nodiscard]] std::uint64_t beside_rows(std::size_t columns, LineUse use, std::uint64_t lines,
                                        const DeviceLimits& limits);

// For each element, in operations of a vector full of lines, as host_cost(): passes of one stage over a whole line, or
// over one of two parts that has `neighbours` beside it; and one of the two transforms of a convolution, in whose lanes
// there is what `line` says.
[[nodiscard]] double host_whole_cost(const std::vector<unsigned>& radices, LineUse use, std::uint64_t lines,
                                     const DeviceLimits& limits);
[[nodiscard]] double host_part_cost(const std::vector<unsigned>& radices, std::uint64_t neighbours,
                                    const DeviceLimits& limits);
[[nodiscard]] double host_convolved_cost(const std::vector<unsigned>& radices, HostLine line, std::uint64_t lines,
                                         const DeviceLimits& limits);

// Of rows of an odd number of reals what host_whole_cost() is of complex ones, each of which is a pair of these:
// they may have a first or a last pass of reals.
[[nodiscard]] double host_reals_cost(const std::vector<unsigned>& radices, std::uint64_t pairs,
                                     const DeviceLimits& limits);

// At most what a convolution's transform costs by any passes whose product is `points`.
[[nodiscard]] double host_convolved_bound(std::size_t points, const DeviceLimits& limits);

// Whether Rader's algorithm is faster for lines of so many points, a prime, than their one pass by the definition.
[[nodiscard]] bool host_convolves_prime(std::size_t prime, LineUse use, std::uint64_t lines,
                                        const DeviceLimits& limits);

// What two stages cost beside their passes: a second way through memory, and to be called. `unmapped`: no map of reals
// stands before or behind the lines.
[[nodiscard]] double host_two_stages_cost(std::size_t length, LineUse use, std::uint64_t lines, bool unmapped,
                                          const DeviceLimits& limits);

}  // namespace twiddle::plan
