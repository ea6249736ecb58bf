// The transform that the maps of a stage are from, by its definition.
#include "backend/host/matrix_line.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "backend/host/scalar_stage.hpp"
#include "plan/lower/line_map.hpp"
#include "plan/numbers/real_definition.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::backend::host {
namespace {

using Rule = plan::LineMap::Rule;
using Form = plan::Storage::Form;

constexpr long double negligible = 1e-18L;  // of an entry, which is about 1

// Of the rules of a transform that is one stage; nothing for others.
std::optional<Kind> kind_of(Rule rule) {
  switch (rule) {
    case Rule::dct1_load:
    case Rule::dct1_store:
    case Rule::dct1_half_load:
    case Rule::dct1_half_store:
      return Kind::dct1;
    case Rule::dct2_load:
    case Rule::dct2_store:
    case Rule::dct2_half_load:
    case Rule::dct2_half_store:
      return Kind::dct2;
    case Rule::dct3_load:
    case Rule::dct3_store:
      return Kind::dct3;
    case Rule::dct4_load:
    case Rule::dct4_store:
    case Rule::dct4_odd_load:
    case Rule::dct4_odd_store:
    case Rule::dct4_half_load:
    case Rule::dct4_half_store:
      return Kind::dct4;
    case Rule::dst1_load:
    case Rule::dst1_store:
    case Rule::dst1_half_load:
    case Rule::dst1_half_store:
      return Kind::dst1;
    case Rule::dst2_load:
    case Rule::dst2_store:
    case Rule::dst2_half_load:
    case Rule::dst2_half_store:
      return Kind::dst2;
    case Rule::dst3_load:
    case Rule::dst3_store:
      return Kind::dst3;
    case Rule::dst4_load:
    case Rule::dst4_store:
    case Rule::dst4_odd_load:
    case Rule::dst4_odd_store:
    case Rule::dst4_half_load:
    case Rule::dst4_half_store:
      return Kind::dst4;
    case Rule::dht_store:
      return Kind::dht;
    default:
      return std::nullopt;
  }
}

// Whether its elements stand in their order, as one whole side of a line.
bool is_in_order(const plan::LineMap& map) {
  return map.source_parts.empty() && map.half_columns == 0 && map.row_parts.empty();
}

// What the stage's maps make of a line, where they are all there is to a transform of whole lines.
std::optional<Kind> kind_of(const plan::Stage& stage) {
  if (!stage.store_map || !is_in_order(*stage.store_map)) return std::nullopt;
  const plan::LineMap& store = *stage.store_map;
  const std::optional<Kind> kind = kind_of(store.rule);
  if (kind == Kind::dht && !stage.load_map) return stage.length == store.length ? kind : std::nullopt;
  if (!kind || !stage.load_map || !is_in_order(*stage.load_map)) return std::nullopt;
  const plan::LineMap& load = *stage.load_map;
  const bool fit = kind_of(load.rule) == kind && load.length == store.length && load.orthogonal == store.orthogonal;
  return fit ? kind : std::nullopt;
}

// exp(-2 pi i m / order) of one order, as a table: each within an eighth of a turn is computed once.
class KnownRoots {
 public:
  const std::complex<long double>& operator()(std::uint64_t m, std::uint64_t order) const {
    if (roots_.size() != order) fill(order);
    return roots_[m];
  }

 private:
  void fill(std::uint64_t order) const {
    std::vector<std::complex<long double>> eighth(order + 1);
    roots_.resize(order);
    for (std::uint64_t m = 0; m < order; ++m) {
      roots_[m] = plan::from_octant<long double>(m, order, [&](std::uint64_t part) {
        if (eighth[part] == std::complex<long double>()) {
          eighth[part] = std::conj(plan::root_of_unity(part, 8 * order));
        }
        return eighth[part];
      });
    }
  }
  mutable std::vector<std::complex<long double>> roots_;
};

}  // namespace

std::optional<MatrixLine> matrix_line(const plan::Stage& stage, std::size_t most) {
  const std::optional<Kind> kind = kind_of(stage);
  if (!kind || stage.store_map->length > most) return std::nullopt;
  const plan::LineMap& map = *stage.store_map;
  plan::Stage bare = stage;
  bare.load_map.reset();
  bare.store_map.reset();
  if (stage.twiddle || !only_loads(bare) || !only_stores(bare)) return std::nullopt;
  const auto is_plain = [&](const plan::Storage& storage) {
    return storage.precision == stage.precision && !storage.is_apart();
  };
  const bool pairs = stage.input_storage.form == Form::planar;
  if (!is_plain(stage.input_storage) || !is_plain(stage.output_storage) ||
      pairs != (stage.output_storage.form == Form::planar) || (pairs && plan::pairs_reals(map.rule))) {
    return std::nullopt;
  }
  MatrixLine line;
  line.inputs = stage.load_map ? stage.load_map->source_count : stage.length;
  line.results = map.count;
  if (std::max(line.inputs, line.results) > map.length) return std::nullopt;
  line.matrix.reserve(line.inputs * line.results);
  const KnownRoots roots;
  for (std::size_t k = 0; k < line.results; ++k) {
    for (std::size_t j = 0; j < line.inputs; ++j) {
      long double entry = plan::real_coefficient(*kind, map.length, j, k, roots);
      // Zeros are sums of roots for Hartley lines, and what they leave would make numbers too small for fast
      // arithmetic.
      if (std::abs(entry) < negligible) entry = 0;
      if (map.orthogonal) entry *= plan::orthogonal_weight(*kind, map.length, j, k);
      line.matrix.push_back(stage.scale * entry);
    }
  }
  line.reals.input_stride = stage.input_stride;
  line.reals.output_stride = stage.output_stride;
  line.reals.input_offset = stage.input_offset;
  line.reals.output_offset = stage.output_offset;
  line.reals.loops = stage.loops;
  if (pairs) {
    line.reals.loops.push_back({2, stage.input_storage.imaginary_offset, stage.output_storage.imaginary_offset});
  }
  plan::tidy_loops(line.reals);
  return line;
}

}  // namespace twiddle::backend::host
