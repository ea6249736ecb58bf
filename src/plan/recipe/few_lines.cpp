// Elements of a work-item as a strategy would say them.
#include "plan/recipe/few_lines.hpp"

#include <algorithm>
#include <array>

#include "plan/shape/measured_device.hpp"

namespace twiddle::plan {
namespace {

// Measured on an H100: shorter rows have a single pass; longer ones take up to 1.5 times as long with one more.
constexpr std::uint64_t fewest_points = 33;
constexpr std::uint64_t most_points = 3200;
constexpr std::uint64_t most_points_of_doubles = 1000;

// 0: as many as the device's limits say. Convolutions that are longer have as many as three passes need, on an H200:
// but for 5488 points and more than 6144, whose passes are alike there and back as it is, and which take up to 1.37 of
// the time otherwise.
std::uint32_t elements_of(std::uint64_t points, bool convolved, bool doubles) {
  if (points < fewest_points) return 0;
  if (points <= (doubles ? most_points_of_doubles : most_points)) return 12;
  if (!convolved || points == 5488 || points > 6144) return 0;
  if (points <= 3200) return 16;
  return points <= 3600 || (doubles && points > 5400) ? 20 : 24;  // more doubles would spill
}

bool are_few_rows(std::uint64_t lines, const DeviceLimits& limits) {
  return is_like_measured(limits) && leaves_units_idle(lines, limits);
}

// An H200, 2026-11-26, 12 and 128 MiB of complex rows and of reals there and back: 0.93 of the time in the mean, 1.04
// at most; of 90 other numbers of points some sort of rows takes longer, up to 2.6 times.
bool many_go_back_alike(std::uint64_t points, bool doubles) {
  constexpr std::array<std::uint64_t, 3> floats_alike{7168, 8640, 18750};
  constexpr std::array<std::uint64_t, 7> doubles_alike{2800, 2880, 4608, 5120, 5488, 7168, 18750};
  return doubles ? std::ranges::find(doubles_alike, points) != doubles_alike.end()
                 : std::ranges::find(floats_alike, points) != floats_alike.end();
}

}  // namespace

DeviceLimits limits_of_rows(std::uint64_t lines, std::uint64_t points, bool convolved, const DeviceLimits& limits) {
  DeviceLimits own = limits;
  if (!are_few_rows(lines, limits)) return own;
  const bool doubles = limits.arithmetic == Precision::float64;
  if (const std::uint32_t elements = elements_of(points, convolved, doubles)) own.strategy.elements = elements;
  return own;
}

// An H200, 2026-11-26, single lines: 0.74 to 0.95 of the time, doubles 0.56 to 0.80; 31 points 0.97 and 1.01. By a
// convolution 41 and 43 points would have up to 1.2 times FFTW's error.
bool convolves_few_rows(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits) {
  return (points == 37 || points == 47) && are_few_rows(lines, limits);
}

// An H200, 2026-11-26, one row and 30: up to 1728 points 1.01 of the time in the mean (0.94 to 1.06), from 4600 on 0.81
// to 1.08; floats between take up to 1.18, doubles 0.88 to 1.08.
bool go_back_alike(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits) {
  const bool doubles = limits.arithmetic == Precision::float64;
  if (!leaves_units_idle(lines, limits)) return is_like_measured(limits) && many_go_back_alike(points, doubles);
  const bool pays = points <= 1728 || points >= 4600 || doubles;
  return pays && are_few_rows(lines, limits);
}

}  // namespace twiddle::plan
