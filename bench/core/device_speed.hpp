// The speed of twiddle on a device with memory of its own.
#pragma once

#include <cstddef>

#include "contest.hpp"
#include "measurement.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::bench {

struct DeviceSpeed {
  Spread milliseconds{};                 // of one execution, of several submitted together
  double gigabytes_per_second = 0;       // read once and written once
  double copy_gigabytes_per_second = 0;  // of a plan that only copies as much
  double difference = 0;                 // relative L2, from the host's result
  double planning_milliseconds = 0;      // compilation included
};

// Compares the result with the host's, then measures. Throws DeviceError where it is wrong.
[[nodiscard]] DeviceSpeed measure_on(const Device& device, const Problem& problem, const Effort& effort);

}  // namespace twiddle::bench
