// Single lines that leave the core's cache: passes whose planes are where the results will be give the same bits.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "backend/host/aligned_array.hpp"
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

// Results of the only stage of a problem beside a core's cache of so many bytes, and what stands behind them.
template <class T>
std::vector<T> results(const std::string& text, std::size_t core_cache) {
  DeviceLimits limits = plan::named_limits("host");
  limits.level2_cache = std::uint64_t{8} << 20;
  const plan::Program program = program_of(text, limits);
  EXPECT_EQ(program.stages.size(), 1U) << text;
  const plan::Stage& stage = program.stages.front();
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

// In as many passes as may be, an odd and an even number of them, with and without the map of reals.
TEST(RowWorker, PassesOverTheResultsGiveTheSameBits) {
  constexpr std::size_t small = std::size_t{1} << 20;
  constexpr std::size_t large = std::size_t{2} << 20;
  for (const char* line : {"32768", "24576", "2*32768", "28672", "30000"}) {
    for (const char* placement : {"", ":inplace", ":inverse"}) {
      const std::string doubles = std::string("c2c:f64:") + line + placement;
      EXPECT_EQ(results<double>(doubles, small), results<double>(doubles, large)) << doubles;
    }
  }
  for (const char* text : {"c2c:f32:65536", "c2c:f32:65536:inplace", "r2c:f32:131072", "r2c:f32:131072:inplace"}) {
    EXPECT_EQ(results<float>(text, small), results<float>(text, large)) << text;
  }
  for (const char* text :
       {"r2c:f64:65536", "r2c:f64:65536:inplace", "r2c:f64:49152", "c2r:f64:65536", "c2r:f64:65536:inplace"}) {
    EXPECT_EQ(results<double>(text, small), results<double>(text, large)) << text;
  }
}

}  // namespace
}  // namespace twiddle::test
