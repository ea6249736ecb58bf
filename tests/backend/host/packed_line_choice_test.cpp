// Short lines alone: by vectors of which width.
#include "backend/host/packed_line_choice.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
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
using backend::host::WorkerOptions;

// For the vectors of this machine.
template <class T>
std::optional<PackedLineChoice> choose(const std::string& text, const WorkerOptions& options) {
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(options.targets);
  const plan::Stage stage = backend::host::in_scalars(program_of(text, limits).stages.at(0));
  return backend::host::choose_packed_line<T>(stage, *backend::host::contiguous_line(stage), options);
}

template <class T>
PackedLineChoice choice(const std::string& text) {
  const auto chosen = choose<T>(text, {.targets = backend::host::simd_targets()});
  EXPECT_TRUE(chosen.has_value()) << text;
  return chosen.value_or(PackedLineChoice{});
}

bool has_long_vectors() {
  return backend::host::vector_lanes<float>(backend::host::simd_targets()) * sizeof(float) == plan::long_vector_bytes;
}

TEST(PackedLineChoiceTest, ComplexFloatsThatFillHalfOfLongVectorsAreInHalves) {
  const std::int64_t targets = backend::host::simd_targets();
  if (!has_long_vectors()) GTEST_SKIP() << "vectors of 64 bytes alone";
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

// Where whole vectors are computed in halves, also lines that the first-level cache does not hold beside their rows.
TEST(PackedLineChoiceTest, LinesOfHalvedVectorsAreLonger) {
  if (!has_long_vectors()) GTEST_SKIP() << "vectors of 64 bytes alone";
  struct Case {
    const char* problem;
    bool in_caches, from_memory, whole;  // whether such lines are packed there, and in the caches by whole vectors
  };
  for (const Case& one : {Case{"c2c:f64:600", true, true, true}, Case{"c2c:f64:1024", true, false, false},
                          Case{"c2c:f64:2048", false, false, false}, Case{"c2c:f32:1200", true, true, true},
                          Case{"c2c:f32:1400", true, true, false}, Case{"c2c:f32:1600", true, false, false},
                          Case{"r2c:f64:1200", true, true, true}, Case{"r2c:f64:1800", true, false, false},
                          Case{"r2c:f32:3600", false, false, false}}) {
    const auto is_packed = [&](bool halved, bool prefetched) {
      const WorkerOptions options{
          .targets = backend::host::simd_targets(), .prefetched = prefetched, .halved_vectors = halved};
      const bool doubles = std::string_view(one.problem).find("f64") != std::string_view::npos;
      return (doubles ? choose<double>(one.problem, options) : choose<float>(one.problem, options)).has_value();
    };
    EXPECT_EQ(is_packed(true, false), one.in_caches) << one.problem;
    EXPECT_EQ(is_packed(true, true), one.from_memory) << one.problem;
    EXPECT_EQ(is_packed(false, false), one.whole) << one.problem;
  }
}

// Vectors of 32 bytes are AVX2's, whose 16 registers passes on numbers apart leave.
TEST(PackedLineChoiceTest, LinesOfNarrowVectorsAreLongerInTheCaches) {
  constexpr std::size_t narrow_bytes = 32;
  std::int64_t targets = backend::host::simd_targets();
  const auto bytes = [&] { return backend::host::vector_lanes<float>(targets) * sizeof(float); };
  while (bytes() > narrow_bytes) targets = backend::host::without_widest(targets);
  if (bytes() != narrow_bytes) GTEST_SKIP() << "vectors of 32 bytes alone";
  for (const auto& [problem, in_caches, from_memory] : {std::tuple("c2c:f64:600", true, true),
                                                        {"c2c:f64:720", true, false},
                                                        {"c2c:f64:2000", true, false},
                                                        {"c2c:f64:2048", false, false},
                                                        {"c2c:f32:1200", true, true},
                                                        {"c2c:f32:1920", true, false},
                                                        {"c2c:f32:2000", false, false},
                                                        {"r2c:f64:1200", true, true},
                                                        {"r2c:f64:1800", true, false},
                                                        {"r2c:f32:3600", true, false}}) {
    for (const bool prefetched : {false, true}) {
      const WorkerOptions options{.targets = targets, .prefetched = prefetched};
      const bool doubles = std::string_view(problem).find("f64") != std::string_view::npos;
      const bool is_packed = (doubles ? choose<double>(problem, options) : choose<float>(problem, options)).has_value();
      EXPECT_EQ(is_packed, prefetched ? from_memory : in_caches) << problem;
    }
  }
}

// Where whole vectors are computed in halves, also longer lines that are one call in halves alone.
TEST(PackedLineChoiceTest, FloatsThatAreOneCallInHalvesOfHalvedVectorsAreThere) {
  WorkerOptions options{.targets = backend::host::simd_targets()};
  if (!has_long_vectors()) GTEST_SKIP() << "vectors of 64 bytes alone";
  for (const auto& [problem, narrower] : {std::pair("c2c:f32:36", true),
                                          {"c2c:f32:64*60", true},
                                          {"c2c:f32:100", true},
                                          {"c2c:f32:50", false},
                                          {"c2c:f32:64", false},
                                          {"c2c:f32:72", false},
                                          {"r2c:f32:120", true},
                                          {"c2r:f32:72", true},
                                          {"r2c:f32:200", false}}) {
    for (const bool halved : {false, true}) {
      options.halved_vectors = halved;
      const auto chosen = choose<float>(problem, options);
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
  WorkerOptions options{.targets = backend::host::simd_targets()};
  if (!has_long_vectors()) GTEST_SKIP() << "vectors of 64 bytes alone";
  for (const auto& [length, cached, fetched] :
       {std::tuple(90, true, true), {100, false, true}, {210, false, true}, {92, false, false}, {256, true, true}}) {
    for (const bool prefetched : {false, true}) {
      options.prefetched = prefetched;
      EXPECT_EQ(choose<double>("r2c:f64:1024*" + std::to_string(length), options).has_value(),
                prefetched ? fetched : cached)
          << length << (prefetched ? " from memory" : " in the cache");
    }
  }
}

TEST(PackedLineChoiceTest, LongestRowsOfDoublesAreLinesFromMemory) {
  WorkerOptions options{.targets = backend::host::simd_targets()};
  if (!has_long_vectors()) GTEST_SKIP() << "vectors of 64 bytes alone";
  for (const bool prefetched : {false, true}) {
    options.prefetched = prefetched;
    for (const int length : {30, 32, 36}) {
      EXPECT_EQ(choose<double>("c2c:f64:1024*" + std::to_string(length), options).has_value(),
                length == 36 || (length == 32 && prefetched))
          << length << (prefetched ? " from memory" : " in the cache");
    }
  }
}

TEST(PackedLineChoiceTest, LongFloatsThatAreNoWholePackedVectorsAreApart) {
  const WorkerOptions options{.targets = backend::host::simd_targets(), .core_cache = plan::large_second_cache};
  if (!has_long_vectors()) GTEST_SKIP() << "vectors of 64 bytes alone";
  for (const auto& [length, packed] : {std::pair(1792, false), {3200, false}, {2500, true}, {4096, true}}) {
    EXPECT_EQ(choose<float>("c2c:f32:" + std::to_string(length), options).has_value(), packed) << length;
  }
}

}  // namespace
}  // namespace twiddle::test
