// The named sets of device limits.
#include "plan/device/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "plan/device/apply_strategy.hpp"
#include "plan/lower/stage.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

using Shape = DeviceLimits::Shape;

// A row a device: what vendors document or what was read off the device by clinfo.
const std::array<std::pair<std::string_view, DeviceLimits>, 5>& presets() {
  static const std::array<std::pair<std::string_view, DeviceLimits>, 5> rows{{
      {"host", {.shape = Shape::owned, .max_group_size = 1, .local_memory = 0, .sub_group_size = 1}},
      {"nvidia-opencl",
       {.max_group_size = 1024,
        .local_memory = nvidia_opencl_local_memory,
        .registers_per_item = 255,
        .compute_units = 132,
        .max_buffer = std::uint64_t{1} << 35}},
      {"nvidia-cuda",
       {.max_group_size = 1024,
        .local_memory = nvidia_cuda_local_memory,
        .registers_per_item = 255,
        .compute_units = 132,
        .largest_cluster = 8,
        .dependent_launch = true,
        .bulk_copies = true,
        .max_buffer = std::uint64_t{1} << 37,
        .level2_cache = std::size_t{60} << 20}},
      {"small",
       {.max_group_size = 64,
        .local_memory = 16384,
        .sub_group_size = 16,
        .registers_per_item = 64,
        .compute_units = 4}},
      {"mali",
       {.shape = Shape::staged,
        .max_group_size = 256,
        .local_memory = 0,
        .sub_group_size = 4,
        .registers_per_item = 64,
        .compute_units = 4}},
  }};
  return rows;
}

}  // namespace

DeviceLimits named_limits(std::string_view name) {
  for (const auto& [row_name, limits] : presets()) {
    if (row_name == name) return limits;
  }
  throw InvalidArgument(
      fmt::format("no device limits are named '{}'; known are {}", name, fmt::join(limit_names(), ", ")));
}

std::vector<std::string> limit_names() {
  std::vector<std::string> names;
  for (const auto& row : presets()) names.emplace_back(row.first);
  return names;
}

DeviceLimits simulated_limits(const DeviceInfo& info, std::string_view name) {
  DeviceLimits result = named_limits(name);
  if (result.shape == Shape::owned || info.limits.shape == Shape::owned) {
    throw InvalidArgument(
        fmt::format("limits '{}' cannot be simulated by {}: native code of a CPU has no kernels in "
                    "common with other devices",
                    name, info.name));
  }
  if (info.limits.shape == Shape::staged) result.shape = Shape::staged;
  result.local_memory = std::min<std::size_t>(result.local_memory, info.reported_local_memory);
  result.max_group_size = std::min(result.max_group_size, info.reported_group_size);
  if (!info.max_item_sizes.empty())
    result.max_group_size = std::min(result.max_group_size, info.max_item_sizes.front());
  result.compute_units = info.limits.compute_units;
  result.largest_cluster = std::min(result.largest_cluster, info.limits.largest_cluster);
  result.dependent_launch = result.dependent_launch && info.limits.dependent_launch;
  result.bulk_copies = result.bulk_copies && info.limits.bulk_copies;
  result.max_buffer = info.limits.max_buffer;
  result.float64 = info.limits.float64;
  return result;
}

DeviceLimits limits_for(DeviceLimits limits, Precision precision) {
  limits = apply_strategy(std::move(limits));
  limits.arithmetic = arithmetic_precision(precision);
  const std::size_t parts = scalar_share(limits);
  limits.local_memory /= parts;
  limits.registers_per_item /= parts;
  limits.sub_group_size =
      limits.shape == DeviceLimits::Shape::owned
          ? (precision == Precision::extended ? 1 : std::max<std::size_t>(limits.sub_group_size / parts, 1))
          : limits.sub_group_size;
  limits.level1_cache /= parts;
  limits.level2_cache /= parts;
  limits.memory_segment = std::max<std::size_t>(limits.memory_segment / parts, 8);
  return limits;
}

std::size_t scalar_share(const DeviceLimits& limits) {
  return scalar_bytes(limits.arithmetic) / scalar_bytes(Precision::float32);
}

std::uint64_t second_level_cache(const DeviceLimits& limits) { return limits.level2_cache * scalar_share(limits); }

bool is_like_cpu(const DeviceLimits& limits) {
  constexpr std::size_t cpu_group = 256;
  constexpr std::size_t few_registers = 80;
  constexpr std::size_t cpu_memory = 32 * 1024;
  const std::size_t share = scalar_share(limits);
  return limits.shape == Shape::on_chip && limits.max_group_size >= cpu_group &&
         limits.registers_per_item < few_registers / share && limits.local_memory >= cpu_memory / share;
}

}  // namespace twiddle::plan
