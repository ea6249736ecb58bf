// How many columns are transformed side by side, by the caches that they have to fit into.
#include "backend/host/bundle_width.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_loops.hpp"

namespace twiddle::test {
namespace {

using backend::host::bundle_lanes;
using backend::host::StageLoops;
using backend::host::WorkerOptions;

// Caches of 32 KiB and 512 KiB, and the shortest vectors of this build: the least width is a cache line.
WorkerOptions small_caches() {
  const auto targets = static_cast<std::uint64_t>(backend::host::simd_targets());
  WorkerOptions options{.targets = static_cast<std::int64_t>(std::bit_floor(targets))};
  options.first_cache = std::size_t{32} << 10;
  options.core_cache = std::size_t{512} << 10;
  return options;
}

// Neighbouring columns of complex doubles, as workers are given them; to columns, or to rows so many elements apart.
plan::Stage columns(std::size_t length, std::int64_t width, std::int64_t output_step) {
  plan::Stage stage;
  stage.length = length;
  stage.input_storage.precision = stage.output_storage.precision = Precision::float64;
  stage.precision = Precision::float64;
  stage.input_stride = stage.output_stride = width;
  stage.loops = {{static_cast<std::uint64_t>(width), 1, output_step}};
  return backend::host::in_scalars(stage);
}

TEST(BundleWidth, PiecesOfColumnsThatBecomeRowsAreTwoLinesWherePassesStayInTheFirstCache) {
  const WorkerOptions options = small_caches();
  EXPECT_EQ(bundle_lanes<double>(columns(128, 300, 128), 0, options), 8u);  // 2 arrays x 128 x 8 x 16 bytes
  EXPECT_EQ(bundle_lanes<double>(columns(129, 300, 129), 0, options), 4u);
  EXPECT_EQ(bundle_lanes<double>(columns(128, 20, 128), 0, options), 4u);  // few bundles
}

TEST(BundleWidth, ColumnsThatStayColumnsFillTheFirstCache) {
  const WorkerOptions options = small_caches();
  EXPECT_EQ(bundle_lanes<double>(columns(100, 300, 1), 0, options), 8u);
  EXPECT_EQ(bundle_lanes<double>(columns(20, 300, 1), 0, options), 32u);
  EXPECT_EQ(bundle_lanes<double>(columns(1000, 300, 1), 0, options), 4u);
  EXPECT_EQ(bundle_lanes<double>(columns(1000, 300, 1), StageLoops::no_loop, options), 4u);
}

// Of little data twice the first-level cache, else all of the core's.
TEST(BundleWidth, ColumnsThatFallOntoTheSameSetsFillMore) {
  WorkerOptions options = small_caches();
  EXPECT_EQ(bundle_lanes<double>(columns(256, 256, 1), 0, options), 8u);
  EXPECT_EQ(bundle_lanes<double>(columns(512, 512, 1), 0, options), 4u);
  EXPECT_EQ(bundle_lanes<double>(columns(512, 1024, 1), 0, options), 32u);
  plan::Stage mapped = columns(512, 512, 1);
  mapped.load_map.emplace();
  EXPECT_EQ(bundle_lanes<double>(mapped, 0, options), 32u);
  options.core_cache = std::size_t{1} << 20;
  EXPECT_EQ(bundle_lanes<double>(columns(512, 512, 1), 0, options), 32u);
}

// But for maps, and what comes from memory.
TEST(BundleWidth, BesideALargeCoreCacheColumnsOnTheSameSetsFillTwiceTheFirstCache) {
  WorkerOptions options = small_caches();
  options.core_cache = std::size_t{2} << 20;
  EXPECT_EQ(bundle_lanes<double>(columns(256, 1024, 1), 0, options), 8u);
  plan::Stage mapped = columns(256, 1024, 1);
  mapped.store_map.emplace();
  EXPECT_EQ(bundle_lanes<double>(mapped, 0, options), 32u);
  options.from_memory = true;
  EXPECT_EQ(bundle_lanes<double>(columns(256, 1024, 1), 0, options), 32u);
}

}  // namespace
}  // namespace twiddle::test
