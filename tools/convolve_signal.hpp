// twiddle convolve on arrays and sound files.
#pragma once

#include <string>

#include "options.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::tool {

struct SignalConvolutionOptions {
  std::string signal;
  std::string filters;
  std::string output;
  std::size_t dimensions = 1;  // of signals and filters
  Convolution::Mode mode = Convolution::Mode::full;
  Boundary boundary = Boundary::zero;
  bool correlate = false;
  Convolution::Method method = Convolution::Method::automatic;
  PostProcessing post{};
  double gain = 1;
  ComputeOptions compute;
};

// As a stream, piece by piece, in memory that does not depend on the signal's length; where a method, another device or
// post-processing is asked for, by a plan for long pieces. More dimensions than one: all in memory.
void convolve_signal(const SignalConvolutionOptions& options);

}  // namespace twiddle::tool
