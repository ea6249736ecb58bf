// The cost model for on-chip transforms and the search over factorisations.
#include "plan/recipe/radices.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "plan/device/apply_strategy.hpp"
#include "plan/device/limits.hpp"

namespace twiddle::plan {
namespace {

constexpr std::uint32_t most_elements_per_item = 32;
constexpr std::uint32_t fewest_elements_per_item = 13;
constexpr std::uint64_t local_memory_banks = 32;  // four bytes wide
constexpr std::size_t registers_beside_data = 44;

// Weights of the cost model, fitted to measurements of on-chip kernels on a data-centre GPU: what an exchange through
// local memory costs in units of one arithmetic level (one radix-2 pass' worth of work per element).
constexpr double exchange_cost = 4.0;
constexpr double register_cost = 0.04;    // per element held beyond 16
constexpr double partial_cost = 1.5;      // a pass in which some work-items have a butterfly less than others
constexpr double uncoalesced_cost = 6.0;  // fewer than eight neighbouring elements accessed together
constexpr double misfit_cost = 2.0;  // more registers than the model counts on, worth trying only where it is measured

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

// Arithmetic levels of one butterfly, relative to radix 2; odd primes cost about (r - 1) / 2 levels.
double butterfly_levels(unsigned radix) {
  double levels = 0;
  for (std::size_t prime : prime_factors(radix)) {
    levels += prime == 2 ? 1.0 : prime == 3 ? 1.8 : static_cast<double>(prime) * 0.55;
  }
  return levels;
}

// Elements that work-items may hold for a radix: beyond what suits the registers only as many as a prime butterfly
// takes, which may spill some.
std::uint32_t elements_allowed(unsigned radix, const DeviceLimits& limits) {
  return std::max<std::uint32_t>(elements_per_item(limits), radix);
}

bool fits(std::uint64_t length, std::uint32_t transforms, std::uint32_t items, std::uint32_t elements,
          const std::vector<unsigned>& radices, const DeviceLimits& limits) {
  const std::uint64_t group = std::uint64_t{items} * transforms;
  const unsigned largest = radices.empty() ? 1 : *std::max_element(radices.begin(), radices.end());
  if (group > limits.max_group_size || elements > elements_allowed(largest, limits)) return false;
  if (group * (2 * elements + registers_beside_data) > group_registers) return false;
  // The thriftiest exchange must fit; choose_shape takes a roomier one where it can.
  const unsigned scalars = limits.strategy.exchange == Strategy::Exchange::complex ? 2 : 1;
  return radices.size() <= 1 ||
         exchange_bytes(length, transforms, scalars, halves_possible(radices) ? 2 : 1, 0) <= limits.local_memory;
}

// Whether a GPU spills registers in such a butterfly of doubles, of which it takes two for each.
bool spills(unsigned radix, const DeviceLimits& limits) {
  return limits.arithmetic == Precision::float64 && !is_like_cpu(limits) && radix > elements_per_item(limits);
}

// The first exchange writes with a stride of the first radix: an odd one spreads over all banks of local memory, and a
// power of two does with padding. A butterfly that spills goes last, where no twiddles follow and its results go to
// memory as they come: of ten lengths with a factor from 37 to 43 nine take 0.50 to 0.95 of the time so
// (docs/cuda-primes.md).
std::vector<unsigned> in_order(std::vector<unsigned> descending, const DeviceLimits& limits) {
  if (descending.empty()) return descending;
  if (spills(descending.front(), limits)) {
    std::rotate(descending.begin(), descending.begin() + 1, descending.end());
    return descending;
  }
  const bool power_of_two = (descending.front() & (descending.front() - 1)) == 0;
  if (power_of_two) return descending;
  const auto odd = std::find_if(descending.begin(), descending.end(), [](unsigned radix) { return radix % 2 == 1; });
  if (odd != descending.end()) std::rotate(descending.begin(), odd, odd + 1);
  return descending;
}

// Calls visit(items, elements, cost) for every number of work-items that some pass keeps busy.
template <class Visit>
void for_each_items(const std::vector<unsigned>& radices, const DeviceLimits& limits, const Visit& visit) {
  const std::uint64_t length = product(radices);
  const unsigned largest = radices.empty() ? 1 : *std::max_element(radices.begin(), radices.end());
  std::vector<double> levels(radices.size());
  std::transform(radices.begin(), radices.end(), levels.begin(), butterfly_levels);
  for (const unsigned radix : radices) {
    for (std::uint64_t rounds = 1; rounds * radix <= elements_allowed(radix, limits); ++rounds) {
      const auto items = static_cast<std::uint32_t>(divide_up(length / radix, rounds));
      double work = 0;
      std::uint64_t elements = largest;
      for (std::size_t pass = 0; pass < radices.size(); ++pass) {
        const unsigned r = radices[pass];
        const std::uint64_t butterflies = divide_up(length / r, items);
        if (length / r % items != 0) work += partial_cost;
        elements = std::max<std::uint64_t>(elements, butterflies * r);
        work += levels[pass] * static_cast<double>(butterflies * r * items) / static_cast<double>(length);
      }
      const auto held = static_cast<std::uint32_t>(elements);
      double cost = exchange_cost * static_cast<double>(radices.size()) + work +
                    register_cost * std::max(0.0, static_cast<double>(held) - 16);
      if (radices.size() > 1 && items < 8) cost += uncoalesced_cost;
      visit(items, held, cost);
    }
  }
}

// The fewest passes of at most this radix that a length may take.
std::size_t fewest_passes(std::size_t length, unsigned largest) {
  std::size_t passes = 0;
  for (; length > 1; length = divide_up(length, largest)) ++passes;
  return passes;
}

// `levels` are those of the whole length, which all factorisations have in common.
void search(std::size_t remaining, unsigned largest, std::vector<unsigned>& radices, std::uint32_t transforms,
            const DeviceLimits& limits, double levels, std::optional<ChipChoice>& best) {
  constexpr double rounding = 1e-9;
  const auto passes = static_cast<double>(radices.size() + fewest_passes(remaining, largest));
  if (best && exchange_cost * passes + levels > best->cost + rounding) return;  // dearer with whatever follows
  if (remaining == 1) {
    const auto choice = choose_items(in_order(radices, limits), transforms, limits);
    if (choice && (!best || choice->cost < best->cost)) best = choice;
    return;
  }
  for (unsigned radix = std::min<std::size_t>(largest, remaining); radix >= 2; --radix) {
    if (remaining % radix != 0 || !has_butterfly(radix, limits)) continue;
    if (radix == lone_chip_prime && (radix != remaining || !radices.empty())) continue;
    radices.push_back(radix);
    search(remaining / radix, radix, radices, transforms, limits, levels, best);
    radices.pop_back();
  }
}

}  // namespace

std::uint64_t product(const std::vector<unsigned>& radices) {
  return std::accumulate(radices.begin(), radices.end(), std::uint64_t{1}, std::multiplies<>());
}

std::vector<std::size_t> prime_factors(std::size_t n) {
  std::vector<std::size_t> factors;
  for (std::size_t divisor = 2; divisor * divisor <= n; ++divisor) {
    for (; n % divisor == 0; n /= divisor) factors.push_back(divisor);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

std::uint32_t elements_per_item(const DeviceLimits& limits) {
  if (limits.strategy.elements != 0) return limits.strategy.elements;
  const std::size_t free = limits.registers_per_item > 40 ? limits.registers_per_item - 40 : 4;
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(free / 2, fewest_elements_per_item, most_elements_per_item));
}

std::uint32_t tile_width(const DeviceLimits& limits) {
  const std::size_t wanted = std::max<std::size_t>(1, limits.memory_segment / (2 * sizeof(float)));
  const std::size_t most =
      limits.strategy.group == 0 ? wanted : std::max(limits.strategy.group / 4, 1U);  // a line takes some
  return static_cast<std::uint32_t>(std::min(wanted, most));
}

bool has_butterfly(unsigned radix, const DeviceLimits& limits) {
  if (!allows_radix(limits.strategy, radix)) return false;
  const bool is_long = std::find(longest_radices.begin(), longest_radices.end(), radix) != longest_radices.end();
  if (is_long) return limits.arithmetic == Precision::float32 && limits.registers_per_item >= 255;
  return radix <= elements_per_item(limits) || radix == lone_chip_prime ||
         (radix <= largest_chip_prime && prime_factors(radix).size() == 1);
}

std::uint64_t held_elements(const std::vector<unsigned>& radices, std::uint64_t points, std::uint64_t items) {
  std::uint64_t held = 0;
  for (const unsigned radix : radices) held = std::max(held, (points / radix + items - 1) / items * radix);
  return held;
}

bool halves_possible(const std::vector<unsigned>& radices) {
  return std::all_of(radices.begin(), radices.end(), [](unsigned radix) { return radix % 2 == 0; });
}

std::uint64_t exchange_bytes(std::uint64_t length, std::uint32_t transforms, unsigned scalars, std::uint32_t rounds,
                             std::uint32_t padding) {
  const std::uint64_t slots = length / rounds;
  const std::uint64_t padded = padding == 0 ? slots : slots + slots / padding;
  return (padded * scalars + local_memory_banks) * transforms * sizeof(float);
}

bool exchanges_whole(std::uint64_t length, std::uint32_t transforms, const DeviceLimits& limits) {
  return exchange_bytes(length, transforms, 1, 1, 0) <= limits.local_memory;
}

std::optional<ChipChoice> choose_items(const std::vector<unsigned>& radices, std::uint32_t transforms,
                                       const DeviceLimits& limits) {
  const std::uint64_t length = product(radices);
  std::optional<ChipChoice> best;
  // A number of elements that a strategy asks for goes before the cost.
  const std::uint32_t wanted = limits.strategy.elements;
  const auto is_better = [&](std::uint32_t elements, double cost) {
    const std::uint32_t held = std::min(elements, wanted);
    const std::uint32_t best_held = std::min(best->elements, wanted);
    return held != best_held ? held > best_held : cost < best->cost;
  };
  for_each_items(radices, limits, [&](std::uint32_t items, std::uint32_t elements, double cost) {
    if (!fits(length, transforms, items, elements, radices, limits)) return;
    if (!best || is_better(elements, cost)) best = ChipChoice{{}, items, elements, cost};
  });
  if (best) best->radices = radices;
  return best;
}

std::vector<ChipChoice> item_choices(const std::vector<unsigned>& radices, const DeviceLimits& limits) {
  std::vector<ChipChoice> choices;
  for_each_items(radices, limits, [&](std::uint32_t items, std::uint32_t elements, double cost) {
    if (!fits(product(radices), 1, items, elements, radices, limits)) cost += misfit_cost;
    choices.push_back({radices, items, elements, cost});
  });
  return choices;
}

std::optional<ChipChoice> choose_radices(std::size_t length, std::uint32_t transforms, const DeviceLimits& limits) {
  const std::uint64_t most = std::uint64_t{limits.max_group_size} * elements_allowed(largest_chip_prime, limits);
  if (length > most) return std::nullopt;
  std::optional<ChipChoice> best;
  std::vector<unsigned> radices;
  search(length, std::max<std::uint32_t>(elements_per_item(limits), lone_chip_prime), radices, transforms, limits,
         butterfly_levels(static_cast<unsigned>(length)), best);
  return best;
}

std::vector<unsigned> staged_radices(std::size_t length, const DeviceLimits& limits) {
  // As few launches as the registers allow: pack prime factors, largest first, into the fullest radix that takes them.
  std::vector<std::size_t> factors = prime_factors(length);
  std::reverse(factors.begin(), factors.end());
  const auto largest = std::max<std::size_t>(elements_per_item(limits), factors.empty() ? 1 : factors.front());
  const Strategy::Radices allowed = limits.strategy.radices;
  const std::size_t most = allowed == Strategy::Radices::two            ? 2
                           : allowed == Strategy::Radices::four_and_two ? std::min<std::size_t>(largest, 4)
                                                                        : largest;
  const std::size_t most_of_several = std::min<std::size_t>(most, elements_per_item(limits));
  std::vector<unsigned> radices;
  for (std::size_t factor : factors) {
    auto fullest = radices.end();
    for (auto it = radices.begin(); it != radices.end(); ++it) {
      if (*it * factor <= most_of_several && (fullest == radices.end() || *it > *fullest)) fullest = it;
    }
    if (fullest == radices.end()) {
      radices.push_back(static_cast<unsigned>(factor));
    } else {
      *fullest *= static_cast<unsigned>(factor);
    }
  }
  return radices;
}

}  // namespace twiddle::plan
