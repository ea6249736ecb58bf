// Image convolution: every variant against the definition in exact arithmetic, saturation, boundaries, kernels as text,
// refusals.
#include "twiddle/image_convolution_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using Variant = ImageConvolution::Variant;

constexpr Boundary boundaries[] = {Boundary::zero, Boundary::periodic, Boundary::reflect, Boundary::nearest};
constexpr Variant variants[] = {Variant::automatic, Variant::reference, Variant::addressed,
                                Variant::vectors,   Variant::blocked,   Variant::separable};

// Where a position lies, step by step; -1 for nowhere.
std::ptrdiff_t place(Boundary boundary, std::ptrdiff_t position, std::ptrdiff_t count) {
  while (position < 0 || position >= count) {
    if (boundary == Boundary::zero) return -1;
    if (boundary == Boundary::nearest) return position < 0 ? 0 : count - 1;
    if (boundary == Boundary::periodic) position += position < 0 ? count : -count;
    if (boundary == Boundary::reflect) position = position < 0 ? -1 - position : 2 * count - 1 - position;
  }
  return position;
}

// The definition in long double, before rounding.
template <class Sample>
std::vector<long double> exact_levels(const ImageConvolution& convolution, const ImageFormat& format,
                                      const std::vector<Sample>& image) {
  const ImageKernel& kernel = convolution.kernel;
  long double scale = 0;
  for (const double weight : kernel.weights) scale += weight;
  scale = convolution.scale.value_or(static_cast<double>(scale));
  if (scale == 0) scale = 1;
  std::vector<long double> result(image.size());
  const auto h = static_cast<std::ptrdiff_t>(format.height);
  const auto w = static_cast<std::ptrdiff_t>(format.width);
  const auto channels = static_cast<std::ptrdiff_t>(format.channels);
  const auto kh = static_cast<std::ptrdiff_t>(kernel.height);
  const auto kw = static_cast<std::ptrdiff_t>(kernel.width);
  for (std::ptrdiff_t index = 0; index < h * w * channels; ++index) {
    const std::ptrdiff_t y = index / (w * channels);
    const std::ptrdiff_t x = index / channels % w;
    long double sum = 0;
    for (std::ptrdiff_t i = 0; i < kh; ++i) {
      for (std::ptrdiff_t j = 0; j < kw; ++j) {
        const std::ptrdiff_t sign = convolution.correlate ? -1 : 1;
        const std::ptrdiff_t row = place(convolution.boundary, y + sign * (kh / 2 - i), h);
        const std::ptrdiff_t column = place(convolution.boundary, x + sign * (kw / 2 - j), w);
        if (row < 0 || column < 0) continue;
        sum += static_cast<long double>(kernel.weights[static_cast<std::size_t>(i * kw + j)]) *
               image[static_cast<std::size_t>((row * w + column) * channels + index % channels)];
      }
    }
    result[static_cast<std::size_t>(index)] = sum / scale + convolution.offset;
  }
  return result;
}

class ImageConvolutionTest : public testing::Test {
 protected:
  template <class Sample>
  std::vector<Sample> random_image(const ImageFormat& format) {
    std::vector<Sample> image(format.height * format.width * format.channels);
    std::uniform_int_distribution<unsigned> level(0, (1U << format.bits) - 1);
    for (Sample& sample : image) sample = static_cast<Sample>(level(generator));
    return image;
  }

  // Whole numbers: the very samples. Others: within one level of the rounded ones.
  template <class Sample>
  void check_all_variants(ImageConvolution convolution, ImageFormat format, bool exact) {
    format.bits = 8 * sizeof(Sample);
    format.keep_alpha = false;
    const std::vector<Sample> image = random_image<Sample>(format);
    const std::vector<long double> levels = exact_levels(convolution, format, image);
    const long double maximum = (1U << format.bits) - 1;
    for (const Variant variant : variants) {
      convolution.variant = variant;
      std::vector<Sample> actual(image.size());
      try {
        ImageConvolutionPlan(Device::host(), convolution, format).execute(image, actual);
      } catch (const InvalidArgument&) {
        ASSERT_EQ(variant, Variant::separable);
        continue;
      }
      ++checked[static_cast<std::size_t>(variant)];
      for (std::size_t i = 0; i < image.size(); ++i) {
        const long double expected = std::clamp(std::floor(levels[i] + 0.5L), 0.0L, maximum);
        ASSERT_LE(std::abs(actual[i] - expected), exact ? 0 : 1)
            << to_string(convolution.kernel) << ", " << to_string(variant) << ", " << to_string(convolution.boundary)
            << ", " << format.width << " x " << format.height << " x " << format.channels << ", sample " << i;
      }
    }
  }

  std::mt19937 generator{5};
  std::size_t checked[6] = {};
};

TEST_F(ImageConvolutionTest, NamedKernelsOnAllFormatsAndBoundaries) {
  for (const std::string_view name : image_kernel_names()) {
    for (const Boundary boundary : boundaries) {
      for (const std::size_t channels : {1U, 2U, 3U, 4U}) {
        const ImageConvolution convolution{.kernel = parse_image_kernel(name), .boundary = boundary};
        check_all_variants<std::uint8_t>(convolution, {9, 37, channels}, true);
        check_all_variants<std::uint16_t>(convolution, {8, 35, channels}, true);
      }
    }
  }
  for (const std::size_t count : checked) EXPECT_GT(count, 100U);
}

TEST_F(ImageConvolutionTest, RandomProblems) {
  const auto pick = [&](std::size_t from, std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(from, to)(generator);
  };
  for (int round = 0; round < 300; ++round) {
    const bool whole = pick(0, 2) != 0;
    const double reach = std::pow(10.0, static_cast<double>(pick(0, 4)));
    std::uniform_real_distribution<double> number(-reach, reach);
    const auto draw = [&] { return whole ? std::round(number(generator)) : number(generator); };
    ImageConvolution convolution;
    ImageKernel& kernel = convolution.kernel;
    kernel = {2 * pick(0, 3) + 1, 2 * pick(0, 3) + 1, {}};
    kernel.weights.resize(kernel.height * kernel.width);
    if (pick(0, 3) == 0) {  // of rank 1
      std::vector<double> column(kernel.height);
      std::vector<double> row(kernel.width);
      std::generate(column.begin(), column.end(), draw);
      std::generate(row.begin(), row.end(), draw);
      for (std::size_t i = 0; i < kernel.weights.size(); ++i) {
        kernel.weights[i] = column[i / kernel.width] * row[i % kernel.width];
      }
    } else {
      std::generate(kernel.weights.begin(), kernel.weights.end(), draw);
    }
    if (pick(0, 1) == 0) convolution.scale = draw();
    if (!whole) convolution.scale = 3 * reach;  // a sum of almost zero makes levels that mean nothing
    if (pick(0, 1) == 0) convolution.offset = std::round(number(generator));
    convolution.boundary = boundaries[pick(0, 3)];
    convolution.correlate = pick(0, 1) == 0;
    const ImageFormat format{pick(1, 12), pick(1, 150), pick(1, 4)};
    check_all_variants<std::uint8_t>(convolution, format, whole);
    check_all_variants<std::uint16_t>(convolution, format, whole);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ImageConvolutionTest, BandsOfThreadsMeet) {
  const ImageFormat format{301, 211, 3};
  const std::vector<std::uint8_t> image = random_image<std::uint8_t>(format);
  for (const char* name : {"sharpen", "gaussian5"}) {
    const ImageConvolution convolution{.kernel = parse_image_kernel(name)};
    const std::vector<long double> levels = exact_levels(convolution, format, image);
    std::vector<std::uint8_t> actual(image.size());
    ImageConvolutionPlan(Device::host(), convolution, format).execute(image, actual);
    for (std::size_t i = 0; i < image.size(); ++i) {
      ASSERT_EQ(actual[i], std::clamp(std::floor(levels[i] + 0.5L), 0.0L, 255.0L)) << name << " sample " << i;
    }
  }
}

// Sums at the ends of what 16 bits hold, in every arithmetic.
TEST_F(ImageConvolutionTest, LargeWeightsSaturateAndDoNotWrap) {
  for (const double weight : {1.0, 127.0, 128.0, 129.0, 255.0, 257.0, 258.0, 32767.0, 65537.0, 1e6, 1e9}) {
    for (const double other : {-weight, weight - 1, -2.0}) {
      for (const double scale : {0.0, 3.0, 128.0, weight, -weight}) {
        const ImageConvolution convolution{.kernel = {1, 3, {weight, 0, other}}, .scale = scale, .offset = 7};
        check_all_variants<std::uint8_t>(convolution, {3, 70, 1}, true);
        check_all_variants<std::uint16_t>(convolution, {3, 70, 1}, true);
      }
    }
  }
}

TEST_F(ImageConvolutionTest, DirectionsAreThoseOfConvolution) {
  std::vector<std::uint8_t> image(25, 0);
  image[12] = 1;  // the centre: the result is the kernel itself
  std::vector<std::uint8_t> result(25);
  const ImageKernel kernel = parse_image_kernel("1 2 3; 4 5 6; 7 8 9");
  const ImageFormat format{5, 5};
  ImageConvolutionPlan(Device::host(), {.kernel = kernel, .scale = 0}, format).execute(image, result);
  EXPECT_EQ(result[6], 1);
  EXPECT_EQ(result[8], 3);
  EXPECT_EQ(result[18], 9);
  ImageConvolutionPlan(Device::host(), {.kernel = kernel, .scale = 0, .correlate = true}, format)
      .execute(image, result);
  EXPECT_EQ(result[6], 9);
  EXPECT_EQ(result[18], 1);
}

TEST_F(ImageConvolutionTest, AlphaIsKeptUnlessToldOtherwise) {
  for (const std::size_t channels : {2U, 4U}) {
    ImageFormat format{6, 7, channels};
    const std::vector<std::uint8_t> image = random_image<std::uint8_t>(format);
    for (const Variant variant : {Variant::reference, Variant::blocked}) {
      const ImageConvolution convolution{.kernel = parse_image_kernel("smooth"), .variant = variant};
      std::vector<std::uint8_t> kept(image.size());
      std::vector<std::uint8_t> convolved(image.size());
      format.keep_alpha = true;
      ImageConvolutionPlan(Device::host(), convolution, format).execute(image, kept);
      format.keep_alpha = false;
      ImageConvolutionPlan(Device::host(), convolution, format).execute(image, convolved);
      bool differs = false;
      for (std::size_t i = 0; i < image.size(); ++i) {
        const bool alpha = i % channels == channels - 1;
        EXPECT_EQ(kept[i], alpha ? image[i] : convolved[i]) << i;
        differs = differs || (alpha && convolved[i] != image[i]);
      }
      EXPECT_TRUE(differs);
    }
  }
}

TEST_F(ImageConvolutionTest, DescriptionsNameArithmeticAndVariant) {
  const auto description = [](std::string_view kernel, unsigned bits) {
    return ImageConvolutionPlan(Device::host(), {.kernel = parse_image_kernel(kernel)},
                                {.height = 4, .width = 4, .bits = bits})
        .describe();
  };
  EXPECT_EQ(description("sharpen", 8), "3x3, 5 of 9 weights, sums in 16 bits, blocked");
  EXPECT_EQ(description("gaussian5", 8), "5x5, 25 of 25 weights as 5 + 5, sums in 16 bits, separable");
  EXPECT_EQ(description("sharpen", 16), "3x3, 5 of 9 weights, sums in single precision, blocked");
  EXPECT_EQ(description("100000 0 1", 8), "1x3, 2 of 3 weights, sums in double precision, blocked");
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(ImageKernelText, ReadsNamesAndRows) {
  EXPECT_EQ(parse_image_kernel("sharpen"), (ImageKernel{3, 3, {0, -1, 0, -1, 5, -1, 0, -1, 0}}));
  EXPECT_EQ(parse_image_kernel(" 1, +2 ,-3.5e1 "), (ImageKernel{1, 3, {1, 2, -35}}));
  EXPECT_EQ(parse_image_kernel("1;2;.5"), (ImageKernel{3, 1, {1, 2, 0.5}}));
  for (const std::string_view name : image_kernel_names()) {
    EXPECT_EQ(parse_image_kernel(to_string(parse_image_kernel(name))), parse_image_kernel(name));
  }
}

TEST(ImageKernelText, SaysWhatIsWrong) {
  const auto message = [](std::string_view text) {
    return message_of([&] { static_cast<void>(parse_image_kernel(text)); });
  };
  EXPECT_NE(message("sharpne").find("did you mean sharpen"), std::string::npos);
  EXPECT_NE(message("sobelx").find("did you mean sobel-x"), std::string::npos);
  EXPECT_NE(message("1 2 3; 4 5; 6 7 8").find("row 2"), std::string::npos);
  EXPECT_NE(message("1 2; 3 4").find("2 x 2"), std::string::npos);
  EXPECT_NE(message("1 2 x").find("'x'"), std::string::npos);
  EXPECT_NE(message("").find("row 1"), std::string::npos);
  EXPECT_NE(message("1 2 3;").find("row 2"), std::string::npos);
}

TEST(ImageConvolutionPlanTest, RefusesWhatMakesNoSense) {
  const ImageKernel sharpen = parse_image_kernel("sharpen");
  const auto message = [](const ImageConvolution& convolution, const ImageFormat& format) {
    return message_of([&] { ImageConvolutionPlan(Device::host(), convolution, format); });
  };
  EXPECT_EQ(message({.kernel = sharpen}, {4, 4}), "");
  EXPECT_NE(message({.kernel = {2, 3, std::vector<double>(6)}}, {4, 4}).find("odd"), std::string::npos);
  EXPECT_NE(message({.kernel = {3, 3, std::vector<double>(8)}}, {4, 4}).find("expected 9"), std::string::npos);
  EXPECT_NE(message({.kernel = {1, 1, {NAN}}}, {4, 4}).find("weight"), std::string::npos);
  EXPECT_NE(message({.kernel = sharpen, .scale = INFINITY}, {4, 4}).find("scale"), std::string::npos);
  EXPECT_NE(message({.kernel = sharpen, .offset = 2e9}, {4, 4}).find("offset"), std::string::npos);
  EXPECT_NE(message({.kernel = sharpen}, {0, 4}).find("at least"), std::string::npos);
  EXPECT_NE(message({.kernel = sharpen}, {4, 4, 5}).find("1 to 4 channels"), std::string::npos);
  EXPECT_NE(message({.kernel = sharpen}, {.height = 4, .width = 4, .bits = 12}).find("8 or 16"), std::string::npos);
  EXPECT_NE(message({.kernel = sharpen, .variant = Variant::separable}, {4, 4}).find("not separable"),
            std::string::npos);

  const ImageConvolutionPlan plan(Device::host(), {.kernel = sharpen}, {4, 4});
  std::vector<std::uint8_t> image(32);
  std::vector<std::uint16_t> deep(16);
  const auto bytes = std::span(image);
  EXPECT_NE(message_of([&] { plan.execute(deep, deep); }).find("16 bits"), std::string::npos);
  EXPECT_NE(message_of([&] { plan.execute(bytes.first(15), bytes.last(16)); }).find("expected 16"), std::string::npos);
  EXPECT_NE(message_of([&] { plan.execute(bytes.first(16), bytes.subspan(15, 16)); }).find("overlap"),
            std::string::npos);
}

}  // namespace
}  // namespace twiddle
