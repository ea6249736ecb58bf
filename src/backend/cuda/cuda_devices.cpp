// What the driver says of each device, as DeviceInfo and DeviceLimits.
#include "backend/cuda/cuda_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "plan/device/limits.hpp"

namespace twiddle::backend {
namespace {

constexpr const char* activity = "asking for the properties of the CUDA devices";

std::size_t attribute(cuda::DeviceHandle device, int which) {
  int value = 0;
  TWIDDLE_CHECK_CUDA(activity, cuDeviceGetAttribute, &value, which, device);
  return static_cast<std::size_t>(std::max(value, 0));
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

int target_architecture(int device_architecture) {
  int count = 0;
  TWIDDLE_CHECK_NVRTC(activity, nvrtcGetNumSupportedArchs, &count);
  std::vector<int> known(static_cast<std::size_t>(std::max(count, 0)));
  TWIDDLE_CHECK_NVRTC(activity, nvrtcGetSupportedArchs, known.data());
  std::erase_if(known, [&](int architecture) { return architecture > device_architecture; });
  return known.empty() ? 0 : *std::max_element(known.begin(), known.end());
}

// Whether both the device and the compiler know what Hopper brought.
bool is_hopper_or_newer(const CudaDevice& device) { return device.target_architecture >= 90; }

// Whether the compiler knows clusters' barriers and bulk copies (PTX 8.0); NVRTC 11.8 compiles for Hopper without them.
bool knows_clusters(int nvrtc_major) { return nvrtc_major >= 12; }

// Work-groups that share lines: where there are clusters, the most that every such device takes.
std::size_t largest_cluster(const CudaDevice& device, bool can_launch) {
  return can_launch && is_hopper_or_newer(device) ? 8 : 1;
}

// Older drivers have no such launches, or cannot capture them into graphs.
bool has_dependent_launch(const CudaDevice& device, int driver_version) {
  constexpr int first_driver = 12030;
  return driver_version >= first_driver && cuda::driver().cuLaunchKernelEx != nullptr && is_hopper_or_newer(device);
}

CudaDevice describe(int ordinal) {
  CudaDevice result;
  TWIDDLE_CHECK_CUDA(activity, cuDeviceGet, &result.handle, ordinal);
  const auto get = [&](int which) { return attribute(result.handle, which); };
  result.architecture = static_cast<int>(10 * get(cuda::attribute_compute_capability_major) +
                                         get(cuda::attribute_compute_capability_minor));
  result.target_architecture = target_architecture(result.architecture);
  std::array<char, 256> name{};
  TWIDDLE_CHECK_CUDA(activity, cuDeviceGetName, name.data(), static_cast<int>(name.size()) - 1, result.handle);
  std::size_t memory = 0;
  TWIDDLE_CHECK_CUDA(activity, cuDeviceTotalMem_v2, &memory, result.handle);
  int driver_version = 0;
  TWIDDLE_CHECK_CUDA(activity, cuDriverGetVersion, &driver_version);
  int major = 0;
  int minor = 0;
  TWIDDLE_CHECK_NVRTC(activity, nvrtcVersion, &major, &minor);

  DeviceInfo& info = result.info;
  info.backend = BackendKind::cuda;
  info.index = static_cast<std::size_t>(ordinal);
  info.name = name.data();
  info.vendor = "NVIDIA";
  info.driver = fmt::format("CUDA {}, NVRTC {}.{}, compute capability {}.{}", version_text(driver_version), major,
                            minor, result.architecture / 10, result.architecture % 10);
  info.max_item_dimensions = 3;
  info.max_item_sizes = {get(cuda::attribute_max_block_dimension_x), get(cuda::attribute_max_block_dimension_y),
                         get(cuda::attribute_max_block_dimension_z)};
  info.global_memory = memory;
  info.reported_group_size = get(cuda::attribute_max_threads_per_block);
  info.reported_local_memory = get(cuda::attribute_max_shared_memory_optin);

  // What the driver does not say, such as registers that one thread may use, is the same for all that NVRTC compiles
  // for.
  info.limits = plan::named_limits("nvidia-cuda");
  info.limits.max_group_size = info.reported_group_size;
  info.limits.local_memory = info.reported_local_memory;
  info.limits.sub_group_size = get(cuda::attribute_warp_size);
  info.limits.compute_units = get(cuda::attribute_multiprocessor_count);
  // Drivers from before clusters do not know the question.
  const bool can_launch =
      result.architecture >= 90 && get(cuda::attribute_cluster_launch) != 0 && knows_clusters(major);
  info.limits.largest_cluster = largest_cluster(result, can_launch);
  info.limits.dependent_launch = has_dependent_launch(result, driver_version);
  info.limits.bulk_copies = is_hopper_or_newer(result) && knows_clusters(major);
  info.limits.level2_cache = get(cuda::attribute_level2_cache_size);
  info.limits.max_buffer = memory;
  return result;
}

}  // namespace

CudaDevices find_cuda_devices() {
  CudaDevices result;
  result.absence = cuda::load();
  if (!result.absence.empty()) return result;
  int count = 0;
  TWIDDLE_CHECK_CUDA(activity, cuDeviceGetCount, &count);
  for (int ordinal = 0; ordinal < count; ++ordinal) result.devices.push_back(describe(ordinal));
  return result;
}

}  // namespace twiddle::backend
