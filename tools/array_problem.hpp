// From a NumPy array and the options of `twiddle fft` to a problem, with the conventions of numpy.fft and scipy.fft.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "elements.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::tool {

struct ArrayOptions {
  Kind kind = Kind::c2c;
  bool inverse = false;                 // of r2c: irfftn
  std::vector<int> axes{};              // as NumPy counts them; r2c halves the last one named; empty: see below
  std::vector<std::size_t> crop{};      // one for each axis: so many elements of the array are used, at most all
  std::vector<std::size_t> zero_pad{};  // one for each axis: zeros are appended up to this length
  std::optional<std::size_t> length{};  // of the last axis of what the inverse of r2c gives; default: 2 (m - 1)
  Normalization normalization = Normalization::backward;
  std::optional<Precision> precision{};  // default: that of the array, but float32 for float16
};

// What to compute, on memory as it lies in the files.
struct ArrayProblem {
  Problem problem;     // in place where input and output are alike
  ElementType input;   // what the array's elements are to be converted to
  ElementType output;  // of the result
  std::vector<std::size_t> output_shape;
};

// Axes that are not named are all, or as many last ones as `crop` and `zero_pad` have lengths. Fortran order and the
// order of axes become strides. Complex elements under a real-to-real kind have their parts transformed separately.
// Of an array without elements, whose transformed axes have some, the result has none either: the problem is that of
// one line.
// Throws UsageError for options that do not fit the array, InvalidArgument for sizes that cannot be addressed.
[[nodiscard]] ArrayProblem make_array_problem(const ArrayOptions& options, const std::vector<std::size_t>& shape,
                                              bool fortran_order, ElementType type);

}  // namespace twiddle::tool
