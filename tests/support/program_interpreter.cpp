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

// Bytes of the smallest scalar in scratch memory.
std::size_t scratch_scalar(const plan::Program& program) {
  const auto has_halves = [](const Stage& stage) {
    return (stage.source == Operand::scratch && stage.input_storage.precision == Precision::float16) ||
           (stage.destination == Operand::scratch && stage.output_storage.precision == Precision::float16) ||
           stage.input_storage.words_apart || stage.output_storage.words_apart;
  };
  const bool halves = std::ranges::any_of(program.stages, has_halves);
  return plan::scalar_bytes(halves || program.stages.empty() ? Precision::float16 : program.stages.front().precision);
}

std::size_t scratch_scalars(const plan::Program& program) {
  if (program.stages.empty()) return 0;
  if (program.planes && program.scratch_bytes == 0) return program.planes->count * program.planes->elements * 2;
  if (program.joined) return program.joined->lines * program.joined->line_elements * 2;  // as if in two launches
  return program.scratch_bytes / scratch_scalar(program);
}

// Of a stage that takes turns with others, by whose launches nothing but places may change.
Stage one_launch_of(const Stage& stage, std::uint64_t launch) {
  if (stage.launched_loops != 1) throw std::runtime_error(fmt::format("stage \"{}\" has no turns", stage.step));
  const std::size_t loop = stage.loops.size() - 1;
  const auto depends = [](const auto& part) { return part && part->loop_strides.back() != 0; };
  if (depends(stage.load_factor) || depends(stage.store_factor) || depends(stage.load_bound) ||
      depends(stage.store_bound) || (stage.twiddle && stage.twiddle->loop == loop)) {
    throw std::runtime_error(fmt::format("stage \"{}\" has turns that differ", stage.step));
  }
  return plan::one_launch(stage, launch);
}

}  // namespace

ScalarMemory interpret(const plan::Program& program, Placement placement, ScalarMemory input, ScalarMemory output,
                       bool may_write_input) {
  const std::uint64_t scalar = scratch_scalar(program);
  ScalarMemory scratch(scratch_scalars(program));
  scratch.of_halves = scalar == plan::scalar_bytes(Precision::float16);
  ScalarMemory& result = placement == Placement::in_place ? input : output;
  const auto memory = [&](Operand operand) -> ScalarMemory& {
    return operand == Operand::input ? input : operand == Operand::output ? result : scratch;
  };
  const auto run = [&](const Stage& stage) {
    if (stage.destination == Operand::input && placement == Placement::out_of_place && !may_write_input) {
      throw std::runtime_error(fmt::format("stage \"{}\" writes the input", stage.step));
    }
    interpret(stage, memory(stage.source), memory(stage.destination), &scratch);
  };
  std::size_t next = 0;
  for (const plan::Program::Turns& turns : program.turns) {
    for (; next < turns.first; ++next) run(program.stages[next]);
    next = turns.first + turns.stages;
    for (std::uint64_t i = 0; i < plan::launch_count(program.stages.at(turns.first)); ++i) {
      const auto slices = scratch.written.begin() + static_cast<std::ptrdiff_t>(turns.slices_begin / scalar);
      std::fill(slices, scratch.written.end(), false);  // a slice reads nothing of others
      for (std::size_t k = turns.first; k < next; ++k) run(one_launch_of(program.stages.at(k), i));
    }
  }
  for (; next < program.stages.size(); ++next) run(program.stages[next]);
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
