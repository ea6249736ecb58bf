// Stages drawn at random.
#include <algorithm>

#include "backend/host/any_stage.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"

namespace twiddle::test {
namespace {

using plan::LineMap;
using plan::Stage;
using plan::Storage;

class Drawer {
 public:
  explicit Drawer(std::mt19937_64& random) : random_(random) {}
  std::uint64_t number(std::uint64_t first, std::uint64_t last) {
    return std::uniform_int_distribution<std::uint64_t>(first, last)(random_);
  }
  bool one_in(std::uint64_t n) { return number(1, n) == 1; }
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[number(0, values.size() - 1)];
  }

 private:
  std::mt19937_64& random_;
};

// Strides for dimensions of these counts, one inside the other in any order, with gaps and of either sign.
std::vector<std::int64_t> draw_strides(Drawer& draw, const std::vector<std::uint64_t>& counts) {
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.number(0, i - 1)]);
  std::vector<std::int64_t> strides(counts.size());
  std::int64_t next = draw.one_in(4) ? 3 : 1;
  for (const std::size_t i : order) {
    strides[i] = draw.one_in(6) ? -next : next;
    next *= static_cast<std::int64_t>(counts[i]);
    if (draw.one_in(3)) next += static_cast<std::int64_t>(draw.number(1, 5));
  }
  return strides;
}

void draw_side(Drawer& draw, Stage& stage, bool input, std::uint64_t elements) {
  Storage& storage = input ? stage.input_storage : stage.output_storage;
  storage.form = draw.one_of({Storage::Form::interleaved, Storage::Form::planar, Storage::Form::real});
  storage.precision = stage.precision;
  if (draw.one_in(4)) {
    storage.precision = draw.one_of({Precision::float16, Precision::float32, Precision::float64, Precision::extended});
  }
  std::vector<std::uint64_t> counts{elements};
  for (const plan::Loop& loop : stage.loops) counts.push_back(loop.count);
  if (storage.form == Storage::Form::planar) counts.push_back(2);  // the parts
  const std::vector<std::int64_t> strides = draw_strides(draw, counts);
  (input ? stage.input_stride : stage.output_stride) = strides[0];
  for (std::size_t i = 0; i < stage.loops.size(); ++i) {
    (input ? stage.loops[i].input_stride : stage.loops[i].output_stride) = strides[i + 1];
  }
  if (storage.form == Storage::Form::planar) storage.imaginary_offset = strides.back();
  if (input && !stage.loops.empty() && draw.one_in(8)) stage.loops.back().input_stride = 0;
}

// A rule for which a line of `points` is what is made (loads) or used (stores); none for some lengths.
std::optional<LineMap> draw_map(Drawer& draw, bool load, std::uint64_t points) {
  using Rule = LineMap::Rule;
  const Rule rule = load ? draw.one_of({Rule::c2r_load, Rule::hermitian_load, Rule::dct1_load, Rule::dct2_load,
                                        Rule::dct3_load, Rule::dct4_load, Rule::dst1_load, Rule::dst2_load,
                                        Rule::dst3_load, Rule::dst4_load, Rule::pairs_load, Rule::dct1_half_load,
                                        Rule::dst2_half_load, Rule::half_spectrum_load, Rule::dct4_half_load,
                                        Rule::half_spectrum_shifted_load, Rule::dct3_row_load, Rule::dst3_row_load})
                         : draw.one_of({Rule::r2c_store, Rule::dct1_store, Rule::dct2_store, Rule::dct3_store,
                                        Rule::dct4_store, Rule::dst1_store, Rule::dst2_store, Rule::dst3_store,
                                        Rule::dst4_store, Rule::dht_store, Rule::dht_half_store, Rule::dst1_half_store,
                                        Rule::dct2_half_store, Rule::dct3_half_store, Rule::dst4_half_store});
  for (std::uint64_t n = 2; n <= 2 * points; ++n) {
    if ((load ? plan::full_count(rule, n) : plan::full_source_count(rule, n)) != points) continue;
    LineMap map{rule, n, plan::full_source_count(rule, n), plan::full_count(rule, n), draw.one_in(2)};
    if (draw.one_in(4)) {
      std::uint64_t& pruned = load ? map.source_count : map.count;
      pruned = draw.number(1, pruned);
    }
    return map;
  }
  return std::nullopt;
}

plan::Bound draw_bound(Drawer& draw, const Stage& stage) {
  plan::Bound bound;
  bound.element_stride = static_cast<std::int64_t>(draw.number(0, 2));
  std::uint64_t last = static_cast<std::uint64_t>(bound.element_stride) * (stage.length - 1);
  for (const plan::Loop& loop : stage.loops) {
    bound.loop_strides.push_back(draw.one_of<std::int64_t>({0, 0, 1, 3}));
    last += static_cast<std::uint64_t>(bound.loop_strides.back()) * (loop.count - 1);
  }
  bound.count = draw.number(1, last + 1);
  if (draw.one_in(3)) bound.first = draw.number(0, bound.count - 1);
  return bound;
}

plan::Factor draw_factor(Drawer& draw, const Stage& stage, bool load) {
  const plan::Bound bound = draw_bound(draw, stage);
  plan::Factor factor;
  factor.element_stride = bound.element_stride;
  factor.loop_strides = bound.loop_strides;
  factor.length = factor.inputs = factor.outputs = bound.count;
  factor.direction = draw.one_of({Direction::forward, Direction::inverse});
  if (draw.one_in(2)) {
    factor.sequence = plan::Factor::Sequence::chirp_spectrum;
    if (draw.one_in(2)) factor.inputs = draw.number(1, factor.length);
    for (factor.padded = 1; factor.padded < 2 * factor.length;) factor.padded *= 2;
  } else if (load && !stage.load_map && factor.element_stride != 0 && draw.one_in(2)) {
    factor.sequence = draw.one_of({plan::Factor::Sequence::half_spectrum_chirp, plan::Factor::Sequence::half_spectrum});
    factor.inputs = factor.length / 2 + 1;
  }
  return factor;
}

// By convolution instead of by passes.
void draw_convolution(Drawer& draw, Stage& stage, const DeviceLimits& limits) {
  using Algorithm = plan::Convolution::Algorithm;
  const bool prime = stage.length > 2 && plan::prime_factors(stage.length).size() == 1;
  plan::Convolution convolution;
  convolution.algorithm = prime && draw.one_in(2) ? Algorithm::rader : Algorithm::bluestein;
  convolution.points =
      convolution.algorithm == Algorithm::rader ? stage.length - 1 : 2 * stage.length - 1 + draw.number(0, 9);
  const std::vector<unsigned> radices = plan::host_radices(convolution.points, limits);
  if (radices.empty()) return;  // a prime factor that is too large
  stage.convolution = convolution;
  stage.radices = radices;
}

}  // namespace

Stage random_stage(backend::Engine& engine, Precision precision, std::mt19937_64& random) {
  Drawer draw(random);
  Stage stage;
  stage.precision = precision;
  do {
    stage.length = draw.one_in(12) ? draw.number(100, 700) : draw.number(1, 48);
    stage.radices = plan::host_radices(stage.length, engine.info().limits);
  } while (stage.length > 1 && stage.radices.empty());
  for (std::uint64_t loops = draw.number(0, 3); loops > 0; --loops) {
    stage.loops.push_back({draw.one_of<std::uint64_t>({1, 2, 3, 16, draw.number(1, 40)}), 0, 0});
  }
  stage.direction = draw.one_of({Direction::forward, Direction::inverse});
  if (draw.one_in(2)) stage.scale = 0.375;
  if (draw.one_in(3)) stage.load_map = draw_map(draw, true, stage.length);
  if (draw.one_in(3) && stage.length > 1) stage.store_map = draw_map(draw, false, stage.length);
  if (stage.load_map && draw.one_in(4)) {
    stage.radices.clear();
    stage.store_map.reset();
  }
  if (!stage.radices.empty() && draw.one_in(4)) draw_convolution(draw, stage, engine.info().limits);
  if (!stage.loops.empty() && draw.one_in(3)) {
    const std::size_t loop = draw.number(0, stage.loops.size() - 1);
    stage.twiddle = plan::StageTwiddle{stage.length * stage.loops[loop].count, loop, draw.one_in(2), draw.one_in(4)};
  }
  if (draw.one_in(4)) stage.load_factor = draw_factor(draw, stage, true);
  if (!stage.store_map && draw.one_in(4)) stage.store_factor = draw_factor(draw, stage, false);
  if (!stage.load_map && draw.one_in(4)) stage.load_bound = draw_bound(draw, stage);
  if (!stage.store_map && draw.one_in(4)) stage.store_bound = draw_bound(draw, stage);
  draw_side(draw, stage, true, stage.load_map ? stage.load_map->source_count : stage.length);
  draw_side(draw, stage, false, stage.store_map ? stage.store_map->count : stage.length);
  // In place where that is possible: the same layout on both sides.
  const bool broadcast = std::any_of(stage.loops.begin(), stage.loops.end(),
                                     [](const plan::Loop& loop) { return loop.input_stride == 0; });
  if (!stage.load_map && !stage.store_map && !broadcast && draw.one_in(4)) {
    stage.output_storage = stage.input_storage;
    stage.output_stride = stage.input_stride;
    for (plan::Loop& loop : stage.loops) loop.output_stride = loop.input_stride;
    stage.destination = stage.source;
  }
  return stage;
}

}  // namespace twiddle::test
