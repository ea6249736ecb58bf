// The filters again, straight from their definitions.
#include "support/filter_reference.hpp"

#include <cmath>
#include <numbers>

#include "support/reference.hpp"

namespace twiddle::test {
namespace {

using Real = long double;

// In double, as the cut-offs are compared: whether a frequency on the very edge is in or out must not depend on more
// digits than a user can write.
double signed_frequency(std::size_t index, std::size_t length) {
  const auto k = static_cast<long long>(index);
  const auto n = static_cast<long long>(length);
  return static_cast<double>(k <= (n - 1) / 2 ? k : k - n) / static_cast<double>(n);
}

Real low(const Filter& filter, double d, double cutoff) {
  const Real ratio = static_cast<Real>(d) / cutoff;
  if (filter.shape == Filter::Shape::gaussian) return std::exp(-std::numbers::ln2_v<Real> / 2 * ratio * ratio);
  if (filter.shape == Filter::Shape::butterworth) return 1 / std::sqrt(1 + std::pow(ratio, Real(2) * filter.order));
  return d < cutoff ? 1 : 0;
}

Real high(const Filter& filter, double d, double cutoff) {
  if (filter.shape != Filter::Shape::butterworth) return 1 - low(filter, d, cutoff);
  if (d == 0) return 0;
  return 1 / std::sqrt(1 + std::pow(static_cast<Real>(cutoff) / d, Real(2) * filter.order));
}

Spectrum transform(std::size_t height, std::size_t width, const std::vector<long double>& image) {
  const Transform forward{.lengths = {height, width}};
  return reference_transform(forward, Direction::forward, Spectrum(image.begin(), image.end()));
}

}  // namespace

long double reference_response(const Filter& filter, std::size_t row, std::size_t height, std::size_t column,
                               std::size_t width) {
  const double fu = signed_frequency(row, height);
  const double fv = signed_frequency(column, width);
  const double d = std::sqrt(fu * fu + fv * fv);
  switch (filter.band) {
    case Filter::Band::high_pass:
      return high(filter, d, filter.cutoff);
    case Filter::Band::low_pass:
      return low(filter, d, filter.cutoff);
    case Filter::Band::band_pass:
      return high(filter, d, filter.cutoff) * low(filter, d, filter.upper_cutoff);
    case Filter::Band::band_stop:
      break;
  }
  return 1 - high(filter, d, filter.cutoff) * low(filter, d, filter.upper_cutoff);
}

std::vector<long double> reference_filter(const Filter& filter, std::size_t height, std::size_t width,
                                          const std::vector<long double>& image) {
  Spectrum spectrum = transform(height, width, image);
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      spectrum[row * width + column] *= reference_response(filter, row, height, column, width);
    }
  }
  const Spectrum filtered = reference_transform({.lengths = {height, width}}, Direction::inverse, std::move(spectrum));
  std::vector<long double> result(filtered.size());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = filtered[i].real();
  return result;
}

std::vector<long double> reference_log_spectrum(std::size_t height, std::size_t width,
                                                const std::vector<long double>& image) {
  const Spectrum spectrum = transform(height, width, image);
  std::vector<long double> result(spectrum.size());
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const std::size_t centred = (row + height / 2) % height * width + (column + width / 2) % width;
      result[centred] = std::log1p(std::abs(spectrum[row * width + column]));
    }
  }
  return result;
}

}  // namespace twiddle::test
