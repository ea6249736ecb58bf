// Pictures through small kernels: every sample becomes a weighted sum of its neighbours, in whole pixels of 8 or 16
// bits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twiddle/convolution.hpp"

namespace twiddle {

// Weights around a centre, row-major. Both lengths are odd.
struct ImageKernel {
  std::size_t height = 0;
  std::size_t width = 0;
  std::vector<double> weights{};
  bool operator==(const ImageKernel&) const = default;
};

// The names that parse_image_kernel knows: identity, sharpen, smooth, gaussian, sobel-x, ...
[[nodiscard]] std::vector<std::string_view> image_kernel_names();

// A name, or rows of numbers: "0 -1 0; -1 5 -1; 0 -1 0" (commas may stand between numbers too). Throws InvalidArgument
// for unknown names (with the nearest one that is known), ragged rows and even lengths.
[[nodiscard]] ImageKernel parse_image_kernel(std::string_view text);

// "0 -1 0; -1 5 -1; 0 -1 0"
[[nodiscard]] std::string to_string(const ImageKernel& kernel);

// result(y, x) = sum over i, j of kernel(i, j) * image(y + height/2 - i, x + width/2 - j), divided by the scale, plus
// the offset, rounded (halves up) and clamped to the range of the samples. Every channel by itself.
struct ImageConvolution {
  // From the plain definition up, each with what makes it faster than the one before. They give the same samples, bit
  // by bit, where weights, scale and offset are whole numbers; else samples may differ by one level.
  enum class Variant {
    automatic,  // the fastest by what was measured
    reference,  // the definition: every neighbour's place is computed for every sample
    addressed,  // rows with their surroundings are laid out once; neighbours are at fixed distances
    vectors,    // one vector of samples at a time, conversion with saturation
    blocked,    // two rows of four vectors at a time, so that each load and each weight serves several sums
    separable   // columns, then rows: only kernels of rank 1
  };

  ImageKernel kernel{};
  std::optional<double> scale{};  // none: the sum of the weights; 0, and a sum of 0: do not divide
  double offset = 0;
  Boundary boundary = Boundary::reflect;
  bool correlate = false;  // kernel(i, j) meets image(y + i - height/2, x + j - width/2) instead
  Variant variant = Variant::automatic;
  bool operator==(const ImageConvolution&) const = default;
};

[[nodiscard]] std::string_view to_string(ImageConvolution::Variant variant);

// Interleaved samples, rows from top to bottom without gaps.
struct ImageFormat {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 1;  // 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
  unsigned bits = 8;         // 8 (std::uint8_t) or 16 (std::uint16_t)
  bool keep_alpha = true;    // the last of 2 or 4 channels is copied as it is
  bool operator==(const ImageFormat&) const = default;
};

}  // namespace twiddle
