// Rows that would leave compute units idle are shared by many work-items, each of which holds few elements; what was
// tuned, other rows and other devices are as they were.
#include "plan/recipe/few_lines.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

std::vector<Stage> stages_of(const std::string& text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
  const Problem problem = parse_problem(text);
  return lower(make_recipe(problem.transform, limits), problem.transform, problem.direction, problem.placement, limits)
      .stages;
}

struct Shape {
  std::vector<unsigned> radices;
  std::uint32_t items = 0;
  bool operator==(const Shape&) const = default;
};

Shape shape_of(const std::string& text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
  const Stage stage = stages_of(text, limits).at(0);
  return {stage.radices, stage.shape.items_per_transform};
}

// Of the device's 132 units, 43 lines leave two thirds idle.
TEST(FewLines, AreSharedByMoreWorkItemsThanMany) {
  const Shape few{{12, 7, 12}, 144};
  const Shape many{{9, 16, 7}, 63};
  EXPECT_EQ(shape_of("c2c:f32:1009"), few);
  EXPECT_EQ(shape_of("c2c:f32:43*1009:inverse"), few);
  EXPECT_EQ(shape_of("c2c:f32:44*1009"), many);
  EXPECT_EQ(shape_of("c2c:f32:2401"), (Shape{{7, 7, 7, 7}, 343}));
  EXPECT_EQ(shape_of("r2c:f32:1920"), (Shape{{12, 10, 8}, 120}));
  EXPECT_EQ(shape_of("c2c:f64:331"), (Shape{{11, 10, 3}, 33}));
}

// More only where a single butterfly is longer.
TEST(FewLines, HaveFewElementsInAWorkItem) {
  for (std::uint64_t length = 33; length <= 1600; length += 3) {
    for (const Stage& stage : stages_of(fmt::format("c2c:f32:{}", length))) {
      const std::uint64_t points = stage.convolution ? stage.convolution->points : stage.length;
      const unsigned largest = *std::max_element(stage.radices.begin(), stage.radices.end());
      const std::uint64_t held = held_elements(stage.radices, points, stage.shape.items_per_transform);
      EXPECT_TRUE(points > 3200 || held <= std::max(14U, largest)) << length << ": " << held;
    }
  }
}

// Of a prime that is one butterfly of many lines, unless its convolution rounds too much, or the lines were tuned.
TEST(FewLines, AreConvolvedWhereOneItemWouldHaveAll) {
  for (const char* text :
       {"c2c:f32:37", "c2c:f32:43*37:inverse", "c2c:f32:47", "r2c:f32:47", "c2r:f32:74", "dct2:f32:37"}) {
    EXPECT_TRUE(stages_of(text).at(0).convolution) << text;
  }
  for (const char* text : {"c2c:f32:44*37", "c2c:f64:37", "dct4:f64:74", "c2c:f32:41", "dct4:f64:41", "c2c:f32:43",
                           "c2c:f32:31", "c2c:f32:37x5:axes=0"}) {
    EXPECT_FALSE(stages_of(text).at(0).convolution) << text;
  }
  EXPECT_TRUE(stages_of("c2c:f32:37", named_limits("nvidia-opencl")).at(0).convolution);
  EXPECT_FALSE(stages_of("c2c:f32:37", named_limits("small")).at(0).convolution);
  DeviceLimits limits = named_limits("nvidia-cuda");
  auto table = std::make_shared<ChoiceTable>();
  table->set({37, LineUse::rows, Precision::float32}, {0, {{37}, 1, 64}});
  limits.choices = table;
  EXPECT_FALSE(stages_of("c2c:f32:37", limits).at(0).convolution);
}

// Of convolutions too long for that, as many as three passes need; the same there and back, where that pays.
TEST(FewLines, AreConvolvedInThreePasses) {
  EXPECT_EQ(shape_of("c2c:f64:1153"), (Shape{{12, 8, 12}, 96}));
  EXPECT_EQ(shape_of("c2c:f64:1801"), (Shape{{15, 8, 15}, 120}));
  EXPECT_EQ(shape_of("dct4:f64:2039"), (Shape{{16, 16, 16}, 256}));
  EXPECT_EQ(shape_of("c2c:f64:2063"), (Shape{{24, 8, 24}, 192}));
  EXPECT_EQ(shape_of("c2c:f64:2777"), (Shape{{18, 18, 18}, 324}));
  EXPECT_EQ(shape_of("c2c:f32:2777"), (Shape{{16, 24, 16}, 384}));
  for (const char* text : {"c2c:f64:1153", "c2c:f64:2063", "c2c:f32:2777", "c2c:f64:3989"}) {
    EXPECT_TRUE(stages_of(text).at(0).shape.same_way_back) << text;
  }
  EXPECT_EQ(shape_of("c2c:f64:3989"), (Shape{{32, 8, 32}, 256}));
}

// Rows with maps: the recipe and the shape of its stage follow the same choice, whichever map it is.
TEST(FewLines, OfRealsHaveTheWorkItemsOfTheirChoice) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  std::size_t chosen = 0;
  for (const char* precision : {"f32", "f64"}) {
    const bool doubles = precision == std::string("f64");
    for (const char* kind : {"r2c", "c2r", "dct2", "dct3", "dst2", "dct4", "dst4", "dht"}) {
      for (const std::uint64_t length : {800, 1001, 2048, 2187, 3125, 5000, 8192}) {
        const std::string text = fmt::format("{}:{}:30*{}", kind, precision, length);
        const std::vector<Stage> stages = stages_of(text);
        ASSERT_EQ(stages.size(), 1U) << text;
        const bool heavy = kind[3] == '4';
        const auto choice = few_rows_choice(stages[0].length, heavy ? RowMaps::heavy : RowMaps::light, 30,
                                            limits_for(limits, doubles ? Precision::float64 : Precision::float32));
        if (!choice) continue;
        EXPECT_EQ(stages[0].radices, choice->radices) << text;
        EXPECT_EQ(stages[0].shape.items_per_transform, choice->items) << text;
        EXPECT_EQ(stages[0].shape.transforms_per_group, 1U) << text;
        ++chosen;
      }
    }
  }
  EXPECT_GT(chosen, 90U);
}

TEST(FewLines, WithoutMapsHaveAChoiceInDoublePrecisionWhereNoneWasMeasured) {
  const DeviceLimits floats = named_limits("nvidia-cuda");
  const DeviceLimits doubles = limits_for(floats, Precision::float64);
  EXPECT_TRUE(few_rows_choice(4500, RowMaps::none, 1, doubles));
  EXPECT_FALSE(few_rows_choice(4096, RowMaps::none, 1, doubles));  // measured for many
  EXPECT_FALSE(few_rows_choice(4500, RowMaps::none, 44, doubles));
  EXPECT_FALSE(few_rows_choice(4500, RowMaps::none, 1, floats));
  EXPECT_FALSE(few_rows_choice(300, RowMaps::light, 1, floats));
  EXPECT_FALSE(few_rows_choice(25000, RowMaps::light, 1, floats));
}

TEST(FewLines, OfOtherLengthsAreLikeMany) {
  for (const char* length : {"16", "3600", "8192"}) {
    EXPECT_EQ(shape_of(fmt::format("c2c:f32:{}", length)), shape_of(fmt::format("c2c:f32:44*{}", length))) << length;
  }
  EXPECT_EQ(shape_of("c2c:f64:1080"), shape_of("c2c:f64:44*1080"));
  // Nor are the rows of Bluestein's algorithm through memory others, of which one line has few.
  EXPECT_EQ(stages_of("c2c:f32:10007").at(1).radices, (std::vector<unsigned>{16, 16, 4}));
}

TEST(FewLines, OfOtherDevicesAreLikeMany) {
  for (const char* device : {"small", "mali"}) {
    const DeviceLimits limits = named_limits(device);
    EXPECT_EQ(stages_of("c2c:f32:500", limits).at(0).radices, stages_of("c2c:f32:44*500", limits).at(0).radices);
  }
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.compute_units = 20;  // of which none was measured
  EXPECT_EQ(shape_of("c2c:f32:1009", limits), (Shape{{9, 16, 7}, 63}));
}

TEST(FewLines, OfRealsAreAsTuned) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  auto table = std::make_shared<ChoiceTable>();
  table->set({2048, LineUse::mapped_rows, Precision::float32}, {0, {{32, 2, 32}, 64, 1}});
  limits.choices = table;
  EXPECT_EQ(shape_of("r2c:f32:4096", limits), (Shape{{32, 2, 32}, 64}));
}

TEST(FewLines, AreAsTuned) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  auto table = std::make_shared<ChoiceTable>();
  table->set({2401, LineUse::rows, Precision::float32}, {0, {{49, 49}, 49, 1}});
  limits.choices = table;
  EXPECT_EQ(shape_of("c2c:f32:2401", limits), (Shape{{49, 49}, 49}));
}

}  // namespace
}  // namespace twiddle::plan
