// Executions on device memory, on host memory directly, and on copies of host memory.
#include "run/execution.hpp"

#include <chrono>
#include <functional>
#include <utility>

namespace twiddle::run {
namespace {

void time_copy(const char* step, Profile* profile, const std::function<void()>& copy) {
  const auto start = std::chrono::steady_clock::now();
  copy();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  if (profile != nullptr) profile->push_back({step, elapsed.count()});
}

const backend::Memory* user_memory(const std::shared_ptr<const Buffer>& buffer) {
  return buffer ? &buffer->memory() : nullptr;
}

}  // namespace

Execution::Execution(backend::Engine& engine, MemoryPool& pool, const plan::Sides& sides, plan::Program program,
                     Placement placement, HookBuffers hook_buffers)
    : pool_(pool),
      on_host_memory_(engine.works_on_host_memory()),
      program_(engine, std::move(program), placement),
      input_bytes_(plan::memory_bytes(sides.read)),
      output_bytes_(plan::memory_bytes(sides.written)),
      output_has_gaps_(!plan::fills_memory(sides.written)),
      hook_buffers_(std::move(hook_buffers)) {}

void Execution::prepare(MemoryPool::Queue queue) {
  program_.compile();
  (void)pool_.borrow(scratch_bytes(), queue);
}

void Execution::run(backend::Memory& input, backend::Memory& output, Profile* profile, const MemoryPool::Queue& queue) {
  if (scratch_bytes() == 0) return submit(input, output, nullptr, profile, queue);
  const auto loan = pool_.borrow(scratch_bytes(), queue);
  submit(input, output, loan.get(), profile, queue);
}

void Execution::submit(backend::Memory& input, backend::Memory& output, backend::Memory* scratch, Profile* profile,
                       const MemoryPool::Queue& queue) {
  program_.run({&input, &output, scratch, user_memory(hook_buffers_.load), user_memory(hook_buffers_.store), queue},
               profile);
}

void Execution::run(backend::Operands operands, Profile* profile) {
  const auto loan = pool_.borrow(scratch_bytes());
  operands.scratch = loan.get();
  operands.load_user = user_memory(hook_buffers_.load);
  if (hook_buffers_.store) operands.store_user = user_memory(hook_buffers_.store);
  program_.run(operands, profile);
}

void Execution::run_stages_on_host(std::span<const std::byte> input, std::span<std::byte> output, Profile* profile) {
  if (!on_host_memory_) return run_by_copies(input, output, profile);
  backend::HostSpan host_output(output.data());
  if (input.data() == output.data()) return run(host_output, host_output, profile);
  // Programs write their input only where the transform allows it.
  backend::HostSpan host_input(const_cast<std::byte*>(input.data()));
  run(host_input, host_output, profile);
}

void Execution::run_by_copies(std::span<const std::byte> input, std::span<std::byte> output, Profile* profile) {
  const bool in_place = input.data() == output.data();
  const auto input_copy = pool_.borrow(input.size());
  const auto output_copy = in_place ? MemoryPool::Loan() : pool_.borrow(output.size());
  backend::Memory& result = in_place ? *input_copy.get() : *output_copy.get();
  time_copy("copy to the device", profile, [&] {
    input_copy.get()->write(input.data(), input.size());
    if (!in_place && output_has_gaps_) result.write(output.data(), output.size());  // gaps keep what is in them
  });
  run(*input_copy.get(), result, profile);
  time_copy("copy from the device", profile, [&] { result.read(output.data(), output.size()); });
}

}  // namespace twiddle::run
