// A program together with the memory that its executions need, for one direction and placement of a plan.
#pragma once

#include <cstddef>
#include <span>

#include "backend/engine.hpp"
#include "plan/lower/stage.hpp"
#include "plan/lower/view.hpp"
#include "run/compiled_program.hpp"
#include "run/memory_pool.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::run {

// Safe to use from several threads at once.
class Execution {
 public:
  // Takes its working memory from `pool`, which must live longer. The program is one for this placement.
  Execution(backend::Engine& engine, MemoryPool& pool, const plan::Sides& sides, plan::Program program,
            Placement placement, HookBuffers hook_buffers);

  [[nodiscard]] const plan::Program& program() const { return program_.program(); }
  [[nodiscard]] std::size_t input_bytes() const { return input_bytes_; }
  [[nodiscard]] std::size_t output_bytes() const { return output_bytes_; }
  [[nodiscard]] std::size_t in_place_bytes() const { return std::max(input_bytes_, output_bytes_); }
  [[nodiscard]] std::size_t scratch_bytes() const { return program().scratch_bytes; }

  // The whole execution, between memories of the host that hold what they must; null where there is more to it, or it
  // is not compiled yet.
  [[nodiscard]] const backend::HostCall* host_call() const { return program_.host_call(); }

  void compile() { program_.compile(); }

  // Compiles, and reserves the working memory of one execution on the queue.
  void prepare(MemoryPool::Queue queue);

  // Submits the program's stages. The memories are the same object in place.
  void run(backend::Memory& input, backend::Memory& output, Profile* profile,
           const MemoryPool::Queue& queue = engines_own);

  // Likewise with memories beside input, output and those of the hooks; scratch memory is the execution's own.
  void run(backend::Operands operands, Profile* profile);

  // The same on host memory, by way of device memory where the device cannot use it; returns when the result is there.
  void run_on_host(std::span<const std::byte> input, std::span<std::byte> output, Profile* profile) {
    const backend::HostCall* const call = host_call();
    if (call != nullptr && profile == nullptr) return call->call(input.data(), output.data());
    run_stages_on_host(input, output, profile);
  }

 private:
  // Short transforms feel the time that it takes to copy a queue which has just been made.
  static constexpr MemoryPool::Queue engines_own = std::nullopt;

  void submit(backend::Memory& input, backend::Memory& output, backend::Memory* scratch, Profile* profile,
              const MemoryPool::Queue& queue);
  void run_stages_on_host(std::span<const std::byte> input, std::span<std::byte> output, Profile* profile);
  void run_by_copies(std::span<const std::byte> input, std::span<std::byte> output, Profile* profile);

  MemoryPool& pool_;
  bool on_host_memory_;
  CompiledProgram program_;
  std::size_t input_bytes_;
  std::size_t output_bytes_;
  bool output_has_gaps_;
  HookBuffers hook_buffers_;
};

}  // namespace twiddle::run
