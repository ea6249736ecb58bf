// Measures a plan's error and FFTW's on the same inputs.
#include "support/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/reference.hpp"

namespace twiddle::test {

double Accuracy::bound() const { return std::max(1.1 * fftw_error, 1e-7); }

Accuracy measure_accuracy(const Plan& plan, Direction direction, std::size_t inputs) {
  const Transform& transform = plan.transform();
  Accuracy sum;
  for (std::size_t seed = 1; seed <= inputs; ++seed) {
    const Signal input = random_signal(total_elements(transform), seed);
    const Spectrum expected = reference_transform(transform, direction, input);
    Signal output(input.size());
    plan.execute(direction, input, output);
    sum.error += relative_l2_error(output, expected);
    sum.fftw_error += relative_l2_error(fftw_transform(transform, direction, input), expected);
  }
  const auto count = static_cast<double>(inputs);
  return {sum.error / count, sum.fftw_error / count};
}

std::string describe(const Plan& plan, Direction direction, const Accuracy& accuracy) {
  return fmt::format("{} {}: error {:.3g}, FFTW {:.3g}, bound {:.3g}", to_string(plan.transform()),
                     direction == Direction::forward ? "forward" : "inverse", accuracy.error, accuracy.fftw_error,
                     accuracy.bound());
}

}  // namespace twiddle::test
