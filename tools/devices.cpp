// twiddle devices: what there is to compute on, and why other backends have nothing.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "device_facts.hpp"
#include "options.hpp"
#include "report.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tool {
namespace {

void print_device(const DeviceInfo& info) {
  fmt::print("{}: {}\n", device_name(info), info.name);
  for (const auto& [name, value] : device_facts(info)) fmt::print("  {:<26} {}\n", name, value);
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
    result["halved_vectors"] = info.limits.halved_vectors;
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
