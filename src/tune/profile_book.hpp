// Device profiles as text: JSON with names for everything, so that people can read it and later versions too.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "plan/device/device_profile.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tuning {

// What a profile was measured on. Another driver, or another number of threads, is measured anew.
struct ProfileKey {
  std::string backend;  // "host", "opencl", "cuda"
  std::string name;     // "AMD EPYC 9B14"
  std::string driver;   // of the host: its SIMD target
  std::size_t units = 1;
  auto operator<=>(const ProfileKey&) const = default;
};

[[nodiscard]] ProfileKey profile_key_of(const DeviceInfo& info);

using ProfileBook = std::map<ProfileKey, plan::DeviceProfile>;

//   {"format": "twiddle profiles", "version": 1, "devices": [
//   {"backend":"opencl","driver":"3.1","name":"pocl","revision":2,"units":2,
//    "wait_seconds":1e-05,"cached_strided_slowdown":1.1,"strided_slowdown":1.2,"long_strided_slowdown":1.5,
//    "aligned_strided_slowdown":1.2,"double_slowdown":1.0,"short_slowdown":0.8,"many_short_slowdown":0.6,
//    "shortest_slowdown":0.9,"row_mapping":8.0,"column_mapping":8.0,
//    "stage":[[4096,2e-05],[65536,3e-05]],
//    "line":[[4096,2e-05],[16384,3e-05]],
//    "after_writing":[],
//    "to_device":[[4096,1e-06]],
//    "from_device":[[4096,1e-06]]}]}
// Pairs are bytes and seconds. Fields that are not known are passed over, and so are devices of another revision, which
// versions that measured otherwise have left: they are measured again.
[[nodiscard]] std::string print_profile_book(const ProfileBook& book);

// Throws InvalidArgument saying where the text is no such thing, and for versions other than 1.
[[nodiscard]] ProfileBook parse_profile_book(std::string_view text);

}  // namespace twiddle::tuning
