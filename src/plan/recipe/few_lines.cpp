// Elements of a work-item as a strategy would say them.
#include "plan/recipe/few_lines.hpp"

#include "plan/shape/measured_device.hpp"

namespace twiddle::plan {
namespace {

constexpr std::uint32_t few_elements = 12;

// Measured on an H100: shorter rows have a single pass; longer ones take up to 1.5 times as long with one more.
constexpr std::uint64_t fewest_points = 33;
constexpr std::uint64_t most_points = 3200;
constexpr std::uint64_t most_points_of_doubles = 1000;

bool are_few_rows(std::uint64_t lines, const DeviceLimits& limits) {
  return is_like_measured(limits) && leaves_units_idle(lines, limits);
}

}  // namespace

DeviceLimits limits_of_rows(std::uint64_t lines, std::uint64_t points, const DeviceLimits& limits) {
  const std::uint64_t most = limits.arithmetic == Precision::float64 ? most_points_of_doubles : most_points;
  DeviceLimits own = limits;
  if (points >= fewest_points && points <= most && are_few_rows(lines, limits)) {
    own.strategy.elements = few_elements;
  }
  return own;
}

// An H200, 2026-11-26, single lines: 0.74 to 0.95 of the time, doubles 0.56 to 0.80; 31 points 0.97 and 1.01. By a
// convolution 41 and 43 points would have up to 1.2 times FFTW's error.
bool convolves_few_rows(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits) {
  return (points == 37 || points == 47) && are_few_rows(lines, limits);
}

// An H200, 2026-11-26, 71 problems of one row and of 30: up to 1728 points 1.01 of the time in the mean (0.94 to 1.06),
// from 4800 on 0.81 to 0.93; those between take up to 1.18.
bool go_back_alike(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits) {
  constexpr std::uint64_t most_of_short = 1728;
  constexpr std::uint64_t fewest_of_long = 4800;
  return (points <= most_of_short || points >= fewest_of_long) && are_few_rows(lines, limits);
}

}  // namespace twiddle::plan
