// What every backend provides: memory, and stages made executable. The library above it knows no vendor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "plan/convolution/image_pass.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend {

// Device memory. Freed on destruction, after work that uses it has finished.
class Memory {
 public:
  virtual ~Memory() = default;
  // Blocking copies of `bytes` bytes between host memory and the start of this memory.
  virtual void write(const void* source, std::size_t bytes) = 0;
  virtual void read(void* destination, std::size_t bytes) = 0;
  // The bytes themselves where the host can use them directly (host engine); null elsewhere.
  [[nodiscard]] std::byte* host_pointer() const { return host_pointer_; }

 protected:
  Memory() = default;
  explicit Memory(std::byte* host_pointer) : host_pointer_(host_pointer) {}

 private:
  std::byte* host_pointer_ = nullptr;
};

// Memory of the caller's, for engines that work on it as it is. Allocates nothing: executions make it on the stack.
class HostSpan final : public Memory {
 public:
  explicit HostSpan(void* data) : Memory(static_cast<std::byte*>(data)) {}
  void write(const void* source, std::size_t bytes) override { std::memcpy(host_pointer(), source, bytes); }
  void read(void* destination, std::size_t bytes) override { std::memcpy(destination, host_pointer(), bytes); }
};

// The memory that one execution works on. `input` is not written unless it is the same object as `output` or the
// program says so (a stage whose destination is the input).
struct Operands {
  Memory* input = nullptr;
  Memory* output = nullptr;
  Memory* scratch = nullptr;          // null where the program needs none
  const Memory* load_user = nullptr;  // what the sources of hooks see as `user`; null: nothing
  const Memory* store_user = nullptr;
  // A queue of the caller's to submit to instead of the engine's own, as the backend's handle (a CUstream). Only work
  // on the same queue is ordered. Backends whose public interface takes none never see one.
  std::optional<std::uintptr_t> queue{};
  Memory* spectra = nullptr;  // what a convolution keeps of its filters; null for other programs
  // Whether the work that was submitted to the queue just before, with nothing in between, is what makes these spectra.
  bool follows_filters = false;
  // Of stages with launched loops that one launch alone; else all of them.
  std::optional<std::uint64_t> launch{};
  // Whether every other thread of the host is at work on a launch of its own, so that none is to share this one.
  bool on_one_thread = false;

  // Which of a stage's launches are asked for: from the first, up to but without the second.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> launches_of(std::uint64_t all) const {
    return launch ? std::pair(*launch, *launch + 1) : std::pair(std::uint64_t{0}, all);
  }

  // What a stage's operand names.
  [[nodiscard]] Memory* memory(plan::Operand operand) const {
    switch (operand) {
      case plan::Operand::input:
        return input;
      case plan::Operand::output:
        return output;
      case plan::Operand::spectra:
        return spectra;
      case plan::Operand::scratch:
        break;
    }
    return scratch;
  }
};

// Stages as a call on host memory, done when it returns: what is left of executables that need nothing else, so that
// short transforms need not wait for the way to them.
class HostCall {
 public:
  virtual ~HostCall() = default;
  virtual void call(const std::byte* source, std::byte* destination) const = 0;
};

// A stage compiled for one device. Immutable; may run in several threads at once on different memory.
class Executable {
 public:
  virtual ~Executable() = default;
  // Submits the work. It runs after everything that was submitted to the engine before, by whatever thread. Where
  // `milliseconds` is given, waits and sets it to the time the device took.
  virtual void run(const Operands& operands, double* milliseconds) const = 0;
  // The same, for engines that work on host memory and stages that read nothing but their source; else null. As long as
  // the executable lives.
  [[nodiscard]] virtual const HostCall* host_call() const { return nullptr; }
};

class Engine {
 public:
  using Turn = std::function<void(std::uint64_t turn, std::uint64_t place)>;

  virtual ~Engine() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Memory> allocate(std::size_t bytes) = 0;
  // Whether stages run on memory of the host as it is (HostSpan), and are done when they return. Else it is copied.
  [[nodiscard]] virtual bool works_on_host_memory() const { return false; }
  [[nodiscard]] virtual std::shared_ptr<const Executable> compile(const plan::Stage& stage) = 0;
  // A program's stage and the one behind it, which are one launch (plan::are_one_launch), for engines whose limits lead
  // to such programs.
  [[nodiscard]] virtual std::shared_ptr<const Executable> compile_two(const plan::Program&, std::size_t) {
    throw Unsupported("this engine carries out one stage a launch");
  }
  // One kernel of an image convolution, for engines with work-items; the host has ways of its own.
  [[nodiscard]] virtual std::shared_ptr<const Executable> compile_image(const plan::ImagePass&) {
    throw Unsupported("this engine has no kernels of image convolution");
  }
  // Calls `run(turn, place)` for each of so many turns, in order; engines whose stages are done when they return may
  // call it for several at once, each with a place of its own below `places`.
  virtual void take_turns(std::uint64_t turns, std::uint64_t places, const Turn& run) {
    static_cast<void>(places);
    for (std::uint64_t turn = 0; turn < turns; ++turn) run(turn, 0);
  }
  virtual void synchronize() = 0;
};

}  // namespace twiddle::backend
