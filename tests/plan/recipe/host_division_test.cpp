// Into which columns and rows the host divides long lines.
#include "plan/recipe/host_division.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "plan/device/limits.hpp"
#include "plan/recipe/host_radices.hpp"

namespace twiddle::plan {
namespace {

using Parts = std::pair<std::size_t, std::size_t>;

// Caches of 48 KiB and 1 MiB, which hold 65536 floats.
DeviceLimits one_core() {
  DeviceLimits limits = named_limits("host");
  limits.level1_cache = std::size_t{48} << 10;
  limits.level2_cache = std::size_t{1} << 20;
  limits.sub_group_size = 16;
  limits.compute_units = 1;
  return limits;
}

// A cache of 2 MiB holds 2^17 points, which one thread would then transform.
TEST(HostDivision, DividesFewLongLinesAmongThreads) {
  DeviceLimits limits = one_core();
  limits.level2_cache = std::size_t{2} << 20;
  limits.compute_units = 16;
  EXPECT_TRUE(host_split(131072, LineUse::rows, 1, limits).has_value());
  EXPECT_EQ(host_split(131072, LineUse::rows, 16, limits), std::nullopt);
  EXPECT_EQ(host_split(65536, LineUse::rows, 1, limits), std::nullopt);
  limits.compute_units = 1;
  EXPECT_EQ(host_split(131072, LineUse::rows, 1, limits), std::nullopt);
}

// Where vectors are computed in halves lines that fill four second-level caches are whole, but no columns.
TEST(HostDivision, KeepsLongerLinesWholeWithHalvedVectors) {
  DeviceLimits limits = one_core();
  limits.halved_vectors = true;
  for (const LineUse use : {LineUse::rows, LineUse::mapped_rows}) {
    for (const std::uint64_t lines : {1, 16}) {
      EXPECT_EQ(host_split(262144, use, lines, limits), std::nullopt);
      EXPECT_TRUE(host_split(262145, use, lines, limits).has_value());
      EXPECT_EQ(host_split(131072, use, lines, limits_for(limits, Precision::float64)), std::nullopt);
      EXPECT_TRUE(host_split(131073, use, lines, limits_for(limits, Precision::float64)).has_value());
    }
  }
  EXPECT_EQ(host_split(65536, LineUse::columns, 16, limits), std::nullopt);
  EXPECT_TRUE(host_split(131072, LineUse::columns, 16, limits).has_value());
  limits.compute_units = 2;
  EXPECT_TRUE(host_split(262144, LineUse::rows, 1, limits).has_value());
}

TEST(HostDivision, PartsGiveTheLengthAndAreHeld) {
  const DeviceLimits limits = one_core();
  for (const LineUse use : {LineUse::rows, LineUse::mapped_rows, LineUse::columns}) {
    for (const std::size_t length : {69984, 98415, 100000, 131072, 177147, 262144, 390625, 1000000, 1048576, 4194304}) {
      for (const std::uint64_t lines : {1, 100}) {
        const auto parts = host_split(length, use, lines, limits);
        ASSERT_TRUE(parts.has_value()) << length;
        EXPECT_EQ(parts->first * parts->second, length);
        EXPECT_TRUE(host_holds(std::max(parts->first, parts->second), limits)) << length;
      }
    }
  }
}

// Fewer passes count for more than equal parts: 10.10.10 x 10.10 against 4.10.10 x 5.5.10.
TEST(HostDivision, SavesPasses) {
  const DeviceLimits limits = limits_for(one_core(), Precision::float64);
  EXPECT_EQ(host_split(100000, LineUse::rows, 1, limits), (Parts{100, 1000}));
  EXPECT_EQ(host_split(100000, LineUse::rows, 40, limits), (Parts{100, 1000}));
  EXPECT_EQ(host_split(100000, LineUse::mapped_rows, 1, limits), (Parts{100, 1000}));
  EXPECT_EQ(host_split(100000, LineUse::columns, 40, limits), (Parts{250, 400}));
}

// Lines of reals beyond the caches, one after the other: few columns where passes are saved and both pairs of a row's
// planes leave half of a core's cache; nearly equal parts elsewhere.
TEST(HostDivision, SlicedReals) {
  const DeviceLimits limits = limits_for(one_core(), Precision::float64);
  EXPECT_EQ(host_split(50000, LineUse::mapped_rows, 41, limits), (Parts{100, 500}));
  EXPECT_EQ(host_split(75000, LineUse::mapped_rows, 28, limits), (Parts{100, 750}));  // though rows end in a cache line
  EXPECT_EQ(host_split(100000, LineUse::mapped_rows, 40, limits), (Parts{100, 1000}));
  EXPECT_EQ(host_split(100000, LineUse::mapped_rows, 4, limits), (Parts{250, 400}));    // all at once
  EXPECT_EQ(host_split(65536, LineUse::mapped_rows, 32, limits), (Parts{256, 256}));    // rows of 1024 fill half
  EXPECT_EQ(host_split(125000, LineUse::mapped_rows, 16, limits), (Parts{250, 500}));   // nothing saved
  EXPECT_EQ(host_split(150000, LineUse::mapped_rows, 100, limits), (Parts{300, 500}));  // more than two caches
}

// A single line beyond what is priced: nearly equal parts, of which those with the fewest passes.
TEST(HostDivision, LongLinesOfReals) {
  const DeviceLimits limits = limits_for(one_core(), Precision::float64);
  EXPECT_EQ(host_split(500000, LineUse::mapped_rows, 1, limits),
            (Parts{500, 1000}));  // not 625 x 800, in one pass more
  EXPECT_EQ(host_split(600000, LineUse::mapped_rows, 1, limits), (Parts{600, 1000}));
  EXPECT_EQ(host_split(524288, LineUse::mapped_rows, 1, limits), (Parts{512, 1024}));
}

// Of those from memory the rows come last, where columns in twos and whole cache lines allow it.
TEST(HostDivision, LinesOfRealsFromMemory) {
  const DeviceLimits floats = one_core();
  const DeviceLimits doubles = limits_for(floats, Precision::float64);
  EXPECT_TRUE(host_maps_rows_last(500, 600, Precision::float64));
  EXPECT_FALSE(host_maps_rows_last(625, 600, Precision::float64));
  EXPECT_FALSE(host_maps_rows_last(400, 750, Precision::float64));
  EXPECT_FALSE(host_maps_rows_last(500, 1500, Precision::float32));
  EXPECT_EQ(host_split(400000, LineUse::mapped_rows, 5, doubles), (Parts{400, 1000}));  // not 625 x 640
  EXPECT_EQ(host_split(600000, LineUse::mapped_rows, 4, doubles), (Parts{600, 1000}));  // not 750 x 800
  EXPECT_EQ(host_split(750000, LineUse::mapped_rows, 2, floats), (Parts{750, 1000}));   // not 500 x 1500
  EXPECT_EQ(host_split(500000, LineUse::mapped_rows, 2, floats), (Parts{625, 800}));    // in the caches
  EXPECT_EQ(host_split(500000, LineUse::mapped_rows, 3, floats), (Parts{500, 1000}));
  EXPECT_EQ(host_split(531441, LineUse::mapped_rows, 4, floats), (Parts{729, 729}));  // no even columns
}

// Columns whose planes leave the first-level cache cost more, and parts whose planes leave the second-level one.
TEST(HostDivision, KnowsTheCaches) {
  const DeviceLimits limits = limits_for(one_core(), Precision::float64);
  EXPECT_EQ(host_split(69984, LineUse::rows, 1, limits), (Parts{108, 648}));
  EXPECT_EQ(host_split(100000, LineUse::rows, 1, limits), (Parts{100, 1000}));
  DeviceLimits large_first = limits;
  large_first.level1_cache = std::size_t{1} << 26;
  EXPECT_EQ(host_split(69984, LineUse::rows, 1, large_first), (Parts{486, 144}));
  DeviceLimits small_second = limits;
  small_second.level2_cache = std::size_t{128} << 10;
  EXPECT_EQ(host_split(100000, LineUse::rows, 1, small_second), (Parts{200, 500}));
}

bool faster(std::size_t length, LineUse use, std::uint64_t lines, const DeviceLimits& limits) {
  return host_faster_split(length, use, lines, limits).has_value();
}

// Lines that one stage holds: only beside a second-level cache of 2 MiB, which they fill more than half.
TEST(HostDivision, DividesLinesThatLeaveTooLittleOfALargeCache) {
  DeviceLimits large = one_core();
  large.level2_cache = std::size_t{2} << 20;
  large.sub_group_size = 8;
  const DeviceLimits doubles = limits_for(large, Precision::float64);
  const DeviceLimits floats = limits_for(large, Precision::float32);
  EXPECT_TRUE(faster(40000, LineUse::rows, 1, doubles));
  EXPECT_FALSE(faster(32768, LineUse::rows, 1, doubles));
  EXPECT_TRUE(faster(100000, LineUse::rows, 4, floats));
  EXPECT_FALSE(faster(80000, LineUse::rows, 1, floats));
  EXPECT_FALSE(faster(65536, LineUse::rows, 64, doubles));  // beyond a few cores' caches
  // Reals: alone, in slices, or where planes fill the cache.
  EXPECT_TRUE(faster(50000, LineUse::mapped_rows, 1, doubles));
  EXPECT_TRUE(faster(50000, LineUse::mapped_rows, 41, doubles));
  EXPECT_FALSE(faster(50000, LineUse::mapped_rows, 8, doubles));
  EXPECT_TRUE(faster(65536, LineUse::mapped_rows, 8, doubles));
  EXPECT_FALSE(faster(40000, LineUse::mapped_rows, 1, doubles));
  EXPECT_FALSE(faster(100000, LineUse::mapped_rows, 1, floats));
  EXPECT_TRUE(faster(131072, LineUse::mapped_rows, 4, floats));
  // Not columns, nor lines of a smaller cache.
  EXPECT_FALSE(faster(65536, LineUse::columns, 1, doubles));
  const DeviceLimits small = limits_for(one_core(), Precision::float64);
  for (const std::size_t length : {20000, 25000, 32768}) {
    EXPECT_FALSE(faster(length, LineUse::rows, 1, small));
    EXPECT_FALSE(faster(length, LineUse::mapped_rows, 1, small));
  }
}

// By AVX-512 one stage is faster as long as it is held, but for doubles that fill the cache.
TEST(HostDivision, KeepsLinesThatAVX512Holds) {
  DeviceLimits large = one_core();
  large.level2_cache = std::size_t{2} << 20;
  const DeviceLimits doubles = limits_for(large, Precision::float64);
  const DeviceLimits floats = limits_for(large, Precision::float32);
  for (const LineUse use : {LineUse::rows, LineUse::mapped_rows}) {
    for (const std::size_t length : {40000, 50000, 60000}) EXPECT_FALSE(faster(length, use, 1, doubles)) << length;
    EXPECT_FALSE(faster(131072, use, 1, floats));
    EXPECT_TRUE(faster(65536, use, 1, doubles));
  }
  EXPECT_FALSE(faster(65536, LineUse::rows, 64, doubles));
  EXPECT_TRUE(faster(65536, LineUse::mapped_rows, 32, doubles));
  EXPECT_FALSE(faster(65536, LineUse::columns, 1, doubles));
}

// By AVX-512 beside 2 MiB, where a large power of two divides the length of few lines; of reals, and elsewhere, they
// are long.
TEST(HostDivision, RowsAreShortBesideALargeCache) {
  DeviceLimits floats = one_core();
  floats.level2_cache = std::size_t{2} << 20;
  const DeviceLimits limits = limits_for(floats, Precision::float64);
  EXPECT_EQ(host_split(131072, LineUse::rows, 1, limits), (Parts{512, 256}));
  EXPECT_EQ(host_split(262144, LineUse::rows, 1, floats), (Parts{1024, 256}));
  // Twice the cache.
  EXPECT_EQ(host_split(262144, LineUse::rows, 1, limits), (Parts{256, 1024}));
  EXPECT_EQ(host_split(131072, LineUse::rows, 32, limits), (Parts{256, 512}));
  EXPECT_EQ(host_split(131072, LineUse::mapped_rows, 1, limits), (Parts{256, 512}));
  EXPECT_EQ(host_split(100000, LineUse::rows, 1, limits), (Parts{100, 1000}));
  floats.sub_group_size = 8;
  EXPECT_EQ(host_split(131072, LineUse::rows, 1, limits_for(floats, Precision::float64)), (Parts{128, 1024}));
}

TEST(HostDivision, LeavesPrimesWhole) { EXPECT_EQ(host_split(1000003, LineUse::rows, 1, one_core()), std::nullopt); }

}  // namespace
}  // namespace twiddle::plan
