// The part of NVIDIA's driver API and run-time compiler (NVRTC) that this engine calls, declared here so that building
// needs no CUDA toolkit. Names after the vendor's, so that its documentation applies; tests/backend/cuda compares every
// declaration with the vendor's headers.
#pragma once

#include <cstddef>

namespace twiddle::backend::cuda {

using Result = int;                        // CUresult: CUDA_SUCCESS is 0
using CompileResult = int;                 // nvrtcResult: NVRTC_SUCCESS is 0
using DeviceHandle = int;                  // CUdevice
using DevicePointer = unsigned long long;  // CUdeviceptr
using ContextHandle = struct Context_*;    // CUcontext, and so on
using StreamHandle = struct Stream_*;
using EventHandle = struct Event_*;
using ModuleHandle = struct Module_*;
using FunctionHandle = struct Function_*;
using ProgramHandle = struct Program_*;  // nvrtcProgram

inline constexpr Result error_invalid_value = 1;
inline constexpr Result error_no_device = 100;
inline constexpr Result error_invalid_image = 200;
inline constexpr CompileResult compile_error_compilation = 6;

// CUdevice_attribute
inline constexpr int attribute_max_threads_per_block = 1;
inline constexpr int attribute_max_block_dimension_x = 2;
inline constexpr int attribute_max_block_dimension_y = 3;
inline constexpr int attribute_max_block_dimension_z = 4;
inline constexpr int attribute_warp_size = 10;
inline constexpr int attribute_multiprocessor_count = 16;
inline constexpr int attribute_level2_cache_size = 38;
inline constexpr int attribute_compute_capability_major = 75;
inline constexpr int attribute_compute_capability_minor = 76;
inline constexpr int attribute_max_shared_memory_optin = 97;
inline constexpr int attribute_cluster_launch = 120;

inline constexpr int function_max_dynamic_shared_size = 8;  // CUfunction_attribute
inline constexpr int pointer_device_ordinal = 9;            // CUpointer_attribute
inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned event_default = 0;
inline constexpr int launch_programmatic_stream_serialization = 6;  // CUlaunchAttributeID

// CUlaunchAttribute with a value that is an integer, and CUlaunchConfig.
struct LaunchAttribute {
  alignas(8) int id = 0;
  alignas(8) int value = 0;
  int unused[15] = {};
};
struct LaunchConfiguration {
  unsigned grid_x = 1;
  unsigned grid_y = 1;
  unsigned grid_z = 1;
  unsigned block_x = 1;
  unsigned block_y = 1;
  unsigned block_z = 1;
  unsigned shared_bytes = 0;
  StreamHandle stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

// FUNCTION(name, parameters): each returns a Result.
#define TWIDDLE_CUDA_DRIVER_FUNCTIONS(FUNCTION)                                                                     \
  FUNCTION(cuInit, (unsigned flags))                                                                                \
  FUNCTION(cuDriverGetVersion, (int* version))                                                                      \
  FUNCTION(cuGetErrorName, (Result error, const char** name))                                                       \
  FUNCTION(cuGetErrorString, (Result error, const char** text))                                                     \
  FUNCTION(cuDeviceGetCount, (int* count))                                                                          \
  FUNCTION(cuDeviceGet, (DeviceHandle * device, int ordinal))                                                       \
  FUNCTION(cuDeviceGetName, (char* name, int length, DeviceHandle device))                                          \
  FUNCTION(cuDeviceGetAttribute, (int* value, int attribute, DeviceHandle device))                                  \
  FUNCTION(cuDeviceTotalMem_v2, (std::size_t * bytes, DeviceHandle device))                                         \
  FUNCTION(cuDevicePrimaryCtxRetain, (ContextHandle * context, DeviceHandle device))                                \
  FUNCTION(cuDevicePrimaryCtxRelease_v2, (DeviceHandle device))                                                     \
  FUNCTION(cuCtxGetCurrent, (ContextHandle * context))                                                              \
  FUNCTION(cuCtxPushCurrent_v2, (ContextHandle context))                                                            \
  FUNCTION(cuCtxPopCurrent_v2, (ContextHandle * context))                                                           \
  FUNCTION(cuStreamCreate, (StreamHandle * stream, unsigned flags))                                                 \
  FUNCTION(cuStreamDestroy_v2, (StreamHandle stream))                                                               \
  FUNCTION(cuStreamSynchronize, (StreamHandle stream))                                                              \
  FUNCTION(cuMemAlloc_v2, (DevicePointer * pointer, std::size_t bytes))                                             \
  FUNCTION(cuMemFree_v2, (DevicePointer pointer))                                                                   \
  FUNCTION(cuMemcpyHtoDAsync_v2,                                                                                    \
           (DevicePointer destination, const void* source, std::size_t bytes, StreamHandle stream))                 \
  FUNCTION(cuMemcpyDtoHAsync_v2, (void* destination, DevicePointer source, std::size_t bytes, StreamHandle stream)) \
  FUNCTION(cuMemsetD32Async, (DevicePointer destination, unsigned value, std::size_t count, StreamHandle stream))   \
  FUNCTION(cuPointerGetAttribute, (void* value, int attribute, DevicePointer pointer))                              \
  FUNCTION(cuModuleLoadData, (ModuleHandle * module, const void* image))                                            \
  FUNCTION(cuModuleUnload, (ModuleHandle module))                                                                   \
  FUNCTION(cuModuleGetFunction, (FunctionHandle * function, ModuleHandle module, const char* name))                 \
  FUNCTION(cuFuncSetAttribute, (FunctionHandle function, int attribute, int value))                                 \
  FUNCTION(cuLaunchKernel, (FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,             \
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,            \
                            StreamHandle stream, void** parameters, void** extra))                                  \
  FUNCTION(cuEventCreate, (EventHandle * event, unsigned flags))                                                    \
  FUNCTION(cuEventDestroy_v2, (EventHandle event))                                                                  \
  FUNCTION(cuEventRecord, (EventHandle event, StreamHandle stream))                                                 \
  FUNCTION(cuEventSynchronize, (EventHandle event))                                                                 \
  FUNCTION(cuEventElapsedTime, (float* milliseconds, EventHandle start, EventHandle end))

// Those that older drivers do not have, null there.
#define TWIDDLE_CUDA_NEWER_DRIVER_FUNCTIONS(FUNCTION) \
  FUNCTION(cuLaunchKernelEx,                          \
           (const LaunchConfiguration* configuration, FunctionHandle function, void** parameters, void** extra))

// Each returns a CompileResult, but nvrtcGetErrorString, which is declared below.
#define TWIDDLE_CUDA_COMPILER_FUNCTIONS(FUNCTION)                                                           \
  FUNCTION(nvrtcVersion, (int* major, int* minor))                                                          \
  FUNCTION(nvrtcGetNumSupportedArchs, (int* count))                                                         \
  FUNCTION(nvrtcGetSupportedArchs, (int* architectures))                                                    \
  FUNCTION(nvrtcCreateProgram, (ProgramHandle * program, const char* source, const char* name, int headers, \
                                const char* const* header_sources, const char* const* header_names))        \
  FUNCTION(nvrtcDestroyProgram, (ProgramHandle * program))                                                  \
  FUNCTION(nvrtcCompileProgram, (ProgramHandle program, int options, const char* const* option_texts))      \
  FUNCTION(nvrtcGetProgramLogSize, (ProgramHandle program, std::size_t * bytes))                            \
  FUNCTION(nvrtcGetProgramLog, (ProgramHandle program, char* log))                                          \
  FUNCTION(nvrtcGetCUBINSize, (ProgramHandle program, std::size_t * bytes))                                 \
  FUNCTION(nvrtcGetCUBIN, (ProgramHandle program, char* binary))                                            \
  FUNCTION(nvrtcGetPTXSize, (ProgramHandle program, std::size_t * bytes))                                   \
  FUNCTION(nvrtcGetPTX, (ProgramHandle program, char* text))

#define TWIDDLE_CUDA_DRIVER_TYPE(name, parameters) using name##_type = Result(*) parameters;
TWIDDLE_CUDA_DRIVER_FUNCTIONS(TWIDDLE_CUDA_DRIVER_TYPE)
TWIDDLE_CUDA_NEWER_DRIVER_FUNCTIONS(TWIDDLE_CUDA_DRIVER_TYPE)
#undef TWIDDLE_CUDA_DRIVER_TYPE
#define TWIDDLE_CUDA_COMPILER_TYPE(name, parameters) using name##_type = CompileResult(*) parameters;
TWIDDLE_CUDA_COMPILER_FUNCTIONS(TWIDDLE_CUDA_COMPILER_TYPE)
#undef TWIDDLE_CUDA_COMPILER_TYPE
using nvrtcGetErrorString_type = const char* (*)(CompileResult error);

// Where the functions are in the loaded libraries.
#define TWIDDLE_CUDA_MEMBER(name, parameters) name##_type name = nullptr;
struct Driver {
  TWIDDLE_CUDA_DRIVER_FUNCTIONS(TWIDDLE_CUDA_MEMBER)
  TWIDDLE_CUDA_NEWER_DRIVER_FUNCTIONS(TWIDDLE_CUDA_MEMBER)
};
struct Compiler {
  TWIDDLE_CUDA_COMPILER_FUNCTIONS(TWIDDLE_CUDA_MEMBER)
  nvrtcGetErrorString_type nvrtcGetErrorString = nullptr;
};
#undef TWIDDLE_CUDA_MEMBER

}  // namespace twiddle::backend::cuda
