// Maps of real transforms as stages of their own on the host engine: in pieces that threads share from 1024 elements
// on, and by way of planar arrays where they are shorter or something else happens to the elements.
#include <gtest/gtest.h>

#include <complex>
#include <optional>

#include "backend/host/any_stage.hpp"
#include "backend/host/stage_case.hpp"
#include "support/sample.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using plan::LineMap;
using plan::Stage;
using plan::Storage;
using Rule = LineMap::Rule;

constexpr auto real = Storage::Form::real;
constexpr auto complex = Storage::Form::interleaved;

// A rule with what it reads and writes.
struct MapCase {
  Rule rule;
  Storage::Form from;
  Storage::Form to;
  std::uint64_t points = 2;  // of the real transform, for each element that is made
};
// From and to reals and complex numbers, with conjugates and without, of one term and of two, by a table and by the
// rule of their places.
constexpr MapCase cases[] = {{Rule::dct2_half_load, real, complex},     {Rule::dst2_half_load, real, complex},
                             {Rule::dct2_half_store, complex, real, 1}, {Rule::dst2_half_store, complex, real, 1},
                             {Rule::dht_half_store, complex, real, 1},  {Rule::dct3_half_before, real, complex},
                             {Rule::dct3_half_store, complex, real, 1}, {Rule::dst3_half_store, complex, real, 1},
                             {Rule::dct4_half_store, complex, real, 1}, {Rule::half_spectrum_load, complex, complex},
                             {Rule::dst3_half_before, real, complex},   {Rule::dct4_half_load, real, complex},
                             {Rule::dst4_half_load, real, complex},     {Rule::dst4_half_store, complex, real, 1}};

Stage map_stage(const MapCase& one, std::uint64_t n, Precision precision, std::uint64_t count) {
  Stage stage;
  stage.precision = precision;
  stage.input_storage = {one.from, precision, 0};
  stage.output_storage = {one.to, precision, 0};
  const std::uint64_t source = plan::full_source_count(one.rule, n);
  stage.length = plan::full_count(one.rule, n);
  stage.load_map = LineMap{one.rule, n, source, stage.length, false};
  stage.scale = 0.25L;
  stage.loops = {{count, static_cast<std::int64_t>(source) + 4, static_cast<std::int64_t>(stage.length) + 4}};
  return stage;
}

// On either side of rows.
struct Rules {
  std::optional<Rule> load;
  Rule store;
  Direction direction = Direction::forward;
};

class HostLineMapTest : public AnyStageTargetTest {};

// Whole lines and parts, lines whose elements lie apart, and short ones side by side.
TEST_P(HostLineMapTest, LongAndShortOnes) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    const auto check = [&](const MapCase& one, std::uint64_t n) {
      SCOPED_TRACE(n);
      for (const std::uint64_t count : {1, 3}) {
        EXPECT_TRUE(computes_its_share(map_stage(one, n, precision, count)));
      }
      Stage stage = map_stage(one, n, precision, 3);
      stage.load_map->source_count -= 5;
      EXPECT_TRUE(computes_its_share(stage)) << "in part";
      Stage orthogonal = map_stage(one, n, precision, 1);
      orthogonal.load_map->orthogonal = true;
      EXPECT_TRUE(computes_its_share(orthogonal)) << "orthogonal";
      stage.length = stage.load_map->count -= 7;
      EXPECT_TRUE(computes_its_share(stage)) << "a part of a part";
      stage.input_stride = stage.output_stride = 3;
      stage.loops = {{3, 1, 1}};
      EXPECT_TRUE(computes_its_share(stage)) << "apart";
    };
    for (const std::uint64_t n : {16, 30, 32, 34, 64, 66, 1000, 2600}) {
      for (const MapCase& one : cases) check(one, n);
      check({Rule::r2c_store, complex, complex}, n);
      check({Rule::c2r_load, complex, complex}, n);
    }
  }
}

// Rows from reals to reals by two maps and a transform in between, a few and more; in place as well.
TEST_P(HostLineMapTest, OnBothSidesOfRows) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const Rules& rules : {Rules{Rule::dct2_half_load, Rule::dct2_half_store},
                               {Rule::dst2_half_load, Rule::dst2_half_store},
                               {Rule::half_spectrum_load, Rule::dct3_half_store, Direction::inverse},
                               {Rule::dct4_half_load, Rule::dct4_half_store},
                               {Rule::dst4_half_load, Rule::dst4_half_store},
                               {Rule::dct1_half_load, Rule::dct1_half_store},
                               {std::nullopt, Rule::dht_half_store}}) {
      for (const std::uint64_t n : {16, 34, 36, 60, 64, 130, 256, 1000}) {
        for (const std::uint64_t count : {1, 3, 40}) {
          const std::uint64_t points = plan::full_source_count(rules.store, n);
          if (n > 256 && count > 3) continue;  // the reference takes long
          Stage stage = row_stage(engine(), points, count);
          stage.precision = precision;
          stage.direction = rules.direction;
          stage.input_storage = {rules.load && rules.load != Rule::half_spectrum_load ? real : complex, precision, 0};
          stage.output_storage = {real, precision, 0};
          const std::uint64_t read = rules.load ? plan::full_source_count(*rules.load, n) : points;
          if (rules.load) stage.load_map = LineMap{*rules.load, n, read, points, false};
          stage.store_map = LineMap{rules.store, n, points, n, true};
          stage.scale = 0.375L;
          const auto step = static_cast<std::int64_t>(read) + 4;
          stage.loops = {{count, step, static_cast<std::int64_t>(n) + 8}};
          EXPECT_TRUE(computes_its_share(stage)) << n;
          if (stage.input_storage.form != real) continue;
          stage.loops[0].output_stride = step;
          stage.destination = stage.source;
          EXPECT_TRUE(computes_its_share(stage)) << n << " in place";
        }
      }
    }
  }
}

// Rows of reals from half spectra whose ends share a place: short ones brought together, others one after the other;
// over what is read, as planning has them, and elsewhere.
TEST_P(HostLineMapTest, OfPackedEndsBeforeRows) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::uint64_t n : {8, 10, 32, 34, 60, 96, 134, 256, 500, 510, 600, 2048, 2600}) {
      for (const std::uint64_t count : {1, 3, 19}) {
        if (n > 600 && count > 3) continue;  // the reference takes long
        Stage stage = row_stage(engine(), n / 2, count);
        stage.precision = precision;
        stage.direction = Direction::inverse;
        stage.input_storage = stage.output_storage = {complex, precision, 0};
        stage.load_map = LineMap{Rule::half_spectrum_load, n, n / 2, n / 2, false};
        stage.scale = 0.375L;
        const auto step = static_cast<std::int64_t>(n / 2);
        stage.loops = {{count, step + 3, step}};
        EXPECT_TRUE(computes_its_share(stage)) << n;
        stage.loops = {{count, step, step}};
        stage.destination = stage.source;
        EXPECT_TRUE(computes_its_share(stage)) << n << " in place";
      }
    }
  }
}

// Between an odd number of reals and half of their spectrum, or reals in another order.
TEST_P(HostLineMapTest, OfOddNumbersOfReals) {
  struct OddCase {
    MapCase map;
    bool spectrum = false;
  };
  constexpr OddCase odd_cases[] = {
      {{Rule::dct2_load, real, real}},           {{Rule::dst2_load, real, real}},
      {{Rule::dct4_odd_load, real, real}},       {{Rule::dct3_store, real, real}},
      {{Rule::dst3_store, real, real}},          {{Rule::dct3_load, real, complex}, true},
      {{Rule::dst3_load, real, complex}, true},  {{Rule::dct2_store, complex, real}, true},
      {{Rule::dst2_store, complex, real}, true}, {{Rule::dct4_odd_store, complex, real}, true},
      {{Rule::dht_store, complex, real}, true}};
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const OddCase& one : odd_cases) {
      for (const std::uint64_t n : {5, 9, 17, 33, 35, 63, 65, 243, 1001, 9001}) {
        for (const bool orthogonal : {false, true}) {
          Stage stage = map_stage(one.map, n, precision, 3);
          stage.load_map->orthogonal = orthogonal;
          if (one.spectrum) {
            stage.load_map->half_columns = n;
            (one.map.from == real ? stage.load_map->count : stage.load_map->source_count) = n / 2 + 1;
            stage.length = stage.load_map->count;
          }
          EXPECT_TRUE(computes_its_share(stage)) << n << (orthogonal ? ", orthogonal" : "");
        }
      }
    }
  }
}

// Rows of these with a transform of the reals in between, a few and more; in place as well.
TEST_P(HostLineMapTest, OnBothSidesOfOddRows) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const Rules& rules : {Rules{Rule::dct2_load, Rule::dct2_store},
                               {Rule::dst2_load, Rule::dst2_store},
                               {Rule::dct3_load, Rule::dct3_store, Direction::inverse},
                               {Rule::dst3_load, Rule::dst3_store, Direction::inverse},
                               {Rule::dct4_odd_load, Rule::dct4_odd_store},
                               {Rule::dst4_odd_load, Rule::dst4_odd_store},
                               {std::nullopt, Rule::dht_store}}) {
      for (const std::uint64_t n : {15, 35, 49, 81, 225, 1001}) {
        for (const std::uint64_t count : {1, 3, 40}) {
          if (n > 100 && count > 3) continue;  // the reference takes long
          Stage stage = row_stage(engine(), n, count);
          stage.precision = precision;
          stage.direction = rules.direction;
          stage.input_storage = stage.output_storage = {real, precision, 0};
          if (rules.load) stage.load_map = LineMap{*rules.load, n, n, n, true};
          stage.store_map = LineMap{rules.store, n, n, n, true};
          stage.scale = 0.375L;
          const auto step = static_cast<std::int64_t>(n) + 4;
          stage.loops = {{count, step, step}};
          EXPECT_TRUE(computes_its_share(stage)) << n;
          stage.destination = stage.source;
          EXPECT_TRUE(computes_its_share(stage)) << n << " in place";
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, HostLineMapTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });

// The shortest one in pieces and those beside it; pieces are 8192 elements.
TEST(HostLineMap, AtTheEdgesOfPieces) {
  const auto engine = host_engine("");
  ASSERT_NE(engine, nullptr);
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const MapCase& one : cases) {
      for (const std::uint64_t length : sampled_if_instrumented<std::uint64_t>(
               {1022, 1023, 1024, 1025, 8191, 8192, 8193, 8194, 16384, 16385, 16386}, 3)) {
        const std::uint64_t n = one.points * length;
        if (n % 2 != 0) continue;
        EXPECT_TRUE(computes_any_stage(*engine, map_stage(one, n, precision, 1))) << n;
      }
    }
  }
}

// Results that are stored past the cache, and input that is fetched ahead.
TEST(HostLineMap, RowsPastTheCache) {
  const auto engine = host_engine_beside_small_cache("");
  ASSERT_NE(engine, nullptr);
  for (const std::uint64_t n : sampled_if_instrumented<std::uint64_t>({256, 1000}, 2)) {
    Stage stage = row_stage(*engine, n / 2, 800'000 / n);
    stage.input_storage = stage.output_storage = {real, Precision::float32, 0};
    stage.load_map = LineMap{Rule::dct2_half_load, n, n, n / 2, false};
    stage.store_map = LineMap{Rule::dct2_half_store, n, n / 2, n, false};
    stage.loops[0].input_stride = stage.loops[0].output_stride = static_cast<std::int64_t>(n);
    EXPECT_TRUE(computes_any_stage(*engine, stage));
  }
}

// Spectra of reals that the second stage of long lines makes, its transforms read as columns or as rows: as many of
// them as leave parts of blocks in the middle.
TEST_P(HostLineMapTest, OfRealsBehindTransformsThatMirrorEachOther) {
  for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
    for (const std::uint64_t count : {128, 130, 200, 358}) {
      for (const bool by_rows : {false, true}) {
        Stage stage = column_stage(engine(), 60, count, static_cast<std::int64_t>(count));
        const auto half = static_cast<std::int64_t>(60 * count);
        stage.precision = stage.input_storage.precision = stage.output_storage.precision = precision;
        stage.shared_map = true;
        stage.store_map =
            LineMap{Rule::r2c_store, 120 * count, 60 * count, plan::full_count(Rule::r2c_store, 120 * count), false};
        stage.scale = 0.25L;
        if (by_rows) {
          stage.input_stride = 1;
          stage.loops[0].input_stride = 60;
        }
        stage.loops.push_back({3, half + 2, half + 3});
        EXPECT_TRUE(computes_its_share(stage));
        if (by_rows) continue;
        stage.loops[1].input_stride = half + 3;
        stage.destination = stage.source;
        EXPECT_TRUE(computes_its_share(stage)) << "in place";
      }
    }
  }
}

// Pieces of several lines on two threads: a stage that they share is not one call.
TEST(HostLineMap, ThreadsShareThePieces) {
  const ScopedEnvironment environment("TWIDDLE_THREADS", "2");
  const auto engine = host_engine("");
  ASSERT_NE(engine, nullptr);
  for (const MapCase& one : cases) {
    for (const std::uint64_t count : {1, 3}) {
      const Stage stage = map_stage(one, one.points * (98310 / count), Precision::float64, count);
      ASSERT_EQ(engine->compile(stage)->host_call(), nullptr);
      EXPECT_TRUE(computes_any_stage(*engine, stage));
    }
  }
}

// Of sources that stand as two stages or three leave them, made in tiles: whole, and results that end within one.
TEST(HostLineMap, FromPlacesThatStagesLeave) {
  const auto engine = host_engine("");
  ASSERT_NE(engine, nullptr);
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const Rule rule : {Rule::dct2_half_store, Rule::dct4_half_store, Rule::dht_half_store}) {
      for (const std::vector<std::uint64_t>& parts : sampled_if_instrumented<std::vector<std::uint64_t>>(
               {{2, 7350}, {21, 700}, {70, 210}, {210, 70}, {7350, 2}, {14, 30, 35}}, 5)) {
        Stage stage = map_stage({rule, complex, real}, 29400, precision, 2);
        stage.load_map->source_parts = parts;
        EXPECT_TRUE(computes_any_stage(*engine, stage));
        stage.length = stage.load_map->count = 27001;
        EXPECT_TRUE(computes_any_stage(*engine, stage));
      }
    }
  }
}

// Hooks, planar numbers and other precisions on either side, which go by way of planar arrays.
TEST(HostLineMap, WithHooksAndOfOtherStorages) {
  const auto engine = host_engine("");
  ASSERT_NE(engine, nullptr);
  const auto hook = std::make_shared<const Hook>(Hook{.function = [](std::complex<double> value, std::uint64_t index) {
    return value * (1 + 1 / (1 + static_cast<double>(index)));
  }});
  for (const MapCase& one : cases) {
    for (const std::uint64_t n : {2046, 2050, 16384}) {
      const Stage plain = map_stage(one, n, Precision::float64, 2);
      for (const bool load : {true, false}) {
        Stage hooked = plain;
        (load ? hooked.load_hook : hooked.store_hook) = plan::StageHook{hook, 1};
        EXPECT_TRUE(computes_any_stage(*engine, hooked));
        Stage narrow = plain;
        (load ? narrow.input_storage : narrow.output_storage).precision = Precision::float32;
        EXPECT_TRUE(computes_any_stage(*engine, narrow));
        Stage planar = plain;
        Storage& storage = load ? planar.input_storage : planar.output_storage;
        if (storage.form == real) continue;
        storage = {Storage::Form::planar, Precision::float64, static_cast<std::int64_t>(2 * n + 11)};
        EXPECT_TRUE(computes_any_stage(*engine, planar));
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::test
