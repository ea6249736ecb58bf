// Runs a program's stages over memory, and compares results.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/stage_interpreter.hpp"

namespace twiddle::test {
namespace {

using plan::Operand;
using plan::Placement;
using plan::Stage;
using Complex = std::complex<long double>;

std::size_t scratch_scalars(const plan::Program& program) {
  if (program.stages.empty()) return 0;
  return program.scratch_bytes / plan::scalar_bytes(program.stages.front().precision);
}

}  // namespace

ScalarMemory interpret(const plan::Program& program, Placement placement, ScalarMemory input, ScalarMemory output,
                       bool may_write_input) {
  ScalarMemory scratch(scratch_scalars(program));
  ScalarMemory& result = placement == Placement::in_place ? input : output;
  const auto memory = [&](Operand operand) -> ScalarMemory& {
    return operand == Operand::input ? input : operand == Operand::output ? result : scratch;
  };
  for (const Stage& stage : program.stages) {
    if (stage.destination == Operand::input && placement == Placement::out_of_place && !may_write_input) {
      throw std::runtime_error(fmt::format("stage \"{}\" writes the input", stage.step));
    }
    interpret(stage, memory(stage.source), memory(stage.destination));
  }
  return std::move(result);
}

Spectrum interpret(const plan::Program& program, Placement placement, const Spectrum& input) {
  std::vector<long double> scalars;
  for (const Complex& value : input) scalars.insert(scalars.end(), {value.real(), value.imag()});
  const std::size_t count = scalars.size();
  const ScalarMemory output = interpret(program, placement, ScalarMemory(std::move(scalars)), ScalarMemory(count));
  Spectrum result;
  for (std::size_t i = 0; i < output.values.size(); i += 2) {
    if (!output.written[i]) throw std::runtime_error(fmt::format("no stage writes element {} of the output", i / 2));
    result.emplace_back(output.values[i], output.values[i + 1]);
  }
  return result;
}

long double relative_difference(const Spectrum& a, const Spectrum& b) {
  if (a.size() != b.size()) return std::numeric_limits<long double>::quiet_NaN();
  long double largest = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::norm(a[i] - b[i]));
    norm += std::norm(b[i]);
  }
  return std::sqrt(norm == 0 ? largest : largest * static_cast<long double>(a.size()) / norm);
}

}  // namespace twiddle::test
