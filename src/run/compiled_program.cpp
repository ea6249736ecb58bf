// Compiling and submitting stages.
#include "run/compiled_program.hpp"

#include <fmt/format.h>

#include <utility>

#include "run/host_stage.hpp"

namespace twiddle::run {

void CompiledProgram::compile() {
  std::call_once(compiled_, [this] {
    std::vector<std::shared_ptr<const backend::Executable>> executables;
    executables.reserve(program_.stages.size());
    for (const plan::Stage& stage : program_.stages) {
      const bool away = stage.on_host && !engine_.works_on_host_memory();
      executables.push_back(away ? make_host_stage(stage) : engine_.compile(stage));
    }
    executables_ = std::move(executables);
    const auto outside = [](plan::Operand operand) {
      return operand == plan::Operand::input || operand == plan::Operand::output;
    };
    if (program_.stages.size() == 1 && outside(program_.stages[0].source) && outside(program_.stages[0].destination)) {
      host_call_ = executables_[0]->host_call();
    }
    ready_.store(true, std::memory_order_release);
  });
}

void CompiledProgram::run(const backend::Operands& operands, Profile* profile) {
  if (!ready_.load(std::memory_order_acquire)) compile();
  if (profile == nullptr) {
    for (const auto& executable : executables_) executable->run(operands, nullptr);
    return;
  }
  for (std::size_t i = 0; i < executables_.size(); ++i) {
    double milliseconds = 0.0;
    executables_[i]->run(operands, &milliseconds);
    profile->push_back({program_.stages[i].step, milliseconds});
  }
}

std::string program_text(const plan::Program& program) {
  std::string text;
  for (const plan::Stage& stage : program.stages) text += fmt::format("  {}\n", plan::to_string(stage));
  return text;
}

}  // namespace twiddle::run
