// Radices of the host engine: that they are what they are said to be.
#include "plan/recipe/host_radices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "plan/device/limits.hpp"
#include "plan/recipe/choose_convolution.hpp"
#include "plan/recipe/convolution.hpp"
#include "plan/recipe/host_pass_costs.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {
namespace {

std::size_t product(const std::vector<unsigned>& radices) {
  return std::accumulate(radices.begin(), radices.end(), std::size_t{1}, std::multiplies<>());
}

bool is_real_radix(unsigned radix) {
  return std::find(host_real_radix_table.begin(), host_real_radix_table.end(), radix) != host_real_radix_table.end();
}

TEST(HostRadices, OfRealLinesBeginWithAButterflyOrADirectPrime) {
  for (std::size_t length = 3; length <= 2000; ++length) {
    for (const HostLine line : {HostLine::contiguous, HostLine::strided}) {
      const auto radices = host_real_radices(length, 16, line, false);
      const auto direct = host_real_radices(length, 16, line, true);
      if (!radices.empty()) {
        EXPECT_EQ(product(radices), length);
        EXPECT_TRUE(is_real_radix(radices.front())) << length;
        EXPECT_FALSE(direct.empty()) << length;
      }
      if (!direct.empty()) {
        EXPECT_EQ(product(direct), length);
        EXPECT_TRUE(is_real_radix(direct.front()) || direct.front() > 16) << length;
      }
    }
  }
}

TEST(HostRadices, ServeEveryOddLengthThatHasRadices) {
  DeviceLimits limits;
  limits.sub_group_size = 8;
  for (std::size_t length = 3; length <= 2001; length += 2) {
    EXPECT_EQ(host_radices(length, limits).empty(), host_real_radices(length, 8, HostLine::strided, true).empty())
        << length;
  }
  EXPECT_TRUE(host_real_radices(1, 8, HostLine::strided, true).empty());
  EXPECT_TRUE(host_real_radices(131, 8, HostLine::strided, true).empty());
  EXPECT_TRUE(host_real_radices(17 * 19, 8, HostLine::contiguous, false).empty());
}

// Vectors of 64 bytes beside 2 MiB of second-level cache.
DeviceLimits large_core() {
  DeviceLimits limits = named_limits("host");
  limits.sub_group_size = 16;
  limits.level2_cache = std::uint64_t{2} << 20;
  return limits;
}

// Three passes, the first of which leaves whole vectors, in blocks that the first-level cache holds; by AVX-512 beside
// a large second-level cache alone, and of radices that the strategy allows.
TEST(HostRadices, OfBlocks) {
  const DeviceLimits limits = large_core();
  const DeviceLimits doubles = limits_for(limits, Precision::float64);
  EXPECT_EQ(host_blocked_radices(2048, doubles), (std::vector{16U, 8U, 16U}));
  EXPECT_EQ(host_blocked_radices(4096, doubles), (std::vector{16U, 16U, 16U}));
  EXPECT_EQ(host_blocked_radices(2048, limits), (std::vector{16U, 8U, 16U}));
  std::size_t found = 0;
  for (std::size_t length = 1; length <= 8192; ++length) {
    for (const DeviceLimits& of : {limits, doubles}) {
      const std::vector<unsigned> radices = host_blocked_radices(length, of);
      if (radices.empty()) continue;
      ++found;
      EXPECT_EQ(radices.size(), 3U) << length;
      EXPECT_EQ(product(radices), length);
      EXPECT_EQ(radices.front() % of.sub_group_size, 0U) << length;
      EXPECT_LE(2 * length / radices.front() * long_vector_bytes, most_block_bytes) << length;
    }
  }
  EXPECT_GT(found, 100U);
  EXPECT_TRUE(host_blocked_radices(30000, doubles).empty());
  EXPECT_TRUE(host_blocked_radices(16384, doubles).empty());
  DeviceLimits narrow = limits;
  narrow.sub_group_size = 8;
  EXPECT_TRUE(host_blocked_radices(2048, limits_for(narrow, Precision::float64)).empty());
  DeviceLimits small = limits;
  small.level2_cache = std::uint64_t{1} << 20;
  EXPECT_TRUE(host_blocked_radices(2048, limits_for(small, Precision::float64)).empty());
  DeviceLimits without = doubles;
  without.strategy.radices = Strategy::Radices::four_and_two;
  EXPECT_TRUE(host_blocked_radices(2048, without).empty());
}

bool holds_large_ones(const std::vector<unsigned>& radices) {
  return std::ranges::any_of(radices, [](unsigned radix) { return host_radix(radix).large(); });
}

// Of lines that nearly fill the first-level cache, and of neighbouring ones, where vectors are long beside a large
// second-level cache; there are kernels wherever vectors are long.
TEST(HostRadices, AreLargeWhereVectorsAreLong) {
  using Radices = std::vector<unsigned>;
  const DeviceLimits floats = large_core();
  const DeviceLimits doubles = limits_for(floats, Precision::float64);
  EXPECT_EQ(host_radices(5000, doubles), (Radices{8, 25, 25}));
  EXPECT_EQ(host_radices(10000, floats), (Radices{16, 25, 25}));
  EXPECT_EQ(host_mapped_radices(10000, doubles), (Radices{16, 25, 25}));
  EXPECT_EQ(host_radices(1000, doubles), (Radices{8, 25, 5}));
  EXPECT_EQ(host_radices(900, doubles), (Radices{15, 15, 4}));
  EXPECT_EQ(host_mapped_radices(1000, doubles), (Radices{8, 5, 5, 5}));
  EXPECT_EQ(host_radices(512, doubles, HostLine::strided), (Radices{16, 32}));
  // No large radix before runs that are shorter than a vector.
  EXPECT_EQ(host_radices(5000, floats), (Radices{25, 20, 10}));
  EXPECT_EQ(host_radices(3000, floats), (Radices{15, 20, 10}));
  DeviceLimits narrow = floats;
  narrow.sub_group_size = 8;
  DeviceLimits small = floats;
  small.level2_cache = std::uint64_t{1} << 20;
  DeviceLimits without = floats;
  without.strategy.radices = Strategy::Radices::four_and_two;
  for (std::size_t length = 2; length <= 10000; ++length) {
    for (const DeviceLimits& limits : {narrow, small, without}) {
      for (const HostLine line : {HostLine::contiguous, HostLine::strided}) {
        EXPECT_FALSE(holds_large_ones(host_radices(length, limits, line))) << length;
      }
      EXPECT_FALSE(holds_large_ones(host_mapped_radices(length, limits))) << length;
    }
  }
  for (const unsigned radix : {20U, 24U, 25U, 32U}) {
    EXPECT_TRUE(host_has_pass(radix, doubles));
    EXPECT_TRUE(host_has_pass(radix, small));
    EXPECT_FALSE(host_has_pass(radix, narrow));
  }
  EXPECT_TRUE(host_has_pass(16, narrow));
  EXPECT_TRUE(host_has_pass(31, narrow));
  EXPECT_FALSE(host_has_pass(30, doubles));
}

// What is remembered of a length is not taken for another's that is kept at the same place, nor for other vectors'.
TEST(HostRadices, AreRemembered) {
  DeviceLimits limits;
  limits.sub_group_size = 8;
  DeviceLimits wider = limits;
  wider.sub_group_size = 16;
  const auto all = [&] {
    std::vector<std::vector<unsigned>> radices;
    for (const std::size_t length : {512, 512 + 4096, 1024, 5 * 1024, 2048, 3 * 2048, 6048, 6048 + 4096}) {
      for (const HostLine line : {HostLine::contiguous, HostLine::strided}) {
        radices.push_back(host_radices(length, limits, line));
        EXPECT_EQ(radices.back().empty() ? length : product(radices.back()), length);
        radices.push_back(host_radices(length, wider, line));
      }
    }
    return radices;
  };
  EXPECT_EQ(all(), all());
}

DeviceLimits with_first_cache(std::size_t bytes, Precision precision) {
  DeviceLimits limits = named_limits("host");
  limits.level1_cache = bytes;
  limits.sub_group_size = 16;
  return limits_for(limits, precision);
}

// Whose many results would be stored and read again on the way to memory.
TEST(HostRadices, WhereVectorsAreHalvedEndWithASmallOne) {
  using Radices = std::vector<unsigned>;
  DeviceLimits whole = with_first_cache(std::size_t{32} << 10, Precision::float64);
  DeviceLimits halved = whole;
  halved.halved_vectors = true;
  EXPECT_EQ(host_radices(1200, whole), (Radices{8, 10, 15}));
  EXPECT_EQ(host_radices(1200, halved), (Radices{8, 15, 10}));
  EXPECT_LE(host_radices(32768, halved).back(), 8U);
  // 16 rows of results on the same sets of the first-level cache, but for a map behind them.
  EXPECT_EQ(host_radices(4096, halved), (Radices{8, 8, 8, 8}));
  EXPECT_EQ(host_mapped_radices(4096, halved), (Radices{16, 16, 16}));
  // And 16 rows of doubles that are read from memory, so that what is fetched ahead is there when it is read.
  const auto from_memory = [&](std::size_t length) { return host_radices(length, halved, HostLine::contiguous, true); };
  EXPECT_EQ(host_radices(32768, halved), (Radices{16, 16, 16, 8}));
  EXPECT_EQ(from_memory(32768), (Radices{8, 8, 8, 8, 8}));
  EXPECT_EQ(from_memory(4096), host_radices(4096, halved));  // the first-level cache holds half of it
  EXPECT_EQ(host_mapped_radices(65536, halved), (Radices{16, 16, 16, 16}));
  EXPECT_EQ(host_mapped_radices(65536, halved, true), (Radices{8, 16, 8, 8, 8}));
  EXPECT_EQ(host_mapped_radices(65536, whole, true), host_mapped_radices(65536, whole));
  // Neighbouring lines are as they were, and so is what has a lane alone.
  EXPECT_EQ(host_radices(4096, halved, HostLine::strided), host_radices(4096, whole, HostLine::strided));
  whole.sub_group_size = halved.sub_group_size = 1;
  EXPECT_EQ(host_radices(4096, halved), host_radices(4096, whole));
}

// And with a smaller one yet where it carries out the map, of lines between 16 KiB and a core's cache.
TEST(HostRadices, WhereVectorsAreHalvedTheMapIsInASmallLastPass) {
  using Radices = std::vector<unsigned>;
  DeviceLimits limits = with_first_cache(std::size_t{32} << 10, Precision::float32);
  limits.halved_vectors = true;
  limits.level2_cache = std::uint64_t{1} << 20;
  const auto passes = [&](std::size_t reals) {
    const Recipe recipe = make_recipe({.lengths = {reals}, .kind = Kind::r2c, .precision = Precision::float64}, limits);
    return std::get<Stockham>(recipe.axes.at(0).line.algorithm);
  };
  for (const std::size_t reals : {4000, 8192, 12288, 16384, 32768, 65536, 131072}) {
    ASSERT_FALSE(passes(reals).to_spectrum.empty()) << reals;
    EXPECT_EQ(2 * product(passes(reals).to_spectrum), reals);
    EXPECT_LE(passes(reals).to_spectrum.back(), 5U) << reals;
  }
  // Before it no more rows of planes than a set has ways are a multiple of 4096 bytes apart.
  EXPECT_EQ(passes(65536).to_spectrum, (Radices{8, 8, 16, 8, 4}));
  EXPECT_EQ(passes(65536).radices, (Radices{16, 16, 16, 8}));
  // The map of others is a step of its own.
  EXPECT_TRUE(passes(2048).to_spectrum.empty());
  EXPECT_TRUE(passes(262144).to_spectrum.empty());
  limits.halved_vectors = false;
  EXPECT_TRUE(passes(65536).to_spectrum.empty());
}

// Vectors of 32 bytes are AVX2's, with 16 registers: there a pass costs about as much whatever its radix.
TEST(HostRadices, OfNeighbouringLinesAreAlikeWhereRegistersAreFew) {
  using Radices = std::vector<unsigned>;
  DeviceLimits wide = with_first_cache(std::size_t{32} << 10, Precision::float64);
  DeviceLimits few = wide;
  wide.sub_group_size = 8;
  few.sub_group_size = 4;
  EXPECT_EQ(host_radices(300, wide, HostLine::strided), (Radices{2, 15, 10}));
  EXPECT_EQ(host_radices(300, few, HostLine::strided), (Radices{5, 6, 10}));
  EXPECT_EQ(host_radices(48, wide, HostLine::strided), (Radices{4, 12}));
  EXPECT_EQ(host_radices(48, few, HostLine::strided), (Radices{6, 8}));
  EXPECT_EQ(host_radices(160, wide, HostLine::strided), (Radices{4, 4, 10}));
  EXPECT_EQ(host_radices(160, few, HostLine::strided), (Radices{10, 16}));
}

// There more rows than a set of the first-level cache has ways are not a multiple of 4096 bytes apart, also where lines
// come from memory.
TEST(HostRadices, OfContiguousLinesKeepToTheSetsWhereRegistersAreFew) {
  using Radices = std::vector<unsigned>;
  const auto few_registers = [](std::size_t first_cache, Precision precision) {
    DeviceLimits limits = with_first_cache(first_cache, precision);
    limits.sub_group_size = precision == Precision::float64 ? 4 : 8;
    return limits;
  };
  const DeviceLimits doubles = few_registers(std::size_t{32} << 10, Precision::float64);
  const DeviceLimits floats = few_registers(std::size_t{32} << 10, Precision::float32);
  for (const DeviceLimits& limits : {doubles, floats}) {
    for (const std::size_t length : {16384, 32768}) {
      for (const auto& radices : {host_radices(length, limits), host_mapped_radices(length, limits),
                                  host_radices(length, limits, HostLine::contiguous, true)}) {
        EXPECT_EQ(product(radices), length);
        EXPECT_LE(*std::max_element(radices.begin(), radices.end()), 8U) << length;
      }
    }
  }
  EXPECT_EQ(host_radices(4096, floats), (Radices{16, 16, 16}));
  EXPECT_EQ(host_radices(16384, few_registers(std::size_t{64} << 10, Precision::float64)), (Radices{16, 8, 16, 8}));
  // The largest comes first, but where lines come from memory.
  EXPECT_EQ(host_radices(2048, floats), (Radices{16, 8, 16}));
  EXPECT_EQ(host_radices(2048, floats, HostLine::contiguous, true), (Radices{8, 16, 16}));
  // By vectors of 64 bytes large radices pay nevertheless.
  EXPECT_EQ(host_radices(32768, with_first_cache(std::size_t{32} << 10, Precision::float32)), (Radices{16, 16, 16, 8}));
}

// What need not be searched is not the cheapest.
TEST(HostRadices, CostNoLessThanTheirBound) {
  std::vector<DeviceLimits> cores = {large_core(), limits_for(large_core(), Precision::float64)};
  for (const unsigned lanes : {1U, 4U, 8U, 16U}) cores.emplace_back().sub_group_size = lanes;
  for (const DeviceLimits& limits : cores) {
    for (std::size_t length = 2; length <= 20000; ++length) {
      for (const HostLine line : {HostLine::contiguous, HostLine::strided}) {
        const auto radices = host_radices(length, limits, line);
        if (radices.empty()) continue;
        EXPECT_LE(host_cost_bound(length, line, limits), host_cost(radices, limits, line)) << length;
        EXPECT_LE(host_cost_bound(length, HostLine::strided, limits), host_cost(radices, limits, HostLine::strided))
            << length;
      }
    }
  }
}

TEST(HostRadices, OfConvolutionsCostNoLessThanTheirBound) {
  for (const DeviceLimits& limits : {named_limits("host"), large_core()}) {
    for (std::size_t length = 3; length <= 4000; ++length) {
      const std::size_t least = bluestein_points(length, length);
      const auto choice = choose_convolution(length, least, {}, 1, limits);
      ASSERT_TRUE(choice) << length;
      EXPECT_LT(convolution_cost_bound(length, least, limits), choice->cost) << length;
    }
  }
}

// More rows of results on the same sets of the first-level cache than these hold, of 12 and of 16 ways.
TEST(HostRadices, EndWithAsManyRowsAsTheFirstLevelCacheHolds) {
  using Radices = std::vector<unsigned>;
  const DeviceLimits doubles = with_first_cache(std::size_t{48} << 10, Precision::float64);
  const DeviceLimits many_ways = with_first_cache(std::size_t{64} << 10, Precision::float64);
  EXPECT_EQ(host_radices(16384, doubles), (Radices{8, 16, 16, 8}));
  EXPECT_EQ(host_radices(16384, many_ways), (Radices{8, 8, 16, 16}));
  EXPECT_EQ(host_radices(20480, doubles), (Radices{8, 16, 16, 10}));
  EXPECT_EQ(host_radices(4096, doubles), (Radices{8, 8, 8, 8}));
  EXPECT_EQ(host_radices(4096, many_ways), (Radices{16, 16, 16}));
  // 2048 bytes apart.
  EXPECT_EQ(host_radices(2048, doubles), host_radices(2048, many_ways));
  // Planar before a map.
  EXPECT_EQ(host_mapped_radices(4096, doubles), (Radices{16, 16, 16}));
  EXPECT_EQ(host_mapped_radices(16384, doubles), (Radices{8, 16, 16, 8}));
  // Stored past the caches.
  EXPECT_EQ(host_radices(4096, doubles, HostLine::contiguous, true), (Radices{16, 16, 16}));
  // Of floats it takes no pass more.
  const DeviceLimits floats = with_first_cache(std::size_t{48} << 10, Precision::float32);
  EXPECT_EQ(host_radices(32768, floats), (Radices{16, 16, 16, 8}));
  EXPECT_EQ(host_radices(65536, floats), (Radices{16, 16, 16, 16}));
}

}  // namespace
}  // namespace twiddle::plan
