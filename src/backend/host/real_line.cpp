// What can be computed as a real line, and its passes.
#include "backend/host/real_line.hpp"

#include <algorithm>

#include "backend/host/twiddle_tables.hpp"

namespace twiddle::backend::host {
namespace {

using Form = plan::Storage::Form;

// The passes after the real one, or before it.
plan::Stage inner_stage(const plan::Stage& stage, std::vector<unsigned> radices) {
  plan::Stage inner;
  inner.step = stage.step;
  inner.length = stage.length / radices.front();
  inner.radices.assign(radices.begin() + 1, radices.end());
  return inner;
}

}  // namespace

RealSide real_side(const plan::Stage& stage) {
  if (stage.radices.empty() || stage.load_factor || (stage.twiddle && stage.twiddle->on_load)) return RealSide::none;
  if (!stage.load_map) return stage.input_storage.form == Form::real ? RealSide::input : RealSide::none;
  const bool hermitian =
      stage.load_map->rule == plan::LineMap::Rule::hermitian_load && stage.load_map->length == stage.length;
  const bool stores_reals =
      stage.output_storage.form == Form::real && !stage.twiddle && !stage.store_factor && !stage.store_map;
  return hermitian && stores_reals ? RealSide::output : RealSide::none;
}

plan::Stage loading_stage(const plan::Stage& stage) {
  plan::Stage loads = stage;
  if (stage.load_map) loads.length = stage.load_map->source_count;
  loads.load_map.reset();
  loads.store_map.reset();
  loads.store_factor.reset();
  loads.store_bound.reset();
  loads.twiddle.reset();
  return loads;
}

plan::Stage storing_stage(const plan::Stage& stage) {
  plan::Stage stores = stage;
  stores.load_map.reset();
  stores.load_bound.reset();
  if (real_side(stage) == RealSide::output) return stores;
  stores.length = plan::bounded_count(stage.length, stage.store_bound);
  if (stores.length < stage.length && !stores.store_bound->real_first) stores.store_bound.reset();
  return stores;
}

template <class T>
RealLine<T>::RealLine(const plan::Stage& stage, std::vector<unsigned> radices, LineShape shape, std::size_t lanes,
                      std::int64_t targets)
    : side(real_side(stage)),
      radix(radices.front()),
      columns(stage.length / radix),
      half(radix / 2 + 1),
      places(half * columns),
      loaded(loading_stage(stage).length),
      stored(storing_stage(stage).length),
      vector(vector_lanes<T>(targets)),
      sign((side == RealSide::input) == (stage.direction == Direction::inverse) ? T{-1} : T{1}),
      inner(inner_stage(stage, radices), LineShape::inner, half * lanes, targets),
      moves(find_spectrum_kernels<T>(targets)) {
  const bool row = shape == LineShape::row;
  const bool input = side == RealSide::input;
  pass = find_real_pass<T>(input ? (row ? RealPassKind::first_row : RealPassKind::first_bundle)
                                 : (row ? RealPassKind::last_row : RealPassKind::last_bundle),
                           radix, targets);
  const auto results = static_cast<unsigned>(half);
  const AllRoots<T> all = all_roots<T>(columns * radix, targets);
  twiddles =
      row ? column_twiddles(all, columns, radix, results, vector) : broadcast_twiddles(all, columns, radix, results);
  if (find_pass<T>(PassKind::first_row, radix, targets) == nullptr) roots = direct_roots<T>(radix, targets);
  elements = spectrum_elements(radix, columns, input ? stored : stage.length / 2 + 1);
}

template <class T>
PassCall<T> RealLine<T>::call(std::size_t lanes, const Prefetch& prefetch) const {
  PassCall<T> call;
  call.radix = radix;
  call.roots = roots.data();
  call.columns = columns;
  call.twiddles = twiddles.data();
  call.lanes = lanes;
  if (inner.count() > 0 || prefetch.start == nullptr) return call;
  const std::size_t steps = std::max<std::size_t>(1, lanes / vector);
  call.prefetch = prefetch.start;
  call.prefetch_count = (prefetch.pieces + steps - 1) / steps;
  call.prefetch_lines = prefetch.lines;
  call.prefetch_stride = prefetch.stride;
  return call;
}

template struct RealLine<float>;
template struct RealLine<double>;
template struct RealLine<long double>;

}  // namespace twiddle::backend::host
