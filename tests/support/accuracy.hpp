// How exact a plan is, beside FFTW in single precision on the same inputs.
#pragma once

#include <cstddef>
#include <string>

#include "twiddle/plan.hpp"

namespace twiddle::test {

inline constexpr std::size_t random_inputs = 8;

// Relative L2 errors against the long-double reference, each the mean over the random inputs.
struct Accuracy {
  double error = 0;       // of the plan
  double fftw_error = 0;  // of FFTW's float transform
  double bound = 0;       // allowance() times FFTW's error or 1e-7, whichever is larger
  [[nodiscard]] bool within_bound() const { return error <= bound; }  // false for not-a-number
};

// How many times FFTW's error a plan's may be: 1.1; 1.5 where Bluestein's algorithm serves, which is two transforms in
// a row.
[[nodiscard]] double allowance(const Transform& transform, const Device& device);

// Executes the plan out of place on host memory, once for each of `inputs` random inputs.
[[nodiscard]] Accuracy measure_accuracy(const Plan& plan, Direction direction, std::size_t inputs = random_inputs);

// "1000 forward: error 1.1e-07, FFTW 9.8e-08, bound 1.08e-07", for messages of tests.
[[nodiscard]] std::string describe(const Plan& plan, Direction direction, const Accuracy& accuracy);

}  // namespace twiddle::test
