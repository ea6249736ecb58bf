// The stages whose kernels, for clusters of work-groups, a test compiles as C++ and runs.
#pragma once

#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

struct ClusterProblem {
  Problem problem;
  std::uint32_t vector = 0;  // as the strategy's
};

// The last two have no clusters, but kernels of vectors as well.
inline std::vector<ClusterProblem> cluster_problems() {
  return {{parse_problem("c2c:f32:16384")},
          {parse_problem("c2c:f32:2*32768:inverse:inplace")},
          {parse_problem("c2c:f32:32768:nonzero=30000")},
          {parse_problem("c2c:f32:2*32768"), 2},
          {parse_problem("c2c:f32:3*1024:norm=ortho"), 2},
          {parse_problem("c2c:f32:2*60x12:axes=0:inplace"), 2}};
}

inline plan::Stage cluster_stage(const ClusterProblem& asked) {
  const Problem& problem = asked.problem;
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  limits.strategy.vector = asked.vector;
  return plan::lower(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                     problem.placement, limits)
      .stages.at(0);
}

}  // namespace twiddle::test
