// twiddle convolve as its users run it: pictures through kernels, and what is said of wrong ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "image.hpp"
#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using tool::Image;
using tool::Samples;

class ConvolvePictures : public testing::Test {
 protected:
  Image random_image(std::size_t height, std::size_t width, unsigned depth, std::size_t channels, bool alpha) {
    Image image{.height = height, .width = width, .depth = depth};
    std::uniform_int_distribution<unsigned> level(0, image.maximum());
    const auto plane = [&] {
      Samples samples(height * width);
      for (auto& sample : samples) sample = static_cast<std::uint16_t>(level(generator));
      return samples;
    };
    for (std::size_t i = 0; i < channels; ++i) image.channels.push_back(plane());
    if (alpha) image.alpha = plane();
    return image;
  }

  std::string save(const Image& image, const std::string& name) {
    static_cast<void>(tool::write_image(folder.path(name), image));
    return folder.path(name);
  }

  CommandResult convolve(const std::string& input, const std::string& output, std::vector<std::string> options) {
    std::vector<std::string> arguments = {"convolve", input, folder.path(output)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_twiddle(arguments);
  }

  Folder folder;
  std::mt19937 generator{3};
};

// The kernel 1 2 3; 4 5 6; 7 8 9 around every pixel, edges repeated, halves rounded up.
Samples expected_samples(const Samples& samples, const Image& image, long scale, long offset) {
  const auto h = static_cast<long>(image.height);
  const auto w = static_cast<long>(image.width);
  Samples result(samples.size());
  for (long y = 0; y < h; ++y) {
    for (long x = 0; x < w; ++x) {
      long sum = 0;
      for (long i = -1; i <= 1; ++i) {
        for (long j = -1; j <= 1; ++j) {
          const long at = std::clamp(y - i, 0L, h - 1) * w + std::clamp(x - j, 0L, w - 1);
          sum += (5 + 3 * i + j) * samples[static_cast<std::size_t>(at)];
        }
      }
      const double level =
          std::floor(static_cast<double>(sum) / static_cast<double>(scale) + 0.5) + static_cast<double>(offset);
      result[static_cast<std::size_t>(y * w + x)] =
          static_cast<std::uint16_t>(std::clamp(level, 0.0, static_cast<double>(image.maximum())));
    }
  }
  return result;
}

TEST_F(ConvolvePictures, EveryDepthAndColour) {
  for (const auto& [depth, channels, alpha, format] :
       {std::tuple<unsigned, std::size_t, bool, const char*>{8, 1, false, ".pgm"},
        {8, 3, false, ".ppm"},
        {8, 3, true, ".png"},
        {16, 1, true, ".png"},
        {16, 3, false, ".tiff"}}) {
    const Image image = random_image(19, 33, depth, channels, alpha);
    const std::string input = save(image, std::string("in") + format);
    for (const auto& [scale, offset] : {std::pair<long, long>{45, 0}, {30, -20}}) {
      std::vector<std::string> options = {"--kernel", "1 2 3; 4 5 6; 7 8 9", "--boundary", "nearest"};
      if (scale != 45) {
        options.insert(options.end(), {"--scale", std::to_string(scale), "--offset", std::to_string(offset)});
      }
      const CommandResult result = convolve(input, std::string("out") + format, options);
      ASSERT_EQ(result.exit_code, 0) << result.errors;
      const Image actual = tool::read_image(folder.path(std::string("out") + format));
      EXPECT_EQ(actual.depth, depth);
      EXPECT_EQ(actual.alpha, image.alpha);
      ASSERT_EQ(actual.channels.size(), channels);
      for (std::size_t channel = 0; channel < channels; ++channel) {
        EXPECT_EQ(actual.channels[channel], expected_samples(image.channels[channel], image, scale, offset))
            << format << " channel " << channel;
      }
    }
  }
}

TEST_F(ConvolvePictures, VariantsAgree) {
  const std::string input = save(random_image(40, 50, 8, 3, false), "in.png");
  ASSERT_EQ(convolve(input, "reference.png", {"--kernel", "gaussian5", "--variant", "reference"}).exit_code, 0);
  for (const char* variant : {"automatic", "addressed", "vectors", "blocked", "separable"}) {
    ASSERT_EQ(convolve(input, "out.png", {"--kernel", "gaussian5", "--variant", variant}).exit_code, 0);
    EXPECT_EQ(tool::read_image(folder.path("out.png")).channels,
              tool::read_image(folder.path("reference.png")).channels)
        << variant;
  }
}

TEST_F(ConvolvePictures, ReportsAsJson) {
  const std::string input = save(random_image(8, 9, 8, 1, false), "in.png");
  const CommandResult result = convolve(input, "out.png", {"--kernel", "laplacian", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto report = nlohmann::json::parse(result.output);
  EXPECT_EQ(report.at("kernel"), "0 1 0; 1 -4 1; 0 1 0");
  EXPECT_EQ(report.at("boundary"), "reflect");
  EXPECT_EQ(report.at("width"), 9);
  EXPECT_EQ(report.at("device").at("device"), "host");
}

TEST_F(ConvolvePictures, WrongKernelsAreNamedAndNothingIsWritten) {
  const std::string input = save(random_image(8, 9, 8, 1, false), "in.png");
  for (const auto& [kernel, words] : {std::pair<const char*, const char*>{"shapren", "did you mean sharpen"},
                                      {"1 2 3; 4 5; 6 7 8", "row 2"},
                                      {"1 2; 3 4", "odd"},
                                      {"1 2 three", "'three'"},
                                      {"1e30", "between"}}) {
    const CommandResult result = convolve(input, "out.png", {"--kernel", kernel});
    EXPECT_EQ(result.exit_code, 2) << kernel;
    EXPECT_NE(result.errors.find(words), std::string::npos) << result.errors;
  }
  EXPECT_EQ(convolve(input, "out.png", {"--kernel", "sharpen", "--variant", "separable"}).exit_code, 2);
  EXPECT_EQ(convolve(input, "out.xyz", {"--kernel", "sharpen"}).exit_code, 2);
  EXPECT_EQ(convolve(folder.path("none.png"), "out.png", {"--kernel", "sharpen"}).exit_code, 1);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"in.png"});
}

}  // namespace
}  // namespace twiddle::test
