// Frequency-domain filters: the response as a function of radial frequency, and its use on whole images.
#include "twiddle/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

#include "twiddle/error.hpp"

namespace twiddle {
namespace {

const double largest_frequency = std::numbers::sqrt2 / 2;  // at the corner of the spectrum, in cycles per pixel

double low_pass(const Filter& filter, double d, double cutoff) {
  switch (filter.shape) {
    case Filter::Shape::gaussian:
      return std::exp(-std::numbers::ln2 / 2 * (d / cutoff) * (d / cutoff));
    case Filter::Shape::butterworth:
      return 1 / std::sqrt(1 + std::pow(d / cutoff, 2.0 * filter.order));
    case Filter::Shape::ideal:
      break;
  }
  return d < cutoff ? 1 : 0;
}

double high_pass(const Filter& filter, double d, double cutoff) {
  // At d = 0 the quotient is infinite and the response 0, as it should be.
  if (filter.shape == Filter::Shape::butterworth) return 1 / std::sqrt(1 + std::pow(cutoff / d, 2.0 * filter.order));
  return 1 - low_pass(filter, d, cutoff);
}

bool is_band(const Filter& filter) {
  return filter.band == Filter::Band::band_pass || filter.band == Filter::Band::band_stop;
}

void validate_cutoff(double cutoff, const char* which) {
  if (!(cutoff > 0 && cutoff <= largest_frequency)) {
    throw InvalidArgument(
        fmt::format("{} {} is out of range: expected more than 0 and at most {:.6f} (sqrt(1/2)) cycles per pixel",
                    which, cutoff, largest_frequency));
  }
}

struct ImageShape {
  std::size_t height;
  std::size_t width;
  std::size_t count;  // images, one after the other
};

ImageShape image_shape(const Plan& plan, std::size_t elements) {
  const Transform& transform = plan.transform();
  if (transform.lengths.size() != 2 || transformed_axes(transform).size() != 2) {
    throw InvalidArgument(fmt::format("an image filter needs a plan of {{height, width}} over both axes, but got {}",
                                      to_string(transform)));
  }
  if (elements != total_elements(transform)) {
    throw InvalidArgument(fmt::format("the image has {} samples, but the plan {} needs {}", elements,
                                      to_string(transform), total_elements(transform)));
  }
  return {transform.lengths[0], transform.lengths[1], transform.batch};
}

// The signed DFT frequency of index k of n, in cycles per sample.
double signed_frequency(std::size_t k, std::size_t n) {
  const auto index = static_cast<double>(k);
  const auto length = static_cast<double>(n);
  return 2 * k < n ? index / length : (index - length) / length;
}

void multiply_row(std::span<std::complex<float>> row, std::span<const float> factors) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] *= factors[i];
}

// Multiplies every spectrum by the response. The mask is even in both frequencies, so that rows k and height - k share
// their factors, and a real image stays real.
void apply_mask(const Filter& filter, const ImageShape& shape, double scale, std::span<std::complex<float>> spectra) {
  std::vector<float> factors(shape.width);
  for (std::size_t k = 0; k <= shape.height / 2; ++k) {
    const double fu = signed_frequency(k, shape.height);
    for (std::size_t j = 0; j <= shape.width / 2; ++j) {
      const double fv = signed_frequency(j, shape.width);
      factors[j] = static_cast<float>(scale * response(filter, std::sqrt(fu * fu + fv * fv)));
    }
    for (std::size_t j = shape.width / 2 + 1; j < shape.width; ++j) factors[j] = factors[shape.width - j];
    const std::size_t mirrored = (shape.height - k) % shape.height;
    for (std::size_t image = 0; image < shape.count; ++image) {
      const std::size_t first = image * shape.height;
      multiply_row(spectra.subspan((first + k) * shape.width, shape.width), factors);
      if (mirrored != k) multiply_row(spectra.subspan((first + mirrored) * shape.width, shape.width), factors);
    }
  }
}

// Runs one direction; its steps are named after it, because a profile of a filter holds both.
void transform_step(const Plan& plan, Direction direction, std::span<std::complex<float>> image, Profile* profile) {
  Profile steps;
  plan.execute(direction, image, profile != nullptr ? &steps : nullptr);
  if (profile == nullptr) return;
  for (ProfileEntry& entry : steps) {
    entry.step = fmt::format("{}: {}", direction == Direction::forward ? "forward" : "inverse", entry.step);
    profile->push_back(std::move(entry));
  }
}

// Runs a step of the host and appends its time.
template <class Step>
void host_step(const char* name, Profile* profile, Step step) {
  const auto start = std::chrono::steady_clock::now();
  step();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  if (profile != nullptr) profile->push_back({name, elapsed.count()});
}

}  // namespace

void validate(const Filter& filter) {
  validate_cutoff(filter.cutoff, is_band(filter) ? "lower cut-off" : "cut-off");
  if (is_band(filter)) {
    validate_cutoff(filter.upper_cutoff, "upper cut-off");
    if (filter.cutoff >= filter.upper_cutoff) {
      throw InvalidArgument(
          fmt::format("the lower cut-off {} must be less than the upper cut-off {}: give them in "
                      "ascending order",
                      filter.cutoff, filter.upper_cutoff));
    }
  }
  if (filter.order < 1 || filter.order > 64) {
    throw InvalidArgument(fmt::format("order {} is out of range: expected 1..64", filter.order));
  }
}

double response(const Filter& filter, double d) {
  switch (filter.band) {
    case Filter::Band::high_pass:
      return high_pass(filter, d, filter.cutoff);
    case Filter::Band::low_pass:
      return low_pass(filter, d, filter.cutoff);
    case Filter::Band::band_pass:
      return high_pass(filter, d, filter.cutoff) * low_pass(filter, d, filter.upper_cutoff);
    case Filter::Band::band_stop:
      break;
  }
  return 1 - high_pass(filter, d, filter.cutoff) * low_pass(filter, d, filter.upper_cutoff);
}

void apply_filter(const Plan& plan, const Filter& filter, std::span<std::complex<float>> image, Profile* profile) {
  validate(filter);
  const ImageShape shape = image_shape(plan, image.size());
  const Transform& transform = plan.transform();
  const auto round_trip = static_cast<double>(scale_factor(transform, Direction::forward) *
                                              scale_factor(transform, Direction::inverse) *
                                              static_cast<long double>(array_elements(transform)));
  transform_step(plan, Direction::forward, image, profile);
  host_step("mask", profile, [&] { apply_mask(filter, shape, 1 / round_trip, image); });
  transform_step(plan, Direction::inverse, image, profile);
}

void log_spectrum(const Plan& plan, std::span<std::complex<float>> image, std::span<float> result, Profile* profile) {
  const ImageShape shape = image_shape(plan, image.size());
  if (result.size() != image.size()) {
    throw InvalidArgument(
        fmt::format("the result has room for {} samples, but the image has {}", result.size(), image.size()));
  }
  const auto unscale = static_cast<float>(1 / scale_factor(plan.transform(), Direction::forward));
  transform_step(plan, Direction::forward, image, profile);
  host_step("logarithm and centring", profile, [&] {
    for (std::size_t row = 0; row < shape.count * shape.height; ++row) {
      const std::size_t first = row - row % shape.height;
      const std::size_t centred_row = first + (row % shape.height + shape.height / 2) % shape.height;
      for (std::size_t column = 0; column < shape.width; ++column) {
        const std::size_t centred_column = (column + shape.width / 2) % shape.width;
        result[centred_row * shape.width + centred_column] =
            std::log1p(unscale * std::abs(image[row * shape.width + column]));
      }
    }
  });
}

std::string to_string(const Filter& filter) {
  std::string shape = "ideal";
  if (filter.shape == Filter::Shape::gaussian) shape = "Gaussian";
  if (filter.shape == Filter::Shape::butterworth) shape = fmt::format("Butterworth (order {})", filter.order);
  switch (filter.band) {
    case Filter::Band::high_pass:
      return fmt::format("{} high-pass {}", shape, filter.cutoff);
    case Filter::Band::low_pass:
      return fmt::format("{} low-pass {}", shape, filter.cutoff);
    case Filter::Band::band_pass:
      return fmt::format("{} band-pass {}..{}", shape, filter.cutoff, filter.upper_cutoff);
    case Filter::Band::band_stop:
      break;
  }
  return fmt::format("{} band-stop {}..{}", shape, filter.cutoff, filter.upper_cutoff);
}

}  // namespace twiddle
