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
  const Convolution longer{.signal_lengths = {1 << 21}, .kernel_lengths = {9000}};
  EXPECT_EQ(on_large_card(longer).method, Method::whole);
}

}  // namespace
}  // namespace twiddle::test
