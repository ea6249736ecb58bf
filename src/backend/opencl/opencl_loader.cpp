// The OpenCL functions that this engine calls, each forwarded to the library that was found at run time. The Khronos
// C++ bindings call them by name; hidden visibility keeps these definitions apart from those of an application that
// links OpenCL itself.
#include "backend/opencl/opencl_loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <tuple>

#include "backend/opencl/opencl_api.hpp"

// Every function that the engine and the classes of the bindings call, with its number of parameters.
#define TWIDDLE_OPENCL_FUNCTIONS(FUNCTION) \
  FUNCTION(3, clGetPlatformIDs)            \
  FUNCTION(5, clGetPlatformInfo)           \
  FUNCTION(5, clGetDeviceIDs)              \
  FUNCTION(5, clGetDeviceInfo)             \
  FUNCTION(1, clRetainDevice)              \
  FUNCTION(1, clReleaseDevice)             \
  FUNCTION(6, clCreateContext)             \
  FUNCTION(1, clRetainContext)             \
  FUNCTION(1, clReleaseContext)            \
  FUNCTION(5, clGetContextInfo)            \
  FUNCTION(4, clCreateCommandQueue)        \
  FUNCTION(1, clRetainCommandQueue)        \
  FUNCTION(1, clReleaseCommandQueue)       \
  FUNCTION(5, clGetCommandQueueInfo)       \
  FUNCTION(1, clFinish)                    \
  FUNCTION(5, clCreateBuffer)              \
  FUNCTION(1, clRetainMemObject)           \
  FUNCTION(1, clReleaseMemObject)          \
  FUNCTION(9, clEnqueueReadBuffer)         \
  FUNCTION(9, clEnqueueWriteBuffer)        \
  FUNCTION(9, clEnqueueCopyBuffer)         \
  FUNCTION(10, clEnqueueMapBuffer)         \
  FUNCTION(6, clEnqueueUnmapMemObject)     \
  FUNCTION(5, clCreateProgramWithSource)   \
  FUNCTION(7, clCreateProgramWithBinary)   \
  FUNCTION(1, clRetainProgram)             \
  FUNCTION(1, clReleaseProgram)            \
  FUNCTION(6, clBuildProgram)              \
  FUNCTION(5, clGetProgramInfo)            \
  FUNCTION(6, clGetProgramBuildInfo)       \
  FUNCTION(3, clCreateKernel)              \
  FUNCTION(1, clRetainKernel)              \
  FUNCTION(1, clReleaseKernel)             \
  FUNCTION(4, clSetKernelArg)              \
  FUNCTION(6, clGetKernelWorkGroupInfo)    \
  FUNCTION(9, clEnqueueNDRangeKernel)      \
  FUNCTION(2, clWaitForEvents)             \
  FUNCTION(1, clRetainEvent)               \
  FUNCTION(1, clReleaseEvent)              \
  FUNCTION(5, clGetEventProfilingInfo)

namespace {

// Types of a function from its declaration in CL/cl.h, so that no signature is repeated here.
template <typename Function>
struct Signature;
template <typename Result, typename... Parameters>
struct Signature<Result(Parameters...)> {
  using ResultType = Result;
  template <std::size_t index>
  using Parameter = std::tuple_element_t<index, std::tuple<Parameters...>>;
};

// Where each function is in the loaded library.
#define TWIDDLE_DEFINE_POINTER(count, name) decltype(&::name) name##_found = nullptr;
TWIDDLE_OPENCL_FUNCTIONS(TWIDDLE_DEFINE_POINTER)
#undef TWIDDLE_DEFINE_POINTER

constexpr const char* default_library = "libOpenCL.so.1";
constexpr const char* library_variable = "TWIDDLE_OPENCL_LIBRARY";

std::string find_functions(void* library, const std::string& library_name) {
  const char* missing = nullptr;
#define TWIDDLE_FIND(count, name)                                            \
  name##_found = reinterpret_cast<decltype(&::name)>(dlsym(library, #name)); \
  if (name##_found == nullptr && missing == nullptr) missing = #name;
  TWIDDLE_OPENCL_FUNCTIONS(TWIDDLE_FIND)
#undef TWIDDLE_FIND
  if (missing == nullptr) return {};
  return fmt::format(
      "{} has no function {}, which OpenCL 1.2 requires; install a current ICD loader (Debian: "
      "ocl-icd-libopencl1)",
      library_name, missing);
}

std::string find_library() {
  const char* requested = std::getenv(library_variable);
  const bool overridden = requested != nullptr && *requested != '\0';
  // A library that is in the process already comes first: an application's own, or a preloaded one such as oclgrind's.
  if (!overridden && dlsym(RTLD_DEFAULT, "clGetPlatformIDs") != nullptr) {
    return find_functions(RTLD_DEFAULT, "the OpenCL library of this process");
  }
  const std::string name = overridden ? requested : default_library;
  // Never closed: drivers keep threads and exit handlers that must find their code.
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return find_functions(library, name);
  const char* reason = dlerror();
  return fmt::format("cannot load the OpenCL library {}: {}; {}", name, reason == nullptr ? "unknown reason" : reason,
                     overridden ? fmt::format("correct or unset {}", library_variable)
                                : "install an ICD loader (Debian: ocl-icd-libopencl1) and the driver of your device");
}

}  // namespace

const std::string& twiddle::backend::load_opencl() {
  static const std::string reason = find_library();
  return reason;
}

#define TWIDDLE_TYPE(name, index) Signature<decltype(::name)>::Parameter<index>
#define TWIDDLE_DECLARE_1(name) TWIDDLE_TYPE(name, 0) a
#define TWIDDLE_DECLARE_2(name) TWIDDLE_DECLARE_1(name), TWIDDLE_TYPE(name, 1) b
#define TWIDDLE_DECLARE_3(name) TWIDDLE_DECLARE_2(name), TWIDDLE_TYPE(name, 2) c
#define TWIDDLE_DECLARE_4(name) TWIDDLE_DECLARE_3(name), TWIDDLE_TYPE(name, 3) d
#define TWIDDLE_DECLARE_5(name) TWIDDLE_DECLARE_4(name), TWIDDLE_TYPE(name, 4) e
#define TWIDDLE_DECLARE_6(name) TWIDDLE_DECLARE_5(name), TWIDDLE_TYPE(name, 5) f
#define TWIDDLE_DECLARE_7(name) TWIDDLE_DECLARE_6(name), TWIDDLE_TYPE(name, 6) g
#define TWIDDLE_DECLARE_8(name) TWIDDLE_DECLARE_7(name), TWIDDLE_TYPE(name, 7) h
#define TWIDDLE_DECLARE_9(name) TWIDDLE_DECLARE_8(name), TWIDDLE_TYPE(name, 8) i
#define TWIDDLE_DECLARE_10(name) TWIDDLE_DECLARE_9(name), TWIDDLE_TYPE(name, 9) j
#define TWIDDLE_PASS_1 a
#define TWIDDLE_PASS_2 TWIDDLE_PASS_1, b
#define TWIDDLE_PASS_3 TWIDDLE_PASS_2, c
#define TWIDDLE_PASS_4 TWIDDLE_PASS_3, d
#define TWIDDLE_PASS_5 TWIDDLE_PASS_4, e
#define TWIDDLE_PASS_6 TWIDDLE_PASS_5, f
#define TWIDDLE_PASS_7 TWIDDLE_PASS_6, g
#define TWIDDLE_PASS_8 TWIDDLE_PASS_7, h
#define TWIDDLE_PASS_9 TWIDDLE_PASS_8, i
#define TWIDDLE_PASS_10 TWIDDLE_PASS_9, j

// The parameter types live in the header's declaration; extern "C" makes this the same function.
#define TWIDDLE_DEFINE(count, name)                                                              \
  extern "C" __attribute__((visibility("hidden"))) Signature<decltype(::name)>::ResultType name( \
      TWIDDLE_DECLARE_##count(name)) {                                                           \
    return name##_found(TWIDDLE_PASS_##count);                                                   \
  }
TWIDDLE_OPENCL_FUNCTIONS(TWIDDLE_DEFINE)
