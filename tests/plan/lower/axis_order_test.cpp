// Axes of pruned transforms go in the order that leaves the least between them.
#include "plan/lower/axis_order.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "support/lowered_problem.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class AxisOrder : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] std::vector<std::size_t> order(const char* text) const {
    const auto [transform, direction, placement] = parse_problem(text);
    const plan::Recipe recipe = plan::make_recipe(transform, limits_);
    std::vector<std::size_t> axes;
    for (const auto* axis :
         plan::ordered_axes(recipe, transform, direction, plan::sides_of(transform, direction, placement))) {
      axes.push_back(axis->axis);
    }
    return axes;
  }

  const DeviceLimits limits_ = plan::named_limits(GetParam());
};

using Axes = std::vector<std::size_t>;

TEST_P(AxisOrder, PutsAxesThatLeaveTheLeastFirst) {
  EXPECT_EQ(order("c2c:f32:8x8x8"), (Axes{2, 1, 0}));
  EXPECT_EQ(order("c2c:f32:8x8x8:nonzero=4,4,4"), (Axes{2, 1, 0}));
  EXPECT_EQ(order("c2c:f32:8x8x8:nonzero=8,8,4"), (Axes{1, 0, 2}));
  EXPECT_EQ(order("c2c:f32:8x8x8:wanted=4,8,8"), (Axes{0, 2, 1}));
  EXPECT_EQ(order("c2c:f32:8x8x8:wanted=4,8,8:inverse"), (Axes{0, 2, 1}));
  EXPECT_EQ(order("dct2:f32:8x8x9:nonzero=8,8,3:wanted=2,4,9"), (Axes{0, 1, 2}));
  EXPECT_EQ(order("r2c:f32:8x8x8:nonzero=8,8,4:wanted=2,4,5"), (Axes{2, 0, 1}));
  EXPECT_EQ(order("c2r:f32:8x8x8:wanted=2,4,8"), (Axes{0, 1, 2}));
  EXPECT_EQ(order("c2r:f32:8x1x8"), (Axes{0, 2}));
  EXPECT_EQ(order("c2r:f32:8x9x1"), (Axes{0, 1}));
  EXPECT_EQ(order("r2c:f32:8x9x1"), (Axes{1, 0}));
}

TEST_P(AxisOrder, LeavesNoMoreThanTheData) {
  for (const char* text :
       {"c2c:f32:5*64x48:nonzero=64,6:wanted=8,48", "dct2:f32:10x25:inverse:nonzero=9,14:wanted=2,25",
        "dct4:f64:5x13x10:inverse:norm=none:nonzero=2,13,10:wanted=1,2,8",
        "dst4:f64:1x283x13:nonzero=1,283,2:wanted=1,156,6", "dht:f32:3*40x30x20:nonzero=40,3,2:wanted=4,30,20",
        "c2r:f64:40x30x20:nonzero=40,3,11:wanted=4,30,20", "r2c:f32:40x30x20:nonzero=40,3,20:wanted=4,30,11"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    if (limits_.shape != DeviceLimits::Shape::staged) {
      EXPECT_LE(scratch, data) << text;
    }
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Each axis leaves a little less, for which there is room where the first one left its results.
TEST_P(AxisOrder, LeavesWhatIsPrunedInItsPlace) {
  for (const char* text : {"c2c:f64:8x9x10x11:wanted=7,8,9,10", "dct2:f32:8x9x10x11:wanted=7,8,9,10",
                           "r2c:f32:8x9x10x42:wanted=7,8,9,22", "c2c:f32:8x9x10x11:wanted=7,8,9,10:inplace"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    if (limits_.shape != DeviceLimits::Shape::staged) {
      EXPECT_LE(scratch, 1.05 * data) << text;
    }
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, AxisOrder, testing::Values("host", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
