// The stages whose kernels, for clusters of work-groups, a test compiles as C++ and runs.
#pragma once

#include <vector>

#include "plan/limits.hpp"
#include "plan/lower.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

inline std::vector<Problem> cluster_problems() {
  std::vector<Problem> problems;
  for (const char* text : {"c2c:f32:16384", "c2c:f32:2*32768:inverse:inplace", "c2c:f32:32768:nonzero=30000"}) {
    problems.push_back(parse_problem(text));
  }
  return problems;
}

inline plan::Stage cluster_stage(const Problem& problem) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  return plan::lower(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                     problem.placement, limits)
      .stages.at(0);
}

}  // namespace twiddle::test
