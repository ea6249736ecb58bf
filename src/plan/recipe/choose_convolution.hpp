// Which convolution computes a line whose length has a large prime factor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "plan/recipe/recipe.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

struct ConvolutionChoice {
  Convolved convolved;
  double cost = 0;  // of the device's model, for each element of the line; comparable with that of plain radices
};

struct LinesToConvolve {
  std::uint64_t count = 1;
  bool strided = false;
  // On the host: as far beyond a core's cache as one stage is faster than several. Else they stay in it.
  bool beyond_cache = false;
};

// The cheapest convolution in one stage, for Bluestein's algorithm of so many points at `least`: for devices with
// work-groups, in local memory, for at least `narrowest` lines side by side. Nothing where none fits.
[[nodiscard]] std::optional<ConvolutionChoice> choose_convolution(std::size_t length, std::size_t least,
                                                                  const LinesToConvolve& lines, std::uint32_t narrowest,
                                                                  const DeviceLimits& limits);

// A convolution on chip of so many points that work-items spill some of what they hold, for `lines` lines: where that
// was measured to be faster than Bluestein's through memory on devices like this one, else nothing. Costs more than
// parts of the length by convolutions that fit.
[[nodiscard]] std::optional<Convolved> spilling_convolution(std::size_t length, bool strided, std::uint64_t lines,
                                                            const DeviceLimits& limits);

// The cheapest smooth length for Bluestein's convolution through memory, among those just above the least that serves.
[[nodiscard]] std::size_t padded_length(std::size_t least, const DeviceLimits& limits);

// At most what a choice of the host's costs, for what need not be searched.
[[nodiscard]] double convolution_cost_bound(std::size_t length, std::size_t least, const DeviceLimits& limits);

}  // namespace twiddle::plan
