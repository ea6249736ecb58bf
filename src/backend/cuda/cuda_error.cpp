// Messages of CUDA errors. Names and explanations are the driver's own; the remedies are ours.
#include "backend/cuda/cuda_error.hpp"

#include <fmt/format.h>

#include "backend/build_log.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend::cuda {
namespace {

constexpr std::string_view free_memory = "transform less at once, or free buffers and plans that are not needed";

// By the codes of CUresult.
std::string_view remedy(Result result) {
  switch (result) {
    case 1:  // CUDA_ERROR_INVALID_VALUE
      return "check that the pointer and stream given to twiddle are alive and of this device; else please report it";
    case 2:  // CUDA_ERROR_OUT_OF_MEMORY
      return free_memory;
    case 3:  // CUDA_ERROR_NOT_INITIALIZED
    case 4:  // CUDA_ERROR_DEINITIALIZED
      return "destroy plans and buffers before the program ends";
    case 34:  // CUDA_ERROR_STUB_LIBRARY
      return "the library is the toolkit's stub: remove its folder from LD_LIBRARY_PATH and install the NVIDIA driver";
    case 100:  // CUDA_ERROR_NO_DEVICE
    case 101:  // CUDA_ERROR_INVALID_DEVICE
      return "check that the GPU is present, that CUDA_VISIBLE_DEVICES does not hide it and that you may use it";
    case 200:  // CUDA_ERROR_INVALID_IMAGE
    case 209:  // CUDA_ERROR_NO_BINARY_FOR_GPU
    case 222:  // CUDA_ERROR_UNSUPPORTED_PTX_VERSION
      return "update the NVIDIA driver, or use the NVRTC that belongs to it";
    case 400:  // CUDA_ERROR_INVALID_HANDLE
      return "check that the stream is alive and of this device";
    case 700:  // CUDA_ERROR_ILLEGAL_ADDRESS
    case 716:  // CUDA_ERROR_MISALIGNED_ADDRESS
    case 719:  // CUDA_ERROR_LAUNCH_FAILED
      return "an earlier kernel of this process accessed wrong memory, after which no work on the device succeeds: "
             "check "
             "the sizes of the buffers that you wrapped, and your own kernels; else please report it";
    case 701:  // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
      return "the kernel that twiddle generated asks for more than the device has: please report it";
    case 803:  // CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
    case 804:  // CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE
      return "the driver's library and kernel module are of different versions: restart the machine, or reinstall the "
             "driver";
    case 900:  // CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
    case 901:  // CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
      return "call Plan::prepare for this stream before the capture begins, and pass no profile";
    default:
      return "check that the driver is current and the device is not lost";
  }
}

}  // namespace

std::string driver_message(const Driver& driver, std::string_view call, Result result, std::string_view activity) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.cuGetErrorName(result, &name) != 0 || name == nullptr) name = "an unknown CUDA error";
  if (driver.cuGetErrorString(result, &text) != 0 || text == nullptr) text = "no explanation";
  return fmt::format("{} failed with {} ({}: {}) while {}; {}", call, name, result, text, activity, remedy(result));
}

void check_driver(std::string_view call, Result result, std::string_view activity) {
  if (result != 0) throw DeviceError(driver_message(driver(), call, result, activity));
}

void check_compiler(std::string_view call, CompileResult result, std::string_view activity) {
  if (result == 0) return;
  const char* name = compiler().nvrtcGetErrorString(result);
  const std::string_view remedy =
      result == compile_error_compilation ? compilation_remedy : "check that NVRTC is complete and fits the driver";
  throw DeviceError(fmt::format("{} failed with {} ({}) while {}; {}", call,
                                name == nullptr ? "an unknown NVRTC error" : name, result, activity, remedy));
}

}  // namespace twiddle::backend::cuda
