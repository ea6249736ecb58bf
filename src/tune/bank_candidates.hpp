// What a tuner tries for a bank of filters: other segments, and other groups for them. Values; no device is involved.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/choice/bank_choice.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/device.hpp"

namespace twiddle::tuning {

// How the convolution is computed by these limits, which are the device's; nothing where not by overlap-save of one
// dimension in one stage, or where its segments are not left open, so that no choice would count.
[[nodiscard]] std::optional<plan::BankChoice> present_bank(const Convolution& convolution, const DeviceLimits& limits);

// At most so many other ways, likely good ones first by the planner's model. All can be carried out, and count for the
// convolution.
[[nodiscard]] std::vector<plan::BankChoice> bank_candidates(const Convolution& convolution, const DeviceLimits& limits,
                                                            std::size_t most);

// Small changes to a choice: registers, groups side by side, roots that are read, work-items. Nothing on the host.
[[nodiscard]] std::vector<plan::BankChoice> bank_refinements(const Convolution& convolution,
                                                             const plan::BankChoice& choice,
                                                             const DeviceLimits& limits);

}  // namespace twiddle::tuning
