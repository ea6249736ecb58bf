// A search for the cheapest parts, by the models of convolutions, of radices and of the host's stages.
#include "plan/recipe/chip_lines.hpp"

#include <algorithm>
#include <cmath>

#include "plan/numbers/divisors.hpp"
#include "plan/recipe/host_parts.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

// At most what chip_line() costs on the host.
double chip_cost_bound(std::size_t length, const DeviceLimits& limits) {
  if (limits.shape != DeviceLimits::Shape::owned) return 0;
  if (is_smooth(length, limits)) return host_cost_bound(length, HostLine::strided, limits);
  return convolution_cost_bound(length, bluestein_points(length, length), limits);
}

}  // namespace

bool is_smooth(std::size_t n, const DeviceLimits& limits) {
  const bool lone =
      n == lone_chip_prime && limits.shape != DeviceLimits::Shape::owned && has_butterfly(lone_chip_prime, limits);
  const auto factors = prime_factors(n);
  return lone || factors.empty() || factors.back() <= largest_prime_factor(limits);
}

std::uint32_t narrowest_tile(bool strided, const DeviceLimits& limits) {
  return strided && limits.shape != DeviceLimits::Shape::owned ? std::max(1U, tile_width(limits) / 2) : 1;
}

std::vector<std::size_t> inner_divisors(std::size_t number) {
  if (number < 2) return {};
  const std::vector<std::size_t> divisors = divisors_of(number);
  return {divisors.begin() + 1, divisors.end() - 1};
}

std::optional<ChipLine> convolved_line(std::size_t length, std::size_t least, const LinesToConvolve& lines,
                                       const DeviceLimits& limits) {
  // Fewer lines than fill memory's sectors still beat a convolution through memory.
  for (std::uint32_t narrowest = narrowest_tile(lines.strided, limits); narrowest > 0; narrowest /= 2) {
    auto choice = choose_convolution(length, least, lines, narrowest, limits);
    if (choice) return ChipLine{{length, std::move(choice->convolved)}, choice->cost};
  }
  return std::nullopt;
}

std::optional<ChipLine> chip_line(std::size_t length, std::uint64_t neighbours, const DeviceLimits& limits) {
  if (!is_smooth(length, limits)) {
    return convolved_line(length, bluestein_points(length, length), {.count = neighbours, .strided = true}, limits);
  }
  if (limits.shape == DeviceLimits::Shape::owned) {
    if (!host_holds(length, limits)) return std::nullopt;
    std::vector<unsigned> radices = host_radices(length, limits, HostLine::strided);
    const double cost = host_part_cost(radices, neighbours, limits);
    return ChipLine{{length, Stockham{std::move(radices)}}, cost};
  }
  const auto choice = choose_radices(length, tile_width(limits), limits);
  if (!choice) return std::nullopt;
  return ChipLine{{length, Stockham{choice->radices}}, choice->cost};
}

std::optional<ChipLine> two_chip_lines(std::size_t length, const Lines& lines, const DeviceLimits& limits) {
  const bool host = limits.shape == DeviceLimits::Shape::owned;
  const double computed = lines.halved ? 0.5 : 1;
  const double beside = host ? host_two_stages_cost(length, lines.use, lines.count, lines.unmapped, limits) : 0;
  std::optional<ChipLine> best;
  std::vector<std::size_t> divisors = inner_divisors(length);
  // The largest first, as the other part then is the cheapest if it is convolved; of equal ones the smallest. On other
  // devices those beyond are the same parts the other way round, at the same cost; maps of reals keep the fewer rows.
  const bool fewer_columns = !host || !lines.unmapped;
  if (fewer_columns) std::erase_if(divisors, [&](std::size_t columns) { return columns * columns > length; });
  const auto cost = [&](double first, double second) { return computed * (first + second) + beside; };
  for (auto divisor = divisors.rbegin(); divisor != divisors.rend(); ++divisor) {
    const std::size_t columns = *divisor;
    const std::size_t rows = length / columns;
    const double row_bound = chip_cost_bound(rows, limits);
    if (best && cost(chip_cost_bound(columns, limits), row_bound) > best->cost) continue;
    const auto column_line = chip_line(columns, beside_columns(rows, lines.use, lines.count, limits), limits);
    if (!column_line || (best && cost(column_line->cost, row_bound) > best->cost)) continue;
    const auto row_line = chip_line(rows, beside_rows(columns, lines.use, lines.count, limits), limits);
    if (!row_line) continue;
    const double both = cost(column_line->cost, row_line->cost);
    if (best && best->cost < both) continue;
    best = ChipLine{{length, FourStep{share(column_line->line), share(row_line->line)}}, both};
  }
  return best;
}

std::optional<ChipLine> host_chip_line(std::size_t length, std::size_t least, const Lines& lines,
                                       const DeviceLimits& limits, double most) {
  auto parts = two_chip_lines(length, lines, limits);
  const double bound = parts ? std::min(parts->cost, most) : most;
  if (convolution_cost_bound(length, least, limits) <= bound) {
    const bool strided = are_columns(lines.use);
    // Several stages are shared out among threads, one line in one stage is not: beyond the cache it takes as long as
    // they do on two threads at most.
    const bool beyond_cache = bound == INFINITY && !strided && 2 * lines.count >= limits.compute_units;
    auto whole = convolved_line(length, least, {lines.count, strided, beyond_cache}, limits);
    if (whole && whole->cost <= bound) return whole;
  }
  return parts && parts->cost < most ? std::move(parts) : std::nullopt;
}

}  // namespace twiddle::plan
