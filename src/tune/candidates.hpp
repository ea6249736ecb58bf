// What a tuner tries: other ways to compute the lines of a recipe. Values; no device is involved.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::tuning {

// The lines of a transform for which a choice would change something, longest first, each once: those of smooth length,
// and the parts that they are computed in.
[[nodiscard]] std::vector<plan::LineKey> tunable_lines(const plan::Recipe& recipe, const Transform& transform,
                                                       const DeviceLimits& limits);

// At most so many ways to compute such lines, likely good ones first by the planner's model. All can be carried out
// under the limits, which are those for the precision (plan::limits_for).
[[nodiscard]] std::vector<plan::LineChoice> candidates(const plan::LineKey& key, const DeviceLimits& limits,
                                                       std::size_t most);

// How the host computes columns, where these stay in one stage; nothing for other lines.
[[nodiscard]] std::optional<plan::LineChoice> host_columns(const plan::LineKey& key, const DeviceLimits& limits);

// Whether a choice for several numbers at once is one for the problem: whether some stage of its plan by these limits,
// which are the device's, then moves them. True for all other choices.
[[nodiscard]] bool takes_effect(const plan::LineKey& key, const plan::LineChoice& choice, const Problem& problem,
                                const DeviceLimits& limits);

// Small changes to a choice that has proved good: registers, size of the group, exchange, numbers moved at once.
// On the host how many columns are taken together.
[[nodiscard]] std::vector<plan::LineChoice> refinements(const plan::LineKey& key, const plan::LineChoice& choice,
                                                        const DeviceLimits& limits);

}  // namespace twiddle::tuning
