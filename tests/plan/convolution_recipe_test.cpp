// Which method convolutions take on devices of different size.
#include "plan/convolution_recipe.hpp"

#include <gtest/gtest.h>

#include "plan/limits.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

using Method = Convolution::Method;
using Mode = Convolution::Mode;

Convolution picture(std::size_t side, std::size_t kernel) {
  return {.signal_lengths = {side, side}, .kernel_lengths = {kernel, kernel}, .mode = Mode::same};
}

plan::ConvolutionRecipe on_large_card(const Convolution& convolution) {
  return plan::make_convolution_recipe(convolution, plan::named_limits("nvidia-cuda"));
}

plan::ConvolutionRecipe on_two_units(const Convolution& convolution) {
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  limits.compute_units = 2;
  return plan::make_convolution_recipe(convolution, limits);
}

TEST(ConvolutionRecipe, SumsFewTapsOfPicturesOnDevices) {
  EXPECT_EQ(on_large_card(picture(2048, 3)).method, Method::direct);
  EXPECT_EQ(on_large_card(picture(2048, 65)).method, Method::whole);
  EXPECT_EQ(on_two_units(picture(1024, 3)).method, Method::direct);
  EXPECT_EQ(on_two_units(picture(1024, 15)).method, Method::whole);
}

TEST(ConvolutionRecipe, SumsColumnsAndRowsOnDevicesWhereFiltersAllowIt) {
  EXPECT_TRUE(on_large_card(picture(2048, 9)).separable);
  EXPECT_TRUE(on_two_units(picture(1024, 15)).separable);
  EXPECT_FALSE(on_two_units(picture(1024, 65)).separable);
  Convolution forced = picture(1024, 15);
  forced.method = Method::separable;
  EXPECT_TRUE(on_large_card(forced).bank.separable);
}

// Groups of a device hold columns for so many taps of a row, and those without local memory for none.
TEST(ConvolutionRecipe, ColumnsAreHeldInLocalMemory) {
  Convolution convolution{.signal_lengths = {20, 70000}, .kernel_lengths = {3, 60000}, .method = Method::separable};
  EXPECT_THROW((void)on_large_card(convolution), Unsupported);
  convolution.kernel_lengths = {3, 5};
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  EXPECT_NO_THROW((void)plan::make_convolution_recipe(convolution, limits));
  limits.shape = DeviceLimits::Shape::staged;
  EXPECT_THROW((void)plan::make_convolution_recipe(convolution, limits), Unsupported);
}

TEST(ConvolutionRecipe, LinesGoBySegmentsOnDevicesUntilFiltersAreTooLong) {
  for (const std::size_t taps : {65u, 257u, 1025u, 4097u}) {
    Convolution convolution{.signal_lengths = {1 << 21}, .kernel_lengths = {taps}, .filters = 8};
    EXPECT_EQ(on_large_card(convolution).method, Method::overlap_save) << taps;
    convolution.complex = true;
    EXPECT_EQ(on_large_card(convolution).method, Method::overlap_save) << taps;
  }
  const plan::ConvolutionRecipe longer =
      on_large_card({.signal_lengths = {1 << 22}, .kernel_lengths = {7500}, .mode = Mode::same});
  EXPECT_EQ(plan::to_string(longer), "overlap-save in segments of 16384 through memory");
  EXPECT_EQ(longer.step, 8864u);
}

// What an H200 took least time with: segments of two passes for long signals, where a whole line takes more.
TEST(ConvolutionRecipe, LongFiltersGoBySegmentsThroughMemory) {
  for (const std::size_t taps : {16385u, 65537u}) {
    const plan::ConvolutionRecipe recipe = on_large_card({.signal_lengths = {1 << 24}, .kernel_lengths = {taps}});
    EXPECT_EQ(recipe.method, Method::overlap_save) << taps;
    EXPECT_GE(recipe.step, recipe.bank.segment / 2) << taps;
    EXPECT_GE(recipe.bank.segment, 65536u) << taps;
  }
  EXPECT_EQ(on_large_card({.signal_lengths = {1 << 18}, .kernel_lengths = {65537}}).method, Method::whole);
  EXPECT_EQ(on_two_units({.signal_lengths = {1 << 22}, .kernel_lengths = {65537}}).method, Method::whole);
}

TEST(ConvolutionRecipe, SegmentsThroughMemoryThatAreAskedFor) {
  Convolution convolution{.signal_lengths = {1 << 20}, .kernel_lengths = {257}, .method = Method::overlap_save};
  convolution.segment = 99999;
  EXPECT_EQ(on_large_card(convolution).padded, std::vector<std::uint64_t>{100000});
  convolution.segment = 4000;
  EXPECT_EQ(on_large_card(convolution).bank.segment, 4096u);
  EXPECT_EQ(on_large_card(convolution).step, 0u);
  convolution.kernel_lengths = {9001};  // at least half of a segment are outputs
  EXPECT_EQ(on_large_card(convolution).bank.segment, 18000u);
}

}  // namespace
}  // namespace twiddle::test
