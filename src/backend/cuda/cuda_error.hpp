// Turns the error codes of CUDA calls into DeviceError, with the failing call, the error's name and a remedy.
#pragma once

#include <string>
#include <string_view>

#include "backend/cuda/cuda_api.hpp"

namespace twiddle::backend::cuda {

// "cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (2: out of memory) while <activity>; <remedy>".
[[nodiscard]] std::string driver_message(const Driver& driver, std::string_view call, Result result,
                                         std::string_view activity);

// Throws DeviceError with that message unless the result says success. `activity` names the work and the device:
// "allocating 8192 bytes on X".
void check_driver(std::string_view call, Result result, std::string_view activity);

// The same for NVRTC: "nvrtcCreateProgram failed with NVRTC_ERROR_OUT_OF_MEMORY (1) while ...".
void check_compiler(std::string_view call, CompileResult result, std::string_view activity);

// Calls a function of the driver, whose name goes into the message: TWIDDLE_CHECK_CUDA(activity, cuMemFree_v2,
// pointer).
#define TWIDDLE_CHECK_CUDA(activity, function, ...) \
  ::twiddle::backend::cuda::check_driver(#function, ::twiddle::backend::cuda::driver().function(__VA_ARGS__), activity)
#define TWIDDLE_CHECK_NVRTC(activity, function, ...)                                                              \
  ::twiddle::backend::cuda::check_compiler(#function, ::twiddle::backend::cuda::compiler().function(__VA_ARGS__), \
                                           activity)

}  // namespace twiddle::backend::cuda
