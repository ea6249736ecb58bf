// Dynamic programming over the divisors of a length: the cheapest sequence of passes for the host engine.
#include "plan/recipe/host_radices.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <mutex>

#include "plan/device/apply_strategy.hpp"
#include "plan/numbers/divisors.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "plan/recipe/radices.hpp"

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
constexpr double direct_operations = 1.3;  // by the definition, for each pair of an input and an output
constexpr double twiddle_variance = 0.65;  // of a product with a rounded root of unity other than 1

// Those between reals and half of their spectrum, by the index of host_real_radix_table.
constexpr std::array<double, host_real_radix_table.size()> real_operations = {7,   20, 42, 55,  110,
                                                                              130, 95, 95, 220, 240};

// In arithmetic operations of a vector. Fitted to 4888 measured sequences of lengths to 2400: what is chosen takes 1 %
// longer than the fastest measured, on average.
constexpr double memory_weight = 8.0;       // of one vector loaded or stored
constexpr double twiddle_operations = 4.0;  // of one complex multiplication
constexpr double transpose_weight = 2.0;    // of one vector sent through the register transpose of the first pass
constexpr double ragged_weight = 30.0;      // for each element, of transposes whose rows are no whole vectors
constexpr double pass_weight = 100.0;       // of beginning a pass
constexpr double variance_weight = 12.0;    // what an error of variance 1 may cost: it decides what nearly ties

// Where vectors are computed and stored in two halves, of the last pass of contiguous lines, whose many results do not
// stay in registers until they are put together. Fitted to 1493 sequences each of 57 lengths from 256 to 32768, floats
// and doubles, on an AMD EPYC (Zen 4): what is chosen takes 1.021 and 1.026 of the fastest's time, where it
// took 1.041, 1.043.
constexpr unsigned largest_halved_last = 11;
constexpr double halved_last_weight = 15.0;   // for each radix above that
constexpr unsigned first_cache_ways = 8;      // more rows of results than these fall onto the same sets of that cache
constexpr std::size_t bytes_of_a_way = 4096;  // where their distance is a multiple of this
constexpr double halved_conflict_weight = 40.0;  // for each of them; not before a map

// Neighbouring lines side by side; on memory these passes wait longer.
constexpr double strided_memory_weight = 2.0;
// More rows at once than a cache has ways fall onto the same sets where their distance is a large power of two.
constexpr double largest_strided_radix = 12;
constexpr double conflict_weight = 1.6;

// From the table, or, for primes beyond it, at the cost of the definition.
HostRadix host_radix(unsigned radix) {
  for (const HostRadix& entry : host_radix_table) {
    if (entry.radix == radix) return entry;
  }
  return {radix, direct_operations * radix * radix, direct_variance};
}

// The table's radices that divide the length, and its larger prime factors.
std::vector<HostRadix> radices_of(std::size_t length, const Strategy& strategy = {}) {
  std::vector<HostRadix> result;
  result.reserve(host_radix_table.size() + 8);  // of few primes there can be more
  for (const HostRadix& entry : host_radix_table) {
    if (length % entry.radix == 0 && allows_radix(strategy, entry.radix)) result.push_back(entry);
  }
  for (unsigned factor = 2; factor <= host_largest_prime; ++factor) {
    if (length % factor != 0) continue;
    if (factor > 13 && allows_radix(strategy, factor)) result.push_back(host_radix(factor));
    while (length % factor == 0) length /= factor;
    if (length == 1) break;
  }
  return result;
}

// How much longer a run of `run` elements takes that is covered by whole, overlapping vectors.
double overlap(std::size_t run, std::size_t lanes) {
  const std::size_t vectors = (run + lanes - 1) / lanes;
  return static_cast<double>(vectors * lanes) / static_cast<double>(run) - 1.0;
}

// What passes work on.
struct LineCost {
  std::size_t lanes;
  HostLine line;
  Strategy strategy{};    // which says what radices there are
  std::size_t group = 0;  // so many elements stay next to each other in all passes, which memory is apart from; 0:
                          // lines from memory to memory
  bool halved_vectors = false;
  bool mapped = false;  // a map stands before or behind the passes
};

// What passes cost for each element of lines of one length. A search asks for hundreds of them, so that what depends on
// the radix or on the place alone is computed beforehand.
class PassCosts {
 public:
  PassCosts(std::size_t length, const LineCost& cost)
      : cost_(cost),
        group_(std::max<std::size_t>(cost.group, 1)),
        beginning_(pass_weight * static_cast<double>(cost.lanes) / static_cast<double>(length * group_)) {}

  struct Pass {
    HostRadix entry;
    std::array<double, 2> operations;   // of the last pass, and of one that others follow
    std::array<double, 2> per_element;  // likewise
    double twiddle_variance;            // had all its roots to be rounded
  };
  [[nodiscard]] Pass pass(const HostRadix& entry) const {
    const double radix = entry.radix;
    const double memory = cost_.line == HostLine::strided ? strided_memory_weight : memory_weight;
    const double last = entry.operations + memory * 4.0 * radix;
    const double other = last + twiddle_operations * (radix - 1.0);
    return {entry, {last, other}, {last / radix, other / radix}, twiddle_variance * (1.0 - 1.0 / radix)};
  }

  // The product of the radices before a pass, or of those behind it.
  struct Product {
    std::size_t value;
    double longer;  // how many times as long the vectors of such a run take
    double roots;   // other than 1
  };
  [[nodiscard]] Product product(std::size_t value) const {
    return {value, 1.0 + overlap(value * group_, cost_.lanes), 1.0 - 1.0 / static_cast<double>(value)};
  }

  [[nodiscard]] double operator()(const Pass& pass, const Product& before, const Product& after) const {
    return cost_.line == HostLine::strided ? strided(pass, before, after) : contiguous(pass, before, after);
  }

 private:
  // The first pass has columns in its lanes and transposes; all others, and those without a butterfly, have the
  // elements of a run, of which a first pass has one.
  [[nodiscard]] double contiguous(const Pass& pass, const Product& before, const Product& after) const {
    const bool followed = after.value > 1;
    double variance = pass.entry.variance;
    if (followed) variance += pass.twiddle_variance * after.roots;
    const double rest = variance_weight * variance;
    if (before.value > 1 || pass.entry.direct() || cost_.group != 0) {
      const double last = followed ? 0 : halved_last(pass.entry.radix, before.value);
      return pass.per_element[followed] * before.longer + last + beginning_ + rest;
    }
    const double radix = pass.entry.radix;
    const double operations = pass.operations[followed] + transpose_weight * 2.0 * radix;
    const double ragged = pass.entry.radix % cost_.lanes != 0 ? ragged_weight : 0.0;
    return operations / radix * after.longer + ragged + beginning_ + rest;
  }

  // What the last pass costs more, `run` being the results of each of its rows.
  [[nodiscard]] double halved_last(unsigned radix, std::size_t run) const {
    if (!cost_.halved_vectors || cost_.lanes == 1 || cost_.group != 0) return 0;
    double operations = radix > largest_halved_last ? halved_last_weight * (radix - largest_halved_last) : 0;
    const std::size_t element_bytes = 2 * 64 / cost_.lanes;
    const bool conflicts = !cost_.mapped && radix > first_cache_ways && run * element_bytes % bytes_of_a_way == 0;
    if (conflicts) operations += halved_conflict_weight * radix;
    return operations / radix;
  }

  // The lanes hold neighbouring lines and so are full.
  [[nodiscard]] double strided(const Pass& pass, const Product& before, const Product& after) const {
    const bool touches_memory = cost_.group == 0 && (before.value == 1 || after.value == 1);
    const double operations = pass.per_element[after.value > 1];
    return touches_memory && pass.entry.radix > largest_strided_radix ? operations * conflict_weight : operations;
  }

  const LineCost& cost_;
  std::size_t group_;
  double beginning_;  // of a pass
};

struct Passes {
  double cost = std::numeric_limits<double>::infinity();  // for each element
  std::vector<unsigned> radices;
};

Passes search_passes(std::size_t length, const LineCost& line) {
  const std::vector<std::size_t> divisors = divisors_of(length);
  const std::size_t last = divisors.size() - 1;
  // Best way to finish once the passes so far have a divisor as their product; from the whole length downwards.
  struct Choice {
    double cost = std::numeric_limits<double>::infinity();
    std::size_t next = 0;  // the product then
  };
  std::vector<Choice> choices(divisors.size());
  choices[last].cost = 0.0;
  const PassCosts costs(length, line);
  struct Candidate {
    PassCosts::Pass pass;
    std::size_t next;  // the largest divisor that is not above the radix times the one in turn
  };
  std::vector<Candidate> candidates;
  const std::vector<HostRadix> radices = radices_of(length, line.strategy);
  candidates.reserve(radices.size());
  for (const HostRadix& entry : radices) candidates.push_back({costs.pass(entry), last});
  std::vector<PassCosts::Product> products;
  products.reserve(divisors.size());
  for (const std::size_t divisor : divisors) products.push_back(costs.product(divisor));
  for (std::size_t i = last; i-- > 0;) {
    for (Candidate& candidate : candidates) {
      const std::size_t done = divisors[i] * candidate.pass.entry.radix;
      while (divisors[candidate.next] > done) --candidate.next;
      if (divisors[candidate.next] != done) continue;
      const double cost =
          costs(candidate.pass, products[i], products[last - candidate.next]) + choices[candidate.next].cost;
      if (cost < choices[i].cost) choices[i] = {cost, candidate.next};
    }
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
// numbers of points. A length takes the place of another one that shares it.
class FoundPasses {
 public:
  [[nodiscard]] Passes find_or_search(std::size_t length, const LineCost& line) {
    Place& place = places_[place_of(length, line) % places_.size()];
    const auto is_same = [&] {
      return place.length == length && place.lanes == line.lanes && place.line == line.line &&
             place.radices == line.strategy.radices && place.group == line.group &&
             place.halved_vectors == line.halved_vectors && place.mapped == line.mapped;
    };
    {
      const std::lock_guard lock(mutex_);
      if (is_same()) return place.passes;
    }
    Passes passes = search_passes(length, line);
    const std::lock_guard lock(mutex_);
    place = {length,     line.lanes,          line.line,   line.strategy.radices,
             line.group, line.halved_vectors, line.mapped, passes};
    return passes;
  }

 private:
  struct Place {
    std::size_t length = 0;
    std::size_t lanes = 0;
    HostLine line = HostLine::contiguous;
    Strategy::Radices radices = Strategy::Radices::all;  // all that a search knows of a strategy
    std::size_t group = 0;
    bool halved_vectors = false;
    bool mapped = false;
    Passes passes;
  };
  // Apart for what one plan compares.
  static std::size_t place_of(std::size_t length, const LineCost& line) {
    return length + 64 * line.lanes + (line.line == HostLine::strided ? 2048 : 0) + 512 * line.group;
  }
  std::mutex mutex_;
  std::array<Place, 4096> places_;
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

std::vector<unsigned> radices_for(std::size_t length, const DeviceLimits& limits, HostLine line, bool mapped) {
  const auto is_length = [&](const HostRadix& entry) {
    return entry.radix == length && allows_radix(limits.strategy, entry.radix);
  };
  if (line == HostLine::contiguous && std::any_of(host_radix_table.begin(), host_radix_table.end(), is_length)) {
    return {static_cast<unsigned>(length)};
  }
  const std::size_t lanes = std::max<std::size_t>(limits.sub_group_size, 1);
  return cheapest_passes(length, {lanes, line, limits.strategy, 0, limits.halved_vectors, mapped}).radices;
}

}  // namespace

std::vector<unsigned> host_radices(std::size_t length, const DeviceLimits& limits, HostLine line) {
  return radices_for(length, limits, line, false);
}

std::vector<unsigned> host_mapped_radices(std::size_t length, const DeviceLimits& limits) {
  std::vector<unsigned> radices = radices_for(length, limits, HostLine::contiguous, true);
  const bool rounds_much = limits.arithmetic == Precision::float64 && radices == std::vector{8U, 5U, 5U};
  return rounds_much ? std::vector{5U, 8U, 5U} : radices;
}

std::vector<unsigned> host_real_radices(std::size_t length, std::size_t lanes, HostLine line, bool direct) {
  std::vector<std::pair<unsigned, double>> candidates;
  for (std::size_t i = 0; i < host_real_radix_table.size(); ++i) {
    if (line == HostLine::strided && host_real_radix_table[i] > host_largest_real_bundle) continue;
    candidates.emplace_back(host_real_radix_table[i], real_operations[i]);
  }
  for (const HostRadix& entry : radices_of(length)) {
    if (direct && entry.direct()) candidates.emplace_back(entry.radix, entry.operations / 2);
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

bool host_has_pass(unsigned radix) {
  const bool butterfly = std::any_of(host_radix_table.begin(), host_radix_table.end(),
                                     [&](const HostRadix& entry) { return entry.radix == radix; });
  return butterfly || (radix <= host_largest_prime && prime_factors(radix).size() == 1);
}

double host_cost(const std::vector<unsigned>& radices) { return cost_of_passes(radices, {1, HostLine::strided}); }

double host_cost(const std::vector<unsigned>& radices, const DeviceLimits& limits, HostLine line) {
  return cost_of_passes(radices, {std::max<std::size_t>(limits.sub_group_size, 1), line, {}, 0, limits.halved_vectors});
}

bool convolves_side_by_side(const Convolution& convolution, std::uint64_t lines, bool adjacent, std::size_t lanes,
                            std::uint64_t cache_scalars) {
  constexpr std::uint64_t longest_beside = 768;  // measured with 48 KiB of first-level cache, floats and doubles
  const bool bluestein = convolution.algorithm == Convolution::Algorithm::bluestein;
  if (2 * lines <= lanes || (adjacent && bluestein && convolution.points >= longest_beside)) return false;
  return 4 * convolution.points * lanes <= cache_scalars;  // two pairs of planes
}

bool host_holds(std::size_t points, const DeviceLimits& limits) {
  return points * sizeof(std::complex<float>) * 2 <= limits.level2_cache;
}

bool leaves_threads_idle(std::size_t length, std::uint64_t lines, const DeviceLimits& limits) {
  return length >= host_shared_points && 2 * lines <= limits.compute_units;
}

}  // namespace twiddle::plan
