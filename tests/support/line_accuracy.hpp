// How exact single lines are, of every kind of transform, beside FFTW in the same precision on the same inputs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

// One length of a kind, out of place and unscaled.
struct LineCase {
  Kind kind = Kind::c2c;
  Direction direction = Direction::forward;
  std::size_t length = 1;
  bool together = false;  // all inputs in one batch, not one after the other
};

// Relative L2 errors against FFTW in long double, the mean over the inputs.
struct LineAccuracy {
  Precision precision = Precision::float32;
  double error = 0;
  double fftw_error = 0;
  double bound = 0;  // 1.1 times FFTW's error (as allowance() says), or the floor: 1e-7 for float, 2e-16 for
                     // double
  [[nodiscard]] bool within_bound() const { return error <= bound; }  // false for not-a-number
  // What the bound is about: the error relative to FFTW's, or to the floor where that is larger.
  [[nodiscard]] double ratio() const;
};

// For each of the precisions; all with the same inputs, which are exact in float.
[[nodiscard]] std::vector<LineAccuracy> measure_line(const Device& device, const LineCase& line,
                                                     const std::vector<Precision>& precisions);

// "dct2" or "c2r".
[[nodiscard]] std::string kind_name(Kind kind, Direction direction);

}  // namespace twiddle::test
