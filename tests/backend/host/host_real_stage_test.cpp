// Stages that are real on one side, on the host engine: lengths, layouts, what goes with them.
#include <gtest/gtest.h>

#include "backend/host/any_stage.hpp"
#include "backend/host/stage_case.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using plan::LineMap;
using plan::Stage;
using plan::Storage;

constexpr Precision precisions[] = {Precision::float32, Precision::float64, Precision::extended};

class HostRealStageTest : public AnyStageTargetTest {
 protected:
  using AnyStageTargetTest::AnyStageTargetTest;

  // Reals to the first half of their spectrum, lines of neighbouring elements without gaps.
  Stage forward(std::uint64_t n, std::uint64_t count, Precision precision) {
    Stage stage = row_stage(engine(), n, count);
    stage.precision = precision;
    stage.input_storage = {Storage::Form::real, precision, 0};
    stage.output_storage.precision = precision;
    stage.store_bound = plan::Bound{n / 2 + 1, 1, {0}};
    stage.loops[0].output_stride = static_cast<std::int64_t>(n / 2 + 1);
    return stage;
  }

  // And back, scaled.
  Stage back(std::uint64_t n, std::uint64_t count, Precision precision) {
    Stage stage = forward(n, count, precision);
    std::swap(stage.input_storage, stage.output_storage);
    std::swap(stage.loops[0].input_stride, stage.loops[0].output_stride);
    stage.store_bound.reset();
    stage.direction = Direction::inverse;
    stage.load_map = LineMap{LineMap::Rule::hermitian_load, n, n / 2 + 1, n, false};
    stage.scale = 1.0L / static_cast<long double>(n);
    return stage;
  }

  void expect_right(const Stage& stage) { EXPECT_TRUE(computes_its_share(stage)); }
};

bool has_radices(const Stage& stage) { return !stage.radices.empty(); }

TEST_P(HostRealStageTest, OddLengths) {
  for (std::uint64_t n = 3; n <= 255; n += 2) {
    for (const Precision precision : precisions) {
      if (n > 61 && precision != precisions[n / 2 % 3]) continue;  // each in turn
      for (const std::uint64_t count : {1, 19}) {
        if (!has_radices(forward(n, count, precision))) continue;
        expect_right(forward(n, count, precision));
        expect_right(back(n, count, precision));
      }
    }
  }
}

TEST_P(HostRealStageTest, LongLines) {
  for (const std::uint64_t n : {343, 625, 729, 1001, 1125, 1309, 2187, 3125, 4913, 6561, 15625}) {
    for (const std::uint64_t count : {1, 9}) {
      const Precision precision = precisions[n % 2 == 0 ? 0 : (n / 2 + count) % 2];
      expect_right(forward(n, count, precision));
      expect_right(back(n, count, precision));
    }
  }
  expect_right(forward(1125, 17, Precision::extended));
  expect_right(back(1125, 17, Precision::extended));
}

// What hooks leave for even lengths: no two reals are one complex number then.
TEST_P(HostRealStageTest, EvenLengths) {
  for (const std::uint64_t n : {6, 8, 10, 14, 16, 30, 34, 48, 64, 96, 128, 250, 512, 1000, 1024}) {
    for (const std::uint64_t count : {1, 21}) {
      const Precision precision = precisions[n / 2 % 2];
      expect_right(forward(n, count, precision));
      expect_right(back(n, count, precision));
    }
  }
}

TEST_P(HostRealStageTest, Layouts) {
  for (const std::uint64_t n : {9, 15, 17, 45, 51, 96, 105, 361, 1125}) {
    for (const std::int64_t count : {1, 5, 16, 35}) {
      const Precision precision = precisions[(n + static_cast<std::uint64_t>(count)) % 2];
      for (Stage stage : {forward(n, static_cast<std::uint64_t>(count), precision),
                          back(n, static_cast<std::uint64_t>(count), precision)}) {
        const auto reals = static_cast<std::int64_t>(n);
        const std::int64_t padded = 2 * (reals / 2 + 1);
        const bool input_real = stage.input_storage.form == Storage::Form::real;
        Stage rows = stage;  // in place as FFTW pads them
        (input_real ? rows.loops[0].input_stride : rows.loops[0].output_stride) = padded;
        rows.destination = rows.source;
        expect_right(rows);
        Stage columns = stage;
        columns.input_stride = columns.output_stride = count;
        columns.loops = {{static_cast<std::uint64_t>(count), 1, 1}};
        expect_right(columns);
        Stage strided = columns;  // backwards on one side, with gaps on the other
        strided.input_stride = -3 * count;
        strided.loops[0].input_stride = 3;
        strided.output_stride = 2;
        strided.loops[0].output_stride = 2 * reals + 1;
        expect_right(strided);
        Stage planar = stage;
        Storage& complex = input_real ? planar.output_storage : planar.input_storage;
        complex.form = Storage::Form::planar;
        complex.imaginary_offset = (reals / 2 + 1) * count + 3;
        expect_right(planar);
        Stage mixed = stage;
        mixed.input_storage.precision = Precision::float64;
        mixed.output_storage.precision = Precision::float32;
        expect_right(mixed);
      }
    }
  }
}

// Rows no longer than a butterfly, in whole tiles and more, that follow each other or have gaps on one side or both.
TEST_P(HostRealStageTest, ShortRowsApart) {
  constexpr std::uint64_t count = 37;
  for (std::uint64_t n = 2; n <= 16; ++n) {
    for (const Precision precision : precisions) {
      for (const Stage& stage : {forward(n, count, precision), back(n, count, precision)}) {
        expect_right(stage);
        const bool input_real = stage.input_storage.form == Storage::Form::real;
        const auto reals = static_cast<std::int64_t>(n);
        for (const std::int64_t gap : {1, 2, 3}) {
          Stage apart = stage;
          apart.loops[0].input_stride += gap;
          expect_right(apart);
          apart.loops[0].output_stride += 2 * gap;
          expect_right(apart);
        }
        Stage in_place = stage;
        (input_real ? in_place.loops[0].input_stride : in_place.loops[0].output_stride) = 2 * (reals / 2 + 1);
        in_place.destination = in_place.source;
        expect_right(in_place);
      }
    }
  }
}

// Parts that are missing or not wanted, and everything that a stage may do besides.
TEST_P(HostRealStageTest, Features) {
  const auto hook = std::make_shared<const Hook>(Hook{.function = [](std::complex<double> value, std::uint64_t index) {
    return value * (1 + 1 / (1 + static_cast<double>(index)));
  }});
  for (const std::uint64_t n : {15, 17, 45, 64, 105, 729}) {
    for (const std::uint64_t count : {1, 35}) {
      Stage pruned = forward(n, count, Precision::float32);
      pruned.load_bound = plan::Bound{n / 2, 1, {0}};
      pruned.store_bound->count = n / 3;
      expect_right(pruned);
      pruned.store_bound = plan::Bound{n, 1, {1}};  // fewer of each line
      pruned.loops[0].output_stride = static_cast<std::int64_t>(n);
      expect_right(pruned);
      Stage whole = forward(n, count, Precision::float64);  // all of the spectrum, and of the other direction
      whole.store_bound.reset();
      whole.loops[0].output_stride = static_cast<std::int64_t>(n);
      whole.direction = Direction::inverse;
      expect_right(whole);
      whole.twiddle = plan::StageTwiddle{n * count, 0, false};
      whole.store_factor = plan::Factor{plan::Factor::Sequence::chirp, n, n, n, 2 * n, Direction::forward, 1, {0}};
      expect_right(whole);
      Stage hartley = forward(n, count, Precision::float64);
      hartley.store_bound.reset();
      hartley.store_map = LineMap{LineMap::Rule::dht_store, n, n, n, false};
      hartley.output_storage.form = Storage::Form::real;
      hartley.loops[0].output_stride = static_cast<std::int64_t>(n);
      expect_right(hartley);
      for (Stage hooked : {forward(n, count, Precision::float64), back(n, count, Precision::float64)}) {
        hooked.load_hook = hooked.store_hook = plan::StageHook{hook, 1};
        expect_right(hooked);
      }
      Stage part = back(n, count, Precision::float32);
      part.load_map->source_count = n / 4 + 1;
      part.store_bound = plan::Bound{n / 2, 1, {0}};
      expect_right(part);
    }
  }
}

// Spectra that lie the other way round, or whose reals are made by a transform in the other direction, as transforms
// back over several dimensions have them.
TEST_P(HostRealStageTest, Backwards) {
  for (const std::uint64_t n : {9, 17, 61, 105, 243, 729}) {
    for (const std::uint64_t count : {1, 3, 16, 35}) {
      for (const Precision precision : precisions) {
        Stage conjugated = back(n, count, precision);
        conjugated.direction = Direction::forward;
        expect_right(conjugated);
        conjugated.input_stride = -1;
        expect_right(conjugated);
        conjugated.input_storage.precision = Precision::float32;
        expect_right(conjugated);
      }
    }
  }
}

class HostRealStagePastCacheTest : public HostRealStageTest {
 protected:
  HostRealStagePastCacheTest() : HostRealStageTest(host_engine_beside_small_cache) {}
};

// By bundles and by rows.
TEST_P(HostRealStagePastCacheTest, BothWays) {
  for (const std::uint64_t n : {27, 1125}) {
    const std::uint64_t count = 400000 / n;
    expect_right(forward(n, count, Precision::float64));
    expect_right(back(n, count, Precision::float64));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, HostRealStageTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Targets, HostRealStagePastCacheTest, testing::Values("avx512", "avx2", "sse4", "neon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace twiddle::test
