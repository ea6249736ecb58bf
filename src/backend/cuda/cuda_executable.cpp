// Kernel launches.
#include "backend/cuda/cuda_executable.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend {
namespace {

constexpr std::uint64_t most_groups = 0x7fffffff;  // of a launch, in the first dimension, on every CUDA device
constexpr std::size_t most_parameters = 10;        // of a kernel, see KernelSource

cuda::DevicePointer pointer_of(const Operands& operands, plan::Operand which) {
  return static_cast<const CudaMemory*>(operands.memory(which))->pointer();
}

cuda::DevicePointer user_pointer(const Memory* memory) {
  return memory == nullptr ? 0 : static_cast<const CudaMemory*>(memory)->pointer();
}

unsigned checked_groups(std::uint64_t groups, const plan::Stage& stage) {
  if (groups > most_groups) {
    throw Unsupported(
        fmt::format("stage '{}' needs {} groups of work-items; a CUDA launch has at most {}: use a smaller "
                    "batch",
                    plan::to_string(stage), groups, most_groups));
  }
  return static_cast<unsigned>(groups);
}

class Event {
 public:
  explicit Event(const std::string& activity) {
    TWIDDLE_CHECK_CUDA(activity, cuEventCreate, &event_, cuda::event_default);
  }
  ~Event() { cuda::driver().cuEventDestroy_v2(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  [[nodiscard]] cuda::EventHandle get() const { return event_; }

 private:
  cuda::EventHandle event_ = nullptr;
};

}  // namespace

CudaExecutable::CudaExecutable(std::shared_ptr<const cuda::Context> context, std::shared_ptr<const CudaProgram> program,
                               CudaTables tables, const kernel::KernelSource& source, const plan::Stage& stage)
    : context_(std::move(context)),
      program_(std::move(program)),
      tables_(std::move(tables)),
      source_(stage.source),
      destination_(stage.destination),
      has_load_user_(stage.load_hook.has_value()),
      has_store_user_(plan::stores_with_user(stage)),
      reads_spectra_(source.reads_spectra),
      parts_apart_(source.parts_apart),
      starts_early_(source.starts_early),
      wide_index_(source.wide_index),
      dependent_launch_(source.dependent_launch),
      ring_bytes_(source.ring_bytes),
      counter_bytes_(source.counter_bytes),
      transforms_(source.transforms),
      launches_(source.launches),
      groups_(checked_groups(source.groups, stage)),
      group_size_(static_cast<unsigned>(source.group_size)),
      shared_bytes_(static_cast<unsigned>(source.local_memory)),
      activity_(fmt::format("running stage '{}' on {}", plan::to_string(stage), context_->device_name())),
      function_(program_->function(source.entry, source.local_memory)) {}

void CudaExecutable::launch(const Operands& operands, cuda::StreamHandle stream) const {
  const std::uint64_t together = transforms_ / launches_;
  const auto [begin, end] = operands.launches_of(launches_);
  for (std::uint64_t i = begin; i < end; ++i) launch(operands, stream, i * together, (i + 1) * together);
}

void CudaExecutable::launch(const Operands& operands, cuda::StreamHandle stream, std::uint64_t begin,
                            std::uint64_t end) const {
  std::array<cuda::DevicePointer, 7> pointers{
      pointer_of(operands, source_), pointer_of(operands, destination_), tables_.constants->pointer(), 0, 0, 0, 0};
  std::uint64_t wide_begin = begin;
  std::uint64_t wide_count = end;
  auto narrow_begin = static_cast<std::uint32_t>(begin);
  auto count = static_cast<std::uint32_t>(end);
  std::array<void*, most_parameters> parameters{&pointers[0], &pointers[1], &pointers[2],
                                                wide_index_ ? static_cast<void*>(&wide_count) : &count};
  std::size_t next = 4;
  std::size_t next_pointer = 3;
  const auto add = [&](cuda::DevicePointer pointer) {
    pointers[next_pointer] = pointer;
    parameters[next++] = &pointers[next_pointer++];
  };
  if (launches_ > 1) parameters[next++] = wide_index_ ? static_cast<void*>(&wide_begin) : &narrow_begin;
  if (tables_.indices) add(tables_.indices->pointer());
  if (has_load_user_) add(user_pointer(operands.load_user));
  if (has_store_user_) add(user_pointer(operands.store_user));
  if (reads_spectra_) add(pointer_of(operands, plan::Operand::spectra));
  if (parts_apart_) add(pointer_of(operands, plan::Operand::scratch));
  if (counter_bytes_ != 0) {
    add(pointer_of(operands, plan::Operand::scratch));
    clear_counters(operands, stream);
  }
  std::uint32_t follows_filters = operands.follows_filters && begin == 0 ? 1 : 0;
  if (starts_early_) parameters[next++] = &follows_filters;
  if (dependent_launch_) return launch_dependent(parameters.data(), stream);
  TWIDDLE_CHECK_CUDA(activity_, cuLaunchKernel, function_, groups_, 1, 1, group_size_, 1, 1, shared_bytes_, stream,
                     parameters.data(), nullptr);
}

void CudaExecutable::clear_counters(const Operands& operands, cuda::StreamHandle stream) const {
  TWIDDLE_CHECK_CUDA(activity_, cuMemsetD32Async, pointer_of(operands, plan::Operand::scratch) + ring_bytes_, 0,
                     counter_bytes_ / sizeof(std::uint32_t), stream);
}

// Whatever was submitted to the stream before: the kernel waits for the end of the one before, of this execution, the
// last one or the caller's. Copies and events are waited for as by any launch.
void CudaExecutable::launch_dependent(void** parameters, cuda::StreamHandle stream) const {
  cuda::LaunchAttribute early{.id = cuda::launch_programmatic_stream_serialization, .value = 1};
  const cuda::LaunchConfiguration configuration{.grid_x = groups_,
                                                .block_x = group_size_,
                                                .shared_bytes = shared_bytes_,
                                                .stream = stream,
                                                .attributes = &early,
                                                .attribute_count = 1};
  TWIDDLE_CHECK_CUDA(activity_, cuLaunchKernelEx, &configuration, function_, parameters, nullptr);
}

void CudaExecutable::run(const Operands& operands, double* milliseconds) const {
  const cuda::Context::Scope scope(*context_);
  const cuda::StreamHandle stream =
      operands.queue ? reinterpret_cast<cuda::StreamHandle>(*operands.queue) : context_->stream();
  if (milliseconds == nullptr) return launch(operands, stream);
  const Event start(activity_);
  const Event end(activity_);
  TWIDDLE_CHECK_CUDA(activity_, cuEventRecord, start.get(), stream);
  launch(operands, stream);
  TWIDDLE_CHECK_CUDA(activity_, cuEventRecord, end.get(), stream);
  TWIDDLE_CHECK_CUDA(activity_, cuEventSynchronize, end.get());
  float elapsed = 0;
  TWIDDLE_CHECK_CUDA(activity_, cuEventElapsedTime, &elapsed, start.get(), end.get());
  *milliseconds = elapsed;
}

}  // namespace twiddle::backend
