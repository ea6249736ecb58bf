// Compiling and submitting stages.
#include "run/compiled_program.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "plan/shape/joined.hpp"
#include "run/host_stage.hpp"

namespace twiddle::run {
namespace {

bool is_callers(plan::Operand operand) { return operand == plan::Operand::input || operand == plan::Operand::output; }

}  // namespace

void CompiledProgram::compile() {
  std::call_once(compiled_, [this] {
    std::vector<std::shared_ptr<const backend::Executable>> executables;
    executables.reserve(program_.stages.size());
    for (std::size_t i = 0; i < program_.stages.size(); ++i) {
      const bool two = plan::are_one_launch(program_, i);
      executables.push_back(two ? engine_.compile_two(program_, i) : compile(program_.stages[i]));
      if (two) ++i;
    }
    executables_ = std::move(executables);
    host_call_ = make_host_call();
    ready_.store(true, std::memory_order_release);
  });
}

const backend::HostCall* CompiledProgram::make_host_call() {
  if (!program_.turns.empty() || executables_.size() != program_.stages.size()) return nullptr;
  sequence_ = {};
  for (std::size_t i = 0; i < executables_.size(); ++i) {
    const plan::Stage& stage = program_.stages[i];
    const backend::HostCall* const call = executables_[i]->host_call();
    const bool to_output = stage.destination == plan::Operand::output ||
                           (placement_ == Placement::in_place && is_callers(stage.destination));
    if (call == nullptr || !is_callers(stage.source) || !to_output) return nullptr;
    if (executables_.size() == 1) return call;
    sequence_.add(call, stage.source == plan::Operand::output);
  }
  return executables_.empty() ? nullptr : &sequence_;
}

std::shared_ptr<const backend::Executable> CompiledProgram::compile(const plan::Stage& stage) const {
  const bool on_host_memory = engine_.works_on_host_memory();
  if (stage.on_host && !on_host_memory) return make_host_stage(stage);
  plan::Stage placed = stage;
  // The host stores by whether there is one memory or two; the texts of devices' kernels have the names of both.
  const bool one_memory = on_host_memory && placement_ == Placement::in_place && is_callers(stage.source);
  if (one_memory && is_callers(stage.destination)) placed.source = placed.destination;
  return engine_.compile(placed);
}

void CompiledProgram::run(const backend::Operands& operands, Profile* profile) {
  if (!ready_.load(std::memory_order_acquire)) compile();
  std::size_t next = 0;
  for (const plan::Program::Turns& turns : program_.turns) {
    run_stages(operands, next, turns.first, profile);
    run_turns(operands, turns, profile);
    next = turns.first + turns.stages;
  }
  run_stages(operands, next, executables_.size(), profile);
}

void CompiledProgram::run_stages(const backend::Operands& operands, std::size_t begin, std::size_t end,
                                 Profile* profile) const {
  for (std::size_t i = begin; i < end; ++i) {
    double milliseconds = 0.0;
    executables_[i]->run(operands, profile == nullptr ? nullptr : &milliseconds);
    if (profile != nullptr) profile->push_back({step_of(i), milliseconds});
  }
}

std::string CompiledProgram::step_of(std::size_t executable) const {
  std::size_t stage = 0;
  for (std::size_t i = 0; i < executable; ++i) stage += plan::are_one_launch(program_, stage) ? 2 : 1;
  if (!plan::are_one_launch(program_, stage)) return program_.stages[stage].step;
  return plan::ends_of(program_.stages[stage], program_.stages[stage + 1]).step;
}

void CompiledProgram::run_turns(const backend::Operands& operands, const plan::Program::Turns& turns,
                                Profile* profile) const {
  const std::uint64_t launches = plan::launch_count(program_.stages[turns.first]);
  const std::size_t end = turns.first + turns.stages;
  // Where every thread has a slice, which is in its core's cache, it keeps it to itself; the last ones, of which there
  // are fewer, are shared.
  const bool all_at_work = turns.places > 1 && turns.places == engine_.info().limits.compute_units;
  const std::uint64_t kept = all_at_work ? launches - launches % turns.places : 0;
  const auto run = [&](std::uint64_t launch, std::uint64_t place) {
    backend::Operands slice = operands;
    slice.launch = launch;
    slice.on_one_thread = launch < kept;
    if (place == 0 || turns.slice_bytes == 0) return run_stages(slice, turns.first, end, nullptr);
    backend::HostSpan scratch(operands.scratch->host_pointer() + place * turns.slice_bytes);
    slice.scratch = &scratch;
    run_stages(slice, turns.first, end, nullptr);
  };
  if (profile == nullptr) return engine_.take_turns(launches, turns.places, std::ref(run));
  for (std::uint64_t launch = 0; launch < launches; ++launch) {
    backend::Operands slice = operands;
    slice.launch = launch;
    Profile times;
    run_stages(slice, turns.first, end, &times);
    if (launch == 0) profile->insert(profile->end(), times.begin(), times.end());
    for (std::size_t i = 0; launch > 0 && i < times.size(); ++i) {
      (*profile)[profile->size() - times.size() + i].milliseconds += times[i].milliseconds;
    }
  }
}

std::string program_text(const plan::Program& program) {
  std::string text;
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    if (const auto turns = plan::turns_text(program, i)) text += fmt::format("  {}\n", *turns);
    if (const auto joined = plan::joined_text(program, i)) text += fmt::format("  {}\n", *joined);
    text += fmt::format("  {}\n", plan::to_string(program.stages[i]));
  }
  return text;
}

}  // namespace twiddle::run
