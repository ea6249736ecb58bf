// Stages on the host engine: every shape of memory access, every SIMD target that this machine has.
#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "backend/host/stage_case.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using plan::Stage;

bool is_smooth(std::size_t n) {
  for (std::size_t p : {2, 3, 5, 7, 11, 13}) {
    while (n % p == 0) n /= p;
  }
  return n == 1;
}

// Up to 32 points each, beyond with sanitizers some.
constexpr std::size_t step_beyond = instrumented ? 11 : 1;

std::vector<std::size_t> lengths(std::size_t last) {
  std::vector<std::size_t> result;
  for (std::size_t n = 2; n <= last; n += n < 32 ? 1 : step_beyond) {
    if (is_smooth(n)) result.push_back(n);
  }
  // Primes of planar passes alone: by butterflies, by the definition; alone, first, last, twice.
  for (std::size_t n : {17, 19, 23, 29, 31, 34, 37, 51, 109, 127, 218, 221, 289, 380, 414, 436, 437, 496}) {
    if (n <= last) result.push_back(n);
  }
  return result;
}

class HostStageTest : public HostTargetTest {
 protected:
  [[nodiscard]] testing::AssertionResult computes_its_share(const Stage& stage) {
    return takes_next() ? computes_stage(engine(), stage) : testing::AssertionSuccess();
  }
};

TEST_P(HostStageTest, Rows) {
  for (std::size_t n : lengths(512)) {
    for (std::uint64_t count : {1, 3, 19}) {
      Stage stage = row_stage(engine(), n, count);
      EXPECT_TRUE(computes_its_share(stage));
      stage.direction = Direction::inverse;
      stage.scale = 1.0 / static_cast<double>(n);
      stage.source = stage.destination;
      EXPECT_TRUE(computes_its_share(stage));
    }
  }
}

TEST_P(HostStageTest, LargeRows) {
  for (std::size_t n : {1000, 1024, 2048, 2187, 3125, 4096, 6561, 8192}) {
    Stage stage = row_stage(engine(), n, 2);
    EXPECT_TRUE(computes_stage(engine(), stage));
  }
}

// Alone, first, in the middle and last, beside small ones and primes: runs shorter than a vector, and no multiple of
// it.
TEST_P(HostStageTest, LargeRadices) {
  if (!plan::host_has_pass(32, engine().info().limits)) GTEST_SKIP() << "vectors are shorter than a cache line";
  using Radices = std::vector<unsigned>;
  for (const Radices& radices : {Radices{20},
                                 {24},
                                 {25},
                                 {32},
                                 {20, 25},
                                 {24, 32},
                                 {25, 24},
                                 {32, 20},
                                 {2, 25},
                                 {3, 32},
                                 {25, 2},
                                 {32, 7},
                                 {20, 17},
                                 {17, 24},
                                 {12, 25},
                                 {9, 20, 2},
                                 {8, 32, 5},
                                 {5, 24, 3},
                                 {3, 25, 20}}) {
    const std::size_t length = plan::product(radices);
    for (Stage stage : {row_stage(engine(), length, 1), row_stage(engine(), length, 3), row_stage(engine(), length, 19),
                        column_stage(engine(), length, 3, 7), column_stage(engine(), length, 33, 40)}) {
      stage.radices = radices;
      EXPECT_TRUE(computes_its_share(stage));
      stage.direction = Direction::inverse;
      stage.scale = 1.0 / static_cast<double>(length);
      stage.source = stage.destination;
      EXPECT_TRUE(computes_its_share(stage));
    }
  }
}

// More than the cache keeps: rows, columns, columns with twiddles, transposed.
class HostStagePastCacheTest : public HostPastCacheTest {};

TEST_P(HostStagePastCacheTest, Rows) {
  Stage stage = row_stage(engine(), 1024, 257);
  EXPECT_TRUE(computes_stage(engine(), stage));
  stage.destination = stage.source;
  stage.direction = Direction::inverse;
  EXPECT_TRUE(computes_stage(engine(), stage));
  for (const std::size_t beyond : {0, 1}) {
    EXPECT_TRUE(computes_stage(engine(), row_stage(engine(), 64, 4097), beyond));
    EXPECT_TRUE(computes_stage(engine(), row_stage(engine(), 128, 2049), beyond));
  }
}

// Where they are is known when they are compiled: nothing is left to ask, one call is all of it.
TEST(HostStage, OfOneThreadIsOneCallInEitherPlacement) {
  const ScopedEnvironment environment("TWIDDLE_THREADS", "1");
  const auto engine = host_engine("");
  ASSERT_NE(engine, nullptr);
  Stage stage = row_stage(*engine, 1024, 65537);
  EXPECT_NE(engine->compile(stage)->host_call(), nullptr);
  stage.destination = stage.source;
  EXPECT_NE(engine->compile(stage)->host_call(), nullptr);
}

// One short line has a way of its own where it stands at the beginning; results are those of a run.
TEST_P(HostStageTest, OneShortLineByACall) {
  for (const std::size_t n : {2, 8, 10, 12, 16}) {
    for (const std::int64_t offset : {0, 3}) {
      Stage stage = row_stage(engine(), n, 1);
      stage.input_offset = stage.output_offset = offset;
      std::vector<std::complex<float>> input(n + 3);
      for (std::size_t i = 0; i < input.size(); ++i) input[i] = {static_cast<float>(i * i % 7), static_cast<float>(i)};
      for (const bool in_place : {false, true}) {
        std::vector<std::complex<float>> expected = input, result = input, source = input;
        const auto bytes = [](auto& values) { return reinterpret_cast<std::byte*>(values.data()); };
        backend::HostSpan from(bytes(in_place ? expected : source)), to(bytes(expected));
        const auto executable = engine().compile(stage);
        executable->run({&from, &to}, nullptr);
        const backend::HostCall* const call = executable->host_call();
        ASSERT_NE(call, nullptr);
        call->call(bytes(in_place ? result : source), bytes(result));
        EXPECT_EQ(result, expected) << n << " at " << offset << (in_place ? ", in place" : "");
        EXPECT_NE(result, input);
      }
    }
  }
}

TEST(HostStage, StaysOnOneThreadWhereTheOthersHaveLaunchesOfTheirOwn) {
  const ScopedEnvironment environment("TWIDDLE_THREADS", "2");
  const auto engine = host_engine("");
  ASSERT_NE(engine, nullptr);
  std::atomic<bool> elsewhere = false;
  const auto hook = std::make_shared<const Hook>(
      Hook{.function = [&, here = std::this_thread::get_id()](std::complex<double> value, std::uint64_t) {
        if (std::this_thread::get_id() != here) elsewhere = true;
        return value;
      }});
  Stage stage = row_stage(*engine, 1024, 1024);
  stage.load_hook = plan::StageHook{hook, 1};
  std::vector<std::complex<float>> data(1024 * 1024);
  backend::HostSpan memory(reinterpret_cast<std::byte*>(data.data()));
  backend::Operands operands{&memory, &memory};
  operands.on_one_thread = true;
  for (int turn = 0; turn < (instrumented ? 5 : 20); ++turn) engine->compile(stage)->run(operands, nullptr);
  EXPECT_FALSE(elsewhere);
}

// Rows that no vector nor cache line divides.
TEST_P(HostStagePastCacheTest, RaggedRows) {
  for (std::size_t n : {5, 60, 500}) {
    Stage stage = row_stage(engine(), n, (std::size_t{1} << 18) / n + 3);
    EXPECT_TRUE(computes_stage(engine(), stage));
  }
  Stage stage = row_stage(engine(), 60, (std::size_t{1} << 18) / 60 + 3);
  stage.destination = stage.source;  // stored over what was read
  EXPECT_TRUE(computes_stage(engine(), stage));
}

TEST_P(HostStagePastCacheTest, Columns) {
  for (const auto& [length, columns] : {std::pair<std::uint64_t, std::int64_t>{64, 4096}, {1024, 256}}) {
    Stage stage = column_stage(engine(), length, columns, columns + 8);
    EXPECT_TRUE(computes_stage(engine(), stage, 0));
    stage = column_stage(engine(), length, columns + 4, columns + 8);
    stage.twiddle = plan::StageTwiddle{length * (columns + 4), 0, false};
    stage.direction = Direction::inverse;
    EXPECT_TRUE(computes_stage(engine(), stage, 0));
    stage = row_stage(engine(), length, columns);
    stage.output_stride = columns;
    stage.loops[0].output_stride = 1;
    EXPECT_TRUE(computes_stage(engine(), stage, 0));
  }
}

// What comes before the first cache line, and behind the last one, is computed apart: out of place, in place, from
// rows, by several items and in several arrays.
TEST_P(HostStagePastCacheTest, ColumnsThatBeginWithinACacheLine) {
  for (const std::size_t beyond : {1, 7}) {
    Stage stage = column_stage(engine(), 64, 4090, 4096);
    EXPECT_TRUE(computes_stage(engine(), stage, beyond));
    stage = column_stage(engine(), 60, 1025, 1032);
    stage.loops.push_back({5, 60 * 1032, 60 * 1032});
    stage.destination = stage.source;
    stage.direction = Direction::inverse;
    EXPECT_TRUE(computes_stage(engine(), stage, beyond));
    stage = row_stage(engine(), 64, 4096);
    stage.output_stride = 4096;
    stage.loops[0].output_stride = 1;
    EXPECT_TRUE(computes_stage(engine(), stage, beyond));
  }
}

TEST_P(HostStageTest, RowsFarApart) {
  for (std::size_t n : lengths(300)) {
    Stage stage = row_stage(engine(), n, 18);
    stage.loops[0].input_stride += 3;
    stage.loops[0].output_stride += 7;
    EXPECT_TRUE(computes_its_share(stage));
  }
}

TEST_P(HostStageTest, Columns) {
  for (std::size_t n : lengths(512)) {
    for (std::uint64_t count : {1, 5, 16, 35}) {
      Stage stage = column_stage(engine(), n, count, static_cast<std::int64_t>(count) + 2);
      stage.loops.push_back(
          {2, stage.input_stride * static_cast<std::int64_t>(n), stage.output_stride * static_cast<std::int64_t>(n)});
      EXPECT_TRUE(computes_its_share(stage));
      stage.direction = Direction::inverse;
      stage.scale = 0.5;
      stage.destination = stage.source;
      EXPECT_TRUE(computes_its_share(stage));
    }
  }
}

TEST_P(HostStageTest, RowsToColumns) {
  for (std::size_t n : lengths(512)) {
    for (std::uint64_t count : {7, 16, 37}) {
      Stage stage = row_stage(engine(), n, count);
      stage.output_stride = static_cast<std::int64_t>(count);
      stage.loops[0].output_stride = 1;
      EXPECT_TRUE(computes_its_share(stage));
      std::swap(stage.input_stride, stage.output_stride);
      std::swap(stage.loops[0].input_stride, stage.loops[0].output_stride);
      stage.direction = Direction::inverse;
      EXPECT_TRUE(computes_its_share(stage));
    }
  }
}

TEST_P(HostStageTest, OddStrides) {
  for (std::size_t n : lengths(256)) {
    Stage stage = row_stage(engine(), n, 5);
    stage.input_stride = 3;
    stage.output_stride = 5;
    stage.loops = {{5, 3 * static_cast<std::int64_t>(n) + 1, 5 * static_cast<std::int64_t>(n) + 2},
                   {3, 16 * static_cast<std::int64_t>(n) + 11, 26 * static_cast<std::int64_t>(n) + 13}};
    EXPECT_TRUE(computes_its_share(stage));
    stage.direction = Direction::inverse;
    stage.loops[0].count = 1;
    EXPECT_TRUE(computes_its_share(stage));
  }
}

TEST_P(HostStageTest, Twiddles) {
  for (std::size_t n : lengths(256)) {
    for (const bool on_load : {false, true}) {
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        Stage stage = column_stage(engine(), n, 21, 21);
        stage.loops.push_back({3, 21 * static_cast<std::int64_t>(n), 21 * static_cast<std::int64_t>(n)});
        stage.direction = direction;
        stage.twiddle = plan::StageTwiddle{21 * n, 0, on_load};
        EXPECT_TRUE(computes_its_share(stage));
        stage.twiddle->loop = 1;
        EXPECT_TRUE(computes_its_share(stage));
        stage = row_stage(engine(), n, 21);
        stage.direction = direction;
        stage.twiddle = plan::StageTwiddle{21 * n + 5, 0, on_load};
        EXPECT_TRUE(computes_its_share(stage));
        stage.loops[0].count = 2;
        EXPECT_TRUE(computes_its_share(stage));
      }
    }
  }
}

TEST_P(HostStageTest, Copies) {
  Stage stage;
  stage.scale = 0.25;
  EXPECT_TRUE(computes_stage(engine(), stage));
  stage.loops = {{50, 3, 1}, {4, 200, 60}};
  EXPECT_TRUE(computes_stage(engine(), stage));
  stage.scale = 1.0;
  stage.loops = {{50, 1, 1}, {4, 70, 60}};
  EXPECT_TRUE(computes_stage(engine(), stage));
}

// Enough work for several threads, within one call and from several callers.
TEST_P(HostStageTest, ManyThreadsOneExecutable) {
  const Stage stage = row_stage(engine(), 512, 200);
  const auto executable = engine().compile(stage);
  const Signal input = random_signal(512 * 200);
  const auto transform = [&] {
    Signal source = input;
    Signal result(input.size());
    backend::HostSpan from(source.data());
    backend::HostSpan to(result.data());
    for (int repetition = 0; repetition < (instrumented ? 5 : 20); ++repetition)
      executable->run({&from, &to, nullptr}, nullptr);
    return result;
  };
  EXPECT_TRUE(computes_stage(engine(), stage));
  const Signal expected = transform();
  std::vector<Signal> results(6);
  std::vector<std::thread> threads;
  for (Signal& result : results) threads.emplace_back([&] { result = transform(); });
  for (std::thread& thread : threads) thread.join();
  for (const Signal& result : results) EXPECT_EQ(result, expected);
}

INSTANTIATE_TEST_SUITE_P(Targets, HostStageTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Targets, HostStagePastCacheTest, testing::Values("avx512", "avx2", "sse4", "neon"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace twiddle::test
