// Which convolutions go back as they went there.
#include "plan/shape/way_back.hpp"

#include "plan/recipe/few_lines.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::plan {

bool may_go_back_alike(const Stage& stage, const KernelShape& shape) {
  return stage.convolution && stage.radices.size() > 1 && stage.radices.front() == stage.radices.back() &&
         shape.load == shape.store;
}

bool goes_back_alike(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits) {
  return may_go_back_alike(stage, shape) && are_rows(stage) &&
         go_back_alike(chip_points(stage), transform_count(stage), limits);
}

}  // namespace twiddle::plan
