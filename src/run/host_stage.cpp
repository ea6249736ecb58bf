// By way of two arrays of the host's.
#include "run/host_stage.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "plan/lower/view.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle::run {
namespace {

// From the start of the memory to the end of the last element of a stage that only moves them.
std::size_t bytes_of(const plan::Stage& stage, const plan::Storage& storage, std::int64_t offset,
                     std::int64_t element_stride, std::int64_t plan::Loop::*stride) {
  const auto forward = [](std::uint64_t count, std::int64_t step) {
    return std::max<std::int64_t>(static_cast<std::int64_t>(count - 1) * step, 0);
  };
  std::int64_t last = offset + forward(stage.length, element_stride);
  for (const plan::Loop& loop : stage.loops) last += forward(loop.count, loop.*stride);
  if (storage.form == plan::Storage::Form::planar) last += storage.imaginary_offset;
  return static_cast<std::size_t>(last + 1) * plan::element_bytes(storage);
}

// Parts of one memory of the device are arrays of their own on the host.
plan::Stage between_two_arrays(plan::Stage stage) {
  stage.source = plan::Operand::input;
  stage.destination = plan::Operand::output;
  return stage;
}

class HostStage final : public backend::Executable {
 public:
  explicit HostStage(plan::Stage stage)
      : stage_(std::move(stage)),
        host_(Device::host()),
        executable_(host_.engine().compile(between_two_arrays(stage_))),
        input_bytes_(bytes_of(stage_, stage_.input_storage, stage_.input_offset, stage_.input_stride,
                              &plan::Loop::input_stride)),
        output_bytes_(bytes_of(stage_, stage_.output_storage, stage_.output_offset, stage_.output_stride,
                               &plan::Loop::output_stride)) {}

  void run(const backend::Operands& operands, double* milliseconds) const override {
    if (operands.queue) {
      throw Unsupported(
          "a stage that the host carries out waits for its device, which work on a caller's stream must not; "
          "execute the plan without a stream");
    }
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::byte> input(input_bytes_);
    std::vector<std::byte> output(output_bytes_);
    operands.memory(stage_.source)->read(input.data(), input.size());
    backend::Memory& destination = *operands.memory(stage_.destination);
    if (!fills()) destination.read(output.data(), output.size());
    backend::HostSpan source_span(input.data());
    backend::HostSpan destination_span(output.data());
    backend::Operands on_host = operands;
    on_host.input = &source_span;
    on_host.output = &destination_span;
    executable_->run(on_host, nullptr);
    destination.write(output.data(), output.size());
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    if (milliseconds != nullptr) *milliseconds = elapsed.count();
  }

 private:
  // Whether nothing between the elements of the result has to stay as it was.
  [[nodiscard]] bool fills() const {
    const std::size_t parts = stage_.output_storage.form == plan::Storage::Form::planar ? 2 : 1;
    return plan::transform_count(stage_) * stage_.length * parts * plan::element_bytes(stage_.output_storage) ==
           output_bytes_;
  }

  plan::Stage stage_;
  Device host_;
  std::shared_ptr<const backend::Executable> executable_;
  std::size_t input_bytes_;
  std::size_t output_bytes_;
};

}  // namespace

std::shared_ptr<const backend::Executable> make_host_stage(plan::Stage stage) {
  return std::make_shared<HostStage>(std::move(stage));
}

}  // namespace twiddle::run
