// Long lines and images of the host that the last cache does not hold, in slices that stay in the cores' caches.
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

// Of four times a core's cache, complex ones where vectors have 64 bytes; on several threads where these are whole, or
// of reals in place.
TEST_F(HostSlices, AreOfLongerLines) {
  const char* const reals = "r2c:f64:16*524288";
  const char* const numbers = "c2c:f64:16*262144";
  limits_.sub_group_size = 16;
  EXPECT_FALSE(program(reals).turns.empty());
  EXPECT_FALSE(program(numbers).turns.empty());
  limits_.halved_vectors = true;
  EXPECT_TRUE(program(reals).turns.empty());
  EXPECT_TRUE(program(numbers).turns.empty());
  EXPECT_FALSE(program("r2c:f64:16*524288:inplace").turns.empty());
  EXPECT_FALSE(program("r2c:f64:16*524288:inverse:inplace").turns.empty());
  EXPECT_TRUE(program("c2c:f64:16*262144:inplace").turns.empty());
  limits_.compute_units = 1;
  EXPECT_FALSE(program(reals).turns.empty());
  EXPECT_FALSE(program(numbers).turns.empty());
  EXPECT_TRUE(program("c2c:f64:16*524288").turns.empty());
  limits_.sub_group_size = 8;
  EXPECT_FALSE(program(reals).turns.empty());
  EXPECT_TRUE(program(numbers).turns.empty());
}

// Of up to eight times a small cache, beside which slices are in the last one: what is stored over them, at any
// distance.
TEST_F(HostSlices, BesideSmallCachesAreOfLongLines) {
  limits_.sub_group_size = 8;
  const char* const numbers = "c2c:f64:16*262144:inplace";
  EXPECT_TRUE(program(numbers).turns.empty());
  EXPECT_FALSE(program("c2c:f64:41*100000:inplace").stages.back().writes_over_recent);
  limits_.level2_cache = std::uint64_t{512} << 10;
  for (const char* text : {numbers, "c2c:f64:16*262144", "r2c:f64:8*524288:inplace", "c2c:f64:41*100000:inplace"}) {
    const plan::Program lines = program(text);
    ASSERT_EQ(lines.turns.size(), 1U) << text;
    EXPECT_LE(lines.scratch_bytes, 16 * limits_.level2_cache) << text;
    const bool in_place = parse_problem(text).placement == Placement::in_place;
    EXPECT_EQ(lines.stages.back().writes_over_recent, in_place) << text;
  }
  EXPECT_TRUE(program("c2c:f64:16*524288").turns.empty());
  EXPECT_TRUE(program("r2c:f64:16*1048576").turns.empty());
}

// Those of images have all stages but what a volume's last axis needs, and a quarter of a core's cache for each thread.
// Rows that end within a cache line are copied to the results, but long ones of reals.
TEST_F(HostSlices, AreOfImagesAndPlanes) {
  struct Expected {
    const char* problem;
    std::size_t stages;
    std::size_t beside;
  };
  for (const auto& [problem, stages, beside] :
       {Expected{"c2c:f32:1024*64x64", 2, 0}, Expected{"r2c:f64:256*128x128", 3, 0},
        Expected{"r2c:f64:256*128x128:inverse", 2, 0}, Expected{"dct2:f64:256*128x128", 2, 0},
        Expected{"c2c:f32:2*128x128x128", 2, 1}, Expected{"c2c:f32:256x256x256", 2, 1},
        Expected{"c2c:f64:64*32x32x32", 3, 0}, Expected{"c2c:f32:777*63x63", 3, 0},
        Expected{"r2c:f64:16*512x512", 2, 0}}) {
    const plan::Program images = program(problem);
    ASSERT_EQ(images.turns.size(), 1U) << problem;
    EXPECT_EQ(images.turns.front().places, 2U) << problem;
    EXPECT_EQ(images.turns.front().stages, stages) << problem;
    EXPECT_EQ(images.stages.size(), stages + beside) << problem;
    EXPECT_LE(images.scratch_bytes, 5 * limits_.level2_cache) << problem;
  }
}

// In place they stay where they are: what the first stage reads comes from memory, what follows is in the caches.
TEST_F(HostSlices, OfImagesInPlaceNeedNoScratch) {
  for (const char* text : {"c2c:f32:1024*64x64:inplace", "r2c:f64:256*128x128:inplace", "c2c:f64:2*128x128x128:inplace",
                           "dct2:f64:256*128x128:inplace"}) {
    const plan::Program images = program(text);
    ASSERT_EQ(images.turns.size(), 1U) << text;
    EXPECT_EQ(images.scratch_bytes, 0U) << text;
    for (std::size_t i = 0; i < images.turns.front().stages; ++i) {
      EXPECT_EQ(images.stages[i].reads_recent, i > 0) << text;
      EXPECT_TRUE(images.stages[i].writes_over_recent) << text;
    }
  }
}

// Lines whose results are pieces 512, 1024 or 1536 bytes apart find them in the caches; others are stored past these.
TEST_F(HostSlices, OfLinesInPlaceWriteOverWhatTheyRead) {
  for (const auto& [text, over] :
       {std::pair{"c2c:f64:64*65536:inplace", true}, std::pair{"c2c:f64:64*65536", false},
        std::pair{"c2c:f64:41*100000:inplace", false}, std::pair{"c2c:f64:32*131072:inplace", false}}) {
    const plan::Program lines = program(text);
    ASSERT_EQ(lines.turns.size(), 1U) << text;
    EXPECT_FALSE(lines.stages.front().writes_over_recent) << text;
    EXPECT_EQ(lines.stages.back().writes_over_recent, over) << text;
  }
  EXPECT_TRUE(program("c2c:f64:43*98304:inplace").stages.back().writes_over_recent);
  limits_.level2_cache *= 2;
  const plan::Program lines = program("c2c:f64:43*98304:inplace");
  ASSERT_EQ(lines.turns.size(), 1U);
  EXPECT_FALSE(lines.stages.back().writes_over_recent);
}

// What the caches hold, images larger than a core's share of them, one image, reals that gain nothing,
// images whose elements lie between each other's or that are lines, and hooks.
TEST_F(HostSlices, AreNotOfOtherImages) {
  for (const char* text : {"c2c:f32:64*64x64", "c2c:f64:4*1024x1024", "c2c:f32:2048x2048", "dct2:f32:256*128x128",
                           "r2c:f64:256*128x128:inverse:inplace", "r2c:f32:2*128x128x128",
                           "c2c:f32:64x64x1000:axes=0,1", "c2c:f32:200000*64x1", "c2c:f32:1024*64x64:load=alternate"}) {
    EXPECT_TRUE(program(text).turns.empty()) << text;
  }
  limits_.compute_units = 64;
  EXPECT_TRUE(program("c2c:f32:16*512x512").turns.empty());
  limits_.compute_units = 16;  // whose caches hold half of it
  EXPECT_TRUE(program("c2c:f32:1024*64x64").turns.empty());
  EXPECT_FALSE(program("c2c:f32:2048*64x64").turns.empty());
}

// There large images of reals are copied to the results as well; volumes hardly more than the caches, small images and
// reals to reals gain nothing.
TEST_F(HostSlices, BesideLargeCachesAreOfImagesOfReals) {
  limits_.level2_cache = std::uint64_t{2} << 20;
  limits_.compute_units = 1;
  struct Expected {
    const char* problem;
    std::size_t stages;
  };
  for (const auto& [problem, stages] :
       {Expected{"r2c:f64:1024*128x128", 3}, Expected{"r2c:f64:16*512x512", 3}, Expected{"r2c:f32:4*1080x1920", 3},
        Expected{"r2c:f64:64*256x256:inverse", 2}, Expected{"r2c:f32:16*512x512:inplace", 2},
        Expected{"r2c:f32:64*64x64x64", 3}}) {
    const plan::Program images = program(problem);
    ASSERT_EQ(images.turns.size(), 1U) << problem;
    EXPECT_EQ(images.turns.front().stages, stages) << problem;
  }
  for (const char* text :
       {"r2c:f32:1024*64x64", "r2c:f32:16*64x64x64", "dct2:f64:1024*128x128", "r2c:f64:256*128x128:inverse:inplace"}) {
    EXPECT_TRUE(program(text).turns.empty()) << text;
  }
  EXPECT_FALSE(program("c2c:f64:1024*128x128").turns.empty());
  EXPECT_FALSE(program("c2c:f32:1024*64x64").turns.empty());
}

// Slices of many threads have whole lines, of which there is only a part in memory.
TEST_F(HostSlices, OfManyThreadsAreNotMoreThanTheData) {
  limits_.compute_units = 64;
  const plan::Program lines = program("c2c:f64:256*131072:nonzero=8000:wanted=8000");
  EXPECT_FALSE(lines.turns.empty());
  EXPECT_LE(static_cast<double>(lines.scratch_bytes), 1.072 * 256 * 8000 * 16);
}

// Floats between the axes of halves are those of a part of a batch.
TEST(BatchSlices, OfHalvesInSeveralDimensionsNeedNoMoreThanTheData) {
  struct Expected {
    const char* problem;
    std::uint64_t bytes;
  };
  for (const char* name : {"host", "nvidia-opencl", "nvidia-cuda"}) {
    const DeviceLimits limits = plan::named_limits(name);
    for (const auto& [problem, bytes] : {Expected{"c2c:f16:16*1000x1000:inplace", std::uint64_t{64000000}},
                                         Expected{"r2c:f16:5*1000x1000:inplace", std::uint64_t{10020000}},
                                         Expected{"dct2:f16:16*300x40000", std::uint64_t{384000000}}}) {
      const auto [transform, direction, placement] = parse_problem(problem);
      const plan::Recipe recipe = plan::make_recipe(transform, limits);
      const std::uint64_t scratch = plan::lower(recipe, transform, direction, placement, limits).scratch_bytes;
      EXPECT_LE(scratch, bytes + bytes / 14) << problem << ", " << name;
    }
    for (const char* problem : {"c2c:f16:5*12x20:inplace", "r2c:f16:6*9x14:inplace", "dct2:f16:3*20x15"}) {
      SCOPED_TRACE(problem);
      EXPECT_NO_THROW(check_lowering(parse_problem(problem), limits, 3)) << name;
    }
  }
}

// With caches so small that the lines may be short.
TEST_F(HostSlices, AreRight) {
  limits_.level2_cache = 4096;
  for (const char* text :
       {"c2c:f32:40*500", "c2c:f64:33*400:inplace", "r2c:f32:40*960:inplace:norm=ortho", "r2c:f64:37*480:inverse",
        "r2c:f32:41*675", "c2c:f32:2*20x500:axes=1:nonzero=20,300", "c2c:f32:41*20x24", "c2c:f32:41*21x23",
        "r2c:f64:43*16x20:norm=ortho", "c2c:f64:43*18x25:inplace", "r2c:f32:47*15x32:inplace:norm=ortho",
        "r2c:f64:37*16x30:inverse", "r2c:f32:41*16x27", "dct3:f64:40*20x20:inplace", "c2c:f64:30x12x18:norm=ortho",
        "r2c:f64:40x20x36:inplace", "c2c:f16:90*12x20", "c2c:f32:40*24x24:nonzero=20,11:wanted=17,9",
        "c2c:f32:50*6x8x10:in=600,70,7/batch=4000"}) {
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
