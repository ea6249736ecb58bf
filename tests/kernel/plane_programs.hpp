// The programs of planes in one launch whose kernels a test compiles as C++ and runs.
#pragma once

#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/shape/planes.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

struct PlaneProgram {
  std::string text;
  plan::PlaneChoice choice;
};

// As many work-items in both stages, and some without a line in one of them; exchanges whole and in parts; idle items;
// complex numbers, reals there and back; planes that are further apart than they are long, and that lie backwards.
inline const std::vector<PlaneProgram>& plane_programs() {
  static const std::vector<PlaneProgram> programs{
      {"c2c:f32:3*16x12", {{{3, 4}, 3}, {{4, 4}, 4}, 0, true}},
      {"r2c:f64:2*8x16:inplace", {{{2, 4}, 2}, {{4, 2}, 2}, 64, false}},
      {"r2c:f32:2*8x16:norm=ortho", {{{4, 2}, 2}, {{2, 4}, 1}, 64, true}},
      {"c2r:f32:2*8x16", {{{4, 2}, 2}, {{2, 4}, 2}, 64, false}},
      {"c2c:f64:2*8x8:inverse:in=10,1/batch=90", {{{2, 4}, 2}, {{4, 2}, 4}, 0, false}},
      {"c2c:f32:3*8x8:in=-8,1/batch=-64/offset=184:out=8,1/batch=-64/offset=128", {{{2, 4}, 2}, {{4, 2}, 2}, 0, false}},
  };
  return programs;
}

inline plan::Program lowered(const PlaneProgram& asked) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const Problem problem = parse_problem(asked.text);
  plan::Program program = plan::lower(plan::make_recipe(problem.transform, limits), problem.transform,
                                      problem.direction, problem.placement, limits);
  return plan::with_planes(std::move(program), problem.placement, 0, asked.choice,
                           plan::limits_for(limits, problem.transform.precision))
      .value();
}

}  // namespace twiddle::test
