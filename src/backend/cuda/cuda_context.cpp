// The primary context, its stream, and memory in it.
#include "backend/cuda/cuda_context.hpp"

#include <fmt/format.h>

#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"

namespace twiddle::backend::cuda {

Context::Context(DeviceHandle device, std::string device_name) : device_(device), device_name_(std::move(device_name)) {
  const std::string activity = fmt::format("opening {}", device_name_);
  TWIDDLE_CHECK_CUDA(activity, cuDevicePrimaryCtxRetain, &context_, device_);
  try {
    const Scope scope(*this);
    TWIDDLE_CHECK_CUDA(activity, cuStreamCreate, &stream_, stream_non_blocking);
  } catch (...) {
    driver().cuDevicePrimaryCtxRelease_v2(device_);
    throw;
  }
}

// What fails here, as after the driver's own shutdown, leaves nothing to be done.
Context::~Context() {
  driver().cuStreamDestroy_v2(stream_);
  driver().cuDevicePrimaryCtxRelease_v2(device_);
}

bool Context::make_current() const { return driver().cuCtxPushCurrent_v2(context_) == 0; }

// On the way of every launch, so that nothing is done, or put into words, that need not be.
Context::Scope::Scope(const Context& context) {
  ContextHandle current = nullptr;
  if (driver().cuCtxGetCurrent(&current) == 0 && current == context.context_) return;
  const Result result = driver().cuCtxPushCurrent_v2(context.context_);
  if (result != 0) check_driver("cuCtxPushCurrent_v2", result, fmt::format("using {}", context.device_name()));
  pushed_ = true;
}

Context::Scope::~Scope() {
  if (!pushed_) return;
  ContextHandle popped = nullptr;
  driver().cuCtxPopCurrent_v2(&popped);
}

Allocation::Allocation(std::shared_ptr<const Context> context, std::size_t bytes) : context_(std::move(context)) {
  const Context::Scope scope(*context_);
  TWIDDLE_CHECK_CUDA(fmt::format("allocating {} bytes on {}", bytes, context_->device_name()), cuMemAlloc_v2, &pointer_,
                     bytes);
}

// The driver waits for the work that uses the memory.
Allocation::~Allocation() {
  if (!owned_) return;
  ContextHandle popped = nullptr;
  const bool current = context_->make_current();
  driver().cuMemFree_v2(pointer_);
  if (current) driver().cuCtxPopCurrent_v2(&popped);
}

void Allocation::write(const void* source, std::size_t bytes) const {
  const Context::Scope scope(*context_);
  const std::string activity = fmt::format("copying {} bytes to {}", bytes, context_->device_name());
  TWIDDLE_CHECK_CUDA(activity, cuMemcpyHtoDAsync_v2, pointer_, source, bytes, context_->stream());
  TWIDDLE_CHECK_CUDA(activity, cuStreamSynchronize, context_->stream());
}

void Allocation::read(void* destination, std::size_t bytes) const {
  const Context::Scope scope(*context_);
  const std::string activity = fmt::format("copying {} bytes from {}", bytes, context_->device_name());
  TWIDDLE_CHECK_CUDA(activity, cuMemcpyDtoHAsync_v2, destination, pointer_, bytes, context_->stream());
  TWIDDLE_CHECK_CUDA(activity, cuStreamSynchronize, context_->stream());
}

}  // namespace twiddle::backend::cuda
