// Turns the errors of OpenCL calls into DeviceError, with the failing call, the error's name and a remedy.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "backend/opencl/opencl_api.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend {

// "CL_OUT_OF_RESOURCES"; "unknown OpenCL error -9999" for codes that OpenCL 1.2 does not define.
[[nodiscard]] std::string opencl_error_name(cl_int code);

// "clEnqueueNDRangeKernel failed with CL_OUT_OF_RESOURCES (-5) while <activity>; <remedy>".
[[nodiscard]] DeviceError opencl_error(const cl::Error& error, std::string_view activity);

// Runs `call` and converts what the bindings throw. `activity` names the work and the device: "allocating 8192 bytes on
// X".
template <typename Call>
decltype(auto) check_opencl(std::string_view activity, Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const cl::Error& error) {
    throw opencl_error(error, activity);
  }
}

}  // namespace twiddle::backend
