// The planner: from a transform and a device's limits to the algorithm for each axis.
#include "plan/recipe.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "plan/axis_rule.hpp"
#include "plan/host_radices.hpp"
#include "plan/limits.hpp"
#include "plan/measured_choices.hpp"
#include "plan/radices.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

bool is_smooth(std::size_t n, const DeviceLimits& limits) {
  const auto factors = prime_factors(n);
  return factors.empty() || factors.back() <= largest_prime_factor(limits);
}

std::shared_ptr<const LineRecipe> share(LineRecipe line) { return std::make_shared<const LineRecipe>(std::move(line)); }

LineRecipe smooth_line(std::size_t length, bool strided, const DeviceLimits& limits);

// Ascending, without 1 and the number itself.
std::vector<std::size_t> inner_divisors(std::size_t number) {
  std::vector<std::size_t> divisors;
  for (std::size_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor != 0) continue;
    divisors.push_back(divisor);
    if (divisor != number / divisor) divisors.push_back(number / divisor);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

// The divisor pair (columns, rows) with the lowest modelled cost whose columns fit on chip a tile wide; both where
// possible, else columns as large as fit and rows to be split again.
std::pair<std::size_t, std::size_t> split(std::size_t length, const DeviceLimits& limits) {
  const std::uint32_t tile = tile_width(limits);
  std::pair<std::size_t, std::size_t> best{0, 0};
  double best_cost = INFINITY;
  std::size_t largest_column = 0;
  const std::vector<std::size_t> divisors = inner_divisors(length);
  for (const std::size_t columns : divisors) {
    const auto column_choice = choose_radices(columns, tile, limits);
    if (!column_choice) continue;
    largest_column = std::max(largest_column, columns);
    const auto row_choice = choose_radices(length / columns, tile, limits);
    if (!row_choice) continue;
    const double imbalance = std::abs(std::log2(static_cast<double>(columns) * columns / length));
    const double cost = column_choice->cost + row_choice->cost + 0.5 * imbalance;
    if (cost < best_cost) {
      best_cost = cost;
      best = {columns, length / columns};
    }
  }
  if (best.first != 0) return best;
  // Three passes: aim at equal parts, so that each has room for a wide tile.
  const double third = std::cbrt(static_cast<double>(length));
  std::size_t columns = largest_column;
  for (const std::size_t candidate : divisors) {
    if (candidate <= largest_column && choose_radices(candidate, tile, limits) &&
        std::abs(std::log(candidate / third)) < std::abs(std::log(columns / third))) {
      columns = candidate;
    }
  }
  if (columns == 0) {
    throw Unsupported(fmt::format("length {} has no divisor that fits the device's work-groups ({} items, {} bytes of "
                                  "local memory)", length, limits.max_group_size, limits.local_memory));
  }
  return {columns, length / columns};
}

LineRecipe four_step(std::size_t columns, std::size_t rows, const DeviceLimits& limits) {
  return {columns * rows, FourStep{share(smooth_line(columns, true, limits)), share(smooth_line(rows, true, limits))}};
}

// A line without large prime factors. `strided`: its elements are not next to each other on one side at least, so that
// a work-group must take a tile of neighbouring lines.
LineRecipe smooth_line(std::size_t length, bool strided, const DeviceLimits& limits) {
  if (length == 1) return {1, Identity{}};
  switch (limits.shape) {
    case DeviceLimits::Shape::owned: {
      if (const auto parts = host_split(length, limits)) return four_step(parts->first, parts->second, limits);
      return {length, Stockham{host_radices(length, limits, strided ? HostLine::strided : HostLine::contiguous)}};
    }
    case DeviceLimits::Shape::staged:
      return {length, Staged{staged_radices(length, limits)}};
    case DeviceLimits::Shape::on_chip:
      break;
  }
  // Half a tile still uses whole sectors of memory; narrower ones lose to another pass.
  const std::uint32_t narrowest = strided ? std::max(1U, tile_width(limits) / 2) : 1;
  if (const auto measured = measured_choice(length, strided, limits)) return {length, Stockham{measured->radices}};
  if (const auto choice = choose_radices(length, narrowest, limits)) return {length, Stockham{choice->radices}};
  const auto [columns, rows] = split(length, limits);
  return four_step(columns, rows, limits);
}

// Numbers whose prime factors are 2, 3, 5 and 7, from `least` to `most`.
std::vector<std::size_t> smooth_numbers(std::size_t least, std::size_t most) {
  std::vector<std::size_t> numbers{1};
  for (const std::size_t factor : {7, 5, 3, 2}) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] <= most / factor) numbers.push_back(numbers[i] * factor);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  std::erase_if(numbers, [&](std::size_t number) { return number < least; });
  return numbers;
}

// The cheapest smooth length for Bluestein's convolution, searched among those just above 2 n - 1.
std::size_t padded_length(std::size_t length) {
  const std::size_t least = 2 * length - 1;
  std::size_t best = 0;
  double best_cost = INFINITY;
  for (const std::size_t candidate : smooth_numbers(least, least + least / 4 + 8)) {
    double levels = 0;
    for (std::size_t factor : prime_factors(candidate)) {
      levels += std::log2(static_cast<double>(factor)) * (factor == 2 ? 1.0 : 1.15);
    }
    const double cost = levels * static_cast<double>(candidate);
    if (cost < best_cost) {
      best_cost = cost;
      best = candidate;
    }
  }
  return best;
}

LineRecipe make_line(std::size_t length, bool strided, const DeviceLimits& limits) {
  if (is_smooth(length, limits)) return smooth_line(length, strided, limits);
  return {length, Bluestein{share(smooth_line(padded_length(length), strided, limits))}};
}


}  // namespace

bool FourStep::operator==(const FourStep& other) const { return *columns == *other.columns && *rows == *other.rows; }

bool Bluestein::operator==(const Bluestein& other) const { return *padded == *other.padded; }

unsigned largest_prime_factor(const DeviceLimits& limits) {
  if (limits.shape == DeviceLimits::Shape::owned) return host_largest_prime;
  return elements_per_item(limits) >= 31 ? 31 : 13;
}

Recipe make_recipe(const Transform& transform, const DeviceLimits& device_limits) {
  validate(transform);
  if (transform.precision == Precision::extended && device_limits.shape != DeviceLimits::Shape::owned) {
    throw Unsupported(fmt::format("{}: long double is computed on the host only; choose the device 'host', or f64",
                                  to_string(transform)));
  }
  const DeviceLimits limits = limits_for(device_limits, transform.precision);
  Recipe recipe;
  const auto axes = transformed_axes(transform);
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    const std::size_t points = axis_points(transform, *axis);
    std::size_t inner = 1;
    for (std::size_t i = *axis + 1; i < transform.lengths.size(); ++i) inner *= transform.lengths[i];
    if (points > 1) {
      recipe.axes.push_back({*axis, make_line(points, inner > 1, limits)});
    } else if (transform.kind != Kind::c2c) {
      recipe.axes.push_back({*axis, {1, Identity{}}});
    }
  }
  return recipe;
}

std::string to_string(const LineRecipe& line) {
  struct Print {
    std::size_t length;
    std::string operator()(const Identity&) const { return "1"; }
    std::string operator()(const Stockham& s) const { return fmt::format("{} = {}", length, fmt::join(s.radices, ".")); }
    std::string operator()(const Staged& s) const {
      return fmt::format("{} = {} staged", length, fmt::join(s.radices, "|"));
    }
    std::string operator()(const FourStep& f) const {
      return fmt::format("{} = [{}] x [{}]", length, to_string(*f.columns), to_string(*f.rows));
    }
    std::string operator()(const Bluestein& b) const {
      return fmt::format("{} = Bluestein [{}]", length, to_string(*b.padded));
    }
  };
  return std::visit(Print{line.length}, line.algorithm);
}

}  // namespace twiddle::plan
