// Names and remedies of OpenCL's error codes.
#include "backend/opencl/opencl_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "backend/build_log.hpp"

namespace twiddle::backend {
namespace {

struct ErrorCode {
  cl_int code;
  std::string_view name;
  std::string_view remedy = "check that the driver is current and the device is not lost";
};

constexpr std::string_view free_memory = "transform less at once, or free buffers and plans that are not needed";
constexpr std::string_view report_kernel = "the kernel that twiddle generated is at fault: please report it";
constexpr std::string_view report_call = "twiddle called OpenCL wrongly: please report it";
constexpr std::string_view clear_cache = "empty twiddle's kernel cache, and check that the driver is current";

#define TWIDDLE_CODE(name) name, #name
constexpr std::array error_codes{
    ErrorCode{TWIDDLE_CODE(CL_DEVICE_NOT_FOUND)},
    ErrorCode{TWIDDLE_CODE(CL_DEVICE_NOT_AVAILABLE), "another program may hold the device"},
    ErrorCode{TWIDDLE_CODE(CL_COMPILER_NOT_AVAILABLE), "install the compiler of the OpenCL driver"},
    ErrorCode{TWIDDLE_CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE), free_memory},
    ErrorCode{TWIDDLE_CODE(CL_OUT_OF_RESOURCES), free_memory},
    ErrorCode{TWIDDLE_CODE(CL_OUT_OF_HOST_MEMORY), free_memory},
    ErrorCode{TWIDDLE_CODE(CL_PROFILING_INFO_NOT_AVAILABLE)},
    ErrorCode{TWIDDLE_CODE(CL_MEM_COPY_OVERLAP), report_call},
    ErrorCode{TWIDDLE_CODE(CL_BUILD_PROGRAM_FAILURE), compilation_remedy},
    ErrorCode{TWIDDLE_CODE(CL_MAP_FAILURE)},
    ErrorCode{TWIDDLE_CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET), report_call},
    ErrorCode{TWIDDLE_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)},
    ErrorCode{TWIDDLE_CODE(CL_COMPILE_PROGRAM_FAILURE), compilation_remedy},
    ErrorCode{TWIDDLE_CODE(CL_LINKER_NOT_AVAILABLE), "install the compiler of the OpenCL driver"},
    ErrorCode{TWIDDLE_CODE(CL_LINK_PROGRAM_FAILURE), report_kernel},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_VALUE), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_DEVICE_TYPE), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_PLATFORM), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_DEVICE), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_CONTEXT)},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_QUEUE_PROPERTIES)},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_COMMAND_QUEUE)},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_MEM_OBJECT), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_BINARY), clear_cache},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_BUILD_OPTIONS), "the driver does not know one of the options of OpenCL 1.2"},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_PROGRAM), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_PROGRAM_EXECUTABLE), report_kernel},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_KERNEL_NAME), report_kernel},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_KERNEL_DEFINITION), report_kernel},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_KERNEL), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_ARG_INDEX), report_kernel},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_ARG_VALUE), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_ARG_SIZE), report_kernel},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_KERNEL_ARGS), report_kernel},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_WORK_DIMENSION), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_WORK_GROUP_SIZE),
              "the device accepts smaller work-groups only: please report it"},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_WORK_ITEM_SIZE), "the device accepts smaller work-groups only: please report it"},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_GLOBAL_OFFSET), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_EVENT_WAIT_LIST), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_EVENT), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_OPERATION), report_call},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_BUFFER_SIZE), free_memory},
    ErrorCode{TWIDDLE_CODE(CL_INVALID_GLOBAL_WORK_SIZE), report_call},
    ErrorCode{TWIDDLE_CODE(CL_PLATFORM_NOT_FOUND_KHR), "install the OpenCL driver of your device"},
};
#undef TWIDDLE_CODE

const ErrorCode* find_code(cl_int code) {
  const auto* found = std::find_if(error_codes.begin(), error_codes.end(),
                                   [code](const ErrorCode& candidate) { return candidate.code == code; });
  return found == error_codes.end() ? nullptr : found;
}

}  // namespace

std::string opencl_error_name(cl_int code) {
  const ErrorCode* known = find_code(code);
  return known != nullptr ? std::string(known->name) : fmt::format("unknown OpenCL error {}", code);
}

DeviceError opencl_error(const cl::Error& error, std::string_view activity) {
  const ErrorCode* known = find_code(error.err());
  const std::string_view remedy = known != nullptr ? known->remedy : ErrorCode{}.remedy;
  return DeviceError(fmt::format("{} failed with {} ({}) while {}; {}", error.what(), opencl_error_name(error.err()),
                                 error.err(), activity, remedy));
}

}  // namespace twiddle::backend
