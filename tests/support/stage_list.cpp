// The list: storages, precisions, strides, bounds, factors and maps, each where it matters to kernels.
#include "support/stage_list.hpp"

#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::test {
namespace {

using plan::Bound;
using plan::Factor;
using plan::LineMap;
using plan::Loop;
using plan::Stage;
using plan::Storage;
using Form = Storage::Form;

constexpr auto f16 = Precision::float16;
constexpr auto f64 = Precision::float64;
constexpr Storage reals{Form::real, Precision::float32, 0};
constexpr Storage pairs{Form::planar, Precision::float32, 1};

Storage planar(std::int64_t imaginary_offset, Precision precision = Precision::float32) {
  return {Form::planar, precision, imaginary_offset};
}

Stage with_precision(Stage stage, Precision precision) {
  stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
  return stage;
}

LineMap full_map(LineMap::Rule rule, std::uint64_t length, bool orthogonal = false) {
  return {rule, length, plan::full_source_count(rule, length), plan::full_count(rule, length), orthogonal};
}

Stage strided(std::uint64_t length, std::vector<unsigned> radices, std::int64_t input_stride,
              std::int64_t output_stride, std::vector<Loop> loops) {
  Stage stage;
  stage.length = length;
  stage.radices = std::move(radices);
  stage.input_stride = input_stride;
  stage.output_stride = output_stride;
  stage.loops = std::move(loops);
  return stage;
}

// The map alone, of lines of reals or complex numbers without gaps.
Stage map_stage(const LineMap& map, std::uint64_t lines) {
  const auto source = static_cast<std::int64_t>(map.source_count);
  const auto made = static_cast<std::int64_t>(map.count);
  Stage stage = strided(map.count, {}, 1, 1, {{lines, source, made}});
  stage.load_map = map;
  return stage;
}

// Stages by hand, those that transform with their length as the only radix.
std::vector<NamedStage> all_stages() {
  using enum LineMap::Rule;
  const auto rows = [](std::uint64_t length, std::uint64_t count, std::int64_t in, std::int64_t out) {
    return strided(length, {static_cast<unsigned>(length)}, 1, 1, {{count, in, out}});
  };
  std::vector<NamedStage> all;
  all.push_back({"Double", with_precision(rows(120, 5, 120, 120), f64)});
  all.push_back({"DoubleRun", with_precision(rows(8, 131, 8, 8), f64)});

  // Columns of planar arrays, from an offset to every second element.
  Stage columns = strided(12, {12}, 20, 40, {{17, 1, 2}});
  columns.input_offset = 3;
  columns.output_offset = 5;
  columns.input_storage = planar(300);
  columns.scale = 0.3;
  all.push_back({"PlanarColumns", columns});
  columns.input_storage = planar(300, f16);
  columns.output_storage = planar(600, f16);
  all.push_back({"PlanarHalves", columns});

  Stage backwards = strided(60, {60}, -2, -1, {{3, -200, 70}});
  backwards.input_offset = 700;
  backwards.output_offset = 59;
  backwards.twiddle = plan::StageTwiddle{180, 0, true};
  all.push_back({"NegativeStrides", backwards});
  Stage broadcast = rows(30, 4, 0, 33);
  broadcast.input_storage = reals;
  all.push_back({"BroadcastReals", broadcast});

  // Two numbers at a time: of columns with twiddles on either side, of the columns of lines that are rows on the other
  // side, and of rows, from even places.
  Stage vectors = strided(60, {60}, 20, 24, {{20, 1, 1}, {3, 1200, 1440}});
  vectors.shape.vector = 2;
  vectors.input_offset = 4;
  vectors.scale = 0.3;
  vectors.twiddle = plan::StageTwiddle{1200, 0, false};
  all.push_back({"VectorColumns", vectors});
  vectors.direction = Direction::inverse;
  vectors.twiddle = plan::StageTwiddle{180, 1, true};
  all.push_back({"VectorColumnsBack", vectors});
  vectors = strided(60, {60}, -20, -24, {{20, 1, 1}, {3, 1200, 1440}});  // the elements of columns backwards
  vectors.shape.vector = 2;
  vectors.input_offset = 59 * 20;
  vectors.output_offset = 59 * 24;
  all.push_back({"VectorColumnsBackwards", vectors});
  vectors = strided(96, {96}, 1, 20, {{20, 101, 1}, {3, 2100, 1920}});
  vectors.shape.vector = 2;
  vectors.twiddle = plan::StageTwiddle{1920, 0, true};
  all.push_back({"VectorsOfRowsToColumns", vectors});
  vectors = strided(96, {96}, 20, -1, {{20, 1, 97}, {3, 1920, 2100}});
  vectors.shape.vector = 2;
  vectors.output_offset = 95;
  vectors.twiddle = plan::StageTwiddle{1920, 0, false};
  all.push_back({"VectorsOfColumnsToRows", vectors});
  vectors = rows(256, 5, 260, 264);
  vectors.shape.vector = 2;
  vectors.output_offset = 6;
  vectors.scale = 0.25;
  all.push_back({"VectorRows", vectors});

  Stage halves = rows(36, 9, 40, 40);
  halves.input_storage.precision = halves.output_storage.precision = f16;
  all.push_back({"HalvesInPlace", in_place(halves)});

  Stage pruned = rows(48, 6, 20, 50);
  pruned.input_storage = reals;
  pruned.load_bound = Bound{30, 1, {0}};
  pruned.store_bound = Bound{100, 1, {30}};
  pruned.load_bound->loop_strides = {4};
  pruned.store_bound->first = 40;
  all.push_back({"Pruned", pruned});

  Stage chirped = rows(64, 5, 40, 64);
  chirped.load_factor = Factor{Factor::Sequence::chirp, 29, 29, 29, 64, Direction::forward, 1, {0}};
  chirped.load_bound = Bound{25, 1, {0}};
  chirped.store_factor = Factor{Factor::Sequence::chirp_spectrum, 29, 29, 29, 64, Direction::forward, 1, {0}};
  all.push_back({"ChirpedAndPruned", with_precision(chirped, f64)});

  // Bluestein's first stage for half of the spectrum of reals, of which some is pruned: rows, and columns that share
  // vectors.
  Stage half_spectrum = rows(64, 21, 40, 64);
  half_spectrum.direction = Direction::inverse;
  half_spectrum.load_factor = Factor{Factor::Sequence::half_spectrum_chirp, 59, 29, 59, 96, Direction::inverse, 1, {0}};
  half_spectrum.output_storage = reals;
  all.push_back({"HalfSpectrum", half_spectrum});
  Stage half_spectrum_columns = strided(16, {16}, 9, 9, {{9, 1, 1}, {3, 80, 144}});
  half_spectrum_columns.load_factor =
      Factor{Factor::Sequence::half_spectrum_chirp, 95, 48, 95, 144, Direction::forward, 9, {1, 0}};
  half_spectrum_columns.twiddle = plan::StageTwiddle{144, 0, false};
  all.push_back({"HalfSpectrumColumns", with_precision(half_spectrum_columns, f64)});

  // The middle of Bluestein's algorithm, in rows, and in place in columns.
  Stage returning = rows(120, 5, 120, 120);
  returning.store_factor = Factor{Factor::Sequence::chirp_spectrum, 290, 290, 290, 600, Direction::forward, 5, {1}};
  returning.returns = true;
  returning.scale = 1.0L / 600;
  all.push_back({"ThereAndBack", returning});
  Stage returning_columns = strided(144, {144}, 9, 9, {{9, 1, 1}, {3, 1296, 1296}});
  returning_columns.direction = Direction::inverse;
  returning_columns.store_factor =
      Factor{Factor::Sequence::chirp_spectrum, 287, 144, 287, 432, Direction::inverse, 3, {0, 1}};
  returning_columns.returns = true;
  all.push_back({"ColumnsThereAndBack", with_precision(in_place(returning_columns), f64)});

  Stage short_rows = rows(8, 131, 11, 9);
  short_rows.twiddle = plan::StageTwiddle{8 * 131, 0, false};
  short_rows.load_bound = Bound{7, 1, {0}};
  short_rows.store_factor = Factor{Factor::Sequence::chirp, 6, 6, 6, 16, Direction::forward, 1, {0}};
  short_rows.output_storage.precision = f64;
  all.push_back({"ShortRowsWithFactors", short_rows});

  // Real transforms of half the length, rows in place as FFTW pads them, and of a single radix.
  const auto real_forward = [&](std::uint64_t length, std::uint64_t count) {
    const auto half = static_cast<std::int64_t>(length / 2);
    Stage stage = rows(length / 2, count, 2 * half + 2, half + 1);
    stage.input_stride = 2;
    stage.input_storage = pairs;
    stage.store_map = full_map(r2c_store, length);
    return stage;
  };
  const auto real_inverse = [&](std::uint64_t length, std::uint64_t count) {
    const auto half = static_cast<std::int64_t>(length / 2);
    Stage stage = rows(length / 2, count, half + 1, 2 * half + 2);
    stage.direction = Direction::inverse;
    stage.output_stride = 2;
    stage.output_storage = pairs;
    stage.load_map = full_map(c2r_load, length);
    return stage;
  };
  all.push_back({"RealRows", in_place(real_forward(240, 7))});
  all.push_back({"RealRowsDouble", with_precision(real_forward(1000, 3), f64)});
  all.back().stage.input_storage.form = all.back().stage.output_storage.form = Form::interleaved;
  all.back().stage.input_stride = 1;
  all.push_back({"RealRowsShort", real_forward(16, 150)});
  all.push_back({"RealRowsBack", in_place(real_inverse(240, 7))});
  Stage odd_rows = real_inverse(120, 3);
  odd_rows.loops[0].output_stride = 121;
  odd_rows.load_map->source_count = 20;
  all.push_back({"PrunedRealRowsBack", odd_rows});
  // Lines that 32 and 48 KiB of local memory hold by parts only.
  for (const std::uint64_t length : {4096, 6000}) {
    all.push_back({"RealRowsLong", real_forward(2 * length, 2)});
    Stage sine = rows(length, 2, static_cast<std::int64_t>(length), static_cast<std::int64_t>(length));
    sine.load_map = full_map(dst2_load, length);
    sine.store_map = full_map(dst2_store, length, true);
    sine.input_storage = sine.output_storage = reals;
    all.push_back({"Sine2Long", in_place(sine)});
  }
  Stage odd_columns = real_forward(96, 20);
  odd_columns.input_stride = odd_columns.output_stride = 40;
  odd_columns.input_storage = planar(20);
  odd_columns.loops = {{20, 1, 1}};
  all.push_back({"RealColumns", odd_columns});

  Stage hermitian = rows(45, 5, 23, 45);
  hermitian.direction = Direction::inverse;
  hermitian.load_map = full_map(hermitian_load, 45);
  hermitian.output_storage = reals;
  all.push_back({"RealsOfOddLength", hermitian});

  // Two lines of reals in one, as short rows, beside each other, and with parts of local memory's lines in turn.
  const auto two_forward = [&](std::uint64_t length, std::uint64_t count) {
    const auto distance = static_cast<std::int64_t>(length);
    Stage stage = rows(length, count, 2 * distance, distance + 1);
    stage.input_storage = planar(distance);
    stage.store_map = full_map(two_spectra_store, length);
    stage.second_spectrum = distance / 2 + 1;
    return stage;
  };
  const auto two_inverse = [&](std::uint64_t length, std::uint64_t count) {
    const auto distance = static_cast<std::int64_t>(length);
    Stage stage = rows(length, count, distance + 1, 2 * distance);
    stage.direction = Direction::inverse;
    stage.load_map = full_map(two_spectra_load, length);
    stage.second_spectrum = distance / 2 + 1;
    stage.output_storage = planar(distance);
    return stage;
  };
  all.push_back({"TwoSpectraShort", two_forward(9, 150)});
  all.push_back({"TwoSpectraShortBack", two_inverse(9, 150)});
  all.push_back({"TwoSpectra", two_forward(45, 7)});
  all.push_back({"TwoSpectraBack", two_inverse(45, 7)});
  all.push_back({"TwoSpectraLong", two_forward(6561, 2)});
  // Complex numbers by another name.
  Stage two_beside = two_forward(9, 5);
  two_beside.output_storage = planar(1);
  two_beside.output_stride = 2;
  two_beside.loops[0].output_stride *= 2;
  two_beside.second_spectrum *= 2;
  all.push_back({"TwoSpectraOfNeighbouringParts", two_beside});
  Stage two_columns = with_precision(two_forward(15, 20), f64);
  two_columns.input_storage.imaginary_offset = 20;
  two_columns.input_stride = two_columns.output_stride = 40;
  two_columns.loops = {{20, 1, 1}};
  two_columns.second_spectrum = 20;
  all.push_back({"TwoSpectraOfColumns", two_columns});

  // Columns, whose partners are half of all columns away.
  two_columns = two_forward(27, 12);
  two_columns.input_storage.imaginary_offset = two_columns.second_spectrum = 12;
  two_columns.input_stride = two_columns.output_stride = 25;
  two_columns.loops = {{12, 1, 1}, {3, 675, 350}};
  all.push_back({"TwoSpectraOfColumnsApart", two_columns});

  // Real lines of 315 points by 9 columns, of which those with the lower half of the frequencies are there, and back.
  Stage mirrored = strided(35, {35}, 1, 9, {{5, 35, 1}, {3, 175, 160}});
  mirrored.twiddle = plan::StageTwiddle{315, 0, true};
  mirrored.store_bound = Bound{158, 9, {1, 0}};
  mirrored.store_bound->period = 315;
  mirrored.store_bound->both_halves = 9;
  all.push_back({"MirroredRows", mirrored});
  mirrored.output_storage = planar(-480);
  mirrored.output_offset = 960;
  mirrored.output_stride *= -1;
  mirrored.loops[0].output_stride *= -1;
  mirrored.store_bound->count = 100;
  all.push_back({"MirroredRowsBackwardsAndPruned", with_precision(mirrored, f64)});
  Stage mirrored_back = strided(35, {35}, 9, 5, {{5, 1, 1}, {3, 160, 175}});
  mirrored_back.direction = Direction::inverse;
  mirrored_back.twiddle = plan::StageTwiddle{315, 0, false};
  mirrored_back.load_bound = mirrored.store_bound;
  all.push_back({"MirroredRowsBackPruned", mirrored_back});
  mirrored_back.load_bound->count = 158;
  all.push_back({"MirroredRowsBack", mirrored_back});

  for (NamedStage& named : symmetric_line_stages()) all.push_back(std::move(named));

  // Real lines of 720 points as six transforms of 60 complex ones, the last pass on the way there and the first one
  // back.
  Stage shared = strided(60, {60}, 1, 6, {{6, 60, 1}, {5, 360, 361}});
  shared.store_map = full_map(r2c_store, 720);
  shared.shared_map = true;
  all.push_back({"SharedRealLines", shared});
  Stage shared_back = strided(60, {60}, 6, 6, {{6, 1, 1}, {5, 361, 360}});
  shared_back.direction = Direction::inverse;
  shared_back.load_map = full_map(c2r_load, 720);
  shared_back.shared_map = true;
  shared_back.twiddle = plan::StageTwiddle{360, 0, false};
  all.push_back({"SharedRealLinesBack", shared_back});

  Stage cosine = rows(36, 5, 36, 36);
  cosine.load_map = full_map(dct2_load, 36);
  cosine.store_map = full_map(dct2_store, 36, true);
  cosine.input_storage = cosine.output_storage = reals;
  all.push_back({"Cosine2", in_place(cosine)});
  Stage sine = rows(30, 4, 16, 16);
  sine.load_map = full_map(dst1_load, 14);
  sine.store_map = full_map(dst1_store, 14);
  sine.store_map->count = 11;
  sine.input_storage = sine.output_storage = reals;
  sine.scale = 0.25;
  all.push_back({"Sine1", sine});

  Stage alone = map_stage(full_map(dst3_load, 50, true), 3);
  alone.input_storage = reals;
  alone.load_factor = Factor{Factor::Sequence::chirp, 31, 31, 31, 64, Direction::forward, 1, {0}};
  alone.store_bound = Bound{80, 1, {20}};
  all.push_back({"MapAlone", alone});
  all.push_back({"LongRealMap", map_stage(full_map(r2c_store, 40000), 2)});
  Stage table = map_stage(full_map(dct3_store, 36), 5);  // no rule says which elements are there
  table.load_map->source_count = 20;
  all.push_back({"MapByTable", table});
  Stage hartley = rows(28, 6, 28, 31);
  hartley.store_map = full_map(dht_store, 28);
  hartley.input_storage = hartley.output_storage = planar(200);
  all.push_back({"Hartley", hartley});
  Stage cosine3 = rows(40, 3, 40, 40);
  cosine3.direction = Direction::inverse;
  cosine3.load_map = full_map(dct3_load, 40, true);
  cosine3.store_map = full_map(dct3_store, 40, true);
  cosine3.input_storage = cosine3.output_storage = reals;
  all.push_back({"Cosine3", cosine3});
  // The spectra of two lines after Bluestein's passes: lines with room behind them, spectra far apart; and back.
  Stage separated = map_stage(full_map(two_spectra_store, 45), 3);
  separated.loops = {{3, 64, 23}};
  separated.second_spectrum = 80;
  separated.scale = 0.5L;
  all.push_back({"SpectraApart", separated});
  separated.output_storage = planar(1);
  separated.output_stride = 2;
  separated.loops[0].output_stride = 46;
  separated.second_spectrum = 160;
  all.push_back({"SpectraApartOfNeighbouringParts", separated});
  Stage together = map_stage(full_map(two_spectra_load, 45), 3);
  together.loops = {{3, 23, 64}};
  together.second_spectrum = 80;
  all.push_back({"SpectraTogether", with_precision(together, f64)});
  Stage mapped_columns = map_stage(full_map(c2r_load, 24), 10);
  mapped_columns.input_stride = mapped_columns.output_stride = 12;
  mapped_columns.loops = {{10, 1, 1}};
  all.push_back({"MappedColumns", with_precision(mapped_columns, f64)});

  Stage copy = strided(1, {}, 1, 1, {{100, -1, 1}, {3, 100, 120}});
  copy.input_offset = 99;
  copy.output_offset = 1;
  copy.input_storage = planar(350, f16);
  copy.scale = 2;
  all.push_back({"CopyOfHalves", copy});
  return all;
}

}  // namespace

std::vector<NamedStage> stages_of_every_kind(const DeviceLimits& device) {
  std::vector<NamedStage> result;
  for (NamedStage& named : all_stages()) {
    DeviceLimits limits = plan::limits_for(device, named.stage.precision);
    if (named.stage.shape.vector > 1) limits.strategy.vector = named.stage.shape.vector;
    if (!named.stage.radices.empty()) {
      const auto choice = plan::choose_radices(named.stage.length, 1, limits);
      named.stage.radices = choice ? choice->radices : plan::staged_radices(named.stage.length, limits);
      if (!choice && named.stage.radices.size() > 1) continue;
    }
    if (named.stage.store_map && !named.stage.shared_map && !plan::holds_store_map(named.stage, limits)) continue;
    if (named.stage.returns && limits.shape != DeviceLimits::Shape::on_chip) continue;
    if (named.stage.shared_map && limits.shape != DeviceLimits::Shape::on_chip) continue;
    if (named.stage.shared_map && named.stage.store_map && !plan::holds_shared_map(named.stage, limits)) continue;
    named.stage.shape = plan::choose_shape(named.stage, limits);
    result.push_back(std::move(named));
  }
  return result;
}

}  // namespace twiddle::test
