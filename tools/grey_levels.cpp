// Levels from numbers and back.
#include "grey_levels.hpp"

#include <algorithm>
#include <cmath>

namespace twiddle::tool {

std::vector<std::complex<float>> to_complex(const Image& image) {
  std::vector<std::complex<float>> values;
  values.reserve(image.channels.size() * image.pixels());
  for (const Samples& channel : image.channels) values.insert(values.end(), channel.begin(), channel.end());
  return values;
}

std::vector<float> take_part(std::span<const std::complex<float>> values, Part part) {
  std::vector<float> result(values.size());
  if (part == Part::real) {
    std::transform(values.begin(), values.end(), result.begin(),
                   [](std::complex<float> value) { return value.real(); });
  } else {
    // Levels are far from the ends of float's range, so that squares are safe.
    std::transform(values.begin(), values.end(), result.begin(),
                   [](std::complex<float> value) { return std::sqrt(std::norm(value)); });
  }
  return result;
}

void set_levels(Image& image, std::span<const float> values, bool normalize, float noise) {
  const auto maximum = static_cast<float>(image.maximum());
  float gain = 1;
  if (normalize) {
    const float largest = *std::max_element(values.begin(), values.end());
    gain = largest > noise ? maximum / largest : 0;
  }
  for (Samples& channel : image.channels) {
    for (std::size_t i = 0; i < channel.size(); ++i) {
      channel[i] = static_cast<std::uint16_t>(std::clamp(gain * values[i], 0.0F, maximum) + 0.5F);
    }
    values = values.subspan(channel.size());
  }
}

}  // namespace twiddle::tool
