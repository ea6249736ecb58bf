// What the methods of a convolution are estimated to take on devices with work-groups, and the best segments there.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/convolution/convolution_recipe.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

// How much longer double precision takes: half as many lanes, twice the memory.
inline constexpr double double_precision = 2;

// Results of a line of direct sums that a group takes.
inline constexpr double device_sum_tile = 256;

// Times of what complex numbers in single precision take: half for reals, twice in double precision.
[[nodiscard]] double scalar_factor(const twiddle::Convolution& convolution);

// Results of all filters for all signals, before something is made of them.
[[nodiscard]] double result_count(const twiddle::Convolution& convolution);

// Nanoseconds of direct sums of so many terms for each result, or of columns and rows.
[[nodiscard]] double device_sums_cost(const twiddle::Convolution& convolution, const DeviceLimits& limits, double terms,
                                      bool columns);

// Nanoseconds of the whole by transforms of so many points along each axis.
[[nodiscard]] double device_whole_cost(const twiddle::Convolution& convolution, const DeviceLimits& limits,
                                       const std::vector<std::uint64_t>& padded);

// Points, at least so many, of the one dimension of a convolution that is transformed as a whole.
[[nodiscard]] std::uint64_t padded_line(const twiddle::Convolution& convolution, const DeviceLimits& limits,
                                        std::uint64_t least);

struct DeviceOverlapSave {
  double nanoseconds = 0;
  ConvolutionRecipe recipe;
};

// The cheapest segments for a convolution of one dimension: those that one kernel holds (bank_shape.hpp), or longer
// ones through memory. A length that is asked for is the shortest on chip that is as long, or, where there is none, a
// fast length through memory, of which at least half are outputs.
[[nodiscard]] DeviceOverlapSave device_overlap_save(const twiddle::Convolution& convolution,
                                                    const DeviceLimits& limits);

}  // namespace twiddle::plan
