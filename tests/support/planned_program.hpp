// What is planned for a problem, written as text, on a device known by its limits.
#pragma once

#include <string>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/lower/stage.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

// Throws what parse_problem() and planning throw.
inline plan::Program program_of(const std::string& text,
                                const DeviceLimits& limits = plan::named_limits("nvidia-cuda")) {
  const Problem problem = parse_problem(text);
  return plan::lower(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                     problem.placement, limits);
}

inline plan::Stage first_stage(const std::string& text,
                               const DeviceLimits& limits = plan::named_limits("nvidia-cuda")) {
  return program_of(text, limits).stages.front();
}

}  // namespace twiddle::test
