// What is to be known of a device, for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "twiddle/device.hpp"

namespace twiddle::tool {

using DeviceFacts = std::vector<std::pair<std::string, std::string>>;  // "local memory": "48 KiB"

[[nodiscard]] DeviceFacts device_facts(const DeviceInfo& info);

}  // namespace twiddle::tool
