// The stages whose kernels, which go back by the passes that they went there by, a test compiles as C++ and runs.
#pragma once

#include <string>
#include <vector>

#include "plan/recipe/radices.hpp"
#include "plan/shape/exchange_shape.hpp"
#include "plan/shape/planes.hpp"
#include "plan/shape/way_back.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {

// Rader's algorithm of rows and columns, of pairs of reals there and back, stored as one run; Bluestein's; both with
// work-items of which some are idle in a pass, idle lines, and parts of numbers exchanged apart.
inline std::vector<plan::Stage> way_back_stages() {
  using Algorithm = plan::Convolution::Algorithm;
  struct Case {
    const char* problem;
    std::vector<unsigned> radices;
    std::uint32_t items;
    std::uint32_t transforms;
    bool split = false;
    bool together = false;
    std::uint32_t padding = 0;  // 0: as is preferred
  };
  std::vector<plan::Stage> stages;
  for (const Case& each :
       {Case{"c2c:f32:3*17:inplace", {4, 4}, 4, 2}, Case{"c2c:f64:2*37:inverse", {6, 6}, 5, 1, true},
        Case{"c2c:f32:3*19", {3, 2, 3}, 6, 2, false, true}, Case{"r2c:f32:5*19", {3, 2, 3}, 4, 2},
        Case{"c2r:f32:4*17", {2, 4, 2}, 4, 1}, Case{"c2c:f32:17x6:axes=0", {2, 4, 2}, 8, 4},
        Case{"c2c:f32:3*23:inplace", {4, 3, 4}, 12, 2}, Case{"c2c:f64:23:inverse", {5, 2, 5}, 5, 1},
        Case{"r2c:f32:3*23", {4, 3, 4}, 10, 1, true}, Case{"c2c:f32:2*37", {6, 6}, 6, 1, false, false, 3}}) {
    plan::Stage stage = first_stage(each.problem);
    const std::uint64_t points = plan::product(each.radices);
    stage.convolution = {points + 1 == stage.length ? Algorithm::rader : Algorithm::bluestein, points};
    plan::take_passes(stage, each.radices);
    plan::KernelShape& shape = stage.shape;
    shape = {.items_per_transform = each.items,
             .transforms_per_group = each.transforms,
             .load = shape.load,
             .store = shape.store};
    if (std::string_view(each.problem).find("axes") != std::string_view::npos) {
      shape.load = shape.store = plan::KernelShape::Lanes::transforms;
    } else {
      shape.load = shape.store = plan::KernelShape::Lanes::elements;
    }
    shape.exchange = each.split ? plan::KernelShape::Exchange::split : plan::KernelShape::Exchange::complex;
    shape.padding = each.padding != 0 ? each.padding : plan::preferred_padding(stage, shape);
    shape.stores_together = each.together;
    shape.same_way_back = true;
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace twiddle::test
