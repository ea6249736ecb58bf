// Measured choices as text: JSON with names for everything, so that people can read it and later versions too.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>

#include "plan/choice/choice_table.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tuning {

// Devices for which the same choices hold.
struct DeviceIdentity {
  std::string backend;  // "host", "opencl", "cuda"
  std::string name;     // "AMD EPYC 9B14"
  std::string target;   // of the host: its SIMD target; empty elsewhere
  auto operator<=>(const DeviceIdentity&) const = default;
};

[[nodiscard]] DeviceIdentity identity_of(const DeviceInfo& info);

using ChoiceBook = std::map<DeviceIdentity, plan::ChoiceTable>;

//   {"format": "twiddle choices", "version": 1, "devices": [
//     {"backend": "host", "name": "AMD EPYC 9B14", "target": "AVX-512", "lines": [
//       {"length": 1000, "use": "rows", "precision": "f32", "radices": [10, 10, 10]},
//       {"length": 1048576, "use": "rows", "precision": "f32", "columns": 512}]}]}
// Banks of filters stand behind the lines, where there are any, as "banks", such as
//     {"taps": 257, "filters": "many", "complex": false, "precision": "f32", "segment": 1024, "radices": [32, 32],
//      "items": 32, "registers": 168, "groups": 0, "root_step": 0}
// or on the host with a "segment" alone, or with "partitioned" too.
// Columns of the host may have "transforms", so many that are taken together. Lines of devices with work-groups also
// have "items", "transforms", "registers", "parts_apart" and "vector", which files of before it leave out. Fields that
// are not known are passed over. Whether a device can carry out a choice is for planning to see (plan::objection).
[[nodiscard]] std::string print_choice_book(const ChoiceBook& book);

// Throws InvalidArgument saying where the text is no such thing, and for versions other than 1.
[[nodiscard]] ChoiceBook parse_choice_book(std::string_view text);

}  // namespace twiddle::tuning
