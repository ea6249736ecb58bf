// Dynamic programming over the divisors of a length: the cheapest sequence of passes for the host engine.
#include "plan/host_radices.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <map>

namespace twiddle::plan {
namespace {

constexpr unsigned largest_butterfly = 16;  // larger primes are computed by the definition

// The radices of the host engine: vector operations of a butterfly for one vector of columns, and the variance of the
// rounding errors that it adds, relative to the elements, in (half a unit in the last place)^2. Variances of passes add
// up. Fitted to the errors of 876 sequences of passes in single precision.
struct HostRadix {
  unsigned radix;
  double operations;
  double variance;
  [[nodiscard]] bool direct() const { return radix > largest_butterfly; }
};
constexpr std::array host_radix_table = {HostRadix{2, 4, 0.10},    HostRadix{3, 14, 0.28},   HostRadix{4, 16, 0.28},
                                         HostRadix{5, 40, 0.71},   HostRadix{6, 40, 0.43},   HostRadix{7, 84, 0.75},
                                         HostRadix{8, 56, 0.58},   HostRadix{9, 110, 0.93},  HostRadix{10, 100, 0.90},
                                         HostRadix{11, 220, 0.77}, HostRadix{12, 110, 0.70}, HostRadix{13, 260, 1.76},
                                         HostRadix{15, 190, 1.05}, HostRadix{16, 190, 0.92}};
constexpr double direct_variance = 1.2;    // by the definition
constexpr double twiddle_variance = 0.65;  // of a product with a rounded root of unity other than 1

// In arithmetic operations of a vector. Fitted to 4888 measured sequences of lengths to 2400: what is chosen takes 1 %
// longer than the fastest measured, on average.
constexpr double memory_weight = 8.0;       // of one vector loaded or stored
constexpr double twiddle_operations = 4.0;  // of one complex multiplication
constexpr double transpose_weight = 2.0;    // of one vector sent through the register transpose of the first pass
constexpr double ragged_weight = 30.0;      // for each element, of transposes whose rows are no whole vectors
constexpr double pass_weight = 100.0;       // of beginning a pass
constexpr double variance_weight = 12.0;    // what an error of variance 1 may cost: it decides what nearly ties

// Neighbouring lines side by side; on memory these passes wait longer.
constexpr double strided_memory_weight = 2.0;
// More rows at once than a cache has ways fall onto the same sets where their distance is a large power of two.
constexpr double largest_strided_radix = 12;
constexpr double conflict_weight = 1.6;

// The table's radices that divide the length, and its larger prime factors, at the cost of the definition.
std::vector<HostRadix> radices_of(std::size_t length) {
  std::vector<HostRadix> result;
  for (const HostRadix& entry : host_radix_table) {
    if (length % entry.radix == 0) result.push_back(entry);
  }
  for (unsigned factor = 2; factor <= host_largest_prime; ++factor) {
    if (length % factor != 0) continue;
    if (factor > 13) result.push_back({factor, 1.3 * factor * factor, direct_variance});
    while (length % factor == 0) length /= factor;
  }
  return result;
}

// How much longer a run of `run` elements takes that is covered by whole, overlapping vectors.
double overlap(std::size_t run, std::size_t lanes) {
  const std::size_t vectors = (run + lanes - 1) / lanes;
  return static_cast<double>(vectors * lanes) / static_cast<double>(run) - 1.0;
}

// Cost of one pass for each element: `before` is the product of the radices already done, `after` of those to come. The
// first pass has columns in its lanes and transposes; all others, and those without a butterfly, have the elements of a
// run, of which a first pass has one.
double pass_cost(const HostRadix& entry, std::size_t before, std::size_t after, std::size_t lanes) {
  const double radix = entry.radix;
  double operations = entry.operations + memory_weight * 4.0 * radix;
  double variance = entry.variance;
  if (after > 1) {
    operations += twiddle_operations * (radix - 1.0);
    variance += twiddle_variance * (1.0 - 1.0 / radix) * (1.0 - 1.0 / static_cast<double>(after));
  }
  const bool transposes = before == 1 && !entry.direct();
  if (transposes) operations += transpose_weight * 2.0 * radix;
  const double ragged = transposes && entry.radix % lanes != 0 ? ragged_weight : 0.0;
  const double longer = overlap(transposes ? after : before, lanes);
  const double length = radix * static_cast<double>(before) * static_cast<double>(after);
  return operations / radix * (1.0 + longer) + ragged + pass_weight * static_cast<double>(lanes) / length +
         variance_weight * variance;
}

// The same where the lanes hold neighbouring lines and so are full.
double strided_pass_cost(const HostRadix& entry, std::size_t before, std::size_t after) {
  const double radix = entry.radix;
  double operations = entry.operations + strided_memory_weight * 4.0 * radix;
  if (after > 1) operations += twiddle_operations * (radix - 1.0);
  const bool touches_memory = before == 1 || after == 1;
  return operations / radix * (touches_memory && radix > largest_strided_radix ? conflict_weight : 1.0);
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
      const double pass = line == HostLine::strided ? strided_pass_cost(entry, before, length / done)
                                                    : pass_cost(entry, before, length / done, lanes);
      const double cost = pass + best[done].cost;
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
