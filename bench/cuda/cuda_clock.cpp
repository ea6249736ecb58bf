// Timing by the driver's events.
#include "cuda_clock.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "backend/cuda/cuda_context.hpp"
#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "measurement.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {

namespace api = backend::cuda;

struct CudaClock::Implementation {
  explicit Implementation(const Device& device)
      : context(static_cast<api::DeviceHandle>(device.info().index), device.info().name),
        stream(static_cast<api::StreamHandle>(cuda::stream(device).handle)) {}

  api::Context context;  // the same primary context
  api::StreamHandle stream;
  api::EventHandle start = nullptr;
  api::EventHandle end = nullptr;
  int (*copy)(api::DevicePointer destination, api::DevicePointer source, std::size_t bytes,
              api::StreamHandle stream) = nullptr;
};

CudaClock::CudaClock(const Device& device) : implementation_(std::make_unique<Implementation>(device)) {
  const api::Context::Scope scope(implementation_->context);
  TWIDDLE_CHECK_CUDA("timing", cuEventCreate, &implementation_->start, api::event_default);
  TWIDDLE_CHECK_CUDA("timing", cuEventCreate, &implementation_->end, api::event_default);
  // The library itself never copies within a device.
  const char* const named = std::getenv("TWIDDLE_CUDA_LIBRARY");
  void* library = dlopen(named != nullptr && *named != '\0' ? named : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) {
    implementation_->copy = reinterpret_cast<decltype(implementation_->copy)>(dlsym(library, "cuMemcpyDtoDAsync_v2"));
  }
}

CudaClock::~CudaClock() {
  api::driver().cuEventDestroy_v2(implementation_->start);
  api::driver().cuEventDestroy_v2(implementation_->end);
}

double CudaClock::milliseconds(const std::function<void()>& work) {
  const Implementation& own = *implementation_;
  const api::Context::Scope scope(own.context);
  TWIDDLE_CHECK_CUDA("timing", cuEventRecord, own.start, own.stream);
  work();
  TWIDDLE_CHECK_CUDA("timing", cuEventRecord, own.end, own.stream);
  TWIDDLE_CHECK_CUDA("timing", cuEventSynchronize, own.end);
  float elapsed = 0;
  TWIDDLE_CHECK_CUDA("timing", cuEventElapsedTime, &elapsed, own.start, own.end);
  return elapsed;
}

void CudaClock::in_context(const std::function<void()>& work) {
  const api::Context::Scope scope(implementation_->context);
  work();
}

void CudaClock::copy(std::uint64_t destination, std::uint64_t source, std::size_t bytes) {
  if (implementation_->copy == nullptr) throw DeviceError("cannot copy: the driver has no cuMemcpyDtoDAsync_v2");
  const api::Context::Scope scope(implementation_->context);
  api::check_driver("cuMemcpyDtoDAsync_v2", implementation_->copy(destination, source, bytes, implementation_->stream),
                    "copying within the device");
}

double CudaClock::copy_rate(std::uint64_t destination, std::uint64_t source, std::size_t bytes, std::size_t rounds) {
  std::vector<double> times;
  for (std::size_t round = 0; round < rounds + 2; ++round) {
    const double time = milliseconds([&] { copy(destination, source, bytes); });
    if (round >= 2) times.push_back(time);  // the first ones touch new memory
  }
  return 2e-6 * static_cast<double>(bytes) / median(times);
}

}  // namespace twiddle::bench
