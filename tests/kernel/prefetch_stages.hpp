// The stages whose kernels, which fetch lines ahead, a test compiles as C++ and runs.
#pragma once

#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

// Lines of even and odd length, in place and apart, beside each other in two dimensions; in doubles; of reals in rows
// that begin at any element; parts of numbers exchanged apart and not, and by idle work-items; roots read
// and made from two. Behind these tiles of columns: of images in place; in doubles, by idle work-items, some of which
// copy nothing; and of long lines, with their twiddle from either sort of tables.
inline std::vector<plan::Stage> prefetch_stages() {
  struct Case {
    const char* problem;
    std::uint32_t items;
    std::uint32_t groups;
    bool split;
    std::uint32_t root_step = 0;
    std::uint32_t transforms = 1;
    bool column_roots = false;
  };
  std::vector<plan::Stage> stages;
  for (const Case& each :
       {Case{"c2c:f32:7*64:inplace", 8, 2, true}, Case{"c2c:f32:5*243:inverse", 20, 3, false, 4},
        Case{"c2c:f64:4*100:inplace", 10, 5, true, 3}, Case{"r2c:f32:6*256:inplace", 16, 2, true, 4},
        Case{"c2c:f32:3x5x2x90:axes=3", 9, 4, false}, Case{"c2c:f32:2*64x12:axes=0:inplace", 8, 3, true, 0, 4},
        Case{"c2c:f64:2*90x15:axes=0", 8, 4, false, 3, 3}, Case{"c2c:f32:17000", 7, 7, true, 4, 10},
        Case{"c2c:f32:17000:inverse", 10, 20, true, 0, 2, true}}) {
    const Problem problem = parse_problem(each.problem);
    const DeviceLimits limits = plan::named_limits("nvidia-cuda");
    plan::Stage stage = plan::lower(plan::make_recipe(problem.transform, limits), problem.transform, problem.direction,
                                    problem.placement, limits)
                            .stages.at(0);
    plan::KernelShape shape;
    shape.items_per_transform = each.items;
    shape.transforms_per_group = each.transforms;
    if (each.transforms > 1) shape.load = shape.store = plan::KernelShape::Lanes::transforms;
    shape.exchange = each.split ? plan::KernelShape::Exchange::split : plan::KernelShape::Exchange::complex;
    shape.groups = each.groups;
    shape.root_step = each.root_step;
    shape.column_roots = each.column_roots;
    shape.prefetch = true;
    stage.shape = shape;
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace twiddle::test
