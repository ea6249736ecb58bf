// Which rows are summed.
#include "plan/shape/summed_rows.hpp"

#include "plan/recipe/few_lines.hpp"
#include "plan/shape/measured_device.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::plan {

bool may_be_summed(const Stage& stage) {
  return stage.radices.size() == 1 && !stage.convolution && !stage.bank && !stage.direct && !stage.returns &&
         !stage.shared_map && are_rows(stage);
}

bool is_summed(const Stage& stage, const KernelShape& shape) {
  return may_be_summed(stage) && shape.items_per_transform > 1;
}

KernelShape summed_shape(const Stage& stage) {
  KernelShape shape;
  shape.items_per_transform = stage.radices.front();
  shape.exchange = KernelShape::Exchange::complex;
  return shape;
}

// An H200, 2026-11-26, one row of so many points: 0.42 to 1.06 of the time of the butterfly; 40 rows 0.32 to 1.01 of 41
// and 43 points. Shorter ones are as fast by butterflies.
constexpr std::uint64_t shortest = 20;

bool sums_rows(const Stage& stage, const DeviceLimits& limits) {
  return stage.length >= shortest && may_be_summed(stage) && is_like_measured_card(limits) &&
         !is_tuned(stage, limits) && leaves_units_idle(transform_count(stage), limits);
}

}  // namespace twiddle::plan
