// Stages by hand that are convolutions: both algorithms, from one radix to three, in every kind of exchange and walk.
#include <algorithm>
#include <string>
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "support/stage_list.hpp"
#include "support/symmetric_stages.hpp"

namespace twiddle::test {
namespace {

using plan::Bound;
using plan::Convolution;
using plan::Factor;
using plan::KernelShape;
using plan::LineMap;
using plan::Stage;
using plan::Storage;
using Exchange = KernelShape::Exchange;
using Lanes = KernelShape::Lanes;

constexpr auto rader = Convolution::Algorithm::rader;
constexpr auto bluestein = Convolution::Algorithm::bluestein;

// Rows without gaps; Rader's of a prime, Bluestein's of as many points as the radices make.
Stage rows(Convolution::Algorithm algorithm, std::uint64_t length, std::vector<unsigned> radices, std::uint64_t count) {
  Stage stage;
  stage.length = length;
  std::uint64_t points = 1;
  for (const unsigned radix : radices) points *= radix;
  stage.convolution = Convolution{algorithm, points};
  stage.radices = std::move(radices);
  const auto distance = static_cast<std::int64_t>(length);
  stage.loops = {{count, distance, distance}};
  if (stage.radices.size() > 1) stage.shape.exchange = Exchange::complex;
  return stage;
}

Stage columns(Stage stage) {
  const auto width = static_cast<std::int64_t>(stage.loops[0].count) + 2;
  stage.input_stride = stage.output_stride = width;
  stage.loops[0].input_stride = stage.loops[0].output_stride = 1;
  stage.shape.load = stage.shape.store = Lanes::transforms;
  return stage;
}

Stage inverse(Stage stage) {
  stage.direction = Direction::inverse;
  return stage;
}

Stage split(Stage stage) {
  stage.shape.exchange = Exchange::split;
  return stage;
}

Stage twice(Stage stage) {
  stage.precision = stage.input_storage.precision = stage.output_storage.precision = Precision::float64;
  return stage;
}

// Rows in, columns out.
Stage transposed(Stage stage) {
  stage.output_stride = static_cast<std::int64_t>(stage.loops[0].count);
  stage.loops[0].output_stride = 1;
  stage.shape.store = Lanes::transforms;
  return stage;
}

Stage with_factors(Stage stage) {
  const std::uint64_t length = stage.length;
  stage.load_factor =
      Factor{Factor::Sequence::chirp, length - 2, length - 2, length - 2, 2 * length, Direction::forward, 1, {0}};
  stage.store_factor = Factor{Factor::Sequence::chirp, length, length, length, 2 * length, Direction::inverse, 1, {0}};
  stage.load_bound = Bound{length, 1, {1}};
  stage.store_bound = Bound{length * 5, 1, {static_cast<std::int64_t>(length)}};
  stage.scale = 0.7L;
  return stage;
}

Stage with_twiddle(Stage stage, bool on_load) {
  stage.twiddle = plan::StageTwiddle{stage.length * stage.loops[0].count, 0, on_load};
  return stage;
}

// Reals to their spectrum's half, and back.
Stage real_forward(Stage stage) {
  const std::uint64_t half = stage.length / 2 + 1;
  stage.input_storage.form = Storage::Form::real;
  stage.loops[0].output_stride = static_cast<std::int64_t>(half);
  stage.store_bound = Bound{half, 1, {0}};
  return stage;
}

Stage real_inverse(Stage stage) {
  const std::uint64_t half = stage.length / 2 + 1;
  stage.direction = Direction::inverse;
  stage.output_storage.form = Storage::Form::real;
  stage.loops[0].input_stride = static_cast<std::int64_t>(half);
  stage.load_map = LineMap{LineMap::Rule::hermitian_load, stage.length, half, stage.length};
  return stage;
}

// From reals to half of their spectrum, and back, in fewer points than the whole line needs.
Stage half_forward(Stage stage) {
  stage = real_forward(std::move(stage));
  stage.convolution->inputs = stage.length;
  stage.convolution->outputs = stage.length / 2 + 1;
  return stage;
}

Stage half_inverse(Stage stage) {
  const std::uint64_t half = stage.length / 2 + 1;
  stage = real_inverse(std::move(stage));
  stage.load_map.reset();
  stage.load_factor = Factor{Factor::Sequence::half_spectrum, stage.length,       half, stage.length,
                             stage.convolution->points,       Direction::inverse, 1,    {0}};
  stage.convolution->inputs = half;
  stage.convolution->outputs = stage.length;
  return stage;
}

// Two lines of reals in one, and their spectra.
Stage two_forward(Stage stage) {
  const auto distance = static_cast<std::int64_t>(stage.length);
  const std::uint64_t both = 2 * (stage.length / 2 + 1);
  stage.input_storage = {Storage::Form::planar, stage.input_storage.precision, distance};
  stage.loops[0].input_stride = 2 * distance;
  stage.loops[0].output_stride = static_cast<std::int64_t>(both);
  stage.store_map = LineMap{LineMap::Rule::two_spectra_store, stage.length, stage.length, both};
  stage.second_spectrum = distance / 2 + 1;
  return stage;
}

Stage two_inverse(Stage stage) {
  const auto distance = static_cast<std::int64_t>(stage.length);
  const std::uint64_t both = 2 * (stage.length / 2 + 1);
  stage.direction = Direction::inverse;
  stage.output_storage = {Storage::Form::planar, stage.output_storage.precision, distance};
  stage.loops[0].input_stride = static_cast<std::int64_t>(both);
  stage.loops[0].output_stride = 2 * distance;
  stage.load_map = LineMap{LineMap::Rule::two_spectra_load, stage.length, both, stage.length};
  stage.second_spectrum = distance / 2 + 1;
  return stage;
}

// Transforms that are every fifth part of the frequencies of reals, of which the lower half is stored.
Stage mirrored(Stage stage) {
  stage.loops = {{3, static_cast<std::int64_t>(stage.length), 1}, {2, 200, 200}};
  stage.output_stride = 5;
  stage.shape.store = Lanes::transforms;
  const std::uint64_t whole = 5 * stage.length;
  stage.twiddle = plan::StageTwiddle{whole, 0, true};
  stage.store_bound = Bound{whole / 2 + 1, 5, {1, 0}};
  stage.store_bound->period = whole;
  stage.store_bound->both_halves = 5;
  return stage;
}

// The columns of lines that are symmetric as a whole.
Stage symmetric(Convolution::Algorithm algorithm, const SymmetricLines& lines, std::vector<unsigned> radices) {
  Stage stage = symmetric_columns(lines);
  Stage convolved = rows(algorithm, lines.column_length, std::move(radices), 1);
  stage.radices = convolved.radices;
  stage.convolution = convolved.convolution;
  stage.shape = convolved.shape;
  stage.shape.load = stage.shape.store = Lanes::transforms;
  return stage;
}

Stage cosine(Stage stage) {
  const std::uint64_t n = stage.length;
  stage.load_map = LineMap{LineMap::Rule::dct2_load, n, n, n};
  stage.store_map = LineMap{LineMap::Rule::dct2_store, n, n, n};
  stage.input_storage.form = stage.output_storage.form = Storage::Form::real;
  if (stage.shape.exchange == Exchange::none) stage.shape.exchange = Exchange::complex;
  return stage;
}

// From the end of the input, in two loops whose lines interlace in the output.
Stage backwards(Stage stage) {
  const auto length = static_cast<std::int64_t>(stage.length);
  const auto count = static_cast<std::int64_t>(stage.loops[0].count);
  stage.input_stride = -1;
  stage.output_stride = 2;
  stage.loops = {{static_cast<std::uint64_t>(count), -length, 2 * length}, {2, count * length + 3, 1}};
  stage.input_offset = count * length - 1;
  stage.output_offset = 5;
  return stage;
}

std::vector<NamedStage> every_convolution() {
  std::vector<NamedStage> all;
  const auto add = [&](std::string name, Stage stage, std::uint32_t items, std::uint32_t transforms,
                       std::uint32_t padding = 0) {
    stage.shape.items_per_transform = items;
    stage.shape.transforms_per_group = transforms;
    stage.shape.padding = padding;
    all.push_back({std::move(name), std::move(stage)});
  };
  add("Rader3Columns", columns(rows(rader, 3, {2}, 70)), 1, 32);
  add("Rader5Back", inverse(rows(rader, 5, {4}, 40)), 1, 32);
  add("Rader7InPlace", in_place(twice(rows(rader, 7, {6}, 8))), 1, 4);
  add("Rader7Cosine", cosine(rows(rader, 7, {6}, 5)), 1, 4);
  add("Rader17", rows(rader, 17, {4, 4}, 37), 4, 16, 16);
  add("Rader17Split", split(inverse(rows(rader, 17, {4, 4}, 37))), 4, 16, 4);
  add("Rader41Uneven", inverse(backwards(rows(rader, 41, {8, 5}, 5))), 3, 2, 8);
  add("Rader31Columns", with_twiddle(columns(rows(rader, 31, {2, 3, 5}, 10)), false), 15, 4, 2);
  add("Rader31Transposed", with_twiddle(transposed(inverse(rows(rader, 31, {3, 5, 2}, 10))), true), 15, 4);
  add("Rader11Factors", in_place(twice(with_factors(rows(rader, 11, {5, 2}, 7)))), 5, 3);
  add("Rader13Reals", twice(real_forward(rows(rader, 13, {4, 3}, 5))), 4, 2, 4);
  add("Rader13RealsBack", real_inverse(rows(rader, 13, {2, 6}, 5)), 3, 3, 2);
  add("Rader13CosineSplit", in_place(cosine(split(rows(rader, 13, {3, 4}, 5)))), 4, 3);
  add("Rader31Mirrored", mirrored(rows(rader, 31, {3, 5, 2}, 6)), 15, 4);
  add("Rader31CosineTransposed", cosine(transposed(rows(rader, 31, {5, 3, 2}, 9))), 10, 4);

  add("Rader31OddColumns", symmetric(rader, {31, 20, 2, true}, {3, 5, 2}), 10, 4);

  add("Bluestein4Columns", columns(rows(bluestein, 4, {7}, 70)), 1, 32);
  add("Bluestein4Back", inverse(rows(bluestein, 4, {8}, 9)), 1, 8);
  add("Bluestein7Backwards", backwards(rows(bluestein, 7, {5, 3}, 5)), 3, 4);
  add("Bluestein9InPlace", in_place(twice(rows(bluestein, 9, {2, 10}, 9))), 8, 8, 2);
  add("Bluestein12Uneven", with_twiddle(inverse(rows(bluestein, 12, {4, 3, 2}, 5)), true), 5, 2, 4);
  add("Bluestein8Columns", with_twiddle(columns(split(rows(bluestein, 8, {5, 3}, 7))), false), 5, 4);
  add("Bluestein8Transposed", inverse(transposed(rows(bluestein, 8, {3, 5}, 7))), 5, 4);
  add("Bluestein10Factors", with_factors(rows(bluestein, 10, {5, 4}, 7)), 4, 3, 5);
  add("Bluestein9Mirrored", mirrored(rows(bluestein, 9, {6, 3}, 6)), 6, 4);
  add("Bluestein9Reals", real_forward(rows(bluestein, 9, {6, 3}, 7)), 6, 3);
  add("Bluestein9RealsBack", twice(real_inverse(rows(bluestein, 9, {3, 6}, 7))), 6, 3);
  add("Bluestein9HalfReals", half_forward(rows(bluestein, 9, {5, 3}, 7)), 3, 3);
  add("Bluestein9HalfRealsBack", twice(half_inverse(rows(bluestein, 9, {3, 5}, 7))), 3, 3);
  add("Rader17TwoSpectra", two_forward(rows(rader, 17, {4, 4}, 9)), 4, 8, 16);
  add("Rader13TwoSpectraBack", twice(two_inverse(rows(rader, 13, {4, 3}, 5))), 4, 2);
  add("Bluestein9TwoSpectra", split(two_forward(rows(bluestein, 9, {6, 3}, 7))), 6, 3);
  add("Bluestein9TwoSpectraBack", two_inverse(rows(bluestein, 9, {3, 6}, 7)), 6, 3);
  add("Bluestein10Cosine", in_place(cosine(rows(bluestein, 10, {4, 5}, 7))), 5, 3, 4);
  return all;
}

bool holds(const DeviceLimits& limits, const Stage& stage) {
  const KernelShape& shape = stage.shape;
  if (limits.shape != DeviceLimits::Shape::on_chip) return false;
  if (stage.precision == Precision::float64 && !limits.float64) return false;
  const std::uint64_t kept = std::max(plan::chip_points(stage), stage.length);
  const unsigned scalars = shape.exchange == Exchange::none ? 0 : shape.exchange == Exchange::split ? 1 : 2;
  const std::uint64_t bytes = plan::exchange_bytes(kept, shape.transforms_per_group, scalars, 1, shape.padding);
  return shape.items_per_transform * shape.transforms_per_group <= limits.max_group_size &&
         bytes <= plan::limits_for(limits, stage.precision).local_memory;
}

}  // namespace

std::vector<NamedStage> convolution_stages(const DeviceLimits& limits) {
  std::vector<NamedStage> all = every_convolution();
  std::erase_if(all, [&](const NamedStage& named) { return !holds(limits, named.stage); });
  return all;
}

}  // namespace twiddle::test
