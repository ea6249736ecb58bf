// Tables and JSON of steps and devices.
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace twiddle::tool {

void Report::append(const Profile& entries, double elapsed) {
  double accounted = 0;
  for (const ProfileEntry& entry : entries) accounted += entry.milliseconds;
  steps_.insert(steps_.end(), entries.begin(), entries.end());
  if (elapsed > accounted) steps_.push_back({"compiling, allocating, waiting", elapsed - accounted});
}

std::string Report::table() const {
  std::size_t width = 5;
  for (const ProfileEntry& entry : steps_) width = std::max(width, entry.step.size());
  std::string text = fmt::format("{:<{}}  {:>10}\n", "step", width, "ms");
  double sum = 0;
  for (const ProfileEntry& entry : steps_) {
    text += fmt::format("{:<{}}  {:>10.3f}\n", entry.step, width, entry.milliseconds);
    sum += entry.milliseconds;
  }
  return text + fmt::format("{:<{}}  {:>10.3f}\n", "total", width, sum);
}

nlohmann::ordered_json Report::json() const {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const ProfileEntry& entry : steps_)
    steps.push_back({{"step", entry.step}, {"milliseconds", entry.milliseconds}});
  return steps;
}

std::string describe(const DeviceInfo& info) {
  return fmt::format("{} ({}{}{})", device_name(info), info.name, info.driver.empty() ? "" : ", ", info.driver);
}

nlohmann::ordered_json summary_json(const DeviceInfo& info) {
  return {{"device", device_name(info)}, {"name", info.name}, {"driver", info.driver}};
}

void print_json(const nlohmann::ordered_json& value) {
  fmt::print("{}\n", value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace twiddle::tool
