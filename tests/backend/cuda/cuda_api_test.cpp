// Our declarations of CUDA beside NVIDIA's own, where the toolkit is installed: the same constants, and functions that
// take as many parameters of the same size and kind.
#include "backend/cuda/cuda_api.hpp"

#include <cuda.h>
#include <gtest/gtest.h>
#include <nvrtc.h>

#include <type_traits>

namespace twiddle::backend::cuda {
namespace {

// Enumerations are passed as integers of their size.
template <class Ours, class Theirs>
constexpr bool same_passing = sizeof(Ours) == sizeof(Theirs) &&
                              std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>&& std::is_floating_point_v<Ours> ==
                                  std::is_floating_point_v<Theirs> &&
                              (std::is_pointer_v<Ours> || std::is_arithmetic_v<Ours>)&&(std::is_pointer_v<Theirs> ||
                                                                                        std::is_arithmetic_v<Theirs> ||
                                                                                        std::is_enum_v<Theirs>);

// What a pointer points to has the same size, unless it is opaque.
template <class Pointer>
constexpr std::size_t pointed_size() {
  using Target = std::remove_pointer_t<Pointer>;
  if constexpr (std::is_pointer_v<Target>) {
    return sizeof(Target);
  } else if constexpr (std::is_arithmetic_v<Target> || std::is_enum_v<Target>) {
    return sizeof(Target);
  } else {
    return 0;
  }
}

template <class Ours, class Theirs>
constexpr bool same_parameter() {
  if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    return pointed_size<Ours>() == pointed_size<Theirs>();
  } else {
    return same_passing<Ours, Theirs>;
  }
}

template <class Ours, class Theirs>
struct SameSignature : std::false_type {};
template <class OurResult, class... Ours, class TheirResult, class... Theirs>
requires(sizeof...(Ours) == sizeof...(Theirs)) struct SameSignature<OurResult (*)(Ours...), TheirResult (*)(Theirs...)>
    : std::bool_constant<same_passing<OurResult, TheirResult> && (same_parameter<Ours, Theirs>() && ...)> {
};

// The vendor's header renames functions to their current version; ours are named by version.
#define TWIDDLE_EXPECT_SAME(name, parameters) \
  EXPECT_TRUE((SameSignature<name##_type, decltype(&::name)>::value)) << #name;

TEST(CudaApi, FunctionsAreTheVendors) {
  TWIDDLE_CUDA_DRIVER_FUNCTIONS(TWIDDLE_EXPECT_SAME)
  TWIDDLE_CUDA_NEWER_DRIVER_FUNCTIONS(TWIDDLE_EXPECT_SAME)
  TWIDDLE_CUDA_COMPILER_FUNCTIONS(TWIDDLE_EXPECT_SAME)
  EXPECT_TRUE((SameSignature<nvrtcGetErrorString_type, decltype(&::nvrtcGetErrorString)>::value));
}

TEST(CudaApi, TheComparisonNoticesDifferences) {
  EXPECT_FALSE((SameSignature<int (*)(int), int (*)(long)>::value));
  EXPECT_FALSE((SameSignature<int (*)(int), int (*)(int, int)>::value));
  EXPECT_FALSE((SameSignature<int (*)(int), int (*)(float)>::value));
  EXPECT_FALSE((SameSignature<int (*)(int*), int (*)(long*)>::value));
}

TEST(CudaApi, ConstantsAreTheVendors) {
  EXPECT_EQ(error_invalid_value, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(error_no_device, CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(error_invalid_image, CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(compile_error_compilation, NVRTC_ERROR_COMPILATION);
  EXPECT_EQ(attribute_max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  EXPECT_EQ(attribute_max_block_dimension_x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  EXPECT_EQ(attribute_max_block_dimension_y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  EXPECT_EQ(attribute_max_block_dimension_z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  EXPECT_EQ(attribute_warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  EXPECT_EQ(attribute_multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(attribute_level2_cache_size, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  EXPECT_EQ(attribute_compute_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(attribute_compute_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(attribute_max_shared_memory_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  EXPECT_EQ(attribute_cluster_launch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
  EXPECT_EQ(function_max_dynamic_shared_size, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  EXPECT_EQ(pointer_device_ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
  EXPECT_EQ(stream_non_blocking, CU_STREAM_NON_BLOCKING);
  EXPECT_EQ(event_default, CU_EVENT_DEFAULT);
  EXPECT_EQ(launch_programmatic_stream_serialization, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
}

TEST(CudaApi, StructuresAreTheVendors) {
  EXPECT_EQ(sizeof(LaunchAttribute), sizeof(CUlaunchAttribute));
  EXPECT_EQ(alignof(LaunchAttribute), alignof(CUlaunchAttribute));
  EXPECT_EQ(offsetof(LaunchAttribute, id), offsetof(CUlaunchAttribute, id));
  EXPECT_EQ(
      offsetof(LaunchAttribute, value),
      offsetof(CUlaunchAttribute, value) + offsetof(CUlaunchAttributeValue, programmaticStreamSerializationAllowed));
  EXPECT_EQ(sizeof(LaunchConfiguration), sizeof(CUlaunchConfig));
  EXPECT_EQ(offsetof(LaunchConfiguration, grid_x), offsetof(CUlaunchConfig, gridDimX));
  EXPECT_EQ(offsetof(LaunchConfiguration, block_x), offsetof(CUlaunchConfig, blockDimX));
  EXPECT_EQ(offsetof(LaunchConfiguration, shared_bytes), offsetof(CUlaunchConfig, sharedMemBytes));
  EXPECT_EQ(offsetof(LaunchConfiguration, stream), offsetof(CUlaunchConfig, hStream));
  EXPECT_EQ(offsetof(LaunchConfiguration, attributes), offsetof(CUlaunchConfig, attrs));
  EXPECT_EQ(offsetof(LaunchConfiguration, attribute_count), offsetof(CUlaunchConfig, numAttrs));
}

}  // namespace
}  // namespace twiddle::backend::cuda
