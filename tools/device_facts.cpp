// Limits and capabilities in words.
#include "device_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string_view>

namespace twiddle::tool {
namespace {

// "48 KiB", "15.6 GiB"
std::string size_text(std::uint64_t bytes) {
  static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, value == static_cast<double>(static_cast<std::uint64_t>(value)) ? 0 : 1,
                     units[unit]);
}

std::string_view shape_text(DeviceLimits::Shape shape) {
  switch (shape) {
    case DeviceLimits::Shape::owned:
      return "native code, a thread owns a transform";
    case DeviceLimits::Shape::on_chip:
      return "registers and local memory hold a transform";
    case DeviceLimits::Shape::staged:
      break;
  }
  return "one radix per launch through global memory";
}

}  // namespace

DeviceFacts device_facts(const DeviceInfo& info) {
  DeviceFacts facts;
  const auto line = [&](const char* name, std::string value) { facts.emplace_back(name, std::move(value)); };
  if (!info.vendor.empty()) line("vendor", info.vendor);
  if (!info.driver.empty()) line(info.backend == BackendKind::host ? "SIMD instructions" : "driver", info.driver);
  line("compute units", fmt::to_string(info.limits.compute_units));
  if (info.backend != BackendKind::host) {
    line("work-item dimensions", fmt::to_string(info.max_item_dimensions));
    line("work-item sizes", fmt::format("{}", fmt::join(info.max_item_sizes, " x ")));
    const auto used = [](const std::string& reported, const std::string& limit) {
      return reported == limit ? reported : fmt::format("{}, of which plans use {}", reported, limit);
    };
    line("work-group size", used(fmt::to_string(info.reported_group_size), fmt::to_string(info.limits.max_group_size)));
    line("local memory", used(size_text(info.reported_local_memory), size_text(info.limits.local_memory)));
  } else {
    line("cache per core", fmt::format("{} level 1, {} level 2", size_text(info.limits.level1_cache),
                                       size_text(info.limits.level2_cache)));
    if (info.limits.halved_vectors) line("vectors", "computed in two halves");
  }
  line("global memory", size_text(info.global_memory));
  if (info.backend != BackendKind::host) line("largest buffer", size_text(info.limits.max_buffer));
  line("how it computes", std::string(shape_text(info.limits.shape)));
  return facts;
}

}  // namespace twiddle::tool
