// Single lines beside a large cache: passes whose planes are where the results will be, and passes by blocks of
// columns, give the same bits; twiddles in two parts give results as exact.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/column_blocks.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

using backend::host::AlignedArray;
using backend::host::StageWorker;
using backend::host::WorkerOptions;

constexpr std::size_t guard = 64;  // scalars behind the results

// Caches: not counted as large, and large.
constexpr std::size_t small = std::size_t{1} << 20;
constexpr std::size_t large = std::size_t{2} << 20;

// The only stage of a problem, for the vectors of this machine.
plan::Stage only_stage(const std::string& text) {
  DeviceLimits limits = plan::named_limits("host");
  limits.level2_cache = std::uint64_t{8} << 20;
  limits.sub_group_size = backend::host::vector_lanes<float>(backend::host::simd_targets());
  const plan::Program program = program_of(text, limits);
  EXPECT_EQ(program.stages.size(), 1U) << text;
  return program.stages.front();
}

// A cache that so many halves of a line of the problem fill.
template <class T>
std::size_t cache_of(std::size_t halves, const std::string& text) {
  return halves * only_stage(text).length * sizeof(T);
}

// Its results beside a core's cache of so many bytes, and what stands behind them.
template <class T>
std::vector<T> results(const std::string& text, std::size_t core_cache) {
  const plan::Stage stage = only_stage(text);
  const bool in_place = parse_problem(text).placement == Placement::in_place;
  const WorkerOptions options{.targets = backend::host::simd_targets(), .core_cache = core_cache, .in_place = in_place};
  const std::unique_ptr<StageWorker> worker =
      backend::host::make_row_worker<T>(backend::host::in_scalars(stage), options);
  const std::size_t line = stage.store_map ? stage.length + 1 : stage.length;
  const std::size_t size = 2 * line * plan::transform_count(stage) + guard;
  AlignedArray<T> input(size);
  AlignedArray<T> output(size);
  std::mt19937 bits(3);
  for (std::size_t i = 0; i < size; ++i) input[i] = output[i] = static_cast<T>(bits()) / T{4294967296} - T{0.5};
  const std::vector<T> before(input.data(), input.data() + size);
  worker->run(reinterpret_cast<const std::byte*>(in_place ? output.data() : input.data()),
              reinterpret_cast<std::byte*>(output.data()), 0, worker->items());
  EXPECT_EQ(std::memcmp(before.data(), input.data(), size * sizeof(T)), 0) << text;
  EXPECT_EQ(std::memcmp(before.data() + size - guard, output.data() + size - guard, guard * sizeof(T)), 0) << text;
  return {output.data(), output.data() + size};
}

// With planes where the results will be, and with room for all; both have room for the first pass's twiddles.
template <class T>
void expect_same_over_results(const std::string& text) {
  EXPECT_EQ(results<T>(text, cache_of<T>(14, text)), results<T>(text, cache_of<T>(11, text))) << text;
}

// In as many passes as may be, an odd and an even number of them, with and without the map of reals.
TEST(RowWorker, PassesOverTheResultsGiveTheSameBits) {
  for (const char* line : {"32768", "24576", "2*32768", "28672", "30000"}) {
    for (const char* placement : {"", ":inplace", ":inverse"}) {
      const std::string doubles = std::string("c2c:f64:") + line + placement;
      expect_same_over_results<double>(doubles);
    }
  }
  for (const char* text : {"c2c:f32:65536", "c2c:f32:65536:inplace", "r2c:f32:131072", "r2c:f32:131072:inplace"}) {
    expect_same_over_results<float>(text);
  }
  for (const char* text :
       {"r2c:f64:65536", "r2c:f64:65536:inplace", "r2c:f64:49152", "c2r:f64:65536", "c2r:f64:65536:inplace"}) {
    expect_same_over_results<double>(text);
  }
}

// Where a line fills a third of the cache the first pass's twiddles are in two parts, if vectors are long.
template <class T>
void expect_as_exact_in_parts(const std::string& text, bool parted) {
  const std::vector<T> in_parts = results<T>(text, cache_of<T>(6, text));
  const std::vector<T> whole = results<T>(text, cache_of<T>(14, text));
  EXPECT_EQ(in_parts != whole, parted) << text;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    difference += std::pow(in_parts[i] - whole[i], 2);
    norm += std::pow(whole[i], 2);
  }
  EXPECT_LE(std::sqrt(difference / norm), 2 * std::numeric_limits<T>::epsilon()) << text;
}

TEST(RowWorker, TwiddlesInTwoPartsGiveResultsAsExact) {
  const bool long_vectors = backend::host::vector_lanes<double>(backend::host::simd_targets()) * sizeof(double) == 64;
  for (const char* text : {"c2c:f64:65536", "c2c:f64:65536:inverse", "c2c:f64:50000:inplace", "c2c:f64:60000",
                           "c2c:f64:3*52500", "r2c:f64:131072", "r2c:f64:120000:inplace"}) {
    expect_as_exact_in_parts<double>(text, long_vectors);
  }
  expect_as_exact_in_parts<float>("c2c:f32:131072", long_vectors);
  expect_as_exact_in_parts<float>("r2c:f32:240000", long_vectors);
  expect_as_exact_in_parts<double>("c2r:f64:131072", false);
}

template <class T>
bool has_blocks(const std::string& text, bool parted = false) {
  const plan::Stage stage = backend::host::in_scalars(only_stage(text));
  const std::int64_t targets = backend::host::simd_targets();
  const backend::host::LinePasses<T> passes(stage, backend::host::LineShape::interleaved_row, 1, targets, parted);
  return backend::host::ColumnBlocks<T>::make(passes, stage.direction, 1, targets).has_value();
}

// One line and several, both ways, of blocks of one vector of columns and of two, with a scale, and in place, where
// there are none.
TEST(RowWorker, PassesByBlocksGiveTheSameBits) {
  const bool long_vectors = backend::host::vector_lanes<double>(backend::host::simd_targets()) * sizeof(double) == 64;
  for (const char* line : {"1200", "1280", "1920", "2048", "3072", "4096", "3*2048"}) {
    for (const char* way : {"", ":inverse", ":norm=ortho", ":inplace"}) {
      const std::string doubles = std::string("c2c:f64:") + line + way;
      EXPECT_EQ(has_blocks<double>(doubles), long_vectors) << doubles;
      EXPECT_EQ(results<double>(doubles, small), results<double>(doubles, large)) << doubles;
      const std::string floats = std::string("c2c:f32:") + line + way;
      EXPECT_EQ(results<float>(floats, small), results<float>(floats, large)) << floats;
    }
  }
  EXPECT_EQ(has_blocks<float>("c2c:f32:2048"), long_vectors);
  EXPECT_EQ(has_blocks<double>("c2c:f64:8192"), long_vectors);
  EXPECT_FALSE(has_blocks<double>("c2c:f64:16384"));
  EXPECT_FALSE(has_blocks<double>("c2c:f64:8192", true));
}

}  // namespace
}  // namespace twiddle::test
