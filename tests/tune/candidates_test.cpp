// What is tried can be carried out, and has what is known to be good.
#include "tune/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"

namespace twiddle::tuning {
namespace {

using plan::LineKey;
using plan::LineUse;

std::vector<LineKey> lines_of(const Transform& transform, const DeviceLimits& limits) {
  return tunable_lines(plan::make_recipe(transform, limits), transform, plan::limits_for(limits, transform.precision));
}

TEST(Candidates, AreForLinesOfSmoothLengthAndTheirParts) {
  const DeviceLimits host = plan::named_limits("host");
  EXPECT_EQ(lines_of({.lengths = {1000}}, host), (std::vector<LineKey>{{1000, LineUse::rows, Precision::float32}}));
  const auto long_line = lines_of({.lengths = {1 << 20}}, host);
  ASSERT_EQ(long_line.size(), 2u);
  EXPECT_EQ(long_line[0], (LineKey{1 << 20, LineUse::rows, Precision::float32}));
  EXPECT_EQ(long_line[1], (LineKey{1024, LineUse::columns, Precision::float32}));
  EXPECT_EQ(lines_of({.lengths = {1009}}, host),
            (std::vector<LineKey>{{1008, LineUse::convolved_rows, Precision::float32}}));
  EXPECT_EQ(lines_of({.lengths = {1009, 7}, .axes = {0}}, plan::named_limits("nvidia-cuda")),
            (std::vector<LineKey>{{1008, LineUse::convolved_columns, Precision::float32}}));
  EXPECT_TRUE(lines_of({.lengths = {1009}}, plan::named_limits("mali")).empty());
  EXPECT_TRUE(lines_of({.lengths = {1024}}, plan::named_limits("mali")).empty());
}

// The division of a line that one stage could hold follows the number of lines, so only its parts are tuned.
TEST(Candidates, ArePartsAloneWhereThreadsShareALine) {
  DeviceLimits host = plan::named_limits("host");
  host.level2_cache = std::size_t{2} << 20;
  host.compute_units = 16;
  const LineKey whole{1 << 17, LineUse::rows, Precision::float32};
  EXPECT_EQ(lines_of({.lengths = {1 << 17}, .batch = 64}, host), std::vector<LineKey>{whole});
  EXPECT_EQ(
      lines_of({.lengths = {1 << 17}}, host),
      (std::vector<LineKey>{{512, LineUse::columns, Precision::float32}, {256, LineUse::columns, Precision::float32}}));
}

// What is tuned for the middle of Bluestein's algorithm is what its stage reads.
TEST(Candidates, AreRowsForBluesteinsMiddle) {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const Transform transform{.lengths = {65537}};
  const auto middle = [&] {
    const plan::Program program = plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward,
                                              Placement::out_of_place, limits);
    return *std::find_if(program.stages.begin(), program.stages.end(), [](const auto& stage) { return stage.returns; });
  };
  const plan::Stage before = middle();
  const LineKey key{before.length, LineUse::rows, Precision::float32};
  const std::vector<LineKey> lines = lines_of(transform, limits);
  ASSERT_EQ(std::count(lines.begin(), lines.end(), key), 1);
  for (const plan::LineChoice& choice : candidates(key, limits, 10)) {
    plan::ChoiceTable table;
    table.set(key, choice);
    limits.choices = std::make_shared<const plan::ChoiceTable>(std::move(table));
    EXPECT_EQ(middle().radices, choice.stage.radices);
    EXPECT_EQ(middle().shape.items_per_transform, choice.stage.items);
  }
  limits.choices.reset();
  for (const LineKey& other : lines_of({.lengths = {65537, 8}, .axes = {0}}, limits)) {
    EXPECT_EQ(other.use, LineUse::columns);
  }
}

// Whatever is tried, planning can do: the shape of every stage is found, within the device's limits.
TEST(Candidates, CanAllBePlanned) {
  for (const char* name : {"host", "nvidia-opencl", "nvidia-cuda", "small"}) {
    const DeviceLimits limits = plan::named_limits(name);
    for (const Transform& transform :
         {Transform{.lengths = {1000}, .batch = 64}, Transform{.lengths = {4096}, .batch = 64},
          Transform{.lengths = {30, 360}, .kind = Kind::r2c}, Transform{.lengths = {65536}},
          Transform{.lengths = {211}, .batch = 64}, Transform{.lengths = {101, 83}}, Transform{.lengths = {65537}},
          Transform{.lengths = {500}, .batch = 3, .precision = Precision::float64}}) {
      std::size_t tried = 0;
      for (const LineKey& key : lines_of(transform, limits)) {
        for (const plan::LineChoice& choice : candidates(key, plan::limits_for(limits, transform.precision), 30)) {
          plan::ChoiceTable table;
          table.set(key, choice);
          DeviceLimits chosen = limits;
          chosen.choices = std::make_shared<const plan::ChoiceTable>(table);
          const auto recipe = plan::make_recipe(transform, chosen);
          for (const Direction direction : {Direction::forward, Direction::inverse}) {
            EXPECT_NO_THROW((void)plan::lower(recipe, transform, direction, Placement::out_of_place, chosen))
                << name << ": " << to_string(key, choice);
          }
          ++tried;
        }
      }
      EXPECT_GT(tried, 1u) << name << " " << to_string(transform);
    }
  }
}

TEST(Candidates, ContainWhatWasBestWhenMeasured) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const auto choices = candidates({1000, LineUse::rows, Precision::float32}, limits, 40);
  EXPECT_LE(choices.size(), 40u);
  for (const plan::LineChoice& choice : choices) EXPECT_EQ(std::count(choices.begin(), choices.end(), choice), 1);
  EXPECT_TRUE(std::any_of(choices.begin(), choices.end(), [](const plan::LineChoice& choice) {
    return choice.stage.radices == std::vector<unsigned>{10, 10, 10} && choice.stage.items == 100;
  }));
}

// What was measured to be best with vectors on an H200 is tried.
TEST(Candidates, HaveLinesThatAreMovedAsVectors) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const auto has = [&](std::uint64_t length, LineUse use, const std::vector<unsigned>& radices) {
    const auto choices = candidates({length, use, Precision::float32}, limits, 40);
    return std::any_of(choices.begin(), choices.end(), [&](const plan::LineChoice& choice) {
      return choice.stage.vector == 2 && choice.stage.radices == radices;
    });
  };
  EXPECT_TRUE(has(256, LineUse::rows, {8, 4, 8}));
  EXPECT_TRUE(has(1000, LineUse::columns, {10, 10, 10}));
  EXPECT_TRUE(has(1080, LineUse::columns, {9, 10, 12}));
  EXPECT_FALSE(has(256, LineUse::mapped_rows, {8, 4, 8}));
}

TEST(Candidates, TakeNoEffectWhereThePlanMovesNoVectors) {
  const LineKey key{256, LineUse::rows, Precision::float32};
  const plan::LineChoice choice{0, {{8, 4, 8}, 16, 4, 0, false, 2}};
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  plan::ChoiceTable table;
  table.set(key, choice);
  limits.choices = std::make_shared<const plan::ChoiceTable>(table);
  EXPECT_TRUE(takes_effect(key, choice, parse_problem("c2c:f32:100*256"), limits));
  EXPECT_FALSE(takes_effect(key, choice, parse_problem("c2c:f16:100*256"), limits));
  EXPECT_FALSE(takes_effect(key, choice, parse_problem("c2c:f32:100*256:in=planar"), limits));
}

TEST(Refinements, ChangeOneThingEach) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const LineKey key{1000, LineUse::rows, Precision::float32};
  plan::LineChoice choice;
  choice.stage = {{10, 10, 10}, 100, 1};
  const auto changed = refinements(key, choice, limits);
  EXPECT_EQ(changed.size(), 6u);  // the exchange, two lines a group, four limits of registers
  const LineKey columns{1000, LineUse::columns, Precision::float32};
  const auto of_columns = refinements(columns, {0, {{10, 10, 10}, 100, 8}}, limits);
  EXPECT_TRUE(std::any_of(of_columns.begin(), of_columns.end(), [](const auto& one) { return one.stage.vector == 2; }));
  for (const plan::LineChoice& one : changed) {
    EXPECT_NE(one, choice);
    EXPECT_EQ(one.stage.radices, choice.stage.radices);
    EXPECT_FALSE(plan::objection(key, one, limits));
  }
  const DeviceLimits host = plan::named_limits("host");
  EXPECT_TRUE(refinements(key, choice, host).empty());
  const auto bundles = refinements(columns, *host_columns(columns, host), host);
  ASSERT_EQ(bundles.size(), 2U);
  EXPECT_EQ(bundles[0].stage.transforms, 64U);
  EXPECT_EQ(bundles[1].stage.transforms, 32U);
  EXPECT_FALSE(host_columns(key, host));
}

// Where the model finds no work-group, a measured one is used all the same.
TEST(Candidates, HaveWhatTheModelThinksTooLarge) {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const LineKey key{20000, LineUse::rows, Precision::float32};
  plan::ChoiceTable table;
  for (const plan::LineChoice& choice : candidates(key, limits, 10)) table.set(key, choice);
  ASSERT_EQ(table.lines().size(), 1u);
  const Transform transform{.lengths = {20000}, .batch = 100};
  EXPECT_TRUE(std::holds_alternative<plan::FourStep>(plan::make_recipe(transform, limits).axes.front().line.algorithm));
  limits.choices = std::make_shared<const plan::ChoiceTable>(table);
  const auto program =
      plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits);
  EXPECT_EQ(program.stages.size(), 1u);
}

}  // namespace
}  // namespace twiddle::tuning
