// Device limits: what the drivers report, clamped to what experience says can be believed.
#include "backend/opencl/opencl_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "backend/opencl/opencl_error.hpp"
#include "backend/opencl/opencl_loader.hpp"
#include "plan/device/limits.hpp"

namespace twiddle::backend {
namespace {

// Drivers for CPUs report all of memory or a whole cache as local memory; no GPU's OpenCL offers one group more than
// this without making others wait.
constexpr std::size_t largest_local_memory = plan::nvidia_opencl_local_memory;
constexpr std::size_t local_memory_of_cpu = 32 * 1024;
constexpr std::size_t registers_of_cpu = 72;  // room for radix 16; larger ones spill, and take seconds to compile
constexpr cl_uint nvidia_vendor = 0x10de;
// PoCL keeps compiled kernels itself, and compiles each a second time when asked for its binary; Oclgrind compiles
// nothing.
constexpr std::array<std::string_view, 2> platforms_without_binaries{"Portable Computing Language", "Oclgrind"};

constexpr const char* limits_variable = "TWIDDLE_LIMITS";
constexpr std::array<std::string_view, 3> selectable_limits{"nvidia-opencl", "small", "mali"};

std::optional<DeviceLimits> requested_limits() {
  const char* requested = std::getenv(limits_variable);
  if (requested == nullptr || *requested == '\0') return std::nullopt;
  if (std::find(selectable_limits.begin(), selectable_limits.end(), requested) == selectable_limits.end()) {
    throw InvalidArgument(
        fmt::format("{} is '{}'; an OpenCL device can plan as 'nvidia-opencl', 'small' or 'mali': "
                    "set one of these or unset the variable",
                    limits_variable, requested));
  }
  return plan::named_limits(requested);
}

bool is_gpu(const cl::Device& device) {
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  return (type & CL_DEVICE_TYPE_GPU) != 0 && (type & CL_DEVICE_TYPE_CPU) == 0;
}

// By the kind of device, before what this one reports.
DeviceLimits limits_of_kind(const cl::Device& device) {
  if (!is_gpu(device)) {
    // Local memory is a piece of global memory here, but one that stays in the cache.
    DeviceLimits limits;
    limits.local_memory = local_memory_of_cpu;
    limits.registers_per_item = registers_of_cpu;
    return limits;
  }
  if (device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() != CL_LOCAL) return plan::named_limits("mali");
  const bool nvidia = device.getInfo<CL_DEVICE_VENDOR_ID>() == nvidia_vendor;
  DeviceLimits limits = nvidia ? plan::named_limits("nvidia-opencl") : DeviceLimits{};
  limits.local_memory = largest_local_memory;
  return limits;
}

DeviceLimits believed_limits(const cl::Device& device) {
  DeviceLimits limits = requested_limits().value_or(limits_of_kind(device));
  limits.local_memory =
      std::min(limits.local_memory, static_cast<std::size_t>(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>()));
  limits.max_group_size = std::min(limits.max_group_size, device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  const auto item_sizes = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  if (!item_sizes.empty()) limits.max_group_size = std::min(limits.max_group_size, item_sizes.front());
  limits.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  limits.max_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  limits.float64 = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  return limits;
}

OpenClDevice describe(const cl::Device& device, const cl::Platform& platform, std::size_t index) {
  const std::string platform_name = platform.getInfo<CL_PLATFORM_NAME>();
  const bool binaries_serve = std::find(platforms_without_binaries.begin(), platforms_without_binaries.end(),
                                        platform_name) == platforms_without_binaries.end();
  OpenClDevice result{device, platform, is_gpu(device), binaries_serve, {}};
  DeviceInfo& info = result.info;
  info.backend = BackendKind::opencl;
  info.index = index;
  info.name = device.getInfo<CL_DEVICE_NAME>();
  info.vendor = device.getInfo<CL_DEVICE_VENDOR>();
  info.driver = device.getInfo<CL_DRIVER_VERSION>();
  info.max_item_dimensions = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS>();
  info.max_item_sizes = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  info.global_memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.reported_group_size = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  info.reported_local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.limits = believed_limits(device);
  return result;
}

// Platforms and devices that are missing are an answer, not an error.
std::vector<cl::Platform> find_platforms() {
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error& error) {
    if (error.err() != CL_PLATFORM_NOT_FOUND_KHR) throw;
  }
  return platforms;
}

std::vector<cl::Device> find_devices(const cl::Platform& platform) {
  std::vector<cl::Device> devices;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  } catch (const cl::Error& error) {
    if (error.err() != CL_DEVICE_NOT_FOUND) throw;
  }
  return devices;
}

}  // namespace

OpenClDevices find_opencl_devices() {
  OpenClDevices result;
  result.absence = load_opencl();
  if (!result.absence.empty()) return result;
  check_opencl("listing the OpenCL devices", [&] {
    const std::vector<cl::Platform> platforms = find_platforms();
    for (const cl::Platform& platform : platforms) {
      for (const cl::Device& device : find_devices(platform)) {
        if (device.getInfo<CL_DEVICE_AVAILABLE>() == CL_FALSE) continue;
        result.devices.push_back(describe(device, platform, result.devices.size()));
      }
    }
    if (!result.devices.empty()) return;
    result.absence = platforms.empty()
                         ? "the OpenCL library found no driver; install the OpenCL driver of your device (for a CPU "
                           "on Debian: pocl-opencl-icd)"
                         : fmt::format(
                               "{} OpenCL driver(s) offer no available device; check that the device is "
                               "present and that you may use it",
                               platforms.size());
  });
  return result;
}

}  // namespace twiddle::backend
