// Which of several devices computes a problem soonest: a function of what there is to do and of what was measured.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plan/device/device_profile.hpp"
#include "plan/device/work.hpp"

namespace twiddle::plan {

// A device as far as the choice depends on it.
struct Candidate {
  bool host = false;
  std::size_t units = 1;                   // cores or compute units
  std::optional<Work> work{};              // nothing: it cannot compute the problem
  std::optional<DeviceProfile> profile{};  // nothing: it was not measured
};

struct EstimatedCost {
  double transfer_seconds = 0;  // of the input to the device and of the output back to where it is wanted
  double execution_seconds = 0;
  [[nodiscard]] double total() const { return transfer_seconds + execution_seconds; }
};

struct AutomaticChoice {
  std::vector<std::optional<EstimatedCost>> costs;  // of each candidate; nothing where it cannot or was not measured
  std::vector<std::size_t> order;                   // candidates that can compute the problem, the best first
  bool measured = false;                            // false: chosen by the rule for the unmeasured
};

// The data lies with candidate `data`, where the results are wanted too; between the two transfers the problem is
// executed `executions` times. Candidates are compared where both they and that of the data were measured. Where that
// one was not, nothing is known of the way to others: the work stays where the data is, if it can be done there, and
// otherwise goes to the host, else to the first that can.
[[nodiscard]] AutomaticChoice choose_automatically(const std::vector<Candidate>& candidates, std::size_t data,
                                                   double executions);

}  // namespace twiddle::plan
