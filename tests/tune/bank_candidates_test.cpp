// What is tried for banks of filters can be planned, and counts.
#include "tune/bank_candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "plan/choice/choice_table.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/convolution_recipe.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/shape.hpp"
#include "twiddle/convolution_text.hpp"

namespace twiddle::tuning {
namespace {

using plan::BankChoice;

plan::ConvolutionRecipe recipe_by(const BankChoice& choice, const Convolution& convolution, DeviceLimits& limits) {
  plan::ChoiceTable table;
  table.set(plan::bank_key(convolution), choice);
  limits.choices = std::make_shared<const plan::ChoiceTable>(std::move(table));
  return plan::make_convolution_recipe(convolution, limits);
}

TEST(BankCandidates, AreAllPlanned) {
  for (const char* name : {"host", "nvidia-cuda", "nvidia-opencl", "small"}) {
    for (const char* text :
         {"conv:real:f32:1048576:32*65:method=overlap-save", "conv:complex:f64:100000:4*33:post=power",
          "conv:complex:f32:1048576:8*129:post=interbin-pi/4"}) {
      const Convolution convolution = parse_convolution(text);
      DeviceLimits limits = plan::named_limits(name);
      const auto present = present_bank(convolution, limits);
      ASSERT_TRUE(present) << name << " " << text;
      std::vector<BankChoice> all = bank_candidates(convolution, limits, 60);
      EXPECT_GT(all.size(), 5U) << name << " " << text;
      EXPECT_LE(all.size(), 60U);
      for (const BankChoice& choice : all) EXPECT_EQ(std::count(all.begin(), all.end(), choice), 1);
      for (BankChoice& refined : bank_refinements(convolution, *present, limits)) all.push_back(std::move(refined));
      for (const BankChoice& choice : all) {
        const plan::ConvolutionRecipe recipe = recipe_by(choice, convolution, limits);
        EXPECT_EQ(recipe.bank.segment, choice.segment);
        EXPECT_EQ(recipe.bank.partitioned, choice.partitioned);
        if (limits.shape == DeviceLimits::Shape::owned) continue;
        const plan::BankPrograms programs = plan::lower_bank(convolution, recipe.bank);
        EXPECT_EQ(plan::choose_shape(programs.apply.stages.front(), limits).items_per_transform, choice.items);
        EXPECT_EQ(plan::choose_shape(programs.prepare.stages.front(), limits).items_per_transform, choice.items);
      }
    }
  }
}

// A choice that says what is there changes nothing.
TEST(BankCandidates, BeginWithWhatIsThere) {
  const Convolution convolution = parse_convolution("conv:complex:f32:1048576:32*257");
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const plan::ConvolutionRecipe before = plan::make_convolution_recipe(convolution, limits);
  const auto shape_of = [&](const plan::ConvolutionRecipe& recipe) {
    return plan::choose_shape(plan::lower_bank(convolution, recipe.bank).apply.stages.front(), limits);
  };
  const plan::KernelShape shape = shape_of(before);
  const plan::ConvolutionRecipe after = recipe_by(*present_bank(convolution, limits), convolution, limits);
  EXPECT_EQ(after.bank, before.bank);
  EXPECT_EQ(shape_of(after), shape);
}

TEST(BankCandidates, AreNoneWhereNoChoiceCounts) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const char* text : {"conv:real:f32:1048576:32*257:segment=1024", "conv:real:f32:64x64:3x3",
                           "conv:real:f32:1048576:3:method=direct", "conv:real:f32:1048576:65537"}) {
    EXPECT_FALSE(present_bank(parse_convolution(text), limits)) << text;
  }
  const Convolution bank = parse_convolution("conv:real:f32:1048576:32*257");
  EXPECT_TRUE(
      bank_refinements(bank, *present_bank(bank, plan::named_limits("host")), plan::named_limits("host")).empty());
}

}  // namespace
}  // namespace twiddle::tuning
