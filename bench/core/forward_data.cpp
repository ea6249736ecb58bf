// Counting elements.
#include "forward_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plan/lower/stage.hpp"

namespace twiddle::bench {
namespace {

bool is_real(const Transform& transform) { return transform.kind == Kind::r2c; }

std::size_t spectrum_columns(const Transform& transform) {
  return is_real(transform) ? transform.lengths.back() / 2 + 1 : transform.lengths.back();
}

// Complex numbers of the spectra of all arrays.
std::size_t spectrum_elements(const Transform& transform) {
  return transform.batch * (array_elements(transform) / transform.lengths.back()) * spectrum_columns(transform);
}

template <class Real>
std::complex<double> number_at(const std::byte* bytes) {
  std::complex<Real> value;
  std::memcpy(&value, bytes, sizeof value);
  return std::complex<double>(value);
}

}  // namespace

std::size_t data_bytes(const Transform& transform) {
  return 2 * spectrum_elements(transform) * plan::scalar_bytes(transform.precision);
}

double least_bytes(const Transform& transform) {
  const auto spectrum = 2 * static_cast<double>(spectrum_elements(transform));
  const auto elements = static_cast<double>(transform.batch * array_elements(transform));
  return (spectrum + (is_real(transform) ? elements : spectrum)) *
         static_cast<double>(plan::scalar_bytes(transform.precision));
}

std::size_t most_forward_executions(const Transform& transform) {
  // Inputs are of 1e-20, and floats end at 1e38.
  const double decades = std::log10(std::max(2.0, static_cast<double>(array_elements(transform)))) / 2;
  return std::clamp<std::size_t>(static_cast<std::size_t>(54 / decades) - 2, 1, 100);
}

double accepted_error(Precision precision) { return precision == Precision::float64 ? 1e-14 : 1e-6; }

std::complex<double> complex_at(const std::byte* bytes, Precision precision) {
  return precision == Precision::float64 ? number_at<double>(bytes) : number_at<float>(bytes);
}

SampledSpectrum expected_spectrum(const Transform& transform, const std::vector<double>& values) {
  SampledSpectrum spectrum(transform);
  const bool real = is_real(transform);
  const std::size_t columns = transform.lengths.back();
  const std::size_t pitch = real ? 2 * spectrum_columns(transform) : columns;  // scalars, or complex numbers
  const std::size_t lines = array_elements(transform) / columns;
  for (const std::size_t array : spectrum.arrays()) {
    std::vector<std::complex<double>> elements;
    elements.reserve(lines * columns);
    for (std::size_t line = 0; line < lines; ++line) {
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t at = (array * lines + line) * pitch + column;
        if (real) elements.emplace_back(values[at]);
        if (!real) elements.emplace_back(values[2 * at], values[2 * at + 1]);
      }
    }
    spectrum.add(array, elements);
  }
  return spectrum;
}

}  // namespace twiddle::bench
