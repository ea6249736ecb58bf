// Which stages may move several numbers at once, and what becomes of their shapes.
#include "plan/shape/vectors.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "twiddle/error.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

Program program_of(const char* text, const char* strategy = "vector=2", const char* limits_name = "nvidia-cuda") {
  DeviceLimits limits = named_limits(limits_name);
  limits.strategy = parse_strategy(strategy);
  const Problem problem = parse_problem(text);
  return lower(make_recipe(problem.transform, limits), problem.transform, problem.direction, problem.placement, limits);
}

// The vector of each stage, as digits.
std::string vectors_of(const char* text, const char* strategy = "vector=2", const char* limits_name = "nvidia-cuda") {
  std::string digits;
  for (const Stage& stage : program_of(text, strategy, limits_name).stages) {
    digits += std::to_string(stage.shape.vector);
  }
  return digits;
}

TEST(Vectors, AreMovedWhereNeighboursStandAtEvenPlaces) {
  EXPECT_EQ(vectors_of("c2c:f32:4096"), "2");
  EXPECT_EQ(vectors_of("c2c:f32:64x64:inplace"), "22");
  EXPECT_EQ(vectors_of("c2c:f32:3*65536"), "22");  // twiddles, and a transposition
  EXPECT_EQ(vectors_of("c2c:f32:32768"), "2");     // by a cluster
  EXPECT_NE(vectors_of("c2c:f32:64x64:norm=ortho", "vector=2", "mali").find("2"), std::string::npos);
  EXPECT_EQ(vectors_of("c2c:f32:12x64:in=65,1"), "12");         // rows begin anywhere, columns do not
  EXPECT_EQ(vectors_of("c2c:f32:64x64:load=alternate"), "12");  // the hook sees single numbers
  EXPECT_EQ(vectors_of("c2c:f32:64x64:nonzero=40,64"), "21");
}

TEST(Vectors, AreRefusedWhereNoStageHasThem) {
  for (const char* text : {"c2c:f64:4096", "c2c:f16:4096", "c2c:f32:64x63:axes=0", "c2c:f32:4096:in=planar:out=planar",
                           "c2c:f32:1009", "c2c:f32:4096:wanted=4000", "dct2:f32:64"}) {
    try {
      (void)program_of(text);
      ADD_FAILURE() << text;
    } catch (const Unsupported& refusal) {
      EXPECT_NE(std::string(refusal.what()).find("vector=2"), std::string::npos) << refusal.what();
    }
  }
}

TEST(Vectors, AreNoneUnlessTheyAreAskedFor) {
  EXPECT_EQ(vectors_of("c2c:f32:4096", "default"), "1");
  EXPECT_EQ(vectors_of("c2c:f32:65536", "vector=1"), "11");
}

TEST(Vectors, TakeNoMoreThanTheStrategyLetsItemsHold) {
  EXPECT_EQ(vectors_of("c2c:f32:8x64:axes=0", "vector=2,elements=16"), "2");
  EXPECT_THROW((void)program_of("c2c:f32:8x64:axes=0", "vector=2,elements=8"), Unsupported);
}

// Items of columns take two lines each, those of rows half of the items' parts where they had one butterfly.
TEST(Vectors, HalveTheGroup) {
  const auto compare = [](const char* text) {
    const KernelShape one = program_of(text, "algorithm=fft").stages.at(0).shape;
    const KernelShape two = program_of(text).stages.at(0).shape;
    EXPECT_EQ(two.transforms_per_group, one.transforms_per_group) << text;
    EXPECT_EQ(2 * group_items(two), group_items(one)) << text;
  };
  compare("c2c:f32:64x64:axes=0");
  compare("c2c:f32:4096");
}

// Tiles that were measured: with vectors and without, where many columns stand at even places.
TEST(Vectors, OfMeasuredTiles) {
  const auto tile = [](const char* text, const char* limits = "nvidia-cuda") {
    const KernelShape shape = program_of(text, "default", limits).stages.back().shape;
    return std::vector{shape.items_per_transform, shape.transforms_per_group, shape.registers, shape.vector};
  };
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(tile("c2c:f32:67*1000x1000:inplace"), (Numbers{100, 8, 64, 2}));
  EXPECT_EQ(tile("c2c:f32:24*1080x1920"), (Numbers{72, 8, 80, 2}));
  EXPECT_EQ(tile("c2c:f32:1024*256x256:axes=0"), (Numbers{16, 32, 64, 1}));
  const Numbers usual{100, 8, 0, 1};
  EXPECT_EQ(tile("c2c:f32:1000x1000"), usual);            // too few columns
  EXPECT_EQ(tile("c2c:f32:67*1000x1001:axes=0"), usual);  // of which every other begins at an odd place
  EXPECT_EQ(tile("c2c:f32:67*1000000"), usual);           // with twiddles, and to rows
  EXPECT_EQ(tile("c2c:f32:67*1000x1000", "nvidia-opencl")[3], 1U);
}

TEST(Vectors, NeedEvenStridesEverywhere) {
  const Stage stage = program_of("c2c:f32:3*64x64:axes=0").stages.at(0);
  ASSERT_EQ(stage.loops.size(), 2U);
  EXPECT_TRUE(may_move_vectors(stage, stage.shape, 2));
  const std::vector<std::function<void(Stage & changed)>> changes{
      [](Stage& changed) { changed.input_offset = 3; },
      [](Stage& changed) { changed.output_offset = -1; },
      [](Stage& changed) { changed.input_stride = 65; },
      [](Stage& changed) { changed.loops[0].count = 63; },
      [](Stage& changed) { changed.loops[0].output_stride = 2; },
      [](Stage& changed) { changed.loops[1].input_stride += 1; },
      [](Stage& changed) { changed.input_storage.form = Storage::Form::real; },
      [](Stage& changed) { changed.shape.transforms_per_group = 5; },
      [](Stage& changed) {
        changed.store_bound = Bound{10, 1, {0, 0}};
      },
      [](Stage& changed) { changed.launched_loops = 2; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Stage changed = stage;
    changes[i](changed);
    EXPECT_FALSE(may_move_vectors(changed, changed.shape, 2)) << i;
  }
}

}  // namespace
}  // namespace twiddle::plan
