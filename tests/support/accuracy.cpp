// Measures a plan's error and FFTW's on the same inputs.
#include "support/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plan/recipe/recipe.hpp"
#include "support/reference.hpp"

namespace twiddle::test {

namespace {

using Algorithm = plan::Convolution::Algorithm;

double allowance(const plan::LineRecipe& line) {
  if (const auto* parts = std::get_if<plan::FourStep>(&line.algorithm)) {
    return std::max(allowance(*parts->columns), allowance(*parts->rows));
  }
  if (const auto* convolved = std::get_if<plan::Convolved>(&line.algorithm)) {
    return convolved->convolution.algorithm == Algorithm::bluestein ? 1.5 : 1.1;
  }
  return std::holds_alternative<plan::Bluestein>(line.algorithm) ? 1.5 : 1.1;
}

}  // namespace

double allowance(const Transform& transform, const Device& device) {
  const plan::Recipe recipe = plan::make_recipe(transform, device.info().limits);
  double most = 1.1;
  for (const plan::Recipe::Axis& axis : recipe.axes) most = std::max(most, allowance(axis.line));
  return most;
}

Accuracy measure_accuracy(const Plan& plan, Direction direction, std::size_t inputs) {
  // Short transforms are referred to FFTW together, since it plans anew for every call.
  const std::size_t elements = total_elements(plan.transform());
  const std::size_t together = elements <= 65536 ? inputs : 1;
  Transform transform = plan.transform();
  transform.batch *= together;
  Accuracy sum;
  for (std::size_t round = 0; round < inputs / together; ++round) {
    const Signal input = random_signal(elements * together, round + 1);
    const Spectrum expected = reference_transform(transform, direction, input);
    const Signal fftw = fftw_transform(transform, direction, input);
    Signal output(input.size());
    for (std::size_t i = 0; i < together; ++i) {
      const auto part = [&](auto& values) { return std::span(values).subspan(i * elements, elements); };
      plan.execute(direction, part(input), part(output));
      sum.error += relative_l2_error(part(output), part(expected));
      sum.fftw_error += relative_l2_error(part(fftw), part(expected));
    }
  }
  const auto count = static_cast<double>(inputs);
  const double fftw_error = sum.fftw_error / count;
  const double bound = std::max(allowance(plan.transform(), plan.device()) * fftw_error, 1e-7);
  return {sum.error / count, fftw_error, bound};
}

std::string describe(const Plan& plan, Direction direction, const Accuracy& accuracy) {
  return fmt::format("{} {}: error {:.3g}, FFTW {:.3g}, bound {:.3g}", to_string(plan.transform()),
                     direction == Direction::forward ? "forward" : "inverse", accuracy.error, accuracy.fftw_error,
                     accuracy.bound);
}

}  // namespace twiddle::test
