// Made-up profiles of devices.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "plan/device/device_profile.hpp"

namespace twiddle::plan {

// Launches of 10 us, then 1 GB/s.
inline SizeCurve curve(double launch, double rate) {
  std::vector<SizeCurve::Point> points;
  for (const std::uint64_t bytes : {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28}) {
    points.push_back({bytes, launch + static_cast<double>(bytes) / rate});
  }
  return SizeCurve(std::move(points));
}

inline DeviceProfile host_profile() {
  DeviceProfile profile;
  profile.stage = curve(1e-7, 2e10);
  return profile;
}

inline DeviceProfile gpu_profile() {
  DeviceProfile profile;
  profile.wait_seconds = 1e-5;
  profile.stage = curve(5e-6, 2e12);
  profile.to_device = curve(1e-5, 1e10);
  profile.from_device = curve(1e-5, 1e10);
  return profile;
}

// A profile whose stages take no time worth counting beside what is looked at.
inline DeviceProfile fast_profile() {
  DeviceProfile profile;
  profile.stage = curve(1e-9, 1e15);
  return profile;
}

}  // namespace twiddle::plan
