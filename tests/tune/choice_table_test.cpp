// What planning does with choices, and which of them no device can carry out.
#include "plan/choice/choice_table.hpp"

#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {
namespace {

DeviceLimits with_choice(const std::string& limits_name, const LineKey& key, const LineChoice& choice) {
  DeviceLimits limits = named_limits(limits_name);
  ChoiceTable table;
  table.set(key, choice);
  limits.choices = std::make_shared<const ChoiceTable>(table);
  return limits;
}

std::string line_text(const Transform& transform, const DeviceLimits& limits) {
  return to_string(make_recipe(transform, limits).axes.front().line);
}

TEST(ChoiceTable, DecidesTheRadicesOfTheHost) {
  const Transform transform{.lengths = {1000}};
  const DeviceLimits limits = with_choice("host", {1000, LineUse::rows, Precision::float32}, {0, {{8, 5, 5, 5}, 0, 0}});
  EXPECT_NE(line_text(transform, named_limits("host")), "1000 = 8.5.5.5");
  EXPECT_EQ(line_text(transform, limits), "1000 = 8.5.5.5");
}

TEST(ChoiceTable, DecidesForItsUseAndPrecisionAlone) {
  const DeviceLimits limits = with_choice("host", {1000, LineUse::rows, Precision::float32}, {0, {{8, 5, 5, 5}, 0, 0}});
  EXPECT_NE(line_text({.lengths = {1000}, .precision = Precision::float64}, limits), "1000 = 8.5.5.5");
  const Transform columns{.lengths = {1000, 7}, .axes = {0}};
  EXPECT_NE(line_text(columns, limits), "1000 = 8.5.5.5");
}

TEST(ChoiceTable, ComesBeforeWhatDevicesAreShippedWith) {
  // A CPU behind OpenCL has a table of its own, which other devices do not see.
  DeviceLimits cpu;
  cpu.registers_per_item = 72;
  const auto shipped = measured_choice(512, LineUse::rows, cpu);
  ASSERT_TRUE(shipped.has_value());
  EXPECT_EQ(shipped->radices, (std::vector<unsigned>{8, 8, 8}));
  EXPECT_NE(measured_choice(512, LineUse::columns, cpu)->items, shipped->items);
  EXPECT_FALSE(measured_choice(512, LineUse::rows, DeviceLimits{}));
  EXPECT_FALSE(measured_choice(512, LineUse::rows, named_limits("small")));
  EXPECT_TRUE(measured_choice(1000, LineUse::rows, limits_for(cpu, Precision::float64)));
  ChoiceTable table;
  table.set({512, LineUse::rows, Precision::float32}, {0, {{16, 4, 8}, 64, 1}});
  cpu.choices = std::make_shared<const ChoiceTable>(table);
  EXPECT_EQ(measured_choice(512, LineUse::rows, cpu)->radices, (std::vector<unsigned>{16, 4, 8}));
}

TEST(ChoiceTable, DecidesTheDivisionOfLongLines) {
  const Transform transform{.lengths = {1 << 20}};
  const DeviceLimits limits = with_choice("host", {1 << 20, LineUse::rows, Precision::float32}, {512, {}});
  EXPECT_TRUE(line_text(transform, limits).starts_with("1048576 = [512 = "));
}

// One stage is best for a batch, whose lines threads share out; of one line only one thread would have any.
TEST(ChoiceTable, LeavesFewLongLinesToTheThreads) {
  DeviceLimits limits =
      with_choice("host", {1 << 17, LineUse::rows, Precision::float32}, {0, {{16, 16, 8, 8, 8}, 0, 0}});
  limits.level2_cache = std::size_t{2} << 20;
  limits.compute_units = 16;
  EXPECT_EQ(line_text({.lengths = {1 << 17}, .batch = 64}, limits), "131072 = 16.16.8.8.8");
  EXPECT_TRUE(line_text({.lengths = {1 << 17}}, limits).starts_with("131072 = [256 = "));
  limits.compute_units = 1;
  EXPECT_EQ(line_text({.lengths = {1 << 17}}, limits), "131072 = 16.16.8.8.8");
}

TEST(ChoiceTable, DecidesTheWorkGroup) {
  const Transform transform{.lengths = {1000}, .batch = 100};
  const DeviceLimits limits =
      with_choice("nvidia-cuda", {1000, LineUse::rows, Precision::float32}, {0, {{20, 10, 5}, 50, 3, 0, true}});
  const Program program =
      lower(make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits);
  ASSERT_EQ(program.stages.size(), 1u);
  EXPECT_EQ(program.stages[0].radices, (std::vector<unsigned>{20, 10, 5}));
  EXPECT_EQ(program.stages[0].shape.items_per_transform, 50u);
  EXPECT_EQ(program.stages[0].shape.transforms_per_group, 3u);
  EXPECT_EQ(program.stages[0].shape.exchange, KernelShape::Exchange::split);
}

TEST(ChoiceTable, DecidesHowManyNumbersAreMovedAtOnce) {
  const auto shape_of = [](const Transform& transform, DeviceLimits limits, const char* strategy = "default") {
    limits.strategy = parse_strategy(strategy);
    return lower(make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits)
        .stages.at(0)
        .shape;
  };
  const LineKey rows{256, LineUse::rows, Precision::float32};
  const LineChoice choice{0, {{8, 4, 8}, 16, 4, 0, false, 2}};
  const Transform transform{.lengths = {256}, .batch = 100};
  for (const char* name : {"nvidia-cuda", "nvidia-opencl"}) {
    const DeviceLimits limits = with_choice(name, rows, choice);
    EXPECT_EQ(shape_of(transform, limits).vector, 2U);
    EXPECT_EQ(shape_of(transform, limits).items_per_transform, 16U);
    EXPECT_EQ(shape_of(transform, limits, "vector=1").vector, 1U);
    // Where the data cannot be moved so, the rest of the choice holds.
    const Transform planar{.lengths = {256}, .batch = 100, .input = {.format = Layout::Format::planar}};
    EXPECT_EQ(shape_of(planar, limits).vector, 1U);
    EXPECT_EQ(shape_of(planar, limits).items_per_transform, 16U);
  }
  const LineKey columns{1080, LineUse::columns, Precision::float32};
  const DeviceLimits limits = with_choice("nvidia-cuda", columns, {0, {{9, 10, 12}, 120, 8, 64, false, 2}});
  const KernelShape tile = shape_of({.lengths = {1080, 1920}, .axes = {0}, .batch = 24}, limits);
  EXPECT_EQ(tile.vector, 2U);
  EXPECT_EQ(tile.registers, 64U);
  EXPECT_EQ(group_items(tile), 480U);
  EXPECT_EQ(shape_of({.lengths = {1080, 1921}, .axes = {0}, .batch = 24}, limits).vector, 1U);
}

TEST(ChoiceTable, DecidesHowManyColumnsTheHostTakesTogether) {
  const LineKey key{1024, LineUse::columns, Precision::float32};
  const Transform transform{.lengths = {1 << 20}};
  const auto bundles = [&](const DeviceLimits& limits) {
    std::vector<std::uint32_t> result;
    const Program program =
        lower(make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits);
    for (const Stage& stage : program.stages) result.push_back(stage.shape.transforms_per_group);
    return result;
  };
  EXPECT_EQ(bundles(named_limits("host")), (std::vector{1U, 1U}));
  EXPECT_EQ(bundles(with_choice("host", key, {0, {{16, 8, 8}, 0, 32}})), (std::vector{32U, 32U}));
  EXPECT_FALSE(objection(key, {0, {{16, 8, 8}, 0, 64}}, named_limits("host")));
  EXPECT_EQ(objection(key, {0, {{16, 8, 8}, 0, 24}}, named_limits("host")),
            "the host takes a power of two of columns together, at most 64, not 24");
  EXPECT_TRUE(objection(key, {0, {{16, 8, 8}, 0, 128}}, named_limits("host")));
}

TEST(ChoiceTable, SaysWhichLinesAreNotMovedAsVectors) {
  const DeviceLimits cuda = named_limits("nvidia-cuda");
  const auto refusal = [&](const LineKey& key, const MeasuredChoice& stage) {
    return objection(key, {0, stage}, cuda).value_or("none");
  };
  const LineKey rows{256, LineUse::rows, Precision::float32};
  const LineKey columns{1080, LineUse::columns, Precision::float32};
  EXPECT_EQ(refusal(rows, {{8, 4, 8}, 16, 4, 0, false, 2}), "none");
  EXPECT_EQ(refusal(rows, {{8, 4, 8}, 16, 4, 0, false, 4}), "work-items move 1 or 2 numbers at once, not 4");
  EXPECT_EQ(refusal(rows, {{8, 4, 8}, 16, 4, 0, false, 0}), "work-items move 1 or 2 numbers at once, not 0");
  EXPECT_EQ(refusal(rows, {{8, 4, 8}, 32, 4, 0, false, 2}),
            "32 butterflies of radix 8 are not shared out evenly, 2 at a time, by 32 work-items");
  EXPECT_EQ(refusal(columns, {{9, 10, 12}, 120, 8, 0, false, 2}), "none");
  EXPECT_EQ(refusal(columns, {{9, 10, 12}, 120, 3, 0, false, 2}), "3 columns cannot be taken 2 at a time");
  EXPECT_EQ(refusal(columns, {{9, 10, 12}, 30, 8, 0, false, 2}),
            "a work-item holds 72 elements, but at most 64 make sense");
  // An item of two columns: half as many of them.
  EXPECT_EQ(refusal(columns, {{9, 10, 12}, 120, 16, 0, false, 2}), "none");
  EXPECT_NE(refusal(columns, {{9, 10, 12}, 120, 16}), "none");
  for (const LineKey& key :
       {LineKey{256, LineUse::rows, Precision::float64}, LineKey{256, LineUse::mapped_rows, Precision::float32},
        LineKey{256, LineUse::convolved_rows, Precision::float32}}) {
    EXPECT_NE(refusal(key, {{8, 4, 8}, 16, 1, 0, false, 2}).find("several numbers at once"), std::string::npos);
  }
}

TEST(ChoiceTable, DecidesThePassesOfConvolutions) {
  const LineKey key{1008, LineUse::convolved_rows, Precision::float32};
  const Transform transform{.lengths = {1009}, .batch = 100};
  const DeviceLimits host = with_choice("host", key, {0, {{7, 12, 12}, 0, 0}});
  const LineRecipe line = make_recipe(transform, host).axes.front().line;
  EXPECT_EQ(std::get<Convolved>(line.algorithm).radices, (std::vector<unsigned>{7, 12, 12}));
  const Transform columns{.lengths = {1009, 7}, .axes = {0}};
  EXPECT_EQ(line_text(columns, host), line_text(columns, named_limits("host")));
  const DeviceLimits limits = with_choice("nvidia-cuda", key, {0, {{12, 7, 12}, 84, 2}});
  const Program program =
      lower(make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits);
  ASSERT_EQ(program.stages.size(), 1u);
  EXPECT_EQ(program.stages[0].radices, (std::vector<unsigned>{12, 7, 12}));
  EXPECT_EQ(program.stages[0].shape.items_per_transform, 84u);
  EXPECT_EQ(program.stages[0].shape.transforms_per_group, 2u);
  // What would round too much, and what is no choice of passes.
  const LineKey with_13{52, LineUse::convolved_rows, Precision::float32};
  EXPECT_TRUE(objection(with_13, {0, {{13, 4}, 4, 1}}, named_limits("nvidia-cuda")));
  EXPECT_FALSE(objection(with_13, {0, {{4, 13}, 4, 1}}, named_limits("nvidia-cuda")));
  EXPECT_TRUE(objection(key, {12, {}}, named_limits("nvidia-cuda")));
}

TEST(ChoiceTable, IgnoresWhatTheDeviceCannotCarryOut) {
  const LineKey key{1000, LineUse::rows, Precision::float32};
  const Transform transform{.lengths = {1000}};
  for (const std::string& name : limit_names()) {
    for (const LineChoice& choice : {LineChoice{0, {{10, 10}, 100, 1}}, LineChoice{0, {{1000}, 1, 1}},
                                     LineChoice{0, {{10, 10, 0}, 1, 1}}, LineChoice{7, {}}, LineChoice{1000, {}}}) {
      const DeviceLimits limits = with_choice(name, key, choice);
      EXPECT_TRUE(objection(key, choice, limits)) << name;
      EXPECT_EQ(line_text(transform, limits), line_text(transform, named_limits(name))) << name;
    }
  }
}

TEST(ChoiceTable, SaysWhatIsWrong) {
  const LineKey key{1000, LineUse::rows, Precision::float32};
  const DeviceLimits small = named_limits("small");
  EXPECT_EQ(objection(key, {0, {{10, 10, 10}, 100, 1}}, small),
            "it takes 1 x 100 work-items, but a group has at most 64");
  EXPECT_EQ(objection(key, {0, {{10, 10, 10}, 10, 1}}, small),
            "a work-item holds 100 elements, but at most 64 make sense");
  EXPECT_EQ(objection(key, {0, {{10, 10, 10}, 20, 4}}, small),
            "it takes 4 x 20 work-items, but a group has at most 64");
  EXPECT_EQ(objection(key, {0, {{10, 10, 10}, 20, 1, 2147483648U}}, small),
            "a work-item has at most 255 registers, not 2147483648");
  EXPECT_EQ(objection({4096, key.use, key.arithmetic}, {0, {{8, 8, 8, 8}, 128, 1}}, named_limits("mali")),
            "the device takes a launch for each radix");
}

}  // namespace
}  // namespace twiddle::plan
