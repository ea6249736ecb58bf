// Short lines alone: by vectors of which width.
#include "backend/host/packed_line_choice.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "backend/host/packed_radices.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "plan/recipe/host_division.hpp"
#include "plan/recipe/host_vectors.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

using backend::host::PackedLineChoice;

// For the vectors of this machine.
template <class T>
PackedLineChoice choice(const std::string& text) {
  const backend::host::WorkerOptions options{.targets = backend::host::simd_targets()};
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(options.targets);
  const plan::Stage stage = backend::host::in_scalars(program_of(text, limits).stages.at(0));
  const auto chosen = backend::host::choose_packed_line<T>(stage, *backend::host::contiguous_line(stage), options);
  EXPECT_TRUE(chosen.has_value()) << text;
  return chosen.value_or(PackedLineChoice{});
}

TEST(PackedLineChoiceTest, ComplexFloatsThatFillHalfOfLongVectorsAreInHalves) {
  const std::int64_t targets = backend::host::simd_targets();
  if (backend::host::vector_lanes<float>(targets) * sizeof(float) != plan::long_vector_bytes) {
    GTEST_SKIP() << "vectors of 64 bytes alone";
  }
  for (const int length : {16, 20, 24, 32, 33}) {
    const PackedLineChoice chosen = choice<float>("c2c:f32:" + std::to_string(length));
    EXPECT_EQ(chosen.targets, backend::host::without_widest(targets)) << length;
  }
  for (const int length : {8, 12, 15, 25, 36, 64}) {
    EXPECT_EQ(choice<float>("c2c:f32:" + std::to_string(length)).targets, targets) << length;
  }
  EXPECT_EQ(choice<double>("c2c:f64:24").targets, targets);
  EXPECT_EQ(choice<float>("r2c:f32:48").targets, targets);
}

// Where whole vectors are computed in halves, also longer lines that are one call in halves alone.
TEST(PackedLineChoiceTest, FloatsThatAreOneCallInHalvesOfHalvedVectorsAreThere) {
  backend::host::WorkerOptions options{.targets = backend::host::simd_targets()};
  if (backend::host::vector_lanes<float>(options.targets) * sizeof(float) != plan::long_vector_bytes) {
    GTEST_SKIP() << "vectors of 64 bytes alone";
  }
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(options.targets);
  for (const auto& [problem, narrower] : {std::pair("c2c:f32:36", true),
                                          {"c2c:f32:64*60", true},
                                          {"c2c:f32:100", true},
                                          {"c2c:f32:50", false},
                                          {"c2c:f32:64", false},
                                          {"c2c:f32:72", false},
                                          {"r2c:f32:120", true},
                                          {"c2r:f32:72", true},
                                          {"r2c:f32:200", false}}) {
    const auto program = program_of(problem, limits);
    const plan::Stage stage = backend::host::in_scalars(program.stages.at(0));
    const auto line = backend::host::contiguous_line(stage);
    for (const bool halved : {false, true}) {
      options.halved_vectors = halved;
      const auto chosen = backend::host::choose_packed_line<float>(stage, *line, options);
      ASSERT_TRUE(chosen.has_value()) << problem;
      EXPECT_EQ(chosen->targets != options.targets, narrower && halved) << problem;
    }
  }
}

using Radices = std::pair<unsigned, unsigned>;

Radices cheapest(const backend::host::PackedLineShape& line) {
  const auto found = backend::host::packed_radices(line);
  EXPECT_TRUE(found.has_value()) << line.length;
  return found ? Radices(found->first, found->last) : Radices();
}

// The one first with which results are whole cache lines, where there are many.
TEST(PackedRadices, AreUpTo64) {
  const auto floats = [](std::size_t length) {
    return cheapest({.length = length, .numbers = 8, .vector_bytes = 64, .passes = true});
  };
  const auto doubles = [](std::size_t length) {
    return cheapest({.length = length, .numbers = 4, .vector_bytes = 64, .passes = true});
  };
  EXPECT_EQ(floats(1000), Radices(40, 25));
  EXPECT_EQ(floats(936), Radices(26, 36));
  EXPECT_EQ(floats(1920), Radices(40, 48));
  EXPECT_EQ(floats(4096), Radices(64, 64));
  EXPECT_EQ(doubles(1024), Radices(32, 32));
  EXPECT_EQ(doubles(1200), Radices(40, 30));
  EXPECT_EQ(doubles(2000), Radices(40, 50));
}

// Much of a line at once waits for what is fetched meanwhile.
TEST(PackedRadices, AreLessInOneVectorBesideWhatIsFetched) {
  for (const bool fetched : {false, true}) {
    const auto floats = [&](std::size_t length) {
      return cheapest({.length = length, .numbers = 8, .vector_bytes = 64, .passes = true, .fetched = fetched});
    };
    EXPECT_EQ(floats(512), fetched ? Radices(16, 32) : Radices(64, 8));
    EXPECT_EQ(floats(320), fetched ? Radices(20, 16) : Radices(40, 8));
    EXPECT_EQ(floats(1000), Radices(40, 25));
  }
}

// What is stored past the cache goes there from registers where rows of results are whole vectors.
TEST(PackedRadices, LeaveWholeVectorsPastTheCache) {
  for (const bool streamed : {false, true}) {
    const auto doubles = [&](std::size_t length) {
      return cheapest(
          {.length = length, .numbers = 4, .vector_bytes = 64, .passes = true, .fetched = true, .streamed = streamed});
    };
    EXPECT_EQ(doubles(120), streamed ? Radices(4, 30) : Radices(30, 4));
    EXPECT_EQ(doubles(216), streamed ? Radices(12, 18) : Radices(18, 12));
    EXPECT_EQ(doubles(128), Radices(32, 4));
    EXPECT_EQ(doubles(210), Radices(14, 15));
  }
}

// Reals side by side are read a vector of lines at a time, which takes long from memory.
TEST(PackedLineChoiceTest, ManyRealsFromMemoryAreAlone) {
  backend::host::WorkerOptions options{.targets = backend::host::simd_targets()};
  if (backend::host::vector_lanes<double>(options.targets) * sizeof(double) != plan::long_vector_bytes) {
    GTEST_SKIP() << "vectors of 64 bytes alone";
  }
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<double>(options.targets);
  for (const auto& [length, cached, fetched] :
       {std::tuple(90, true, true), {100, false, true}, {210, false, true}, {92, false, false}, {256, true, true}}) {
    const auto program = program_of("r2c:f64:1024*" + std::to_string(length), limits);
    const plan::Stage stage = backend::host::in_scalars(program.stages.at(0));
    const auto line = backend::host::contiguous_line(stage);
    for (const bool prefetched : {false, true}) {
      options.prefetched = prefetched;
      EXPECT_EQ(backend::host::choose_packed_line<double>(stage, *line, options).has_value(),
                prefetched ? fetched : cached)
          << length << (prefetched ? " from memory" : " in the cache");
    }
  }
}

TEST(PackedLineChoiceTest, LongestRowsOfDoublesAreLinesFromMemory) {
  backend::host::WorkerOptions options{.targets = backend::host::simd_targets()};
  if (backend::host::vector_lanes<double>(options.targets) * sizeof(double) != plan::long_vector_bytes) {
    GTEST_SKIP() << "vectors of 64 bytes alone";
  }
  for (const bool prefetched : {false, true}) {
    options.prefetched = prefetched;
    for (const int length : {30, 32, 36}) {
      const auto program = program_of("c2c:f64:1024*" + std::to_string(length), plan::named_limits("host"));
      const plan::Stage stage = backend::host::in_scalars(program.stages.at(0));
      const auto line = backend::host::contiguous_line(stage);
      EXPECT_EQ(backend::host::choose_packed_line<double>(stage, *line, options).has_value(),
                length == 36 || (length == 32 && prefetched))
          << length << (prefetched ? " from memory" : " in the cache");
    }
  }
}

TEST(PackedLineChoiceTest, LongFloatsThatAreNoWholePackedVectorsAreApart) {
  const backend::host::WorkerOptions options{.targets = backend::host::simd_targets(),
                                             .core_cache = plan::large_second_cache};
  if (backend::host::vector_lanes<float>(options.targets) * sizeof(float) != plan::long_vector_bytes) {
    GTEST_SKIP() << "vectors of 64 bytes alone";
  }
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(options.targets);
  for (const auto& [length, packed] : {std::pair(1792, false), {3200, false}, {2500, true}, {4096, true}}) {
    const auto program = program_of("c2c:f32:" + std::to_string(length), limits);
    const plan::Stage stage = backend::host::in_scalars(program.stages.at(0));
    const auto line = backend::host::contiguous_line(stage);
    EXPECT_EQ(backend::host::choose_packed_line<float>(stage, *line, options).has_value(), packed) << length;
  }
}

}  // namespace
}  // namespace twiddle::test
