// Measured times by size, and what no measurement gives.
#include "plan/device/device_profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

TEST(SizeCurve, GoesThroughWhatWasMeasured) {
  const SizeCurve measured({{1000, 1e-6}, {100000, 1e-4}, {1000000, 2e-3}});
  EXPECT_DOUBLE_EQ(measured.seconds(1000), 1e-6);
  EXPECT_DOUBLE_EQ(measured.seconds(1), 1e-6);
  EXPECT_NEAR(measured.seconds(10000), 1e-5, 1e-12);
  EXPECT_DOUBLE_EQ(measured.seconds(1000000), 2e-3);
  EXPECT_DOUBLE_EQ(measured.seconds(5000000), 1e-2);
  EXPECT_DOUBLE_EQ(measured.peak_rate(), 1e9);
  EXPECT_EQ(SizeCurve().seconds(1e9), 0);
}

TEST(SizeCurve, RefusesWhatNothingMeasures) {
  EXPECT_THROW(SizeCurve({{0, 1}}), InvalidArgument);
  EXPECT_THROW(SizeCurve({{8, 1}, {8, 2}}), InvalidArgument);
  EXPECT_THROW(SizeCurve({{8, -1}}), InvalidArgument);
  EXPECT_THROW(SizeCurve({{8, NAN}}), InvalidArgument);
  EXPECT_THROW(validate(DeviceProfile{}), InvalidArgument);
  DeviceProfile profile;
  profile.stage = SizeCurve({{4096, 1e-6}});
  EXPECT_NO_THROW(validate(profile));
}

}  // namespace
}  // namespace twiddle::plan
