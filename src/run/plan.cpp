// A plan: recipe, stages of both directions and placements, and their execution on buffers and host memory.
#include "twiddle/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <utility>

#include "plan/lower.hpp"
#include "plan/recipe.hpp"
#include "run/compiled_program.hpp"
#include "run/memory_pool.hpp"
#include "twiddle/error.hpp"

namespace twiddle {

struct Plan::Implementation {
  using Placement = plan::Placement;

  Implementation(Device plan_device, Transform plan_transform)
      : device(std::move(plan_device)),
        transform(std::move(plan_transform)),
        recipe(plan::make_recipe(transform, device.info().limits)),
        elements(total_elements(transform)),
        programs{
            {{lower(Direction::forward, Placement::in_place), lower(Direction::forward, Placement::out_of_place)},
             {lower(Direction::inverse, Placement::in_place), lower(Direction::inverse, Placement::out_of_place)}}},
        scratch(device.engine(), scratch_elements()),
        staging(device.engine(), elements) {
    program(Direction::forward, Placement::in_place).compile();
  }

  run::CompiledProgram lower(Direction direction, Placement placement) const {
    return {device.engine(), plan::lower(recipe, transform, direction, placement, device.info().limits)};
  }

  run::CompiledProgram& program(Direction direction, Placement placement) {
    return programs[direction == Direction::forward ? 0 : 1][placement == Placement::in_place ? 0 : 1];
  }

  std::size_t scratch_elements() const {
    std::size_t largest = 0;
    for (const auto& direction : programs) {
      for (const auto& program : direction) {
        largest = std::max<std::size_t>(largest, program.program().scratch_elements);
      }
    }
    return largest;
  }

  void execute(Direction direction, backend::Memory& input, backend::Memory& output, Profile* profile) {
    const auto loan = scratch.borrow();
    program(direction, &input == &output ? Placement::in_place : Placement::out_of_place)
        .run({&input, &output, loan.get()}, profile);
  }

  // By way of device memory, where the transform is always in place, so that `input` stays as it was.
  void execute_staged(Direction direction, std::span<const std::complex<float>> input,
                      std::span<std::complex<float>> output, Profile* profile) {
    const auto loan = staging.borrow();
    time_copy("copy to the device", profile, [&] { loan.get()->write(input.data(), elements); });
    execute(direction, *loan.get(), *loan.get(), profile);
    time_copy("copy from the device", profile, [&] { loan.get()->read(output.data(), elements); });
  }

  static void time_copy(const char* step, Profile* profile, const std::function<void()>& copy) {
    const auto start = std::chrono::steady_clock::now();
    copy();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    if (profile != nullptr) profile->push_back({step, elapsed.count()});
  }

  void check_buffer(const Buffer& buffer, const char* role) const {
    if (&buffer.device().engine() != &device.engine()) {
      throw InvalidArgument(fmt::format("{} buffer belongs to {} ({}); expected {} ({}), the device of the plan", role,
                                        device_name(buffer.device().info()), buffer.device().info().name,
                                        device_name(device.info()), device.info().name));
    }
    check_size(buffer.size(), role, "buffer");
  }

  void check_size(std::size_t size, const char* role, const char* kind) const {
    if (size != elements) {
      throw InvalidArgument(fmt::format("{} {} holds {} elements; expected {}, for the transform {}", role, kind, size,
                                        elements, to_string(transform)));
    }
  }

  Device device;
  Transform transform;
  plan::Recipe recipe;
  std::size_t elements;
  std::array<std::array<run::CompiledProgram, 2>, 2> programs;  // forward, inverse; in place, out of place
  run::MemoryPool scratch;
  run::MemoryPool staging;  // for host memory, on devices that cannot use it directly
};

namespace {

using ConstSpan = std::span<const std::complex<float>>;

bool overlap(ConstSpan a, ConstSpan b) {
  const std::less<const std::complex<float>*> before;  // a total order, also for unrelated arrays
  return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

std::string describe_program(const plan::Program& program, const char* title) {
  std::string text = fmt::format("{}:\n", title);
  for (const plan::Stage& stage : program.stages) text += fmt::format("  {}\n", plan::to_string(stage));
  if (program.stages.empty()) text += "  nothing to do\n";
  return text;
}

}  // namespace

Plan::Plan(Device device, Transform transform)
    : implementation_(std::make_unique<Implementation>(std::move(device), std::move(transform))) {}
Plan::~Plan() = default;
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;

const Transform& Plan::transform() const { return implementation_->transform; }

const Device& Plan::device() const { return implementation_->device; }

void Plan::execute(Direction direction, Buffer& data, Profile* profile) const {
  implementation_->check_buffer(data, "data");
  implementation_->execute(direction, data.memory(), data.memory(), profile);
}

void Plan::execute(Direction direction, const Buffer& input, Buffer& output, Profile* profile) const {
  implementation_->check_buffer(input, "input");
  implementation_->check_buffer(output, "output");
  implementation_->execute(direction, input.memory(), output.memory(), profile);
}

void Plan::execute(Direction direction, std::span<std::complex<float>> data, Profile* profile) const {
  execute(direction, data, data, profile);
}

void Plan::execute(Direction direction, std::span<const std::complex<float>> input,
                   std::span<std::complex<float>> output, Profile* profile) const {
  implementation_->check_size(input.size(), "input", "span");
  implementation_->check_size(output.size(), "output", "span");
  const bool in_place = input.data() == output.data();
  if (!in_place && overlap(input, output)) {
    throw InvalidArgument(
        fmt::format("input and output spans overlap: they start {} elements apart; expected at least "
                    "{}, or the same span to transform in place",
                    std::max(input.data(), ConstSpan(output).data()) - std::min(input.data(), ConstSpan(output).data()),
                    input.size()));
  }
  backend::Engine& engine = implementation_->device.engine();
  const auto wrapped_output = engine.wrap(output.data(), output.size());
  if (!wrapped_output) {
    implementation_->execute_staged(direction, input, output, profile);
  } else if (in_place) {
    implementation_->execute(direction, *wrapped_output, *wrapped_output, profile);
    engine.synchronize();
  } else {
    // Programs that work out of place do not write their input.
    const auto wrapped_input = engine.wrap(const_cast<std::complex<float>*>(input.data()), input.size());
    implementation_->execute(direction, *wrapped_input, *wrapped_output, profile);
    engine.synchronize();
  }
}

std::size_t Plan::scratch_bytes() const { return implementation_->scratch_elements() * sizeof(std::complex<float>); }

std::string Plan::describe() const {
  using Placement = plan::Placement;
  Implementation& plan = *implementation_;
  std::string text = fmt::format("transform {} on {} ({})\n", to_string(plan.transform),
                                 device_name(plan.device.info()), plan.device.info().name);
  for (const auto& axis : plan.recipe.axes) text += fmt::format("axis {}: {}\n", axis.axis, plan::to_string(axis.line));
  text += describe_program(plan.program(Direction::forward, Placement::in_place).program(), "forward, in place");
  text +=
      describe_program(plan.program(Direction::forward, Placement::out_of_place).program(), "forward, out of place");
  return text + fmt::format("scratch: {} bytes\n", scratch_bytes());
}

}  // namespace twiddle
