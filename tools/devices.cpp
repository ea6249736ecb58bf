// twiddle devices: what there is to compute on, and why other backends have nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "report.hpp"
#include "twiddle/device.hpp"

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

void print_device(const DeviceInfo& info) {
  const auto line = [](std::string_view name, const std::string& value) { fmt::print("  {:<26} {}\n", name, value); };
  fmt::print("{}: {}\n", device_name(info), info.name);
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
  }
  line("global memory", size_text(info.global_memory));
  if (info.backend != BackendKind::host) line("largest buffer", size_text(info.limits.max_buffer));
  line("how it computes", std::string(shape_text(info.limits.shape)));
}

nlohmann::ordered_json to_json(const DeviceInfo& info) {
  nlohmann::ordered_json result = {{"device", device_name(info)},
                                   {"backend", to_string(info.backend)},
                                   {"index", info.index},
                                   {"name", info.name},
                                   {"vendor", info.vendor},
                                   {"driver", info.driver},
                                   {"compute_units", info.limits.compute_units},
                                   {"global_memory", info.global_memory},
                                   {"max_buffer", info.limits.max_buffer}};
  if (info.backend == BackendKind::host) {
    result["level1_cache"] = info.limits.level1_cache;
    result["level2_cache"] = info.limits.level2_cache;
  } else {
    result["max_work_item_dimensions"] = info.max_item_dimensions;
    result["max_work_item_sizes"] = info.max_item_sizes;
    result["max_work_group_size"] = info.reported_group_size;
    result["local_memory"] = info.reported_local_memory;
    result["used_work_group_size"] = info.limits.max_group_size;
    result["used_local_memory"] = info.limits.local_memory;
    result["sub_group_size"] = info.limits.sub_group_size;
  }
  return result;
}

void run(bool json) {
  const DeviceList list = list_devices();
  if (json) {
    nlohmann::ordered_json result = {{"devices", nlohmann::ordered_json::array()},
                                     {"absences", nlohmann::ordered_json::array()}};
    for (const DeviceInfo& info : list.devices) result["devices"].push_back(to_json(info));
    for (const DeviceList::Absence& absence : list.absences) {
      result["absences"].push_back({{"backend", to_string(absence.backend)}, {"reason", absence.reason}});
    }
    print_json(result);
    return;
  }
  for (const DeviceInfo& info : list.devices) print_device(info);
  for (const DeviceList::Absence& absence : list.absences) {
    fmt::print("{}: none ({})\n", to_string(absence.backend), absence.reason);
  }
}

}  // namespace

void add_devices_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("devices", "List the devices and their limits");
  const auto json = std::make_shared<bool>(false);
  add_json_option(*command, *json);
  command->footer(
      "The name before the colon is what --device takes. Sizes are in bytes in the JSON form.\n\n"
      "Examples:\n"
      "  twiddle devices\n"
      "  twiddle devices --json");
  command->callback([json] { run(*json); });
}

}  // namespace twiddle::tool
