// Image convolution on devices with work-items gives what the host's reference gives, in every variant.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/device_test.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"
#include "twiddle/image_convolution_plan.hpp"

namespace twiddle::test {
namespace {

using Variant = ImageConvolution::Variant;

class ImageDeviceTest : public DeviceTest {
 protected:
  template <class Sample>
  void check(ImageConvolution convolution, ImageFormat format, bool exact) {
    format.bits = 8 * sizeof(Sample);
    std::vector<Sample> image(format.height * format.width * format.channels);
    for (Sample& sample : image) sample = static_cast<Sample>(generator());
    convolution.variant = Variant::reference;
    std::vector<Sample> expected(image.size());
    ImageConvolutionPlan(Device::host(), convolution, format).execute(image, expected);
    std::size_t cases = checks++;  // half of the variants, those of the next one the others
    for (const Variant variant : {Variant::automatic, Variant::reference, Variant::addressed, Variant::vectors,
                                  Variant::blocked, Variant::separable}) {
      if (!is_sampled(cases++, 2)) continue;
      convolution.variant = variant;
      std::vector<Sample> actual(image.size());
      try {
        ImageConvolutionPlan(device(), convolution, format).execute(image, actual);
      } catch (const InvalidArgument&) {
        ASSERT_EQ(variant, Variant::separable);
        continue;
      }
      for (std::size_t i = 0; i < image.size(); ++i) {
        ASSERT_LE(std::abs(actual[i] - expected[i]), exact ? 0 : 1)
            << to_string(convolution.kernel) << ", " << to_string(variant) << ", " << to_string(convolution.boundary)
            << ", " << format.channels << " channels, sample " << i;
      }
    }
  }

  std::mt19937 generator{7};
  std::size_t checks = 0;
};

// Each compiles five or seven kernels where all variants are taken.
TEST_F(ImageDeviceTest, KernelsFormatsAndBoundaries) {
  const auto convolution = [](std::string_view kernel, Boundary boundary) {
    return ImageConvolution{.kernel = parse_image_kernel(kernel), .boundary = boundary};
  };
  check<std::uint8_t>(convolution("emboss", Boundary::periodic), {13, 21, 3}, true);
  check<std::uint8_t>(convolution("gaussian", Boundary::reflect), {14, 9, 4}, true);
  check<std::uint16_t>(convolution("1 2 3 4 5; 2 4 6 8 10; 3 6 9 12 15", Boundary::zero), {5, 6, 2}, true);
  check<std::uint16_t>(convolution("sharpen", Boundary::nearest), {9, 10, 1}, true);
}

TEST_F(ImageDeviceTest, WideSumsAndFractions) {
  check<std::uint8_t>({.kernel = {3, 3, {1e8, 2, 3, 4, -1e8, 6, 7, 8, 9}}, .scale = 7, .offset = 100}, {9, 10}, true);
  check<std::uint16_t>({.kernel = {1, 3, {0.3, -1.5, 2.25}}, .scale = 1.7, .offset = -3.5}, {4, 12, 3}, false);
}

TEST_F(ImageDeviceTest, Buffers) {
  const ImageFormat format{20, 30, 3};
  const ImageConvolution convolution{.kernel = parse_image_kernel("smooth")};
  const ImageConvolutionPlan plan(device(), convolution, format);
  std::vector<std::uint8_t> image(1800);
  for (std::uint8_t& sample : image) sample = static_cast<std::uint8_t>(generator());
  std::vector<std::uint8_t> expected(1800);
  plan.execute(image, expected);
  Buffer input = Buffer::of<std::uint8_t>(device(), 1800);
  Buffer output = Buffer::of<std::uint8_t>(device(), 1800);
  input.write(image);
  plan.execute(input, output);
  std::vector<std::uint8_t> actual(1800);
  output.read(actual);
  EXPECT_EQ(actual, expected);
  EXPECT_THROW(plan.execute(input, input), InvalidArgument);
  Buffer small = Buffer::of<std::uint8_t>(device(), 1799);
  EXPECT_THROW(plan.execute(input, small), InvalidArgument);
}

}  // namespace
}  // namespace twiddle::test
