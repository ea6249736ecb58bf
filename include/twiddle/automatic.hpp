// The right device for a problem, by what was measured of the devices: how long they take to launch, to move data and
// to transform. They are measured once, in about a second each (compiling aside), when first asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle {

struct AutomaticOptions {
  // In whose memory the input lies, and where the output is wanted; nothing: that of the host. It is always compared.
  std::optional<Device> data{};
  // The devices to choose from, by the names that Device::open takes; empty: all that list_devices() finds.
  std::vector<std::string> devices{};
  double executions = 1;  // so many, one after the other, while the data stays where it was brought
  bool measure = true;    // whether devices that were not measured yet may be
};

// What a device was estimated to take.
struct DeviceCost {
  std::string device;                // "opencl:0"
  std::string name;                  // "NVIDIA H200"
  bool possible = true;              // whether it can compute the problem
  bool compared = false;             // whether the times are known
  double transfer_milliseconds = 0;  // of the input to it and of the output back
  double execution_milliseconds = 0;
  std::string note{};  // why it cannot, or why nothing is known of it
};

struct DeviceComparison {
  std::vector<DeviceCost> costs;   // the best first, then those that were not compared, then those that cannot
  bool measured = false;           // false: the best one is that of the rule below
  std::vector<std::string> notes;  // what is wrong with the file of profiles
};

// Estimates how long each device takes, once plans are made and compiled. What was measured of devices is kept in
// $TWIDDLE_PROFILES, else $XDG_CONFIG_HOME/twiddle/profiles.json, else ~/.config/twiddle/profiles.json; it is measured
// again for another driver or number of threads. Where it cannot be written, or holds something else (it is left as it
// is), what was measured holds for this process.
//
// The rule without measurements (TWIDDLE_PROFILES=off, or `measure` unset and nothing stored for the device that has
// the data): the work stays where the data is; where that device cannot do it, the host does, else the first that can.
//
// Throws InvalidArgument for a malformed problem and Unsupported where no device can compute it.
[[nodiscard]] DeviceComparison compare_devices(const Problem& problem, const AutomaticOptions& options = {});
// The same for a convolution whose filters are prepared; the signal is its input.
[[nodiscard]] DeviceComparison compare_devices(const Convolution& convolution, const AutomaticOptions& options = {});

}  // namespace twiddle
