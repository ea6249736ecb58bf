// Runs a ConvolutionPlan on numbers as the reference has them.
#pragma once

#include <vector>

#include "support/convolution_reference.hpp"
#include "twiddle/convolution_plan.hpp"

namespace twiddle::test {

using Values = std::vector<LongComplex>;

template <class T>
std::vector<T> scalars(const Values& values, bool complex) {
  std::vector<T> result;
  for (const LongComplex& value : values) {
    result.push_back(static_cast<T>(value.real()));
    if (complex) result.push_back(static_cast<T>(value.imag()));
  }
  return result;
}

template <class T>
Values run_as(const ConvolutionPlan& plan, const Values& signals) {
  const Convolution& convolution = plan.convolution();
  const bool complex = has_complex_output(convolution);
  std::vector<T> output(output_elements(convolution) * (complex ? 2 : 1), T(-77));
  plan.execute(scalars<T>(signals, convolution.complex), output);
  Values result;
  for (std::size_t i = 0; i < output.size(); i += complex ? 2 : 1) {
    result.emplace_back(output[i], complex ? output[i + 1] : 0);
  }
  return result;
}

inline Values run_convolution(const Device& device, const Convolution& convolution, const Values& signals,
                              const Values& filters) {
  ConvolutionPlan plan(device, convolution);
  if (convolution.precision == Precision::float64) {
    plan.set_filters(scalars<double>(filters, convolution.complex));
    return run_as<double>(plan, signals);
  }
  plan.set_filters(scalars<float>(filters, convolution.complex));
  return run_as<float>(plan, signals);
}

}  // namespace twiddle::test
