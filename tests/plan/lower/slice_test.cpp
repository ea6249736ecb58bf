// Long lines of the host that the last cache does not hold, in slices that stay in the cores' caches.
#include "plan/lower/slice.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {
namespace {

class HostSlices : public testing::Test {
 protected:
  HostSlices() : limits_(plan::named_limits("host")) {
    limits_.level2_cache = std::uint64_t{1} << 20;
    limits_.compute_units = 2;
  }

  [[nodiscard]] plan::Program program(const std::string& text) const {
    const auto [transform, direction, placement] = parse_problem(text);
    return plan::lower(plan::make_recipe(transform, limits_), transform, direction, placement, limits_);
  }

  DeviceLimits limits_;
};

// Each thread has the scratch memory of a line or two.
TEST_F(HostSlices, AreOfLinesThatTakeSeveralStages) {
  for (const char* text : {"c2c:f64:41*100000:inplace", "c2c:f32:20*200000", "r2c:f64:16*262144:inplace",
                           "r2c:f64:33*131072:inverse", "r2c:f32:42*98415", "c2c:f64:64x131072:axes=1"}) {
    const plan::Program lines = program(text);
    ASSERT_EQ(lines.turns.size(), 1U) << text;
    EXPECT_EQ(lines.turns.front().places, 2U) << text;
    EXPECT_EQ(lines.turns.front().stages, lines.stages.size()) << text;
    EXPECT_LE(lines.scratch_bytes, 4 * limits_.level2_cache) << text;
  }
}

// What the caches hold, what none of them holds, few lines, one stage, neighbouring lines, maps with tables of their
// own, hooks, and symmetric lines but on one thread.
TEST_F(HostSlices, AreNoneElsewhere) {
  for (const char* text :
       {"c2c:f32:7*131072", "c2c:f64:16*262144", "c2c:f64:7*131072", "c2c:f32:1000*30000", "c2c:f64:100000x41:axes=0",
        "dct2:f64:16*262144", "c2c:f64:41*100000:load=alternate", "dct1:f64:32*131073"}) {
    EXPECT_TRUE(program(text).turns.empty()) << text;
  }
  limits_.compute_units = 1;
  EXPECT_FALSE(program("dct1:f64:32*131073").turns.empty());
  EXPECT_FALSE(program("c2c:f64:7*131072").turns.empty());
}

// Of four times a core's cache, complex ones where vectors have 64 bytes; on several threads where these are whole.
TEST_F(HostSlices, AreOfLongerLines) {
  const char* const reals = "r2c:f64:16*524288";
  const char* const numbers = "c2c:f64:16*262144";
  limits_.sub_group_size = 16;
  EXPECT_FALSE(program(reals).turns.empty());
  EXPECT_FALSE(program(numbers).turns.empty());
  limits_.halved_vectors = true;
  EXPECT_TRUE(program(reals).turns.empty());
  EXPECT_TRUE(program(numbers).turns.empty());
  limits_.compute_units = 1;
  EXPECT_FALSE(program(reals).turns.empty());
  EXPECT_FALSE(program(numbers).turns.empty());
  EXPECT_TRUE(program("c2c:f64:16*524288").turns.empty());
  limits_.sub_group_size = 8;
  EXPECT_FALSE(program(reals).turns.empty());
  EXPECT_TRUE(program(numbers).turns.empty());
}

// Slices of many threads have whole lines, of which there is only a part in memory.
TEST_F(HostSlices, OfManyThreadsAreNotMoreThanTheData) {
  limits_.compute_units = 64;
  const plan::Program lines = program("c2c:f64:256*131072:nonzero=8000:wanted=8000");
  EXPECT_FALSE(lines.turns.empty());
  EXPECT_LE(static_cast<double>(lines.scratch_bytes), 1.072 * 256 * 8000 * 16);
}

// With caches so small that the lines may be short.
TEST_F(HostSlices, AreRight) {
  limits_.level2_cache = 4096;
  for (const char* text : {"c2c:f32:40*500", "c2c:f64:33*400:inplace", "r2c:f32:40*960:inplace:norm=ortho",
                           "r2c:f64:37*480:inverse", "r2c:f32:41*675", "c2c:f32:2*20x500:axes=1:nonzero=20,300"}) {
    SCOPED_TRACE(text);
    EXPECT_FALSE(program(text).turns.empty());
    try {
      check_lowering(parse_problem(text), limits_, 3);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace
}  // namespace twiddle::test
