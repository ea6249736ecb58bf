// What was measured on one device is chosen for devices like it, and for nothing else.
#include "plan/choice/measured_choices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

using Radices = std::vector<unsigned>;

std::vector<Stage> stages_of(const char* text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
  const Problem problem = parse_problem(text);
  return lower(make_recipe(problem.transform, limits), problem.transform, problem.direction, problem.placement, limits)
      .stages;
}

std::vector<Radices> radices_of(const char* text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
  std::vector<Radices> all;
  for (const Stage& stage : stages_of(text, limits)) all.push_back(stage.radices);
  return all;
}

TEST(MeasuredChoices, CanBeCarriedOutByTheDevicesThatTheyAreFor) {
  int found = 0;
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const DeviceLimits limits = limits_for(named_limits("nvidia-cuda"), precision);
    for (std::uint64_t length = 2; length <= 32768; ++length) {
      for (const LineUse use : {LineUse::rows, LineUse::mapped_rows, LineUse::columns, LineUse::few_columns,
                                LineUse::twiddled_columns, LineUse::convolved_rows, LineUse::convolved_columns}) {
        const auto choice = measured_choice(length, use, limits);
        if (!choice) continue;
        ++found;
        const LineKey key = line_key(length, use, precision);
        EXPECT_EQ(objection(key, {0, *choice}, limits).value_or(""), "") << to_string(key, {0, *choice});
      }
    }
  }
  EXPECT_GT(found, 150);
}

TEST(MeasuredChoices, DivideLinesThatTwoLaunchesTransformFaster) {
  EXPECT_EQ(radices_of("c2c:f64:299*16384:inplace"), (std::vector<Radices>{{8, 8}, {16, 16}}));
  EXPECT_EQ(radices_of("c2c:f64:299*16807"), (std::vector<Radices>{{7, 7}, {7, 7, 7}}));
  EXPECT_EQ(radices_of("c2c:f32:16777216"), (std::vector<Radices>{{16, 16, 16}, {16, 16, 16}}));
  EXPECT_EQ(radices_of("c2c:f32:671*100000"), (std::vector<Radices>{{10, 10}, {10, 10, 10}}));
  // One group for each of few lines would leave even more of the device idle; parts of few have shapes of their own.
  EXPECT_EQ(radices_of("c2c:f64:16384"), (std::vector<Radices>{{8, 8}, {16, 16}}));
  EXPECT_NE(radices_of("c2c:f32:100000"), radices_of("c2c:f32:671*100000"));
  // Other uses, devices and what was tuned are as they were.
  EXPECT_EQ(stages_of("c2c:f32:2048*16384").size(), 1u);
  const auto divided = [](LineUse use, const DeviceLimits& limits) {
    return measured_division(16384, use, 2048, limits).has_value();
  };
  DeviceLimits limits = limits_for(named_limits("nvidia-cuda"), Precision::float64);
  EXPECT_TRUE(divided(LineUse::rows, limits));
  EXPECT_FALSE(divided(LineUse::mapped_rows, limits));
  EXPECT_FALSE(divided(LineUse::columns, limits));
  EXPECT_FALSE(divided(LineUse::rows, limits_for(named_limits("nvidia-opencl"), Precision::float64)));
  auto table = std::make_shared<ChoiceTable>();
  table->set({16384, LineUse::rows, Precision::float64}, {0, {{32, 16, 32}, 512, 1}});
  limits.choices = table;
  EXPECT_FALSE(divided(LineUse::rows, limits));
}

// Work-items spill some of what they hold, which is still faster than a convolution through memory, but not for so few
// lines that most of the device would be idle.
TEST(MeasuredChoices, ConvolveOnChipWhatHardlyFits) {
  for (const char* text : {"c2c:f32:6706*10007:inplace", "r2c:f32:6706*10007", "c2c:f32:44*10007"}) {
    const std::vector<Stage> stages = stages_of(text);
    ASSERT_EQ(stages.size(), 1u) << text;
    EXPECT_EQ(chip_points(stages[0]), 20412u) << text;
    EXPECT_EQ(stages[0].shape.items_per_transform, 378u) << text;
  }
  EXPECT_EQ(stages_of("r2c:f32:6706*10007")[0].store_map->rule, LineMap::Rule::two_spectra_store);
  for (const char* text : {"c2c:f32:43*10007", "c2c:f64:3353*10007", "c2c:f32:10007x64:axes=0", "c2c:f32:64*10223"}) {
    EXPECT_GT(stages_of(text).size(), 1u) << text;
  }
  EXPECT_GT(stages_of("c2c:f32:6706*10007", named_limits("nvidia-opencl")).size(), 1u);
}

TEST(MeasuredChoices, ConvolutionsHavePassesOfTheirOwn) {
  EXPECT_EQ(radices_of("c2c:f64:1000*61"), (std::vector<Radices>{{5, 12}}));
  EXPECT_EQ(stages_of("c2c:f64:1000*61")[0].shape.transforms_per_group, 16u);
  EXPECT_EQ(
      measured_choice(60, LineUse::convolved_columns, limits_for(named_limits("nvidia-cuda"), Precision::float32)),
      std::nullopt);
  // Reals of 61 points by Rader's algorithm, complex numbers by a butterfly of their own.
  EXPECT_EQ(radices_of("r2c:f32:1000*61"), (std::vector<Radices>{{5, 12}}));
  EXPECT_EQ(radices_of("c2c:f32:1000*61"), (std::vector<Radices>{{61}}));
  EXPECT_EQ(radices_of("r2c:f64:1000*61"), (std::vector<Radices>{{5, 12}}));
  // Elsewhere the model's: coprime ones, with which Rader's algorithm needs no twiddles, where they cost little more.
  EXPECT_EQ(radices_of("c2c:f32:61x1000:axes=0"), (std::vector<Radices>{{5, 12}}));
  EXPECT_EQ(radices_of("c2c:f32:1000*61", named_limits("nvidia-opencl")), (std::vector<Radices>{{61}}));
  EXPECT_EQ(radices_of("c2c:f32:1000*53", named_limits("nvidia-opencl")), (std::vector<Radices>{{4, 13}}));
  EXPECT_EQ(radices_of("c2c:f32:1000*101", named_limits("nvidia-opencl")), (std::vector<Radices>{{25, 4}}));
  // The points of many lengths.
  for (const char* text : {"c2c:f32:10972*1529", "r2c:f32:21945*1529"}) {
    const Stage stage = stages_of(text).at(0);
    EXPECT_EQ(stage.radices, (Radices{16, 14, 14})) << text;
    EXPECT_EQ(stage.shape.items_per_transform, 224u) << text;
    EXPECT_EQ(stage.shape.registers, 72u) << text;
  }
  // One line has no groups beside it that its registers would be for.
  EXPECT_EQ(stages_of("c2c:f32:4288*3912").at(0).shape.registers, 128u);
  EXPECT_EQ(stages_of("c2c:f32:3912").at(0).shape.registers, 0u);
  EXPECT_EQ(radices_of("c2c:f32:3912"), radices_of("c2c:f32:4288*3912"));
  EXPECT_EQ(radices_of("r2c:f32:18630*1801"), (std::vector<Radices>{{15, 15, 8}}));
}

// Limits of registers as well, also where the spectra of two lines are told apart behind them, but not with other maps.
TEST(MeasuredChoices, ConvolutionsHaveLimitsOfRegisters) {
  for (const char* text : {"c2c:f32:32912*2039:inplace", "r2c:f32:65792*2039:inplace"}) {
    EXPECT_EQ(radices_of(text), (std::vector<Radices>{{16, 16, 16}})) << text;
    EXPECT_EQ(stages_of(text)[0].shape.registers, 64u) << text;
  }
  EXPECT_EQ(stages_of("c2c:f64:16456*2039")[0].shape.registers, 128u);
  EXPECT_EQ(stages_of("c2c:f32:16372*4099")[0].shape.registers, 72u);
  EXPECT_EQ(stages_of("dct2:f32:32912*2039")[0].shape.registers, 0u);
}

// What was measured through CUDA serves 48 KiB of local memory as well where it fits, with parts exchanged apart if
// need be; what does not, and lines that CUDA has no shape for, have shapes of their own.
TEST(MeasuredChoices, OfMuchMemoryServeLittleMemoryWhereTheyFit) {
  const DeviceLimits opencl = named_limits("nvidia-opencl");
  for (const char* text : {"c2c:f64:16384*2048", "r2c:f32:1000*1000", "c2c:f32:8192*8192", "c2c:f64:53687*625",
                           "c2c:f64:2330*120x120:axes=0"}) {
    EXPECT_EQ(radices_of(text, opencl), radices_of(text)) << text;
    EXPECT_EQ(stages_of(text, opencl)[0].shape.items_per_transform, stages_of(text)[0].shape.items_per_transform);
  }
  EXPECT_EQ(stages_of("c2c:f32:8192*8192", opencl)[0].shape.exchange, KernelShape::Exchange::split);
  EXPECT_EQ(stages_of("c2c:f32:8192*8192")[0].shape.exchange, KernelShape::Exchange::complex);
  // Tiles of columns whose complex numbers do not fit, and lines of which not even parts do.
  EXPECT_EQ(radices_of("c2c:f32:67*1000x1000:axes=0", opencl), (std::vector<Radices>{{20, 10, 5}}));
  EXPECT_EQ(radices_of("c2c:f32:67*1000x1000:axes=0"), (std::vector<Radices>{{10, 10, 10}}));
  EXPECT_EQ(radices_of("c2c:f32:4096*16384", opencl), (std::vector<Radices>{{32, 16, 32}}));
  EXPECT_EQ(radices_of("c2c:f32:65536*1024", opencl), (std::vector<Radices>{{16, 16, 4}}));
  // Maps of 64 points are faster as the model has them.
  EXPECT_EQ(radices_of("r2c:f32:1032444*128", opencl), (std::vector<Radices>{{8, 8}}));
  EXPECT_EQ(radices_of("c2c:f32:262144", opencl), (std::vector<Radices>{{16, 8, 4}, {16, 8, 4}}));
  EXPECT_NE(radices_of("c2c:f32:256*262144", opencl)[0], (Radices{16, 8, 4}));
  // Lines in two launches.
  EXPECT_EQ(stages_of("c2c:f32:671*100000", opencl)[0].length, 100U);
  EXPECT_EQ(measured_division(16777216, LineUse::rows, 4, limits_for(opencl, Precision::float32)), std::nullopt);
}

// The shape of many columns of 625 points took one line of a million reals 1.06 times as long.
TEST(MeasuredChoices, FewColumnsKeepTheirShapeWhereColumnsHaveAnother) {
  EXPECT_EQ(radices_of("r2c:f32:1000000")[0], (Radices{25, 25}));
  EXPECT_EQ(radices_of("c2c:f32:64*625x64:axes=0")[0], (Radices{5, 5, 25}));
}

// Of one butterfly an item, too: how many lines a group takes, and with how many registers.
TEST(MeasuredChoices, SayHowManyLinesOfOneItemShareAGroup) {
  const auto numbers = [](const char* text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
    const KernelShape shape = stages_of(text, limits)[0].shape;
    return std::vector<std::uint32_t>{shape.items_per_transform, shape.transforms_per_group, shape.registers};
  };
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(numbers("r2c:f32:13421772*8"), (Numbers{1, 32, 0}));
  EXPECT_EQ(numbers("r2c:f32:3532044*37"), (Numbers{1, 32, 128}));
  EXPECT_EQ(numbers("c2c:f32:1813753*37"), (Numbers{1, 32, 0}));
  EXPECT_EQ(numbers("c2c:f32:262144*256"), (Numbers{16, 1, 0}));
  EXPECT_EQ(numbers("r2c:f32:13421772*8", named_limits("small"))[1], 64U);
  // Where the cache holds the data, more lines are faster.
  EXPECT_EQ(numbers("r2c:f32:300000*8"), (Numbers{1, 128, 0}));
  EXPECT_EQ(numbers("r2c:f32:60000*37"), (Numbers{1, 128, 128}));
  EXPECT_EQ(numbers("c2c:f32:10000*256"), (Numbers{16, 8, 0}));
}

// Three lines a group, which complex lines gained from, took pairs of real ones 1.2 times as long.
TEST(MeasuredChoices, MapsKeepTheirShapeWhereRowsHaveAnother) {
  EXPECT_EQ(stages_of("c2c:f32:1000*169")[0].shape.transforms_per_group, 3u);
  EXPECT_EQ(stages_of("r2c:f32:1000*169")[0].shape.transforms_per_group, 9u);
}

// The middle of Bluestein's algorithm through memory has its elements side by side, whatever part of a line it is.
TEST(MeasuredChoices, BluesteinsRowsAreRows) {
  EXPECT_EQ(radices_of("c2c:f32:10007"), (std::vector<Radices>{{20}, {16, 16, 4}, {20}}));
}

// The spectrum of Bluestein's padded line need not be in memory: the last part goes there and back in one stage.
TEST(MeasuredChoices, BluesteinsMiddleIsOneStageWhereItFits) {
  for (const char* text : {"c2c:f32:2*65537", "c2c:f64:2*10007:inverse", "r2c:f32:4*65537", "c2c:f32:65537x8:axes=0"}) {
    const std::vector<Stage> stages = stages_of(text);
    EXPECT_EQ(std::count_if(stages.begin(), stages.end(), [](const Stage& stage) { return stage.returns; }), 1) << text;
    EXPECT_EQ(stages[1].returns, true) << text;
    EXPECT_EQ(stages[1].shape.exchange_rounds, 1u) << text;
  }
  DeviceLimits apart = named_limits("nvidia-cuda");
  apart.strategy.twiddles = Strategy::Twiddles::separate;
  for (const DeviceLimits& limits : {apart, named_limits("host"), named_limits("mali")}) {
    for (const Stage& stage : stages_of("c2c:f32:2*65537", limits)) EXPECT_FALSE(stage.returns);
  }
}

// Chosen for rows, where the layouts' strides make columns of them: planning refused what the model does not hold.
TEST(MeasuredChoices, HoldLinesWhoseElementsLieApart) {
  for (const char* text : {"c2c:f32:64*10007:in=64/batch=1:out=64/batch=1", "c2c:f32:64*10007:out=64/batch=1",
                           "r2c:f32:64*10007:in=64/batch=1:out=64/batch=1", "c2c:f32:8*19683:in=8/batch=1",
                           "r2c:f32:8*19683:out=8/batch=1", "r2c:f32:8*39366:in=8/batch=1:out=8/batch=1"}) {
    const std::vector<Stage> stages = stages_of(text);
    EXPECT_TRUE(std::any_of(stages.begin(), stages.end(), [](const Stage& stage) {
      return stage.shape.items_per_transform == (stage.convolution ? 378u : 365u);
    })) << text;
  }
}

// The stage of a long real line that carries out its map as well.
KernelShape shape_of_pairs(const char* text, const DeviceLimits& limits) {
  for (const Stage& stage : stages_of(text, limits)) {
    if (stage.shared_map && stage.store_map) return stage.shape;
  }
  ADD_FAILURE() << text << ": no map is shared";
  return {};
}

// Half of a group's transforms mirror the others: an odd number gave wrong results.
TEST(MeasuredChoices, GroupsOfSharedMapsHoldPairs) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.compute_units = 2;
  limits.strategy.launches = Strategy::Launches::one_per_row;
  EXPECT_EQ(shape_of_pairs("r2c:f32:2*1024000", limits).transforms_per_group % 2, 0u);  // 1024 points were measured
  limits.strategy = {};
  for (const std::uint32_t transforms : {1, 3, 5, 6, 16}) {
    ChoiceTable table;
    table.set({450, LineUse::columns, Precision::float32}, {0, {{15, 30}, 15, transforms}});
    table.set({450, LineUse::columns, Precision::float64}, {0, {{15, 30}, 15, transforms}});
    limits.choices = std::make_shared<const ChoiceTable>(std::move(table));
    const std::uint32_t side_by_side = shape_of_pairs("r2c:f32:360000", limits).transforms_per_group;
    EXPECT_TRUE(transforms % 2 == 0 ? side_by_side == transforms : side_by_side % 2 == 0) << side_by_side;
    limits.compute_units = 60;  // tiles are made narrower
    EXPECT_EQ(shape_of_pairs("r2c:f64:360000", limits).transforms_per_group % 2, 0u) << transforms;
    limits.compute_units = 2;
  }
}

}  // namespace
}  // namespace twiddle::plan
