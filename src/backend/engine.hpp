// What every backend provides: memory, and stages made executable. The library above it knows no vendor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "plan/stage.hpp"
#include "twiddle/device.hpp"

namespace twiddle::backend {

// Device memory. Freed on destruction, after work that uses it has finished.
class Memory {
 public:
  virtual ~Memory() = default;
  // Blocking copies of `bytes` bytes between host memory and the start of this memory.
  virtual void write(const void* source, std::size_t bytes) = 0;
  virtual void read(void* destination, std::size_t bytes) = 0;
  // The bytes themselves where the host can use them directly (host engine); null elsewhere.
  virtual std::byte* host_pointer() { return nullptr; }
};

// The memory that one execution works on. `input` is not written unless it is the same object as `output` or the
// program says so (a stage whose destination is the input).
struct Operands {
  Memory* input = nullptr;
  Memory* output = nullptr;
  Memory* scratch = nullptr;  // null where the program needs none
  const Memory* load_user = nullptr;  // what the sources of hooks see as `user`; null: nothing
  const Memory* store_user = nullptr;
  // A queue of the caller's to submit to instead of the engine's own, as the backend's handle (a CUstream). Only work on
  // the same queue is ordered. Backends whose public interface takes none never see one.
  std::optional<std::uintptr_t> queue{};

  // What a stage's operand names.
  [[nodiscard]] Memory* memory(plan::Operand operand) const {
    switch (operand) {
      case plan::Operand::input: return input;
      case plan::Operand::output: return output;
      case plan::Operand::scratch: break;
    }
    return scratch;
  }
};

// A stage compiled for one device. Immutable; may run in several threads at once on different memory.
class Executable {
 public:
  virtual ~Executable() = default;
  // Submits the work. It runs after everything that was submitted to the engine before, by whatever thread. Where
  // `milliseconds` is given, waits and sets it to the time the device took.
  virtual void run(const Operands& operands, double* milliseconds) const = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Memory> allocate(std::size_t bytes) = 0;
  // Host memory of the caller as Memory, without a copy; null where the device cannot use it (then copy).
  [[nodiscard]] virtual std::unique_ptr<Memory> wrap(void* data, std::size_t bytes) = 0;
  [[nodiscard]] virtual std::shared_ptr<const Executable> compile(const plan::Stage& stage) = 0;
  virtual void synchronize() = 0;
};

}  // namespace twiddle::backend
