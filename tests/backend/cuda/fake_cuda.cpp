// The functions of the fake driver and compiler. Memory of the device is memory of the host; kernels do nothing.
#include "backend/cuda/fake_cuda.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "backend/cuda/cuda_api.hpp"

namespace api = twiddle::backend::cuda;
using twiddle::test::FakeBooks;
using twiddle::test::FakeLaunch;

namespace {

constexpr int device_architecture = 90;

FakeBooks& books() {
  static FakeBooks all;
  return all;
}

int number(const char* variable, int otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::atoi(value);
}

// Writes the call down, and says what it shall answer.
int record(const char* function) {
  books().calls.emplace_back(function);
  const char* failing = std::getenv("FAKE_CUDA_FAIL");
  const std::size_t length = std::strlen(function);
  if (failing == nullptr || std::strncmp(failing, function, length) != 0 || failing[length] != '=') return 0;
  return std::atoi(failing + length + 1);
}

// Handles are small numbers.
template <class Handle>
Handle make_handle() {
  static std::uintptr_t last = 0x100;
  return reinterpret_cast<Handle>(++last);
}

std::vector<api::ContextHandle>& context_stack() {
  static std::vector<api::ContextHandle> all;
  return all;
}

std::map<api::ProgramHandle, std::string>& sources() {
  static std::map<api::ProgramHandle, std::string> all;
  return all;
}

std::string& image() {
  static std::string text;
  return text;
}

int launch(const api::LaunchConfiguration& asked, bool dependent, void** parameters, void** extra) {
  if (asked.grid_y * asked.grid_z * asked.block_y * asked.block_z != 1 || extra != nullptr) {
    return api::error_invalid_value;
  }
  FakeLaunch launch{"stage",
                    asked.grid_x,
                    asked.block_x,
                    asked.shared_bytes,
                    reinterpret_cast<std::uintptr_t>(asked.stream),
                    dependent,
                    {}};
  for (int i = 0; i < 3; ++i) launch.parameters.push_back(*static_cast<std::uint64_t*>(parameters[i]));
  launch.parameters.push_back(*static_cast<std::uint32_t*>(parameters[3]));
  books().launches.push_back(launch);
  return 0;
}

}  // namespace

#define TWIDDLE_FAKE(name) \
  if (const int failure = record(#name); failure != 0) return failure

extern "C" {

FakeBooks* twiddle_fake_cuda_books() { return &books(); }

int cuInit(unsigned) {
  TWIDDLE_FAKE(cuInit);
  return number("FAKE_CUDA_DEVICES", 1) == 0 ? api::error_no_device : 0;
}
int cuDriverGetVersion(int* version) {
  TWIDDLE_FAKE(cuDriverGetVersion);
  *version = number("FAKE_CUDA_DRIVER", 13000);
  return 0;
}
int cuGetErrorName(int error, const char** name) {
  *name = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return 0;
}
int cuGetErrorString(int error, const char** text) {
  if (error == 999) return 1;
  *text = "an explanation";
  return 0;
}
int cuDeviceGetCount(int* count) {
  TWIDDLE_FAKE(cuDeviceGetCount);
  *count = number("FAKE_CUDA_DEVICES", 1);
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  TWIDDLE_FAKE(cuDeviceGet);
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int length, int device) {
  TWIDDLE_FAKE(cuDeviceGetName);
  std::strncpy(name, device == 0 ? "Fake 90" : "Fake 90 too", static_cast<std::size_t>(length));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  TWIDDLE_FAKE(cuDeviceGetAttribute);
  const std::map<int, int> values{{api::attribute_max_threads_per_block, 1024},
                                  {api::attribute_max_block_dimension_x, 1024},
                                  {api::attribute_max_block_dimension_y, 1024},
                                  {api::attribute_max_block_dimension_z, 64},
                                  {api::attribute_warp_size, 32},
                                  {api::attribute_multiprocessor_count, 132},
                                  {api::attribute_level2_cache_size, 60 << 20},
                                  {api::attribute_compute_capability_major, device_architecture / 10},
                                  {api::attribute_compute_capability_minor, device_architecture % 10},
                                  {api::attribute_max_shared_memory_optin, 232448},
                                  {api::attribute_cluster_launch, number("FAKE_CUDA_CLUSTERS", 1)}};
  const auto found = values.find(attribute);
  if (found == values.end()) return api::error_invalid_value;
  *value = found->second;
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  TWIDDLE_FAKE(cuDeviceTotalMem_v2);
  *bytes = std::size_t{1} << 37;
  return 0;
}
int cuDevicePrimaryCtxRetain(api::ContextHandle* context, int device) {
  TWIDDLE_FAKE(cuDevicePrimaryCtxRetain);
  ++books().contexts;
  *context = reinterpret_cast<api::ContextHandle>(static_cast<std::uintptr_t>(device) + 1);
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  TWIDDLE_FAKE(cuDevicePrimaryCtxRelease_v2);
  --books().contexts;
  return 0;
}
int cuCtxGetCurrent(api::ContextHandle* context) {
  TWIDDLE_FAKE(cuCtxGetCurrent);
  *context = context_stack().empty() ? nullptr : context_stack().back();
  return 0;
}
int cuCtxPushCurrent_v2(api::ContextHandle context) {
  TWIDDLE_FAKE(cuCtxPushCurrent_v2);
  ++books().pushed;
  context_stack().push_back(context);
  return 0;
}
int cuCtxPopCurrent_v2(api::ContextHandle* context) {
  TWIDDLE_FAKE(cuCtxPopCurrent_v2);
  --books().pushed;
  *context = context_stack().back();
  context_stack().pop_back();
  return 0;
}
int cuStreamCreate(api::StreamHandle* stream, unsigned flags) {
  TWIDDLE_FAKE(cuStreamCreate);
  if (flags != api::stream_non_blocking) return api::error_invalid_value;
  ++books().streams;
  *stream = make_handle<api::StreamHandle>();
  return 0;
}
int cuStreamDestroy_v2(api::StreamHandle) {
  TWIDDLE_FAKE(cuStreamDestroy_v2);
  --books().streams;
  return 0;
}
int cuStreamSynchronize(api::StreamHandle) {
  TWIDDLE_FAKE(cuStreamSynchronize);
  return 0;
}
int cuMemAlloc_v2(api::DevicePointer* pointer, std::size_t bytes) {
  TWIDDLE_FAKE(cuMemAlloc_v2);
  *pointer = reinterpret_cast<std::uintptr_t>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  books().memory.insert(*pointer);
  return 0;
}
int cuMemFree_v2(api::DevicePointer pointer) {
  TWIDDLE_FAKE(cuMemFree_v2);
  if (books().memory.erase(pointer) == 0) return api::error_invalid_value;
  std::free(reinterpret_cast<void*>(pointer));
  return 0;
}
int cuMemcpyHtoDAsync_v2(api::DevicePointer destination, const void* source, std::size_t bytes, api::StreamHandle) {
  TWIDDLE_FAKE(cuMemcpyHtoDAsync_v2);
  std::memcpy(reinterpret_cast<void*>(destination), source, bytes);
  return 0;
}
int cuMemsetD32Async(api::DevicePointer destination, unsigned value, std::size_t count, api::StreamHandle) {
  TWIDDLE_FAKE(cuMemsetD32Async);
  std::fill_n(reinterpret_cast<unsigned*>(destination), count, value);
  return 0;
}
int cuMemcpyDtoHAsync_v2(void* destination, api::DevicePointer source, std::size_t bytes, api::StreamHandle) {
  TWIDDLE_FAKE(cuMemcpyDtoHAsync_v2);
  std::memcpy(destination, reinterpret_cast<const void*>(source), bytes);
  return 0;
}
int cuMemcpyDtoDAsync_v2(api::DevicePointer destination, api::DevicePointer source, std::size_t bytes,
                         api::StreamHandle) {
  TWIDDLE_FAKE(cuMemcpyDtoDAsync_v2);
  std::memcpy(reinterpret_cast<void*>(destination), reinterpret_cast<const void*>(source), bytes);
  return 0;
}
int cuPointerGetAttribute(void* value, int attribute, api::DevicePointer pointer) {
  TWIDDLE_FAKE(cuPointerGetAttribute);
  if (attribute != api::pointer_device_ordinal || pointer == 0xdead0) return api::error_invalid_value;
  *static_cast<int*>(value) = pointer == 0x10000 ? 1 : 0;  // of the second device
  return 0;
}
int cuModuleLoadData(api::ModuleHandle* module, const void* data) {
  TWIDDLE_FAKE(cuModuleLoadData);
  const char* refused = std::getenv("FAKE_CUDA_REFUSE");
  if (refused != nullptr && std::strstr(static_cast<const char*>(data), refused) != nullptr) {
    return api::error_invalid_image;
  }
  ++books().modules;
  *module = make_handle<api::ModuleHandle>();
  return 0;
}
int cuModuleUnload(api::ModuleHandle) {
  TWIDDLE_FAKE(cuModuleUnload);
  --books().modules;
  return 0;
}
int cuModuleGetFunction(api::FunctionHandle* function, api::ModuleHandle, const char* name) {
  TWIDDLE_FAKE(cuModuleGetFunction);
  if (std::strcmp(name, "stage") != 0) return 500;
  *function = make_handle<api::FunctionHandle>();
  return 0;
}
int cuFuncSetAttribute(api::FunctionHandle, int attribute, int value) {
  TWIDDLE_FAKE(cuFuncSetAttribute);
  if (attribute != api::function_max_dynamic_shared_size) return api::error_invalid_value;
  books().largest_dynamic_shared = value;
  return 0;
}
int cuLaunchKernel(api::FunctionHandle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared_bytes, api::StreamHandle stream,
                   void** parameters, void** extra) {
  TWIDDLE_FAKE(cuLaunchKernel);
  return launch({grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream}, false, parameters, extra);
}
#ifndef TWIDDLE_FAKE_OLDER_CUDA
int cuLaunchKernelEx(const api::LaunchConfiguration* asked, api::FunctionHandle, void** parameters, void** extra) {
  TWIDDLE_FAKE(cuLaunchKernelEx);
  if (asked->attribute_count != 1) return api::error_invalid_value;
  const api::LaunchAttribute& attribute = asked->attributes[0];
  if (attribute.id != api::launch_programmatic_stream_serialization) return api::error_invalid_value;
  return launch(*asked, attribute.value != 0, parameters, extra);
}
#endif
int cuEventCreate(api::EventHandle* event, unsigned) {
  TWIDDLE_FAKE(cuEventCreate);
  ++books().events;
  *event = make_handle<api::EventHandle>();
  return 0;
}
int cuEventDestroy_v2(api::EventHandle) {
  TWIDDLE_FAKE(cuEventDestroy_v2);
  --books().events;
  return 0;
}
int cuEventRecord(api::EventHandle, api::StreamHandle) {
  TWIDDLE_FAKE(cuEventRecord);
  return 0;
}
int cuEventSynchronize(api::EventHandle) {
  TWIDDLE_FAKE(cuEventSynchronize);
  return 0;
}
int cuEventElapsedTime(float* milliseconds, api::EventHandle, api::EventHandle) {
  TWIDDLE_FAKE(cuEventElapsedTime);
  *milliseconds = 1.5F;
  return 0;
}

int nvrtcVersion(int* major, int* minor) {
  TWIDDLE_FAKE(nvrtcVersion);
  *major = number("FAKE_NVRTC_MAJOR", 13);
  *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
  TWIDDLE_FAKE(nvrtcGetNumSupportedArchs);
  *count = 2;
  return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
  TWIDDLE_FAKE(nvrtcGetSupportedArchs);
  architectures[0] = number("FAKE_NVRTC_OLDEST", 75);
  architectures[1] = number("FAKE_NVRTC_NEWEST", device_architecture);
  return 0;
}
int nvrtcCreateProgram(api::ProgramHandle* program, const char* source, const char*, int, const char* const*,
                       const char* const*) {
  TWIDDLE_FAKE(nvrtcCreateProgram);
  ++books().programs;
  *program = make_handle<api::ProgramHandle>();
  sources()[*program] = source;
  return 0;
}
int nvrtcDestroyProgram(api::ProgramHandle* program) {
  TWIDDLE_FAKE(nvrtcDestroyProgram);
  --books().programs;
  sources().erase(*program);
  return 0;
}
int nvrtcCompileProgram(api::ProgramHandle program, int options, const char* const* texts) {
  books().compilations.emplace_back(texts, texts + options);
  TWIDDLE_FAKE(nvrtcCompileProgram);
  image() = "compiled " + sources().at(program).substr(0, 100);
  return 0;
}
int nvrtcGetProgramLogSize(api::ProgramHandle, std::size_t* bytes) {
  TWIDDLE_FAKE(nvrtcGetProgramLogSize);
  *bytes = sizeof("kernel.cu(1): error: nonsense");
  return 0;
}
int nvrtcGetProgramLog(api::ProgramHandle, char* log) {
  TWIDDLE_FAKE(nvrtcGetProgramLog);
  std::strcpy(log, "kernel.cu(1): error: nonsense");
  return 0;
}
int nvrtcGetCUBINSize(api::ProgramHandle, std::size_t* bytes) {
  TWIDDLE_FAKE(nvrtcGetCUBINSize);
  *bytes = image().size() + 1;
  return 0;
}
int nvrtcGetCUBIN(api::ProgramHandle, char* binary) {
  TWIDDLE_FAKE(nvrtcGetCUBIN);
  std::strcpy(binary, image().c_str());
  return 0;
}
int nvrtcGetPTXSize(api::ProgramHandle, std::size_t* bytes) {
  TWIDDLE_FAKE(nvrtcGetPTXSize);
  *bytes = image().size() + 1;
  return 0;
}
int nvrtcGetPTX(api::ProgramHandle, char* text) {
  TWIDDLE_FAKE(nvrtcGetPTX);
  std::strcpy(text, image().c_str());
  return 0;
}
const char* nvrtcGetErrorString(int) { return "NVRTC_ERROR_COMPILATION"; }

}  // extern "C"
