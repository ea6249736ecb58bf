// Smooth lengths by their factors, others by convolution, and products of both in parts.
#include "plan/recipe/choose_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "plan/choice/borrowed_choice.hpp"
#include "plan/choice/choice_table.hpp"
#include "plan/choice/measured_choices.hpp"
#include "plan/device/apply_strategy.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/chip_lines.hpp"
#include "plan/recipe/choose_convolution.hpp"
#include "plan/recipe/few_lines.hpp"
#include "plan/recipe/host_division.hpp"
#include "plan/recipe/host_parts.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/padded_lines.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

// Shorter products with so large a factor are as fast by the definition, and Bluestein's algorithm rounds up to 1.6
// times as much as FFTW does. Up to 31 the sums have kernels of their own: floats of 92, 114 and 119 points take 0.64
// to 0.73 of the time by these, and round 1.47 to 1.51 times as much as FFTW by Bluestein's algorithm.
std::size_t shortest_compared(std::size_t factor) { return factor <= 31 ? 128 : 80; }

LineRecipe smooth_line(std::size_t length, LineUse use, std::uint64_t lines, const DeviceLimits& limits);

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
    throw Unsupported(
        fmt::format("length {} has no divisor that fits the device's work-groups ({} items, {} bytes of "
                    "local memory)",
                    length, limits.max_group_size, limits.local_memory));
  }
  return {columns, length / columns};
}

LineRecipe four_step(std::size_t columns, std::size_t rows, std::uint64_t lines, const DeviceLimits& limits) {
  const auto part = [&](std::size_t length, std::uint64_t others) {
    return share(smooth_line(length, part_use(lines * others, limits), lines * others, limits));
  };
  return {columns * rows, FourStep{part(columns, rows), part(rows, columns)}};
}

// Each pass through memory.
LineRecipe staged_line(std::size_t length, const DeviceLimits& limits) {
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  return {length, Staged{host ? host_radices(length, limits, HostLine::strided) : staged_radices(length, limits),
                         limits.strategy.twiddles, limits.strategy.reversal}};
}

// Of lines between reals and their spectrum, or other real-to-real transforms, on the host.
Stockham host_mapped_passes(std::size_t length, const DeviceLimits& limits, bool past_cache) {
  Stockham passes{host_mapped_radices(length, limits, past_cache)};
  const std::size_t bytes = 2 * length * scalar_bytes(limits.arithmetic);
  if (!limits.halved_vectors || !host_halves_map_last(bytes, second_level_cache(limits))) return passes;
  passes.to_spectrum = host_mapped_radices(length, limits, past_cache, true);
  if (passes.to_spectrum == passes.radices) passes.to_spectrum.clear();
  return passes;
}

// A line without large prime factors.
LineRecipe smooth_line(std::size_t length, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  if (length == 1) return {1, Identity{}};
  const bool strided = are_columns(use);
  if (const LineChoice* tuned = tuned_choice(length, use, limits)) {
    if (tuned->columns != 0) return four_step(tuned->columns, length / tuned->columns, lines, limits);
    // What was tuned for a batch says nothing of few lines that threads share. On the host alone.
    const bool shared = limits.shape == DeviceLimits::Shape::owned && leaves_threads_idle(length, lines, limits);
    const auto parts = shared ? host_split(length, use, lines, limits) : std::nullopt;
    if (!parts) return {length, Stockham{tuned->stage.radices}};
    return four_step(parts->first, parts->second, lines, limits);
  }
  if (goes_through_memory(limits.strategy)) return staged_line(length, limits);
  switch (limits.shape) {
    case DeviceLimits::Shape::owned: {
      if (const auto parts = host_split(length, use, lines, limits)) {
        return four_step(parts->first, parts->second, lines, limits);
      }
      if (const auto borrowed = borrowed_choice(line_key(length, use, limits.arithmetic), limits)) {
        return {length, Stockham{borrowed->stage.radices}};
      }
      const bool past_cache = host_from_memory(length, lines, limits);
      if (use == LineUse::mapped_rows) return {length, host_mapped_passes(length, limits, past_cache)};
      if (use == LineUse::rows && !past_cache) {
        std::vector<unsigned> blocked = host_blocked_radices(length, limits);
        if (!blocked.empty()) return {length, Stockham{std::move(blocked)}};
      }
      const HostLine line = strided ? HostLine::strided : HostLine::contiguous;
      return {length, Stockham{host_radices(length, limits, line, past_cache)}};
    }
    case DeviceLimits::Shape::staged:
      return staged_line(length, limits);
    case DeviceLimits::Shape::on_chip:
      break;
  }
  const std::uint32_t narrowest = narrowest_tile(strided, limits);
  const DeviceLimits own = strided ? limits : limits_of_rows(lines, length, false, limits);
  if (const auto measured = measured_choice(length, use, lines, own)) return {length, Stockham{measured->radices}};
  if (const auto choice = choose_radices(length, narrowest, own)) return {length, Stockham{choice->radices}};
  const auto [columns, rows] = split(length, limits);
  return four_step(columns, rows, lines, limits);
}

// Any length in parts that stay on chip, where there are such; as a whole by Bluestein's algorithm in `least` points or
// more.
std::optional<LineRecipe> parted_line(std::size_t length, std::size_t least, const Lines& lines,
                                      const DeviceLimits& limits) {
  if (is_smooth(length, limits)) return smooth_line(length, lines.use, lines.count, limits);
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  const bool strided = are_columns(lines.use);
  if (host) {
    if (auto line = host_chip_line(length, least, lines, limits, INFINITY)) return std::move(line->line);
  } else {
    if (auto whole = convolved_line(length, least, {lines.count, strided}, limits)) return std::move(whole->line);
    if (auto parts = two_chip_lines(length, lines, limits)) return std::move(parts->line);
  }
  if (auto convolved = spilling_convolution(length, strided, lines.count, limits)) {
    return LineRecipe{length, std::move(*convolved)};
  }
  std::vector<std::size_t> divisors = inner_divisors(length);
  for (auto columns = divisors.rbegin(); columns != divisors.rend(); ++columns) {
    auto column_line = chip_line(*columns, many_lines, limits);
    if (!column_line) continue;
    const std::size_t rest = length / *columns;
    const LineUse rest_use = host && !is_smooth(rest, limits) ? LineUse::rows : LineUse::columns;
    auto rows = parted_line(rest, bluestein_points(rest, rest), {rest_use, lines.count * *columns, true}, limits);
    if (rows) return LineRecipe{length, FourStep{share(std::move(column_line->line)), share(std::move(*rows))}};
  }
  return std::nullopt;
}

// On the host. Where the largest prime factor has no butterfly, by the definition in the pass of that, unless another
// way is faster. Parts of reals are priced as complex ones, which host_reals_cost() makes up for.
LineRecipe host_smooth_line(std::size_t length, const Lines& lines, const LineExtents& extents,
                            const DeviceLimits& limits) {
  LineRecipe direct = smooth_line(length, lines.use, lines.count, limits);
  const auto* passes = std::get_if<Stockham>(&direct.algorithm);
  if (passes == nullptr) return direct;
  const std::size_t factor = prime_factors(length).back();
  if (factor <= host_largest_prime_butterfly) return direct;
  const std::size_t least =
      extents.in_one_stage ? bluestein_points(extents.inputs, extents.outputs) : bluestein_points(length, length);
  std::optional<ChipLine> other;
  if (factor == length) {
    if (extents.odd_reals || !host_convolves_prime(length, lines.use, lines.count, limits)) return direct;
    other = convolved_line(length, least, {lines.count, are_columns(lines.use)}, limits);
  } else if (length >= shortest_compared(factor)) {
    const double cost = extents.odd_reals ? host_reals_cost(passes->radices, lines.count, limits)
                                          : host_whole_cost(passes->radices, lines.use, lines.count, limits);
    other = host_chip_line(length, least, lines, limits, cost);
  }
  return other ? std::move(other->line) : direct;
}

// Whether the last part of Bluestein's line can go there and back in one stage.
bool holds_middle(const LineRecipe& padded, LineUse use, const DeviceLimits& limits) {
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  const bool may = host ? !are_columns(use) : limits.shape == DeviceLimits::Shape::on_chip;
  if (!may || limits.strategy != Strategy{}) return false;
  const auto* parts = std::get_if<FourStep>(&padded.algorithm);
  if (parts == nullptr) return false;
  if (std::holds_alternative<FourStep>(parts->rows->algorithm)) return holds_middle(*parts->rows, use, limits);
  const auto* rows = std::get_if<Stockham>(&parts->rows->algorithm);
  if (host || rows == nullptr) return rows != nullptr;
  return rows->radices.size() > 1 &&
         exchanges_whole(parts->rows->length, narrowest_tile(are_columns(use), limits), limits);
}

// A padded line, with its last part as rows, which have the passes of many: those of few were not measured there and
// back.
LineRecipe with_rows(const LineRecipe& line, const DeviceLimits& limits) {
  const auto* parts = std::get_if<FourStep>(&line.algorithm);
  if (parts == nullptr) return line;
  const LineRecipe& rows = *parts->rows;
  if (!std::holds_alternative<Stockham>(rows.algorithm))
    return {line.length, FourStep{parts->columns, share(with_rows(rows, limits))}};
  return {line.length, FourStep{parts->columns, share(smooth_line(rows.length, LineUse::rows, many_lines, limits))}};
}

// The line of Bluestein's algorithm through memory, of so many points at least.
LineRecipe padded_line(std::size_t least, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  const std::size_t points = padded_length(least, limits);
  const auto measured = are_columns(use) ? std::nullopt : padded_choice(points, lines, limits);
  if (measured) return in_stages({measured->columns.radices, measured->rows.radices});
  LineRecipe line = smooth_line(points, use, lines, limits);
  if (!keeps_middle_in_rows(use, limits)) return line;
  // Few lines that fit a group each, there and back: one of 10007 reals takes 1.5 times as long as in parts on an H200.
  if (std::holds_alternative<Stockham>(line.algorithm) && leaves_units_idle(lines, limits) &&
      tuned_choice(line.length, use, limits) == nullptr) {
    const auto [columns, rows] = split(line.length, limits);
    LineRecipe divided = with_rows(four_step(columns, rows, lines, limits), limits);
    if (holds_middle(divided, use, limits)) return divided;
  }
  return with_rows(line, limits);
}

}  // namespace

bool keeps_middle_in_rows(LineUse use, const DeviceLimits& limits) {
  return limits.shape == DeviceLimits::Shape::on_chip && !are_columns(use);
}

bool exceeds_cache(const LineRecipe& line, const DeviceLimits& limits) {
  const auto* convolved = std::get_if<Convolved>(&line.algorithm);
  return convolved != nullptr && limits.shape == DeviceLimits::Shape::owned &&
         convolved->convolution.algorithm == Convolution::Algorithm::bluestein &&
         !host_holds(convolved->convolution.points, limits);
}

std::optional<LineRecipe> choose_two_stages(std::size_t length, LineUse use, std::uint64_t lines,
                                            const DeviceLimits& limits) {
  if (limits.shape == DeviceLimits::Shape::owned) {
    const auto parts = is_smooth(length, limits) ? host_division(length, use, lines, limits) : std::nullopt;
    return parts ? std::optional(four_step(parts->first, parts->second, lines, limits)) : std::nullopt;
  }
  for (DeviceLimits narrow = limits; narrow.memory_segment >= 2 * sizeof(float); narrow.memory_segment /= 2) {
    if (auto parts = two_chip_lines(length, {use, lines}, narrow)) return std::move(parts->line);
  }
  return std::nullopt;
}

LineRecipe choose_line(std::size_t length, LineUse use, std::uint64_t lines, const DeviceLimits& limits,
                       const LineExtents& extents) {
  if (limits.strategy.algorithm == Strategy::Algorithm::direct) return {length, Direct{}};
  if (const auto columns = measured_division(length, use, lines, limits)) {
    return four_step(*columns, length / *columns, lines, limits);
  }
  if (!are_columns(use) && convolves_few_rows(length, lines, limits) && tuned_choice(length, use, limits) == nullptr) {
    const auto convolved = convolved_line(length, bluestein_points(length, length), {.count = lines}, limits);
    if (convolved) return convolved->line;
  }
  if (is_smooth(length, limits) && !are_columns(use)) {
    const RowMaps maps = use == LineUse::rows ? RowMaps::none : extents.heavy_maps ? RowMaps::heavy : RowMaps::light;
    if (auto few = few_rows_choice(length, maps, lines, limits)) return {length, Stockham{std::move(few->radices)}};
  }
  if (is_smooth(length, limits)) {
    const bool free = limits.shape == DeviceLimits::Shape::owned && limits.strategy == Strategy{} &&
                      tuned_choice(length, use, limits) == nullptr;
    const bool compared = free && extents.in_two_stages;
    const auto parts = compared ? host_faster_split(length, use, lines, limits) : std::nullopt;
    if (parts) return four_step(parts->first, parts->second, lines, limits);
    const bool odd_reals = free && extents.odd_reals && !are_columns(use);
    if (compared || odd_reals) return host_smooth_line(length, {use, lines, extents.unmapped}, extents, limits);
    return smooth_line(length, use, lines, limits);
  }
  if (use == LineUse::rows) {
    const auto measured = measured_choice(length, use, lines, limits_of_rows(lines, length, false, limits));
    if (measured) return {length, Stockham{measured->radices}};
  }
  const std::size_t least = std::max<std::size_t>(length, bluestein_points(extents.inputs, extents.outputs));
  if (limits.shape != DeviceLimits::Shape::staged && !goes_through_memory(limits.strategy)) {
    // Work-groups take the mean of both halves of a spectrum, which rounds less.
    const bool host = limits.shape == DeviceLimits::Shape::owned;
    const bool shortened = host && extents.in_one_stage;
    const bool halved = use == LineUse::mapped_rows && length % 2 != 0 && extents.outputs == length / 2 + 1;
    auto line = parted_line(length, shortened ? least : bluestein_points(length, length),
                            {use, lines, extents.unmapped, halved}, limits);
    // A line alone goes through memory after all, in stages that threads share, where these need fewer points.
    const bool fewer = !shortened && least < bluestein_points(length, length);
    if (line && !(fewer && lines == 1 && exceeds_cache(*line, limits))) return std::move(*line);
  }
  LineRecipe padded = padded_line(least, use, lines, limits);
  const bool middle_in_one = holds_middle(padded, use, limits);
  return {length, Bluestein{share(std::move(padded)), middle_in_one}};
}

}  // namespace twiddle::plan
