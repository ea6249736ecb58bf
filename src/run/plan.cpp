// A plan: recipe, programs of both directions and placements, and their execution on buffers and host memory.
#include "twiddle/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "run/byte_spans.hpp"
#include "run/execution.hpp"
#include "twiddle/error.hpp"

namespace twiddle {

struct Plan::Implementation {
  Implementation(Workspace plan_workspace, Transform plan_transform, HookBuffers buffers)
      : workspace(std::move(plan_workspace)),
        device(workspace.device()),
        hook_buffers(std::move(buffers)),
        transform(std::move(plan_transform)),
        limits(device.limits()),
        recipe(plan::make_recipe(transform, limits)) {
    if (hook_buffers.load) check_device(*hook_buffers.load, "load hook's");
    if (hook_buffers.store) check_device(*hook_buffers.store, "store hook's");
    const bool gathers = transform.load_hook && transform.load_hook->gathers;
    const bool same_layouts = !gathers && transform.kind == Kind::c2c && transform.input == transform.output;
    try {
      run::Execution& first =
          execution(Direction::forward, same_layouts ? Placement::in_place : Placement::out_of_place);
      // What does not compile, or lacks a hook's function, is to be known here. Else the host has tables alone, which
      // take as long as all that was before, and may be needed for the other direction or placement only.
      const bool hooked = transform.load_hook || transform.store_hook;
      if (device.info().backend != BackendKind::host || hooked) first.compile();
    } catch (const InvalidArgument&) {
      if (!allows(Direction::inverse)) throw;  // some layouts, such as those with stride 0, can only be read
    }
  }

  bool allows(Direction direction) {
    try {
      (void)execution(direction, Placement::out_of_place);
    } catch (const InvalidArgument&) {
      return false;
    }
    return true;
  }

  run::Execution& execution(Direction direction, Placement placement) {
    Slot& slot = slot_of(direction, placement == Placement::in_place);
    if (run::Execution* const ready = slot.ready.load(std::memory_order_acquire)) return *ready;
    std::call_once(slot.made, [&] {
      slot.execution = std::make_unique<run::Execution>(
          device.engine(), workspace.pool(), plan::sides_of(transform, direction, placement),
          plan::lower(recipe, transform, direction, placement, limits), placement, hook_buffers);
      const bool in_place = placement == Placement::in_place;
      slot.input_bytes = in_place ? slot.execution->in_place_bytes() : slot.execution->input_bytes();
      slot.output_bytes = in_place ? slot.execution->in_place_bytes() : slot.execution->output_bytes();
      slot.ready.store(slot.execution.get(), std::memory_order_release);
    });
    return *slot.execution;
  }

  void check_device(const Buffer& buffer, const char* role) const {
    if (&buffer.device().engine() != &device.engine()) {
      throw InvalidArgument(fmt::format("{} buffer belongs to {} ({}); expected {} ({}), the device of the plan", role,
                                        device_name(buffer.device().info()), buffer.device().info().name,
                                        device_name(device.info()), device.info().name));
    }
  }

  void check_buffer(const Buffer& buffer, const char* role, std::size_t expected) const {
    check_device(buffer, role);
    check_size(buffer.size_bytes(), role, "buffer", expected);
  }

  // The stream as engines know it.
  [[nodiscard]] std::uintptr_t queue_of(const cuda::Stream& stream) const {
    if (device.info().backend != BackendKind::cuda) {
      throw InvalidArgument(fmt::format("a CUDA stream was given to a plan of {} ({}); expected one of a CUDA device",
                                        device_name(device.info()), device.info().name));
    }
    return reinterpret_cast<std::uintptr_t>(stream.handle);
  }

  void execute(Direction direction, Buffer& data, Profile* profile, run::MemoryPool::Queue queue) {
    run::Execution& chosen = execution(direction, Placement::in_place);
    check_buffer(data, "data", chosen.in_place_bytes());
    chosen.run(data.memory(), data.memory(), profile, queue);
  }

  void execute(Direction direction, const Buffer& input, Buffer& output, Profile* profile,
               run::MemoryPool::Queue queue) {
    if (&input == &output) return execute(direction, output, profile, queue);
    run::Execution& chosen = execution(direction, Placement::out_of_place);
    check_buffer(input, "input", chosen.input_bytes());
    check_buffer(output, "output", chosen.output_bytes());
    chosen.run(input.memory(), output.memory(), profile, queue);
  }

  void check_size(std::size_t size, const char* role, const char* kind, std::size_t expected) const {
    if (size != expected) {
      throw InvalidArgument(fmt::format("{} {} holds {} bytes; expected {}, for the transform {}", role, kind, size,
                                        expected, to_string(transform)));
    }
  }

  // What short transforms need stands together: they feel every step on the way to their first instruction.
  struct alignas(64) Slot {
    std::atomic<const backend::HostCall*> call = nullptr;  // the whole execution, where it is one call and all is ready
    std::size_t input_bytes = 0;                           // of what that call is for
    std::size_t output_bytes = 0;
    std::atomic<run::Execution*> ready = nullptr;  // faster to ask than the flag
    std::once_flag made;  // lowered when first asked for: not every layout allows every direction and placement
    std::unique_ptr<run::Execution> execution;
  };

  Slot& slot_of(Direction direction, bool in_place) {
    return slots[direction == Direction::forward ? 0 : 1][in_place ? 0 : 1];
  }

  // The whole execution as one call; null where there is more to it, or something is not ready, or wrong.
  [[nodiscard]] const backend::HostCall* ready_call(Direction direction, std::span<const std::byte> data) {
    const Slot& slot = slot_of(direction, true);
    const backend::HostCall* const call = slot.call.load(std::memory_order_acquire);
    return call != nullptr && data.size() == slot.input_bytes ? call : nullptr;
  }

  [[nodiscard]] const backend::HostCall* ready_call(Direction direction, std::span<const std::byte> input,
                                                    std::span<const std::byte> output) {
    if (input.data() == output.data()) return input.size() == output.size() ? ready_call(direction, output) : nullptr;
    const Slot& slot = slot_of(direction, false);
    const backend::HostCall* const call = slot.call.load(std::memory_order_acquire);
    if (call == nullptr || input.size() != slot.input_bytes || output.size() != slot.output_bytes) return nullptr;
    return run::overlap(input, output) ? nullptr : call;
  }

  // For what comes after, once an execution was prepared or carried out.
  void note_call(Direction direction, Placement placement) {
    Slot& slot = slot_of(direction, placement == Placement::in_place);
    if (const backend::HostCall* const call = slot.execution->host_call()) {
      slot.call.store(call, std::memory_order_release);
    }
  }

  // All other executions; says what is wrong.
  [[gnu::noinline]] void execute_span(Direction direction, std::span<std::byte> data, Profile* profile) {
    run::Execution& chosen = execution(direction, Placement::in_place);
    check_size(data.size(), "data", "span", chosen.in_place_bytes());
    chosen.run_on_host(data, data, profile);
    note_call(direction, Placement::in_place);
  }

  [[gnu::noinline]] void execute_spans(Direction direction, std::span<const std::byte> input,
                                       std::span<std::byte> output, Profile* profile) {
    if (input.data() == output.data() && input.size() == output.size()) return execute_span(direction, output, profile);
    run::Execution& chosen = execution(direction, Placement::out_of_place);
    check_size(input.size(), "input", "span", chosen.input_bytes());
    check_size(output.size(), "output", "span", chosen.output_bytes());
    if (run::overlap(input, output)) {
      const std::byte* const first = std::min<const std::byte*>(input.data(), output.data());
      const std::byte* const second = std::max<const std::byte*>(input.data(), output.data());
      throw InvalidArgument(
          fmt::format("input and output spans overlap: they start {} bytes apart; expected at least {}, or the same "
                      "span to transform in place",
                      second - first, input.size()));
    }
    chosen.run_on_host(input, output, profile);
    note_call(direction, Placement::out_of_place);
  }

  Workspace workspace;
  Device device;
  HookBuffers hook_buffers;
  Transform transform;
  DeviceLimits limits;  // with the choices of the time when the plan was made
  plan::Recipe recipe;
  std::array<std::array<Slot, 2>, 2> slots;  // forward, inverse; in place, out of place
};

namespace {

std::string describe_program(const plan::Program& program, const char* title) {
  return fmt::format("{}:\n{}", title, program.stages.empty() ? "  nothing to do\n" : run::program_text(program));
}

}  // namespace

Plan::Plan(Device device, Transform transform) : Plan(Workspace(std::move(device)), std::move(transform)) {}
Plan::Plan(Workspace workspace, Transform transform, HookBuffers hook_buffers)
    : implementation_(
          std::make_unique<Implementation>(std::move(workspace), std::move(transform), std::move(hook_buffers))) {}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

const Transform& Plan::transform() const { return implementation_->transform; }

const Device& Plan::device() const { return implementation_->device; }

std::size_t Plan::input_bytes(Direction direction, Placement placement) const {
  return implementation_->execution(direction, placement).input_bytes();
}

std::size_t Plan::output_bytes(Direction direction, Placement placement) const {
  return implementation_->execution(direction, placement).output_bytes();
}

void Plan::check_precision(Precision precision) const {
  if (precision != implementation_->transform.precision) {
    throw InvalidArgument(fmt::format("elements of precision {} were given; expected {}, for the transform {}",
                                      to_string(precision), to_string(implementation_->transform.precision),
                                      to_string(implementation_->transform)));
  }
}

void Plan::execute(Direction direction, Buffer& data, Profile* profile) const {
  implementation_->execute(direction, data, profile, std::nullopt);
}

void Plan::execute(Direction direction, const Buffer& input, Buffer& output, Profile* profile) const {
  implementation_->execute(direction, input, output, profile, std::nullopt);
}

void Plan::execute(const cuda::Stream& stream, Direction direction, Buffer& data) const {
  implementation_->execute(direction, data, nullptr, implementation_->queue_of(stream));
}

void Plan::execute(const cuda::Stream& stream, Direction direction, const Buffer& input, Buffer& output) const {
  implementation_->execute(direction, input, output, nullptr, implementation_->queue_of(stream));
}

void Plan::prepare(Direction direction, Placement placement) const {
  implementation_->execution(direction, placement).prepare(std::nullopt);
  implementation_->note_call(direction, placement);
}

void Plan::prepare(const cuda::Stream& stream, Direction direction, Placement placement) const {
  implementation_->execution(direction, placement).prepare(implementation_->queue_of(stream));
}

void Plan::execute_unprofiled(Direction direction, std::span<std::byte> data) const {
  const auto* call = implementation_->ready_call(direction, data);
  return call != nullptr ? call->call(data.data(), data.data())
                         : implementation_->execute_span(direction, data, nullptr);
}

void Plan::execute_unprofiled(Direction direction, std::span<const std::byte> input,
                              std::span<std::byte> output) const {
  const auto* call = implementation_->ready_call(direction, input, output);
  return call != nullptr ? call->call(input.data(), output.data())
                         : implementation_->execute_spans(direction, input, output, nullptr);
}

void Plan::execute_profiled(Direction direction, std::span<std::byte> data, Profile& profile) const {
  implementation_->execute_span(direction, data, &profile);
}

void Plan::execute_profiled(Direction direction, std::span<const std::byte> input, std::span<std::byte> output,
                            Profile& profile) const {
  implementation_->execute_spans(direction, input, output, &profile);
}

std::size_t Plan::scratch_bytes() const {
  std::size_t largest = 0;
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
      try {
        largest = std::max(largest, implementation_->execution(direction, placement).scratch_bytes());
      } catch (const InvalidArgument&) {
        continue;  // the layouts do not allow it, so it needs no memory
      }
    }
  }
  return largest;
}

std::string Plan::describe() const {
  Implementation& plan = *implementation_;
  std::string text = fmt::format("transform {} on {} ({})\n", to_string(plan.transform),
                                 device_name(plan.device.info()), plan.device.info().name);
  for (const auto& axis : plan.recipe.axes) text += fmt::format("axis {}: {}\n", axis.axis, plan::to_string(axis));
  for (const Placement placement : {Placement::in_place, Placement::out_of_place}) {
    const char* title = placement == Placement::in_place ? "forward, in place" : "forward, out of place";
    try {
      text += describe_program(plan.execution(Direction::forward, placement).program(), title);
    } catch (const InvalidArgument& error) {
      text += fmt::format("{}: not possible: {}\n", title, error.what());
    }
  }
  return text + fmt::format("scratch: {} bytes\n", scratch_bytes());
}

}  // namespace twiddle
