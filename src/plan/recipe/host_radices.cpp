// Dynamic programming over the divisors of a length: the cheapest sequence of passes for the host engine.
#include "plan/recipe/host_radices.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "plan/device/apply_strategy.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/host_division.hpp"
#include "plan/recipe/host_pass_costs.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::plan {
namespace {

// Those between reals and half of their spectrum, by the index of host_real_radix_table.
constexpr std::array<double, host_real_radix_table.size()> real_operations = {7,   20, 42, 55,  110,
                                                                              130, 95, 95, 220, 240};

// The divisors of a length, each prime factor's powers a step apart: so many places further on is the product with a
// number, if that is a divisor. The length itself comes last, and two numbers whose product it is are as far from the
// one end as from the other.
class Divisors {
 public:
  static constexpr std::size_t most_primes = 16;  // more are a product beyond 64 bits

  explicit Divisors(std::size_t length) {
    values_.reserve(64);  // most lengths have no more
    values_.push_back(1);
    for (std::size_t prime = 2; length > 1; ++prime) {
      if (prime * prime > length) prime = length;
      if (length % prime != 0) continue;
      primes_[prime_count_++] = prime;
      const std::size_t places = values_.size();
      for (; length % prime == 0; length /= prime) {
        for (std::size_t i = 0; i < places; ++i) values_.push_back(values_[values_.size() - places] * prime);
      }
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] <= host_largest_prime) places_[values_[i]] = static_cast<std::uint32_t>(i);
    }
  }

  [[nodiscard]] std::size_t count() const { return values_.size(); }
  [[nodiscard]] std::size_t operator[](std::size_t place) const { return values_[place]; }
  // From 1 to a number up to host_largest_prime; 0 if that is none, or 1 itself.
  [[nodiscard]] std::size_t places_to(unsigned number) const { return places_[number]; }
  [[nodiscard]] std::span<const std::size_t> primes() const { return {primes_.data(), prime_count_}; }

 private:
  std::vector<std::size_t> values_;
  std::array<std::uint32_t, host_largest_prime + 1> places_{};
  std::array<std::size_t, most_primes> primes_{};
  std::size_t prime_count_ = 0;
};

std::size_t vector_bytes(const DeviceLimits& limits) { return limits.sub_group_size * scalar_bytes(limits.arithmetic); }

bool has_long_vectors(const DeviceLimits& limits) { return vector_bytes(limits) == long_vector_bytes; }

bool is_allowed(const HostRadix& entry, const Strategy& strategy, bool large) {
  return (large || !entry.large()) && allows_radix(strategy, entry.radix);
}

// The table's radices that divide the length, and its larger prime factors.
std::vector<HostRadix> radices_of(const Divisors& divisors, const Strategy& strategy = {}, bool large = false) {
  std::vector<HostRadix> result;
  result.reserve(host_radix_table.size() + 8);  // of few primes there can be more
  for (const HostRadix& entry : host_radix_table) {
    if (divisors.places_to(entry.radix) != 0 && is_allowed(entry, strategy, large)) result.push_back(entry);
  }
  for (const std::size_t prime : divisors.primes()) {
    const auto radix = static_cast<unsigned>(prime);
    if (prime > host_largest_prime_butterfly && prime <= host_largest_prime && allows_radix(strategy, radix))
      result.push_back(host_radix(radix));
  }
  return result;
}

bool is_butterfly(std::size_t radix) {
  return std::ranges::any_of(host_radix_table, [&](const HostRadix& entry) { return entry.radix == radix; });
}

struct Passes {
  double cost = std::numeric_limits<double>::infinity();  // for each element
  std::vector<unsigned> radices;
};

Passes search_passes(std::size_t length, const LineCost& line) {
  const Divisors divisors(length);
  const std::size_t last = divisors.count() - 1;
  const PassCosts costs(length, line);
  struct Candidate {
    PassCosts::Pass pass;
    std::size_t places;  // from one product to the next
  };
  std::vector<Candidate> candidates;
  const std::vector<HostRadix> radices = radices_of(divisors, line.strategy, costs.gains_by_large_radices());
  candidates.reserve(radices.size());
  for (const HostRadix& entry : radices) candidates.push_back({costs.pass(entry), divisors.places_to(entry.radix)});
  // Best way to finish once the passes so far have a divisor as their product; from the whole length downwards.
  struct Choice {
    PassCosts::Product product;
    double cost = std::numeric_limits<double>::infinity();
    std::size_t next = 0;  // the place of the product then
  };
  std::vector<Choice> choices;
  choices.reserve(divisors.count());
  for (std::size_t i = 0; i <= last; ++i) choices.push_back({costs.product(divisors[i])});
  choices[last].cost = 0.0;
  for (std::size_t i = last; i-- > 0;) {
    // Which candidates fit first, and then these: tests in between would go the wrong way too often.
    static_assert(host_radix_table.size() + Divisors::most_primes <= 64, "candidates are bits of a word");
    std::uint64_t fitting = 0;
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      const std::size_t next = std::min(i + candidates[j].places, last);
      fitting |= std::uint64_t{divisors[next] == divisors[i] * candidates[j].pass.entry.radix} << j;
    }
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (; fitting != 0; fitting &= fitting - 1) {
      const Candidate& candidate = candidates[static_cast<std::size_t>(std::countr_zero(fitting))];
      const std::size_t next = i + candidate.places;
      const double cost = costs(candidate.pass, choices[i].product, choices[last - next].product) + choices[next].cost;
      best = cost < least ? next : best;
      least = cost < least ? cost : least;
    }
    choices[i].cost = least;
    choices[i].next = best;
  }
  Passes passes{choices.front().cost, {}};
  passes.radices.reserve(8);
  for (std::size_t i = 0; i < last; i = choices[i].next) {
    if (choices[i].next == 0) return {};
    passes.radices.push_back(static_cast<unsigned>(divisors[choices[i].next] / divisors[i]));
  }
  return passes;
}

// What was found for lengths that were asked for before: lines that are convolved all compare the same few smooth
// numbers of points. A length takes the place of another one that shares it. Places are pointers, as each page that
// is touched for the first time takes as long as a search.
class FoundPasses {
 public:
  [[nodiscard]] Passes find_or_search(std::size_t length, const LineCost& line) {
    std::unique_ptr<const Found>& place = places_[place_of(length, line) % places_.size()];
    {
      const std::lock_guard lock(mutex_);
      if (place && place->length == length && place->line == line) return place->passes;
    }
    auto found = std::make_unique<const Found>(Found{length, line, search_passes(length, line)});
    Passes passes = found->passes;
    const std::lock_guard lock(mutex_);
    place = std::move(found);
    return passes;
  }

 private:
  struct Found {
    std::size_t length;
    LineCost line;
    Passes passes;
  };
  // Apart for what one plan compares.
  static std::size_t place_of(std::size_t length, const LineCost& line) {
    return length + 64 * line.lanes + (line.line == HostLine::strided ? 2048 : 0) + (line.maps_last ? 1024 : 0) +
           512 * line.group;
  }
  std::mutex mutex_;
  std::array<std::unique_ptr<const Found>, 4096> places_;
};

Passes cheapest_passes(std::size_t length, const LineCost& line) {
  if (length == 0) return {};
  static FoundPasses found;
  return found.find_or_search(length, line);
}

// For each element.
double cost_of_passes(const std::vector<unsigned>& radices, const LineCost& line) {
  std::size_t after = product(radices);
  const PassCosts costs(after, line);
  std::size_t before = 1;
  double cost = 0;
  for (const unsigned radix : radices) {
    after /= radix;
    cost += costs(costs.pass(host_radix(radix)), costs.product(before), costs.product(after));
    before *= radix;
  }
  return cost;
}

// Cost of the pass between reals and half of their spectrum, for each real.
double real_pass_cost(unsigned radix, double operations, std::size_t columns, const LineCost& cost) {
  const double half = radix / 2 + 1;
  const bool strided = cost.line == HostLine::strided;
  operations += (strided ? strided_memory_weight : memory_weight) * (radix + 2.0 * half);
  operations += twiddle_operations * (half - 1.0);
  if (strided) return operations / radix;
  operations += transpose_weight * 2.0 * half;
  return operations / radix * (1.0 + overlap(columns, cost.lanes)) +
         pass_weight * static_cast<double>(cost.lanes) / static_cast<double>(radix * columns);
}

LineCost line_cost(const DeviceLimits& limits, HostLine line, bool mapped) {
  const std::size_t scalar = scalar_bytes(limits.arithmetic);
  const std::size_t first_cache = limits.level1_cache * scalar / sizeof(float);  // limits count floats
  return {.lanes = std::max<std::size_t>(limits.sub_group_size, 1),
          .line = line,
          .strategy = limits.strategy,
          .halved_vectors = limits.halved_vectors,
          .mapped = mapped,
          .large_radices = host_takes_large_radices(limits),
          .scalar_bytes = scalar,
          .first_cache = first_cache,
          .ways = first_cache / bytes_of_a_way};
}

std::vector<unsigned> radices_for(std::size_t length, const LineCost& cost) {
  const auto is_length = [&](const HostRadix& entry) {
    return entry.radix == length && is_allowed(entry, cost.strategy, false);
  };
  if (cost.line == HostLine::contiguous && std::any_of(host_radix_table.begin(), host_radix_table.end(), is_length)) {
    return {static_cast<unsigned>(length)};
  }
  return cheapest_passes(length, cost).radices;
}

}  // namespace

std::vector<unsigned> host_radices(std::size_t length, const DeviceLimits& limits, HostLine line, bool past_cache) {
  LineCost cost = line_cost(limits, line, false);
  cost.past_cache = past_cache;
  return radices_for(length, cost);
}

// Their rows of results do not push each other out of the cache, as they go over what was read.
std::vector<unsigned> host_blocked_radices(std::size_t length, const DeviceLimits& limits) {
  if (length < host_shortest_row || !host_takes_large_radices(limits)) return {};
  LineCost cost = line_cost(limits, HostLine::contiguous, false);
  Passes best = cheapest_passes(length, cost);
  best.radices.clear();
  cost.ways = host_largest_common_radix;
  const bool large = PassCosts(length, cost).gains_by_large_radices();
  const auto serves = [&](unsigned radix) {
    return is_butterfly(radix) && is_allowed(host_radix(radix), cost.strategy, large);
  };
  for (const HostRadix& first : host_radix_table) {
    const std::size_t points = length / first.radix;  // of a block
    const std::size_t bytes = block_bytes(points);
    const bool fits = points >= cost.lanes && bytes <= most_block_bytes;
    if (first.radix % cost.lanes != 0 || length % first.radix != 0 || !fits) continue;
    for (const HostRadix& second : host_radix_table) {
      if (points % second.radix != 0) continue;
      const std::vector radices{first.radix, second.radix, static_cast<unsigned>(points / second.radix)};
      if (!std::ranges::all_of(radices, serves)) continue;
      const double share = bytes > small_block_bytes ? cost_in_large_blocks : cost_in_small_blocks;
      const double blocked = share * cost_of_passes(radices, cost);
      if (blocked < best.cost) best = {blocked, radices};
    }
  }
  return best.radices;
}

std::vector<unsigned> host_mapped_radices(std::size_t length, const DeviceLimits& limits, bool past_cache,
                                          bool maps_last) {
  LineCost cost = line_cost(limits, HostLine::contiguous, true);
  cost.past_cache = past_cache;
  cost.maps_last = maps_last;
  std::vector<unsigned> radices = radices_for(length, cost);
  const bool rounds_much = limits.arithmetic == Precision::float64 && radices == std::vector{8U, 5U, 5U};
  return rounds_much ? std::vector{5U, 8U, 5U} : radices;
}

std::vector<unsigned> host_real_radices(std::size_t length, std::size_t lanes, HostLine line, bool direct) {
  std::vector<std::pair<unsigned, double>> candidates;
  for (std::size_t i = 0; i < host_real_radix_table.size(); ++i) {
    if (line == HostLine::strided && host_real_radix_table[i] > host_largest_real_bundle) continue;
    candidates.emplace_back(host_real_radix_table[i], real_operations[i]);
  }
  for (const HostRadix& entry : radices_of(Divisors(length))) {
    if (direct && entry.direct) candidates.emplace_back(entry.radix, entry.operations / 2);
  }
  Passes best;
  for (const auto& [radix, operations] : candidates) {
    if (length % radix != 0) continue;
    const std::size_t half = radix / 2 + 1;
    const std::size_t columns = length / radix;
    const LineCost cost{lanes, line, {}, half};
    Passes passes = cheapest_passes(columns, cost);
    passes.cost = real_pass_cost(radix, operations, columns, cost) + passes.cost * half / radix;
    if (passes.cost >= best.cost) continue;
    passes.radices.insert(passes.radices.begin(), radix);
    best = std::move(passes);
  }
  return best.radices;
}

bool host_takes_rows_side_by_side(const std::vector<unsigned>& radices, std::uint64_t lines, std::size_t lanes,
                                  std::size_t scalar_bytes, std::size_t second_cache) {
  const auto direct = std::ranges::count_if(radices, [](unsigned radix) { return !is_butterfly(radix); });
  const std::uint64_t length = product(radices);
  if (direct == 0 || lanes == 1 || length < host_shortest_row) return false;
  const std::uint64_t planes = 4 * length * lanes * scalar_bytes;  // two pairs
  const bool large = second_cache >= large_second_cache;
  if (!is_butterfly(radices.front())) return !large || planes <= second_cache;
  const std::uint64_t whole = (lines + lanes - 1) / lanes * lanes;
  if (radices.front() % lanes == 0 || 8 * lines < 7 * whole) return false;
  if (direct == 1 && scalar_bytes > sizeof(float) && !large) return 2 * planes <= second_cache;
  return planes <= (large ? 1 : 2) * second_cache;
}

bool host_takes_large_radices(const DeviceLimits& limits) {
  return has_long_vectors(limits) && second_level_cache(limits) >= large_second_cache;
}

bool host_has_pass(unsigned radix, const DeviceLimits& limits) {
  if (is_butterfly(radix)) return !host_radix(radix).large() || has_long_vectors(limits);
  return radix <= host_largest_prime && prime_factors(radix).size() == 1;
}

double host_cost(const std::vector<unsigned>& radices, const DeviceLimits& limits, HostLine line) {
  return cost_of_passes(radices, line_cost(limits, line, false));
}

// By the radix that costs least for each level, as if vectors were full, runs long, and twiddles half of what they are
// to be rounded, which they are before a last pass of 2; there are none before the last pass, nor behind it. Passes by
// the definition cost more than that.
double host_cost_bound(std::size_t length, HostLine line, const DeviceLimits& limits) {
  struct Bound {
    Bound(HostLine kind, bool large, std::size_t vector_bytes = 1) {  // also where passes wait
      const LineCost full{.lanes = 1, .line = kind, .large_radices = large, .scalar_bytes = vector_bytes};
      const PassCosts costs(1, full);
      const double weight = kind == HostLine::contiguous ? variance_weight : 0;
      for (const HostRadix& entry : host_radix_table) {
        if (entry.large() && !large) continue;
        const PassCosts::Pass pass = costs.pass(entry);
        const auto least = [&](double operations) { return std::min(operations, costs.waited(operations)); };
        const double last = least(pass.per_element[0]);
        const double twiddles = least(pass.per_element[1]) - last + weight * pass.twiddle_variance / 2;
        const double cost = last + weight * entry.variance + twiddles;
        of_a_level = std::min(of_a_level, cost / std::log2(entry.radix));
        most_twiddles = std::max(most_twiddles, twiddles);
      }
    }
    double of_a_level = std::numeric_limits<double>::infinity();
    double most_twiddles = 0;
  };
  static const std::array<Bound, 4> bounds = {Bound(HostLine::contiguous, false), Bound(HostLine::contiguous, true),
                                              Bound(HostLine::strided, false), Bound(HostLine::strided, true)};
  static const Bound narrow(HostLine::contiguous, false, vector_of_few_registers);
  const std::size_t kind = (line == HostLine::strided ? 2 : 0) + (host_takes_large_radices(limits) ? 1 : 0);
  const bool few = vector_bytes(limits) == vector_of_few_registers && line == HostLine::contiguous;
  const Bound& bound = few ? narrow : bounds[kind];
  return std::log2(static_cast<double>(length)) * bound.of_a_level - bound.most_twiddles;
}

bool convolves_side_by_side(const Convolution& convolution, std::uint64_t lines, bool adjacent, std::size_t lanes,
                            std::uint64_t cache_scalars) {
  constexpr std::uint64_t longest_beside = 768;  // measured with 48 KiB of first-level cache, floats and doubles
  const bool bluestein = convolution.algorithm == Convolution::Algorithm::bluestein;
  if (leaves_lanes_idle(lines, lanes) || (adjacent && bluestein && convolution.points >= longest_beside)) return false;
  return 4 * convolution.points * lanes <= cache_scalars;  // two pairs of planes
}

bool host_holds(std::size_t points, const DeviceLimits& limits) {
  return points * sizeof(std::complex<float>) * 2 <= limits.level2_cache;
}

bool leaves_threads_idle(std::size_t length, std::uint64_t lines, const DeviceLimits& limits) {
  return length >= host_shared_points && 2 * lines <= limits.compute_units;
}

}  // namespace twiddle::plan
