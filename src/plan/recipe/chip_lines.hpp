// Lines that one stage holds, or two such stages, and what they cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "plan/choice/measured_choices.hpp"
#include "plan/recipe/choose_convolution.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/device.hpp"

namespace twiddle::plan {

inline constexpr std::uint64_t many_lines = 1024;  // enough for any device

// Whether all prime factors have a pass, by a butterfly or by the definition.
[[nodiscard]] bool is_smooth(std::size_t n, const DeviceLimits& limits);

// Lines that a group takes at least: half a tile still uses whole sectors of memory; narrower ones lose to another
// pass.
[[nodiscard]] std::uint32_t narrowest_tile(bool strided, const DeviceLimits& limits);

// Ascending, without 1 and the number itself.
[[nodiscard]] std::vector<std::size_t> inner_divisors(std::size_t number);

[[nodiscard]] inline std::shared_ptr<const LineRecipe> share(LineRecipe line) {
  return std::make_shared<const LineRecipe>(std::move(line));
}

// A line, and what it costs for each element, by the model of the device's radices.
struct ChipLine {
  LineRecipe line;
  double cost = 0;
};

// Lines that are computed alike.
struct Lines {
  LineUse use = LineUse::rows;
  std::uint64_t count = 1;
  bool unmapped = false;  // complex, without any map
  bool halved = false;    // an odd number of reals, of which two stages compute half
};

// As a whole by a convolution, Bluestein's of `least` points or more. Nothing where none fits.
[[nodiscard]] std::optional<ChipLine> convolved_line(std::size_t length, std::size_t least,
                                                     const LinesToConvolve& lines, const DeviceLimits& limits);

// Part of a line, with so many neighbours, which the host's cost depends on. Nothing where no stage holds it.
[[nodiscard]] std::optional<ChipLine> chip_line(std::size_t length, std::uint64_t neighbours,
                                                const DeviceLimits& limits);

// The cheapest two parts of a length, each by the algorithm that suits it. Nothing where there are none.
[[nodiscard]] std::optional<ChipLine> two_chip_lines(std::size_t length, const Lines& lines,
                                                     const DeviceLimits& limits);

// On the host, the cheaper of both where it costs less than `most`: as a whole by a convolution, or in two parts.
[[nodiscard]] std::optional<ChipLine> host_chip_line(std::size_t length, std::size_t least, const Lines& lines,
                                                     const DeviceLimits& limits, double most);

}  // namespace twiddle::plan
