// Filters: response, checks of arguments, and whole images against the long-double reference.
#include "twiddle/filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/filter_reference.hpp"
#include "support/reference.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using Band = Filter::Band;
using Shape = Filter::Shape;

std::string message_of(const Filter& filter) {
  try {
    validate(filter);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Response, IdealStepsAreClosedBelowAndOpenAbove) {
  const double below = std::nextafter(0.125, 0);
  EXPECT_EQ(response({.band = Band::high_pass, .cutoff = 0.125}, below), 0);
  EXPECT_EQ(response({.band = Band::high_pass, .cutoff = 0.125}, 0.125), 1);
  EXPECT_EQ(response({.band = Band::low_pass, .cutoff = 0.125}, below), 1);
  EXPECT_EQ(response({.band = Band::low_pass, .cutoff = 0.125}, 0.125), 0);
  const Filter pass{.band = Band::band_pass, .cutoff = 0.125, .upper_cutoff = 0.25};
  const Filter stop{.band = Band::band_stop, .cutoff = 0.125, .upper_cutoff = 0.25};
  for (const double d : {0.0, below, 0.125, 0.2, std::nextafter(0.25, 0), 0.25, 0.7}) {
    EXPECT_EQ(response(pass, d), d >= 0.125 && d < 0.25 ? 1 : 0) << d;
    EXPECT_EQ(response(stop, d), 1 - response(pass, d)) << d;
  }
}

TEST(Response, SmoothShapesPassHalfThePowerAtTheCutOff) {
  const double half_power = std::sqrt(0.5);
  for (const Shape shape : {Shape::gaussian, Shape::butterworth}) {
    EXPECT_NEAR(response({.band = Band::low_pass, .shape = shape, .cutoff = 0.2}, 0.2), half_power, 1e-15);
    EXPECT_EQ(response({.band = Band::low_pass, .shape = shape, .cutoff = 0.2}, 0), 1);
    EXPECT_EQ(response({.band = Band::high_pass, .shape = shape, .cutoff = 0.2}, 0), 0);
  }
  EXPECT_NEAR(response({.band = Band::high_pass, .shape = Shape::butterworth, .cutoff = 0.2}, 0.2), half_power, 1e-15);
  EXPECT_NEAR(response({.band = Band::high_pass, .shape = Shape::gaussian, .cutoff = 0.2}, 0.2), 1 - half_power, 1e-15);
  EXPECT_NEAR(response({.band = Band::low_pass, .shape = Shape::butterworth, .cutoff = 0.1, .order = 3}, 0.2),
              1 / std::sqrt(65.0), 1e-15);
}

TEST(Response, AgreesWithItsDefinition) {
  for (const Band band : {Band::high_pass, Band::low_pass, Band::band_pass, Band::band_stop}) {
    for (const Shape shape : {Shape::ideal, Shape::gaussian, Shape::butterworth}) {
      const Filter filter{.band = band, .shape = shape, .cutoff = 0.11, .upper_cutoff = 0.3, .order = 5};
      for (std::size_t k = 0; k < 64; ++k) {
        const double d = k <= 31 ? k / 64.0 : (64.0 - k) / 64.0;
        EXPECT_NEAR(response(filter, d), static_cast<double>(test::reference_response(filter, k, 64, 0, 1)), 1e-14)
            << to_string(filter) << " at " << d;
      }
    }
  }
}

TEST(Validate, NamesWhatIsWrong) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const double cutoff : {0.0, -0.1, 0.71, 2.0, nothing}) {
    EXPECT_NE(message_of({.cutoff = cutoff}).find("out of range"), std::string::npos) << cutoff;
    EXPECT_NE(message_of({.band = Band::band_pass, .cutoff = 0.1, .upper_cutoff = cutoff}), "") << cutoff;
  }
  EXPECT_EQ(message_of({.cutoff = std::sqrt(0.5)}), "");
  EXPECT_EQ(message_of({.cutoff = 1e-9}), "");
  EXPECT_NE(message_of({.band = Band::band_stop, .cutoff = 0.3, .upper_cutoff = 0.2}).find("ascending"),
            std::string::npos);
  EXPECT_NE(message_of({.band = Band::band_stop, .cutoff = 0.3, .upper_cutoff = 0.3}).find("ascending"),
            std::string::npos);
  EXPECT_NE(message_of({.cutoff = 0.2, .order = 0}).find("1..64"), std::string::npos);
  EXPECT_NE(message_of({.cutoff = 0.2, .order = 65}).find("1..64"), std::string::npos);
}

TEST(ToString, NamesShapeBandAndCutOffs) {
  EXPECT_EQ(to_string({.cutoff = 0.125}), "ideal high-pass 0.125");
  EXPECT_EQ(to_string({.band = Band::low_pass, .shape = Shape::gaussian, .cutoff = 0.1}), "Gaussian low-pass 0.1");
  EXPECT_EQ(
      to_string(
          {.band = Band::band_stop, .shape = Shape::butterworth, .cutoff = 0.1, .upper_cutoff = 0.25, .order = 3}),
      "Butterworth (order 3) band-stop 0.1..0.25");
}

class ImageFilter : public testing::TestWithParam<std::vector<std::size_t>> {
 protected:
  std::size_t height = GetParam()[0];
  std::size_t width = GetParam()[1];
  std::size_t count = GetParam()[2];
  Plan plan{Device::host(), {.lengths = {height, width}, .batch = count}};
  test::Signal image = test::random_signal(height * width * count);

  // Real parts of one of the images.
  std::vector<long double> real_part(std::size_t index) const {
    std::vector<long double> result(height * width);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = image[index * height * width + i].real();
    return result;
  }
};

TEST_P(ImageFilter, AgreesWithTheReference) {
  for (auto& sample : image) sample = sample.real();
  for (const Filter& filter :
       {Filter{.cutoff = 0.125}, Filter{.band = Band::low_pass, .shape = Shape::gaussian, .cutoff = 0.2},
        Filter{.band = Band::band_pass, .cutoff = 0.1, .upper_cutoff = 0.4},
        Filter{.band = Band::band_stop, .shape = Shape::butterworth, .cutoff = 0.1, .upper_cutoff = 0.3}}) {
    test::Signal filtered = image;
    apply_filter(plan, filter, filtered);
    for (std::size_t index = 0; index < count; ++index) {
      const auto expected = test::reference_filter(filter, height, width, real_part(index));
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto actual = filtered[index * height * width + i];
        ASSERT_NEAR(actual.real(), static_cast<double>(expected[i]), 2e-6) << to_string(filter) << " sample " << i;
        ASSERT_NEAR(actual.imag(), 0, 2e-6) << to_string(filter) << " sample " << i;
      }
    }
  }
}

TEST_P(ImageFilter, SpectrumAgreesWithTheReference) {
  for (auto& sample : image) sample = 100.0F * sample.real();
  const std::vector<long double> first = real_part(0);
  std::vector<float> spectrum(image.size());
  log_spectrum(plan, image, spectrum);
  const auto expected = test::reference_log_spectrum(height, width, first);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(spectrum[i], static_cast<double>(expected[i]), 2e-4) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ImageFilter,
                         testing::Values(std::vector<std::size_t>{32, 64, 1}, std::vector<std::size_t>{15, 21, 3},
                                         std::vector<std::size_t>{1, 40, 1}, std::vector<std::size_t>{27, 1, 2},
                                         std::vector<std::size_t>{1, 1, 1}, std::vector<std::size_t>{2, 3, 1},
                                         std::vector<std::size_t>{17, 109, 1}));

TEST(ApplyFilter, WorksWithEveryNormalization) {
  const std::size_t height = 12;
  const std::size_t width = 10;
  const test::Signal image = test::random_signal(height * width);
  test::Signal expected = image;
  apply_filter(Plan(Device::host(), {.lengths = {height, width}}), {.cutoff = 0.2}, expected);
  for (const auto normalization : {Normalization::ortho, Normalization::forward, Normalization::none}) {
    test::Signal filtered = image;
    const Plan plan(Device::host(), {.lengths = {height, width}, .normalization = normalization});
    apply_filter(plan, {.cutoff = 0.2}, filtered);
    for (std::size_t i = 0; i < filtered.size(); ++i) EXPECT_NEAR(std::abs(filtered[i] - expected[i]), 0, 1e-6);
  }
}

TEST(ApplyFilter, ProfileHoldsBothDirectionsAndTheMask) {
  test::Signal image = test::random_signal(256);
  Profile profile;
  apply_filter(Plan(Device::host(), {.lengths = {16, 16}}), {.cutoff = 0.2}, image, &profile);
  const auto has = [&](const std::string& start) {
    return std::any_of(profile.begin(), profile.end(),
                       [&](const auto& entry) { return entry.step.starts_with(start); });
  };
  EXPECT_TRUE(has("forward: "));
  EXPECT_TRUE(has("mask"));
  EXPECT_TRUE(has("inverse: "));
  for (const auto& entry : profile) EXPECT_GE(entry.milliseconds, 0) << entry.step;
}

TEST(ApplyFilter, RefusesPlansAndImagesThatDoNotFit) {
  test::Signal image(64);
  std::vector<float> result(64);
  const Plan line(Device::host(), {.lengths = {64}});
  const Plan one_axis(Device::host(), {.lengths = {8, 8}, .axes = {1}});
  const Plan small(Device::host(), {.lengths = {4, 8}});
  const Plan fitting(Device::host(), {.lengths = {8, 8}});
  for (const Plan* plan : {&line, &one_axis, &small}) {
    EXPECT_THROW(apply_filter(*plan, {}, image), InvalidArgument);
    EXPECT_THROW(log_spectrum(*plan, image, result), InvalidArgument);
  }
  EXPECT_THROW(apply_filter(fitting, {.cutoff = 0.9}, image), InvalidArgument);
  EXPECT_THROW(log_spectrum(fitting, image, std::span(result).first(63)), InvalidArgument);
}

}  // namespace
}  // namespace twiddle
