// What a plan runs for one direction and placement: its stages, compiled when they are first needed.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/engine.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::run {

class CompiledProgram {
 public:
  // In place: it will only be run with one memory as input and output.
  CompiledProgram(backend::Engine& engine, plan::Program program, Placement placement = Placement::out_of_place)
      : engine_(engine), program_(std::move(program)), placement_(placement) {}

  [[nodiscard]] const plan::Program& program() const { return program_; }

  // Compiles the stages unless that is done. Where it throws, the next call tries again. Safe to use from several
  // threads.
  void compile();

  // The whole program as one call from the input to the output, in host memory; null where there is more to it, or it
  // is not compiled yet.
  [[nodiscard]] const backend::HostCall* host_call() const {
    return ready_.load(std::memory_order_acquire) ? host_call_ : nullptr;
  }

  // Compiles if need be and submits every stage in order. With a profile, waits for each and appends its time.
  void run(const backend::Operands& operands, Profile* profile);

 private:
  // Stages that are calls, one after the other: from the input, or from what those before left in the output.
  class CallSequence final : public backend::HostCall {
   public:
    void add(const backend::HostCall* call, bool from_output) { steps_.push_back({call, from_output}); }
    void call(const std::byte* source, std::byte* destination) const override {
      for (const Step& step : steps_) step.call->call(step.from_output ? destination : source, destination);
    }

   private:
    struct Step {
      const backend::HostCall* call;
      bool from_output;
    };
    std::vector<Step> steps_;
  };

  [[nodiscard]] std::shared_ptr<const backend::Executable> compile(const plan::Stage& stage) const;
  // What host_call() gives; null where there is none.
  [[nodiscard]] const backend::HostCall* make_host_call();
  void run_stages(const backend::Operands& operands, std::size_t begin, std::size_t end, Profile* profile) const;
  [[nodiscard]] std::string step_of(std::size_t executable) const;
  // Times are those of all slices together.
  void run_turns(const backend::Operands& operands, const plan::Program::Turns& turns, Profile* profile) const;

  backend::Engine& engine_;
  plan::Program program_;
  Placement placement_;
  std::once_flag compiled_;
  std::atomic<bool> ready_ = false;  // faster to ask than the flag
  std::vector<std::shared_ptr<const backend::Executable>> executables_;
  CallSequence sequence_;
  const backend::HostCall* host_call_ = nullptr;
};

// A line for each stage, for people.
[[nodiscard]] std::string program_text(const plan::Program& program);

}  // namespace twiddle::run
