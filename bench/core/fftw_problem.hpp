// A problem in the words of FFTW's guru interface (its manual, "64-bit Guru Interface"), which takes any layout. A
// value; no library is involved.
#pragma once

#include <cstddef>
#include <vector>

#include "twiddle/problem.hpp"

namespace twiddle::bench {

// What fftw3.h calls fftw_iodim64: so many elements, this far apart.
struct FftwDimension {
  std::ptrdiff_t length = 1;
  std::ptrdiff_t input_stride = 0;
  std::ptrdiff_t output_stride = 0;
  bool operator==(const FftwDimension&) const = default;
};

// Where the first element lies, in scalars from the start of the memory.
struct FftwElement {
  std::ptrdiff_t real = 0;
  std::ptrdiff_t imaginary = 0;  // without meaning for real data
  bool operator==(const FftwElement&) const = default;
};

struct FftwProblem {
  std::vector<FftwDimension> transformed;
  std::vector<FftwDimension> repeated;  // those of more than one array or line
  FftwElement input;
  FftwElement output;
  // Real and imaginary parts are given apart, and strides of complex data count scalars; otherwise these count complex
  // numbers. So where one side is planar.
  bool split = false;
  std::vector<int> kinds;  // fftw_r2r_kind of each transformed dimension, of real-to-real transforms
};

// Throws Unsupported for what is pruned, and for problems in place whose sides have layouts of their own: what lies
// between their elements is then another one's result.
[[nodiscard]] FftwProblem fftw_problem(const Problem& problem);

}  // namespace twiddle::bench
