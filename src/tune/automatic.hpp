// The steps of choosing a device: who is compared, in which order they come out, and which of them can be opened.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "plan/device/work.hpp"
#include "twiddle/automatic.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tuning {

struct AutomaticCandidate {
  DeviceInfo info;
  DeviceLimits limits;  // with the choices measured on it
  std::function<Device()> open;
};

struct Ranking {
  DeviceComparison comparison;
  std::vector<std::size_t> order;  // candidates that can compute the problem, the best first
};

// What there is to do on a device with such limits; throws Unsupported where it cannot be done there.
using WorkOn = std::function<plan::Work(const AutomaticCandidate&)>;
[[nodiscard]] plan::Work problem_work(const Problem& problem, const AutomaticCandidate& device);

// The first candidate has the data. Throws what compare_devices throws.
[[nodiscard]] Ranking rank(const std::vector<AutomaticCandidate>& devices, const WorkOn& work_on,
                           const AutomaticOptions& options);

// The first in the order that opens: a device may have gone since it was listed or measured. Throws DeviceError, saying
// what each answered, where none does.
[[nodiscard]] Device open_first(const std::vector<AutomaticCandidate>& devices, const std::vector<std::size_t>& order);

}  // namespace twiddle::tuning
