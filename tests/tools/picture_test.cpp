// twiddle filter and twiddle spectrum on whole pictures, pixel by pixel beside a long-double reference, on each device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <random>

#include "image.hpp"
#include "support/device_test.hpp"
#include "support/filter_reference.hpp"
#include "support/sample.hpp"
#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using tool::Image;
using tool::Samples;
using Band = Filter::Band;
using Shape = Filter::Shape;

struct Case {
  Filter filter;
  std::vector<std::string> options;  // as the user writes them
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {{.band = Band::high_pass, .cutoff = 0.125}, {"--high-pass", "0.125"}},
      {{.band = Band::low_pass, .cutoff = 0.2}, {"--low-pass", "0.2"}},
      {{.band = Band::band_pass, .cutoff = 0.05, .upper_cutoff = 0.25}, {"--band-pass", "0.05", "0.25"}},
      {{.band = Band::band_stop, .cutoff = 0.1, .upper_cutoff = 0.3}, {"--band-stop", "0.1", "0.3"}},
      {{.band = Band::high_pass, .shape = Shape::gaussian, .cutoff = 0.1},
       {"--high-pass", "0.1", "--shape", "gaussian"}},
      {{.band = Band::low_pass, .shape = Shape::butterworth, .cutoff = 0.15, .order = 4},
       {"--low-pass", "0.15", "--shape", "butterworth", "--order", "4"}},
  };
  return all;
}

bool writes_magnitudes(const Filter& filter) {
  return filter.band == Band::high_pass || filter.band == Band::band_pass;
}

std::vector<long double> levels_of(const Samples& channel) { return {channel.begin(), channel.end()}; }

// What the command's picture should hold, as exact numbers before rounding.
std::vector<std::vector<long double>> expected_levels(const Filter& filter, const Image& image, bool normalize) {
  std::vector<std::vector<long double>> channels;
  long double largest = 0;
  for (const Samples& channel : image.channels) {
    channels.push_back(reference_filter(filter, image.height, image.width, levels_of(channel)));
    for (long double& value : channels.back()) {
      if (writes_magnitudes(filter)) value = std::abs(value);
      largest = std::max(largest, value);
    }
  }
  const long double maximum = image.maximum();
  for (auto& channel : channels) {
    for (long double& value : channel) {
      if (normalize) value *= maximum / largest;
      value = std::clamp(value, 0.0L, maximum);
    }
  }
  return channels;
}

class Pictures : public DeviceTest {
 protected:
  // Every pixel within one level of the reference (rounding included), in the picture that the command writes.
  void check(const Image& image, const Case& c, const std::string& input, const std::string& format,
             std::vector<std::string> more = {}) {
    const bool normalize =
        std::find(more.begin(), more.end(), "--normalize") != more.end() ||
        (writes_magnitudes(c.filter) && std::find(more.begin(), more.end(), "--no-normalize") == more.end());
    std::vector<std::string> arguments = {"filter", input, folder.path("out" + format), "--device",
                                          device_under_test()};
    arguments.insert(arguments.end(), c.options.begin(), c.options.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CommandResult result = run_twiddle(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const Image actual = tool::read_image(folder.path("out" + format));
    ASSERT_EQ(actual.height, image.height);
    ASSERT_EQ(actual.width, image.width);
    EXPECT_EQ(actual.depth, image.depth);
    EXPECT_EQ(actual.alpha, image.alpha);
    const auto expected = expected_levels(c.filter, image, normalize);
    long double worst = 0;
    for (std::size_t channel = 0; channel < expected.size(); ++channel) {
      const Samples& samples = actual.channels[actual.channels.size() == 1 ? 0 : channel];
      for (std::size_t i = 0; i < image.pixels(); ++i) {
        worst = std::max(worst, std::abs(samples[i] - std::round(expected[channel][i])));
      }
    }
    EXPECT_LE(worst, 1) << to_string(c.filter) << " of " << describe(image) << " " << format;
  }

  Image random_image(std::size_t height, std::size_t width, unsigned depth, std::size_t channels, bool alpha) {
    Image image{.height = height, .width = width, .depth = depth};
    // Smooth shapes under noise, like a photograph: low frequencies carry most of the energy.
    const auto sample = [&](std::size_t row, std::size_t column, double phase) {
      const double wave =
          std::sin(0.3 * static_cast<double>(row) + phase) * std::cos(0.2 * static_cast<double>(column));
      const double noise = std::uniform_real_distribution<double>(-0.2, 0.2)(generator);
      return static_cast<std::uint16_t>(image.maximum() * std::clamp(0.5 + 0.35 * wave + noise, 0.0, 1.0));
    };
    const auto plane = [&](double phase) {
      Samples samples(height * width);
      for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = sample(i / width, i % width, phase);
      return samples;
    };
    for (std::size_t i = 0; i < channels; ++i) image.channels.push_back(plane(static_cast<double>(i)));
    if (alpha) image.alpha = plane(9);
    return image;
  }

  std::string save(const Image& image, const std::string& format) {
    static_cast<void>(tool::write_image(folder.path("in" + format), image));
    return folder.path("in" + format);
  }

  Folder folder;
  std::mt19937 generator{11};
};

TEST_F(Pictures, EveryFilterOnGrey) {
  const Image image = random_image(48, 60, 8, 1, false);
  const std::string input = save(image, ".pgm");
  for (const Case& c : cases()) check(image, c, input, ".png");
}

TEST_F(Pictures, NormalizationCanBeForcedEitherWay) {
  const Image image = random_image(48, 60, 8, 1, false);
  const std::string input = save(image, ".pgm");
  for (std::size_t i = 0; i < 4; ++i)
    check(image, cases()[i], input, ".png", {i % 2 == 0 ? "--no-normalize" : "--normalize"});
}

TEST_F(Pictures, DepthsColoursAndAlpha) {
  std::size_t pictures = 0;
  for (const auto& [depth, channels, alpha, format] :
       {std::tuple<unsigned, std::size_t, bool, const char*>{16, 1, false, ".pgm"},
        {16, 3, false, ".ppm"},
        {8, 3, true, ".png"},
        {16, 3, true, ".tiff"},
        {16, 1, true, ".png"}}) {
    const Image image = random_image(40, 36, depth, channels, alpha);
    const std::string input = save(image, format);
    if (is_sampled_on_devices(pictures, 2)) check(image, cases()[0], input, format);
    if (is_sampled_on_devices(++pictures, 2)) check(image, cases()[3], input, format);
  }
}

TEST_F(Pictures, AnySize) {
  std::vector<std::pair<std::size_t, std::size_t>> sizes = {{1, 1}, {1, 37}, {35, 1}, {2, 2}, {17, 19}, {109, 31}};
  if (!plans_are_cheap()) sizes = {{1, 37}, {17, 19}};
  std::size_t pictures = 0;
  for (const auto& [height, width] : sizes) {
    const Image image = random_image(height, width, 8, 1, false);
    const std::string input = save(image, ".png");
    if (is_sampled_on_devices(pictures, 2)) check(image, cases()[1], input, ".png");
    if (is_sampled_on_devices(++pictures, 2) && height * width > 1) check(image, cases()[0], input, ".png");
  }
}

TEST_F(Pictures, FlatPicturesHaveNoDetail) {
  const Image image{.height = 21, .width = 30, .channels = {Samples(21 * 30, 200)}};
  const std::string input = save(image, ".pgm");
  ASSERT_EQ(
      run_twiddle({"filter", input, folder.path("out.pgm"), "--high-pass", "0.1", "--device", device_under_test()})
          .exit_code,
      0);
  EXPECT_EQ(tool::read_image(folder.path("out.pgm")).channels[0], Samples(21 * 30, 0));
  check(image, cases()[1], input, ".pgm");
}

TEST_F(Pictures, SpectrumAgreesWithTheReference) {
  for (const auto& [height, width, channels] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{48, 60, 1}, {25, 18, 3}}) {
    const Image image = random_image(height, width, 8, channels, false);
    const CommandResult result =
        run_twiddle({"spectrum", save(image, ".png"), folder.path("out.png"), "--device", device_under_test()});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const Image actual = tool::read_image(folder.path("out.png"));
    std::vector<std::vector<long double>> expected;
    long double largest = 0;
    for (const Samples& channel : image.channels) {
      expected.push_back(reference_log_spectrum(height, width, levels_of(channel)));
      largest = std::max(largest, *std::max_element(expected.back().begin(), expected.back().end()));
    }
    for (std::size_t channel = 0; channel < channels; ++channel) {
      for (std::size_t i = 0; i < image.pixels(); ++i) {
        ASSERT_NEAR(actual.channels[channel][i], static_cast<double>(255 * expected[channel][i] / largest), 1);
      }
    }
  }
}

// The magnitude of one frequency of a channel, as a wave's amplitude.
double amplitude_at(const Image& image, std::size_t down, std::size_t across) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < image.pixels(); ++i) {
    const double turns =
        static_cast<double>(down * (i / image.width) % image.height) / static_cast<double>(image.height) +
        static_cast<double>(across * (i % image.width) % image.width) / static_cast<double>(image.width);
    sum += std::polar<double>(image.channels[0][i], -2 * std::numbers::pi * turns);
  }
  return 2 * std::abs(sum) / static_cast<double>(image.pixels());
}

TEST_F(Pictures, BandStopTakesTheInterferenceOffTheChart) {
  const Image chart = tool::read_image(TWIDDLE_CHART);
  ASSERT_EQ(chart.channels.size(), 1U);
  EXPECT_NEAR(amplitude_at(chart, 96, 192), 18, 1);  // as examples/draw_chart.cpp draws it
  EXPECT_NEAR(amplitude_at(chart, 768 - 96, 192), 18, 1);
  const Case demo{{.band = Band::band_stop, .cutoff = 0.223, .upper_cutoff = 0.228}, {"--band-stop", "0.223", "0.228"}};
  check(chart, demo, TWIDDLE_CHART, ".png");
  const Image clean = tool::read_image(folder.path("out.png"));
  EXPECT_LT(amplitude_at(clean, 96, 192), 0.1);
  EXPECT_LT(amplitude_at(clean, 768 - 96, 192), 0.1);
}

TEST_F(Pictures, RealPhotographs) {
  const char* data = std::getenv("TWIDDLE_TEST_DATA");
  if (data == nullptr) GTEST_SKIP() << "TWIDDLE_TEST_DATA names no folder with photographs";
  const std::vector<const char*> names{"camera.png", "astronaut.png", "moon.png", "hubble_deep_field.jpg"};
  for (const char* name : sampled_if_instrumented(sampled_on_devices(names, 3), 4)) {
    const std::string input = (std::filesystem::path(data) / name).string();
    ASSERT_TRUE(std::filesystem::exists(input)) << input;
    const Image image = tool::read_image(input);
    check(image, cases()[0], input, ".png");
    if (plans_are_cheap()) check(image, cases()[3], input, ".png");
  }
}

}  // namespace
}  // namespace twiddle::test
