// What include/twiddle/cuda.hpp declares.
#include <fmt/format.h>

#include "backend/cuda/cuda_engine.hpp"
#include "twiddle/cuda.hpp"
#include "twiddle/error.hpp"

namespace twiddle::cuda {
namespace {

backend::CudaEngine& cuda_engine(const Device& device, const char* what) {
  auto* engine = dynamic_cast<backend::CudaEngine*>(&device.engine());
  if (engine == nullptr) {
    throw InvalidArgument(fmt::format("{} of {} ({}) asked for; expected a CUDA device", what,
                                      twiddle::device_name(device.info()), device.info().name));
  }
  return *engine;
}

}  // namespace

Buffer wrap(const Device& device, std::uint64_t pointer, std::size_t size_bytes) {
  backend::CudaEngine& engine = cuda_engine(device, "a wrapped pointer");
  if (size_bytes == 0) throw InvalidArgument("wrapped memory has 0 bytes; expected at least 1");
  return Buffer(device, size_bytes, engine.wrap_device(pointer));
}

std::uint64_t pointer(const Buffer& buffer) {
  (void)cuda_engine(buffer.device(), "the device pointer of a buffer");
  return static_cast<const backend::CudaMemory&>(buffer.memory()).pointer();
}

Stream stream(const Device& device) { return {cuda_engine(device, "the stream").stream()}; }

}  // namespace twiddle::cuda
