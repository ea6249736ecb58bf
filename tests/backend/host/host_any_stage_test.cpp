// Stages of every precision, storage, bound and map on the host engine.
#include <gtest/gtest.h>

#include "backend/host/any_stage.hpp"
#include "backend/host/stage_case.hpp"
#include "plan/recipe/host_radices.hpp"
#include "support/sample.hpp"

namespace twiddle::test {
namespace {

using plan::LineMap;
using plan::Stage;
using plan::Storage;

class HostAnyStageTest : public AnyStageTargetTest {};

Stage in_precision(Stage stage, Precision precision) {
  stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
  return stage;
}

TEST_P(HostAnyStageTest, RowsAndColumns) {
  for (const Precision precision : {Precision::float64, Precision::extended}) {
    for (const std::size_t n :
         {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 35, 109, 121, 256, 360, 1000, 1024, 2187}) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        Stage stage = in_precision(row_stage(engine(), n, 19), precision);
        stage.direction = direction;
        EXPECT_TRUE(computes_its_share(stage));
        stage = in_precision(column_stage(engine(), n, 19, 21), precision);
        stage.direction = direction;
        EXPECT_TRUE(computes_its_share(stage));
        stage.twiddle = plan::StageTwiddle{19 * n, 0, false};
        EXPECT_TRUE(computes_its_share(stage));
        stage.destination = stage.source;
        EXPECT_TRUE(computes_its_share(stage));
        stage = in_precision(row_stage(engine(), n, 19), precision);
        stage.output_stride = 19;
        stage.loops[0].output_stride = 1;
        EXPECT_TRUE(computes_its_share(stage));
      }
    }
  }
}

TEST_P(HostAnyStageTest, Convolutions) {
  using Algorithm = plan::Convolution::Algorithm;
  const auto check = [&](Precision precision, std::size_t n, const plan::Convolution& convolution) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      for (const std::uint64_t count : {1, 3, 37}) {
        if (n > 300 && count == 37) continue;  // the reference takes long
        Stage stage = in_precision(row_stage(engine(), 1, count), precision);
        stage.length = n;
        stage.radices = plan::host_radices(convolution.points, engine().info().limits);
        stage.convolution = convolution;
        stage.direction = direction;
        stage.loops = {{count, static_cast<std::int64_t>(n), static_cast<std::int64_t>(n)}};
        EXPECT_TRUE(computes_its_share(stage));
        stage.input_stride = static_cast<std::int64_t>(count) + 2;
        stage.loops[0].input_stride = 1;
        stage.twiddle = plan::StageTwiddle{n * count, 0, false};
        EXPECT_TRUE(computes_its_share(stage));
      }
    }
  };
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::size_t prime : {3, 5, 17, 47, 257, 509, 1009})
      check(precision, prime, {Algorithm::rader, prime - 1});
    for (const std::size_t points : {3, 8, 60, 256, 1000}) {
      for (const std::size_t n : {std::size_t{1}, points / 3, (points + 1) / 2}) {
        check(precision, n, {Algorithm::bluestein, points});
      }
    }
  }
}

// Transpositions and the like of numbers of all sizes, whose neighbours on one side are none on the other.
TEST_P(HostAnyStageTest, ElementsThatMove) {
  for (const Precision precision : {Precision::float16, Precision::float32, Precision::float64, Precision::extended}) {
    for (const Storage::Form form : {Storage::Form::interleaved, Storage::Form::real}) {
      Stage stage;
      stage.precision = precision == Precision::float16 ? Precision::float32 : precision;
      stage.input_storage = stage.output_storage = {form, precision, 0};
      stage.loops = {{37, 1, 53}, {53, 37, 1}};
      EXPECT_TRUE(computes_its_share(stage));
      stage.loops = {{75, 1, 19}, {2, 1600, 1}, {9, -77, 2}};  // with gaps, backwards
      EXPECT_TRUE(computes_its_share(stage));
      stage.loops = {{5, 0, 3}, {3, 1, 1}, {4, 3, 15}};  // the same elements again and again
      EXPECT_TRUE(computes_its_share(stage));
      stage.loops = {{1100, 2, 1}, {2, 1, 1103}};
      EXPECT_TRUE(computes_its_share(stage));
    }
  }
}

// Two lines of reals as one, forward and back: rows one behind the other and columns, of the second line's in either
// direction, in the lanes of vectors and one at a time, by passes and by convolution; and the maps alone.
TEST_P(HostAnyStageTest, TwoSpectra) {
  using Rule = LineMap::Rule;
  const auto check = [&](Stage forward) {
    const std::uint64_t n = forward.length;
    const auto reals = static_cast<std::int64_t>(n);
    const std::int64_t half = reals / 2 + 1;
    const Precision precision = forward.precision;
    for (const std::int64_t count : {1, 3, 16, 37}) {
      if (n > 300 && count == 37) continue;  // the reference takes long
      Stage stage = forward;
      stage.loops = {{static_cast<std::uint64_t>(count), 2 * reals, 2 * half}};
      stage.input_storage = {Storage::Form::planar, precision, reals};
      stage.output_storage = {Storage::Form::interleaved, precision, 0};
      stage.store_map = LineMap{Rule::two_spectra_store, n, n, static_cast<std::uint64_t>(2 * half), false};
      stage.second_spectrum = half;
      stage.scale = 0.25L;
      EXPECT_TRUE(computes_its_share(stage));
      Stage back = stage;
      back.direction = Direction::inverse;
      std::swap(back.input_storage, back.output_storage);
      std::swap(back.loops[0].input_stride, back.loops[0].output_stride);
      back.store_map.reset();
      back.load_map = LineMap{Rule::two_spectra_load, n, static_cast<std::uint64_t>(2 * half), n, false};
      EXPECT_TRUE(computes_its_share(back));
      // Columns, whose partners are as many columns away, or as many before; planar spectra.
      for (const std::int64_t apart : {count, -count}) {
        for (Stage* const one : {&stage, &back}) {
          one->input_stride = one->output_stride = 2 * count + 1;
          one->loops = {{static_cast<std::uint64_t>(count), 1, 1}};
          one->second_spectrum = apart;
          Storage& parts = one == &stage ? one->input_storage : one->output_storage;
          Storage& spectra = one == &stage ? one->output_storage : one->input_storage;
          parts.imaginary_offset = apart;
          EXPECT_TRUE(computes_its_share(*one));
          if (apart > 0) spectra = {Storage::Form::planar, precision, (2 * count + 1) * half + 1};
        }
      }
    }
  };
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::uint64_t n : {3, 9, 31, 33, 45, 343}) check(in_precision(row_stage(engine(), n, 1), precision));
    for (const auto& [n, convolution] :
         {std::pair<std::uint64_t, plan::Convolution>{17, {plan::Convolution::Algorithm::rader, 16}},
          {131, {plan::Convolution::Algorithm::rader, 130}},
          {509, {plan::Convolution::Algorithm::bluestein, 1024}}}) {
      Stage stage = in_precision(row_stage(engine(), 1, 1), precision);
      stage.length = n;
      stage.radices = plan::host_radices(convolution.points, engine().info().limits);
      stage.convolution = convolution;
      check(stage);
    }
    for (const std::uint64_t n : {9, 45, 4001}) {
      Stage stage = in_precision(Stage{}, precision);
      const auto reals = static_cast<std::int64_t>(n);
      const std::int64_t half = reals / 2 + 1;
      stage.length = 2 * static_cast<std::uint64_t>(half);
      stage.load_map = LineMap{Rule::two_spectra_store, n, n, stage.length, false};
      stage.loops = {{3, reals + 4, half}};
      stage.second_spectrum = 3 * half;
      EXPECT_TRUE(computes_its_share(stage));
      stage.length = n;
      stage.load_map = LineMap{Rule::two_spectra_load, n, static_cast<std::uint64_t>(2 * half), n, false};
      stage.loops = {{3, half, reals + 4}};
      EXPECT_TRUE(computes_its_share(stage));
    }
  }
}

// Pairs of lines, fewer than half of the lanes and more: one after the other, or in vectors that hold all of them.
TEST_P(HostAnyStageTest, FewLinesWithMaps) {
  using Rule = LineMap::Rule;
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const std::uint64_t n : {60, 260}) {
      for (std::uint64_t count = 1; count <= 9; ++count) {
        Stage stage = in_precision(row_stage(engine(), n, count), precision);
        const auto reals = static_cast<std::int64_t>(n);
        stage.input_storage = stage.output_storage = {Storage::Form::planar, precision, reals};
        stage.input_stride = stage.output_stride = 1;
        stage.loops = {{count, 2 * reals, 2 * reals}};
        stage.load_map = LineMap{Rule::dct2_load, n, n, n, false};
        stage.store_map = LineMap{Rule::dct2_store, n, n, n, false};
        EXPECT_TRUE(computes_any_stage(engine(), stage)) << count;
        stage.load_map.reset();
        stage.store_map = LineMap{Rule::dht_store, n, n, n, false};
        EXPECT_TRUE(computes_any_stage(engine(), stage)) << count;
      }
    }
  }
}

class HostAnyStagePastCacheTest : public HostPastCacheTest {};

TEST_P(HostAnyStagePastCacheTest, Doubles) {
  EXPECT_TRUE(computes_any_stage(engine(), in_precision(row_stage(engine(), 1024, 140), Precision::float64)));
  Stage stage = in_precision(column_stage(engine(), 64, 4400, 4404), Precision::float64);
  stage.twiddle = plan::StageTwiddle{64 * 4400, 0, false};
  stage.direction = Direction::inverse;
  EXPECT_TRUE(computes_any_stage(engine(), stage));
}

// Lines of reals to reals, two as one: one behind the other, of which the last do not fill a bundle, with gaps, which
// are no run, and side by side.
TEST_P(HostAnyStagePastCacheTest, LinesOfRealsToReals) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    Stage stage = in_precision(row_stage(engine(), 30, 6003), precision);
    stage.store_map = LineMap{LineMap::Rule::dht_store, 30, 30, 30, false};
    stage.input_storage = stage.output_storage = {Storage::Form::planar, precision, 30};
    stage.loops = {{6003, 60, 60}};
    EXPECT_TRUE(computes_any_stage(engine(), stage));
    stage.loops = {{6003, 60, 61}};
    EXPECT_TRUE(computes_any_stage(engine(), stage));
    stage.input_storage.imaginary_offset = stage.output_storage.imaginary_offset = 6003;
    stage.input_stride = stage.output_stride = 2 * 6003;
    stage.loops = {{6003, 1, 1}};
    EXPECT_TRUE(computes_any_stage(engine(), stage));
    stage.input_stride = stage.output_stride = 2 * 6003 + 1;
    EXPECT_TRUE(computes_any_stage(engine(), stage));
  }
}

// Rows of adjacent real parts, and of imaginary ones elsewhere: one behind the other, and with gaps.
TEST_P(HostAnyStagePastCacheTest, RowsOfPlanes) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const std::size_t length : {7, 30, 64, 500}) {
      const std::int64_t n = static_cast<std::int64_t>(length);
      const std::uint64_t count = 200'000 / length + 1;
      Stage stage = in_precision(row_stage(engine(), length, count), precision);
      const std::int64_t plane = static_cast<std::int64_t>(count) * (n + 3);
      stage.output_storage = {Storage::Form::planar, precision, plane};
      EXPECT_TRUE(computes_any_stage(engine(), stage)) << length;
      stage.input_storage = stage.output_storage;
      stage.direction = Direction::inverse;
      EXPECT_TRUE(computes_any_stage(engine(), stage)) << length;
      stage.loops[0].output_stride = n + 3;
      EXPECT_TRUE(computes_any_stage(engine(), stage)) << length;
    }
  }
}

// Elements that only move, in one run and in rows with gaps.
TEST_P(HostAnyStagePastCacheTest, Copies) {
  Stage copy = row_stage(engine(), 1, 200'003);
  copy.radices.clear();
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    EXPECT_TRUE(computes_any_stage(engine(), in_precision(copy, precision)));
    Stage rows = in_precision(copy, precision);
    rows.loops = {{1001, 1, 1}, {199, 1001, 1003}};
    EXPECT_TRUE(computes_any_stage(engine(), rows));
  }
}

// Half the points of a real line as complex numbers, and what makes frequencies of them, on lines without gaps.
TEST_P(HostAnyStageTest, RealRows) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::uint64_t n : {4, 6, 16, 30, 64, 100, 128, 200, 254, 512, 1000, 1024, 2048}) {
      for (const std::uint64_t count : {1, 5, 37, 48}) {
        Stage stage = in_precision(row_stage(engine(), n / 2, count), precision);
        stage.store_map = LineMap{LineMap::Rule::r2c_store, n, n / 2, n / 2 + 1, false};
        stage.loops[0].output_stride = static_cast<std::int64_t>(n / 2 + 1);
        EXPECT_TRUE(computes_its_share(stage));
        if (n == 30) {  // only some of the frequencies
          stage.store_map->count = 9;
          EXPECT_TRUE(computes_its_share(stage));
        }
        stage = in_precision(row_stage(engine(), n / 2, count), precision);
        stage.direction = Direction::inverse;
        stage.load_map = LineMap{LineMap::Rule::c2r_load, n, n / 2 + 1, n / 2, false};
        stage.loops[0].input_stride = static_cast<std::int64_t>(n / 2 + 1);
        stage.scale = 1.0 / static_cast<double>(n);
        EXPECT_TRUE(computes_its_share(stage));
        // Padded rows in place, as pairs of reals.
        std::swap(stage.input_storage, stage.output_storage);
        stage.loops[0].output_stride = stage.loops[0].input_stride;
        stage.destination = stage.source;
        EXPECT_TRUE(computes_its_share(stage));
        stage.input_stride = 1;
        stage.output_storage = {Storage::Form::planar, precision, 1};
        stage.output_stride = 2;
        stage.loops[0].output_stride *= 2;
        EXPECT_TRUE(computes_its_share(stage));
      }
    }
  }
}

// The maps of long real transforms as stages of their own, in more than one piece.
TEST_P(HostAnyStageTest, MapsAlone) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::uint64_t n : {6, 50, 40000}) {
      Stage stage = in_precision(Stage{}, precision);
      const auto half = static_cast<std::int64_t>(n / 2);
      stage.length = n / 2 + 1;
      stage.load_map = LineMap{LineMap::Rule::r2c_store, n, n / 2, n / 2 + 1, false};
      stage.loops = {{3, half, half + 4}};
      stage.scale = 0.5;
      EXPECT_TRUE(computes_its_share(stage));
      stage.length = stage.load_map->count = n / 2 - 1;  // pruned
      EXPECT_TRUE(computes_its_share(stage));
      stage.length = n / 2;
      stage.load_map = LineMap{LineMap::Rule::c2r_load, n, n / 2 + 1, n / 2, false};
      stage.loops = {{3, half + 4, half}};
      EXPECT_TRUE(computes_its_share(stage));
      stage.load_map->source_count = n / 2 - 1;
      EXPECT_TRUE(computes_its_share(stage));
      stage.loops[0].output_stride = -half;
      EXPECT_TRUE(computes_its_share(stage));
    }
  }
}

TEST_P(HostAnyStageTest, PlanarRowsAndColumns) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::size_t n : {4, 12, 17, 60, 256, 1000}) {
      for (const std::int64_t count : {1, 5, 16, 37}) {
        const auto length = static_cast<std::int64_t>(n);
        Stage stage = in_precision(row_stage(engine(), n, static_cast<std::uint64_t>(count)), precision);
        stage.input_storage.form = stage.output_storage.form = Storage::Form::planar;
        stage.input_storage.imaginary_offset = stage.output_storage.imaginary_offset = length * count + 3;
        EXPECT_TRUE(computes_its_share(stage));
        stage.direction = Direction::inverse;
        stage.destination = stage.source;
        EXPECT_TRUE(computes_its_share(stage));
        // Two lines of reals as one of complex numbers.
        stage.loops[0].input_stride = 2 * length;
        stage.input_storage.imaginary_offset = length;
        stage.destination = plan::Operand::output;
        EXPECT_TRUE(computes_its_share(stage));
        const Storage planar = stage.output_storage;
        stage = in_precision(column_stage(engine(), n, static_cast<std::uint64_t>(count), count + 1), precision);
        stage.input_storage = stage.output_storage = planar;
        stage.input_storage.imaginary_offset = stage.output_storage.imaginary_offset = length * (count + 1);
        EXPECT_TRUE(computes_its_share(stage));
        stage.direction = Direction::inverse;
        stage.twiddle = plan::StageTwiddle{n * static_cast<std::uint64_t>(count), 0, false};
        stage.destination = stage.source;
        EXPECT_TRUE(computes_its_share(stage));
      }
    }
  }
}

TEST_P(HostAnyStageTest, HalfPrecisionInMemory) {
  for (const std::size_t n : {4, 17, 60, 256, 1000}) {
    Stage stage = row_stage(engine(), n, 19);
    stage.input_storage.precision = stage.output_storage.precision = Precision::float16;
    EXPECT_TRUE(computes_any_stage(engine(), stage));
    stage.destination = stage.source;
    EXPECT_TRUE(computes_any_stage(engine(), stage));
    stage.output_storage.precision = Precision::float32;
    stage.destination = plan::Operand::output;
    EXPECT_TRUE(computes_any_stage(engine(), stage));
    stage = column_stage(engine(), n, 53, 55);
    stage.input_storage.precision = stage.output_storage.precision = Precision::float16;
    EXPECT_TRUE(computes_any_stage(engine(), stage));
  }
}

TEST_P(HostAnyStageTest, Conversions) {
  for (const Precision from : {Precision::float16, Precision::float32, Precision::float64, Precision::extended}) {
    for (const Precision to : {Precision::float16, Precision::float32, Precision::float64, Precision::extended}) {
      Stage stage;
      stage.precision = plan::arithmetic_precision(std::max(from, to));
      stage.input_storage.precision = from;
      stage.output_storage.precision = to;
      stage.loops = {{5000, 1, 1}};
      EXPECT_TRUE(computes_any_stage(engine(), stage));
      stage.output_storage.form = Storage::Form::real;
      stage.loops.push_back({3, 5003, -5001});
      EXPECT_TRUE(computes_any_stage(engine(), stage));
    }
  }
}

class HostRandomStageTest : public HostAnyStageTest {};

TEST_P(HostRandomStageTest, AnyPrecision) {
  constexpr std::uint64_t stages = instrumented ? 60 : 200;
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (std::uint64_t seed = 0; seed < stages; ++seed) {
      std::mt19937_64 random(seed);
      const Stage stage = random_stage(engine(), precision, random);
      EXPECT_TRUE(computes_its_share(stage)) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, HostAnyStageTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Targets, HostAnyStagePastCacheTest, testing::Values("avx512", "avx2", "sse4", "neon"),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Targets, HostRandomStageTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace twiddle::test
