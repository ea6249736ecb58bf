// Dynamic programming over the divisors of a length: the cheapest sequence of passes for the host engine.
#include "plan/host_radices.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <map>

namespace twiddle::plan {
namespace {

// The radices of the host engine: vector operations of a butterfly for one vector of columns.
struct HostRadix {
  unsigned radix;
  double operations;
};
constexpr std::array host_radix_table = {HostRadix{2, 4},    HostRadix{3, 14},   HostRadix{4, 16},   HostRadix{5, 40},
                                         HostRadix{6, 40},   HostRadix{7, 84},   HostRadix{8, 56},   HostRadix{9, 110},
                                         HostRadix{10, 100}, HostRadix{11, 220}, HostRadix{12, 110}, HostRadix{13, 260},
                                         HostRadix{15, 190}, HostRadix{16, 190}};

constexpr double memory_weight = 2.0;       // of one vector loaded or stored, in arithmetic operations
constexpr double twiddle_operations = 4.0;  // of one complex multiplication
// More rows at once than a cache has ways fall onto the same sets where their distance is a large power of two.
constexpr double largest_strided_radix = 12;
constexpr double conflict_weight = 1.6;
constexpr double transpose_weight = 3.0;  // of one vector sent through the register transpose of the first pass

// The table's radices that divide the length, and its larger prime factors, at the cost of the definition.
std::vector<HostRadix> radices_of(std::size_t length) {
  std::vector<HostRadix> result;
  for (const HostRadix& entry : host_radix_table) {
    if (length % entry.radix == 0) result.push_back(entry);
  }
  for (unsigned factor = 2; factor <= host_largest_prime; ++factor) {
    if (length % factor != 0) continue;
    if (factor > 13) result.push_back({factor, 1.3 * factor * factor});
    while (length % factor == 0) length /= factor;
  }
  return result;
}

// The share of lanes that do useful work where runs of `run` elements are covered by whole, overlapping vectors.
double lane_use(std::size_t run, std::size_t lanes) {
  const std::size_t vectors = (run + lanes - 1) / lanes;
  return static_cast<double>(run) / static_cast<double>(vectors * lanes);
}

// Cost of one pass for each element: `before` is the product of the radices already done, `after` of those to come.
double pass_cost(const HostRadix& entry, std::size_t before, std::size_t after, std::size_t lanes, HostLine line) {
  const double radix = entry.radix;
  double operations = entry.operations + memory_weight * 4.0 * radix;
  if (after > 1) operations += twiddle_operations * (radix - 1.0);
  if (line == HostLine::strided) {  // lanes are full, as they hold neighbouring lines
    const bool touches_memory = before == 1 || after == 1;
    return operations / radix * (touches_memory && radix > largest_strided_radix ? conflict_weight : 1.0);
  }
  if (before == 1) operations += transpose_weight * 2.0 * radix;
  return operations / radix / lane_use(before == 1 ? after : before, lanes);
}

}  // namespace

std::vector<unsigned> host_radices(std::size_t length, const DeviceLimits& limits, HostLine line) {
  const std::size_t lanes = std::max<std::size_t>(limits.sub_group_size, 1);
  // Best way to finish once the passes so far have the product `before`; filled from the whole length downwards.
  struct Choice {
    double cost = std::numeric_limits<double>::infinity();
    unsigned radix = 0;
  };
  std::map<std::size_t, Choice, std::greater<>> best;
  for (std::size_t divisor = 1; divisor * divisor <= length; ++divisor) {
    if (length % divisor != 0) continue;
    best[divisor];
    best[length / divisor];
  }
  if (best.empty()) return {};
  best[length].cost = 0.0;
  const std::vector<HostRadix> candidates = radices_of(length);
  for (auto& [before, choice] : best) {
    for (const HostRadix& entry : candidates) {
      if ((length / before) % entry.radix != 0) continue;
      const std::size_t done = before * entry.radix;
      const double cost = pass_cost(entry, before, length / done, lanes, line) + best[done].cost;
      if (cost < choice.cost) choice = {cost, entry.radix};
    }
  }
  std::vector<unsigned> radices;
  for (std::size_t done = 1; done < length; done *= radices.back()) {
    if (best[done].radix == 0) return {};
    radices.push_back(best[done].radix);
  }
  return radices;
}

std::optional<std::pair<std::size_t, std::size_t>> host_split(std::size_t length, const DeviceLimits& limits) {
  if (length * sizeof(std::complex<float>) * 2 <= limits.level2_cache) return std::nullopt;
  std::size_t columns = 1;
  for (std::size_t divisor = 2; divisor * divisor <= length; ++divisor) {
    if (length % divisor == 0) columns = divisor;
  }
  if (columns == 1) return std::nullopt;
  return std::pair{columns, length / columns};
}

}  // namespace twiddle::plan
