// twiddle convolve on pictures.
#pragma once

#include <optional>
#include <string>

#include "options.hpp"
#include "twiddle/image_convolution.hpp"

namespace twiddle::tool {

struct PictureConvolutionOptions {
  std::string input;
  std::string output;
  std::string kernel;  // a name or rows of numbers
  std::optional<double> scale;
  double offset = 0;
  Boundary boundary = Boundary::reflect;
  bool correlate = false;
  ImageConvolution::Variant variant = ImageConvolution::Variant::automatic;
  ComputeOptions compute;
};

void convolve_picture(const PictureConvolutionOptions& options);

}  // namespace twiddle::tool
