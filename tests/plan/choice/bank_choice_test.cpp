// What planning does with tuned banks of filters, and which of them no device can carry out.
#include "plan/choice/bank_choice.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "plan/choice/choice_table.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/convolution_recipe.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::plan {
namespace {

const twiddle::Convolution bank{.signal_lengths = {1 << 20}, .kernel_lengths = {65}, .filters = 32};
const BankKey key{65, FilterCount::many, false, Precision::float32};

DeviceLimits with_choice(const char* name, const BankChoice& choice, const BankKey& of = key) {
  ChoiceTable table;
  table.set(of, choice);
  DeviceLimits limits = named_limits(name);
  limits.choices = std::make_shared<const ChoiceTable>(std::move(table));
  return limits;
}

BankRecipe recipe_of(const twiddle::Convolution& convolution, const DeviceLimits& limits) {
  return make_convolution_recipe(convolution, limits).bank;
}

TEST(BankChoice, DecidesTheSegmentAndItsGroups) {
  const BankChoice choice{
      .segment = 512, .radices = {8, 8, 8}, .items = 64, .registers = 80, .groups = 5, .root_step = 4};
  const DeviceLimits limits = with_choice("nvidia-cuda", choice);
  const BankRecipe recipe = recipe_of(bank, limits);
  EXPECT_NE(recipe_of(bank, named_limits("nvidia-cuda")), recipe);
  EXPECT_EQ(recipe, (BankRecipe{512, {8, 8, 8}, false, false}));
  const BankPrograms programs = lower_bank(bank, recipe);
  const KernelShape shape = choose_shape(programs.apply.stages.front(), limits);
  EXPECT_EQ(shape.items_per_transform, 64U);
  EXPECT_EQ(shape.registers, 80U);
  EXPECT_EQ(shape.groups, 5 * limits.compute_units);
  EXPECT_EQ(shape.root_step, 4U);
  // The spectra stand in the order in which the segments' items look for them.
  EXPECT_EQ(choose_shape(programs.prepare.stages.front(), limits).items_per_transform, 64U);
}

TEST(BankChoice, DecidesTheSegmentsOfTheHost) {
  const DeviceLimits limits = with_choice("host", {.segment = 3072});
  EXPECT_NE(recipe_of(bank, named_limits("host")).segment, 3072U);
  EXPECT_EQ(recipe_of(bank, limits).segment, 3072U);
  EXPECT_FALSE(recipe_of(bank, limits).radices.empty());
  EXPECT_TRUE(recipe_of(bank, with_choice("host", {.segment = 64, .partitioned = true})).partitioned);
}

// Other keys, segments that are asked for, signals too short for it, and strategies that shape lines go their own way.
TEST(BankChoice, CountsForItsOwnBanksAlone) {
  const BankChoice choice{.segment = 512, .radices = {8, 8, 8}, .items = 64};
  const DeviceLimits limits = with_choice("nvidia-cuda", choice);
  const auto follows = [&](const twiddle::Convolution& convolution) {
    return recipe_of(convolution, limits).radices == choice.radices;
  };
  EXPECT_TRUE(follows(bank));
  const auto changed = [](const auto& change) {
    twiddle::Convolution convolution = bank;
    change(convolution);
    return convolution;
  };
  EXPECT_TRUE(follows(changed([](auto& one) { one.filters = 16; })));
  EXPECT_FALSE(follows(changed([](auto& one) { one.filters = 15; })));
  EXPECT_FALSE(follows(changed([](auto& one) { one.kernel_lengths = {66}; })));
  EXPECT_FALSE(follows(changed([](auto& one) { one.complex = true; })));
  EXPECT_FALSE(follows(changed([](auto& one) { one.precision = Precision::float64; })));
  EXPECT_FALSE(follows(changed([](auto& one) { one.segment = 1024; })));
  EXPECT_FALSE(follows(changed([](auto& one) {
    one.signal_lengths = {1000};
    one.method = twiddle::Convolution::Method::overlap_save;
  })));
  DeviceLimits elsewhere = limits;
  elsewhere.strategy.elements = 16;
  EXPECT_NE(recipe_of(bank, elsewhere).radices, choice.radices);
}

// Which method serves is left to the estimates, which know nothing of what was tuned.
TEST(BankChoice, IsNoChoiceOfMethods) {
  for (const char* name : {"host", "nvidia-cuda"}) {
    for (const std::size_t length : {2000, 1 << 16, 1 << 20}) {
      for (const std::size_t taps : {9, 65, 4097}) {
        const twiddle::Convolution convolution{.signal_lengths = {length}, .kernel_lengths = {taps}, .filters = 32};
        BankChoice choice{.segment = 8192, .radices = {16, 32, 16}, .items = 256};
        const auto tuned = make_convolution_recipe(convolution, with_choice(name, choice, bank_key(convolution)));
        const auto usual = make_convolution_recipe(convolution, named_limits(name));
        EXPECT_EQ(tuned.method, usual.method) << to_string(convolution);
        EXPECT_EQ(tuned.step, usual.step) << to_string(convolution);
      }
    }
  }
}

TEST(BankChoice, SaysWhatIsWrong) {
  const auto refusal = [](const char* name, const BankChoice& choice) {
    return objection(key, choice, named_limits(name)).value_or("none");
  };
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .radices = {8, 8, 8}, .items = 64}), "none");
  EXPECT_EQ(refusal("host", {.segment = 1536}), "none");
  EXPECT_EQ(refusal("host", {.segment = 64}), "segments of 64 points give no result of 65 taps");
  EXPECT_EQ(refusal("host", {.segment = 16, .partitioned = true}), "segments have at least 32 points");
  EXPECT_EQ(refusal("host", {.segment = 7 * 64}), "one stage of the host does not transform segments of 448 points");
  EXPECT_EQ(refusal("mali", {.segment = 512, .radices = {8, 8, 8}, .items = 64}),
            "the device has no groups that keep segments");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .partitioned = true}),
            "devices do not cut filters into partitions");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 500, .radices = {10, 50}, .items = 5}),
            "banks have no butterfly of radix 10");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .radices = {8, 8}, .items = 8}),
            "segments of 512 points have at least two radices, whose product is that; not 8.8");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .radices = {}, .items = 8}),
            "segments of 512 points have at least two radices, whose product is that; not ");
  EXPECT_EQ(refusal("small", {.segment = 512, .radices = {8, 8, 8}, .items = 128}),
            "it takes 128 work-items, but a group has at most 64");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .radices = {8, 8, 8}, .items = 48}),
            "groups of 48 work-items do not hold segments of 512 points by 8.8.8");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .radices = {8, 8, 8}, .items = 4}),
            "groups of 4 work-items do not hold segments of 512 points by 8.8.8");
  EXPECT_EQ(refusal("small", {.segment = 4096, .radices = {8, 8, 8, 8}, .items = 64}),
            "groups of 64 work-items do not hold segments of 4096 points by 8.8.8.8");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .radices = {8, 8, 8}, .items = 64, .groups = 65}),
            "a compute unit has at most 64 groups");
  EXPECT_EQ(refusal("nvidia-cuda", {.segment = 512, .radices = {8, 8, 8}, .items = 64, .registers = 256}),
            "a work-item has at most 255 registers, not 256");
  // At once, whatever its factors are.
  EXPECT_EQ(refusal("host", {.segment = 18446744073709551557U}),
            "one stage of the host does not transform segments of 18446744073709551557 points");
  // What cannot be carried out is passed over.
  const BankChoice foreign{.segment = 512, .radices = {8, 8, 8}, .items = 48};
  EXPECT_EQ(recipe_of(bank, with_choice("nvidia-cuda", foreign)), recipe_of(bank, named_limits("nvidia-cuda")));
}

}  // namespace
}  // namespace twiddle::plan
