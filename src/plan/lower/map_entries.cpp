// Entries from the rules' formulas: the roots that these need, weights, and where elements stand.
#include "plan/lower/map_entries.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>
#include <type_traits>
#include <utility>

#include "plan/lower/map_formulas.hpp"

namespace twiddle::plan {
namespace {

using Rule = LineMap::Rule;

// Weight of element k before an orthogonal transform (Normalization::ortho): the end elements of dct1, the first of
// dct3, the last of dst3.
long double weight_before(Rule rule, std::uint64_t k, std::uint64_t n) {
  const bool weighted = ((rule == Rule::dct1_load || rule == Rule::dct1_half_load) && (k == 0 || k == n - 1)) ||
                        ((rule == Rule::dct3_load || rule == Rule::dct3_half_before) && k == 0) ||
                        ((rule == Rule::dst3_load || rule == Rule::dst3_half_before) && k == n - 1);
  return weighted ? std::numbers::sqrt2_v<long double> : 1;
}

// Weight of element k after it.
long double weight_after(Rule rule, std::uint64_t k, std::uint64_t n) {
  const bool first = rule == Rule::dct1_store || rule == Rule::dct1_mean_store || rule == Rule::dct1_half_store;
  const bool halved = (first && (k == 0 || k == n - 1)) ||
                      ((rule == Rule::dct2_store || rule == Rule::dct2_half_store) && k == 0) ||
                      ((rule == Rule::dst2_store || rule == Rule::dst2_half_store) && k == n - 1);
  return halved ? 1 / std::numbers::sqrt2_v<long double> : 1;
}

std::uint64_t frequency_in_half_columns(const LineMap& map, std::uint64_t place) {
  const std::uint64_t row_length = map.length / map.half_columns;
  return place / row_length + map.half_columns * element_in_place(place % row_length, map.row_parts);
}

// Of all roots of unity that a rule has.
std::uint64_t order_of_roots(Rule rule, std::uint64_t n) {
  switch (rule) {
    case Rule::r2c_store:
    case Rule::c2r_load:
    case Rule::dht_half_store:
    case Rule::half_spectrum_load:
    case Rule::half_spectrum_shifted_load:
    case Rule::dht_pairs_store:
      return n;
    case Rule::dct1_half_store:
      return 2 * (n - 1);
    case Rule::dst1_half_store:
      return 2 * (n + 1);
    case Rule::dct2_store:
    case Rule::dst2_store:
    case Rule::dct3_load:
    case Rule::dst3_load:
    case Rule::dct3_row_load:
    case Rule::dst3_row_load:
    case Rule::dct4_load:
    case Rule::dst4_load:
    case Rule::dct2_half_store:
    case Rule::dst2_half_store:
    case Rule::dct3_half_before:
    case Rule::dst3_half_before:
    case Rule::dct2_pairs_store:
    case Rule::dct3_pairs_load:
      return 4 * n;
    case Rule::dct4_store:
    case Rule::dst4_store:
      return 8 * n;
    case Rule::dct4_half_load:
    case Rule::dst4_half_load:
    case Rule::dct4_half_store:
    case Rule::dst4_half_store:
      return 16 * n;
    case Rule::dct4_odd_store:
    case Rule::dst4_odd_store:
      return 8;
    default:
      return 1;
  }
}

// The entries of one rule for some elements: which formula it has is asked once, not for each of them.
template <class Roots, class Real>
using Maker = void (*)(const MapFormulas<Roots, Real>& formulas, std::uint64_t n,
                       std::span<const std::uint64_t> elements, MapEntry<Real>* entries);

template <class Roots, class Real, Rule rule>
void make_entries(const MapFormulas<Roots, Real>& formulas, std::uint64_t n, std::span<const std::uint64_t> elements,
                  MapEntry<Real>* entries) {
  for (const std::uint64_t element : elements) *entries++ = formulas.template entry<rule>(element, n);
}

template <class Roots, class Real, std::size_t... rules>
constexpr auto makers(std::index_sequence<rules...>) {
  return std::array<Maker<Roots, Real>, sizeof...(rules)>{make_entries<Roots, Real, static_cast<Rule>(rules)>...};
}

constexpr std::size_t rule_count = static_cast<std::size_t>(Rule::dct3_pairs_load) + 1;
template <class Roots, class Real>
void make_with(const Roots& roots, const LineMap& map, std::uint64_t order, std::span<const std::uint64_t> elements,
               MapEntry<Real>* entries) {
  static constexpr auto of_rules = makers<Roots, Real>(std::make_index_sequence<rule_count>());
  of_rules[static_cast<std::size_t>(map.rule)]({roots, order}, map.length, elements, entries);
}

// Entries are made a block at a time. In double each takes two rounds: first its roots are noted, of which a rule has
// no more than four for an entry, then they are there.
constexpr std::size_t block_entries = ManyRoots::most / 4;
constexpr std::uint64_t few_roots = 8;  // of which all are made once, however many entries there are

struct BlockOfRoots {
  std::array<double, ManyRoots::most> powers;
  std::array<std::array<double, ManyRoots::most>, 4> parts;
  std::size_t count = 0;
};

struct NotedRoots {
  BlockOfRoots& block;
  std::uint64_t order;
  std::complex<float> operator()(std::uint64_t k) const {
    if (k >= order) k -= order;  // enough for most
    if (k >= order) k %= order;
    block.powers[block.count++] = static_cast<double>(k);
    return {};
  }
};

// In turn.
struct RootsThere {
  const BlockOfRoots& block;
  std::size_t& next;
  ExactComplex operator()(std::uint64_t) const {
    const std::size_t i = next++;
    return {{block.parts[0][i], block.parts[1][i]}, {block.parts[2][i], block.parts[3][i]}};
  }
};

// Of few, all.
struct RootsOfFew {
  const std::vector<ExactComplex>& roots;
  ExactComplex operator()(std::uint64_t k) const { return roots[k % roots.size()]; }
};

std::vector<ExactComplex> all_of(const ManyRoots& many, std::uint64_t order) {
  BlockOfRoots block;
  std::array<double*, 4> parts;
  for (std::size_t part = 0; part < 4; ++part) parts[part] = block.parts[part].data();
  std::iota(block.powers.begin(), block.powers.begin() + static_cast<std::ptrdiff_t>(order), 0.0);
  many.make(block.powers.data(), order, parts);
  std::vector<ExactComplex> roots(order);
  std::size_t next = 0;
  for (ExactComplex& root : roots) root = RootsThere{block, next}(0);
  return roots;
}

// Where there are no vectors.
class ManyProducts final : public ManyRoots {
 public:
  explicit ManyProducts(std::uint64_t n) : roots_(n) {}
  void make(const double* powers, std::size_t count, const std::array<double*, 4>& to) const override {
    for (std::size_t i = 0; i < count; ++i) {
      const std::complex<long double> root = roots_(static_cast<std::uint64_t>(powers[i]));
      put(root.real(), to[0][i], to[1][i]);
      put(root.imag(), to[2][i], to[3][i]);
    }
  }

 private:
  static void put(long double value, double& high, double& low) {
    high = static_cast<double>(value);
    low = static_cast<double>(value - high);
  }
  ProductsOfRoots<long double> roots_;
};

// Where half_columns leaves a frequency, or the one whose conjugate it is; doubled, as its real part stands for both.
template <class Real>
MapTerm<Real> in_half_columns(const LineMap& map, MapTerm<Real> term) {
  term.coefficient *= Real{2};
  if (term.index % map.half_columns > map.half_columns / 2) {
    term.index = map.length - term.index;
    term.coefficient = std::conj(term.coefficient);
  }
  const std::uint64_t row_length = map.length / map.half_columns;
  term.index =
      term.index % map.half_columns * row_length + reversed_place(term.index / map.half_columns, map.row_parts);
  return term;
}

}  // namespace

template <class Real>
MapEntries<Real>::MapEntries(const LineMap& map, const MakeManyRoots& make_roots)
    : map_(map),
      plain_(!map.orthogonal && map.half_columns == 0 && map.source_parts.empty() &&
             map.source_count >= full_source_count(map.rule, map.length)),
      makes_half_(map.half_columns != 0 && (map.rule == Rule::dct3_load || map.rule == Rule::dst3_load)),
      order_(order_of_roots(map.rule, map.length)) {
  if constexpr (std::is_same_v<Real, float>) products_.emplace(order_);
  if constexpr (std::is_same_v<Real, double>) {
    if (order_ == 1) return;
    if (make_roots) roots_ = make_roots(order_);
    if (roots_ == nullptr) roots_ = std::make_unique<ManyProducts>(order_);
    if (order_ <= few_roots) few_ = all_of(*roots_, order_);
  }
}

template <class Real>
void MapEntries<Real>::make_by_rule(std::span<const std::uint64_t> elements, MapEntry<Real>* entries) const {
  if constexpr (std::is_same_v<Real, long double>) {
    return make_with(NearestRoots{order_}, map_, order_, elements, entries);
  }
  if constexpr (std::is_same_v<Real, float>) return make_with(*products_, map_, order_, elements, entries);
  if constexpr (std::is_same_v<Real, double>) {
    if (!few_.empty()) return make_with(RootsOfFew{few_}, map_, order_, elements, entries);
    BlockOfRoots block;
    if (order_ > 1) {
      std::array<MapEntry<float>, block_entries> unused;
      make_with(NotedRoots{block, order_}, map_, order_, elements, unused.data());
      std::array<double*, 4> parts;
      for (std::size_t part = 0; part < 4; ++part) parts[part] = block.parts[part].data();
      if (block.count != 0) roots_->make(block.powers.data(), block.count, parts);
    }
    std::size_t next = 0;
    make_with(RootsThere{block, next}, map_, order_, elements, entries);
  }
}

template <class Real>
void MapEntries<Real>::make(std::uint64_t first, std::span<MapEntry<Real>> entries) const {
  std::array<std::uint64_t, block_entries> elements;
  for (std::size_t begin = 0; begin < entries.size(); begin += block_entries, first += block_entries) {
    const auto block = entries.subspan(begin, std::min(block_entries, entries.size() - begin));
    std::iota(elements.begin(), elements.begin() + block.size(), first);
    for (std::size_t i = 0; makes_half_ && i < block.size(); ++i) {
      elements[i] = frequency_in_half_columns(map_, elements[i]);
    }
    make_by_rule(std::span(elements).first(block.size()), block.data());
    for (std::size_t i = 0; !plain_ && i < block.size(); ++i) block[i] = adapted(elements[i], block[i]);
  }
}

template <class Real>
MapEntry<Real> MapEntries<Real>::operator()(std::uint64_t i) const {
  MapEntry<Real> entry;
  make(i, {&entry, 1});
  return entry;
}

// Of a part of the source, with weights, or elsewhere than in order.
template <class Real>
MapEntry<Real> MapEntries<Real>::adapted(std::uint64_t element, MapEntry<Real> values) const {
  const std::uint64_t n = map_.length;
  if (map_.orthogonal && element == 0) {  // whose two parts have weights of their own
    if (map_.rule == Rule::dct2_pairs_store) return pair_of_ends<Real>(std::numbers::sqrt2_v<long double>);
    if (map_.rule == Rule::dct3_pairs_load) return pair_from_ends<Real>(std::numbers::sqrt2_v<long double>);
  }
  const bool takes_half = map_.half_columns != 0 && !makes_half_;
  for (MapTerm<Real>* term : {&values.first, &values.second}) {
    if (term->index == MapTables::none) continue;
    if (map_.orthogonal) {
      term->coefficient *=
          static_cast<Real>(weight_before(map_.rule, term->index, n) * weight_after(map_.rule, element, n));
    }
    if (takes_half) continue;
    if (term->index >= map_.source_count) *term = {};
    if (term->index != MapTables::none) term->index = reversed_place(term->index, map_.source_parts);
  }
  if (takes_half) values = {in_half_columns(map_, values.first), {}};
  return values;
}

template class MapEntries<long double>;
template class MapEntries<float>;
template class MapEntries<double>;

}  // namespace twiddle::plan
