// Real transforms of every odd length to some hundreds on the host, beside FFTW's own error in the same precision:
// lines one at a time and many together, which the engine computes in different ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/line_accuracy.hpp"
#include "twiddle/device.hpp"

namespace twiddle::test {
namespace {

class RealAccuracy : public testing::TestWithParam<Direction> {};
INSTANTIATE_TEST_SUITE_P(Direction, RealAccuracy, testing::Values(Direction::forward, Direction::inverse),
                         [](const auto& info) { return info.param == Direction::forward ? "r2c" : "c2r"; });

TEST_P(RealAccuracy, OfOddLengthsIsThatOfFftw) {
  double worst = 0;
  for (std::size_t length = 3; length < 400; length += 2) {
    for (const bool together : {false, true}) {
      const LineCase line{Kind::r2c, GetParam(), length, together};
      for (const LineAccuracy& accuracy :
           measure_line(Device::host(), line, {Precision::float32, Precision::float64})) {
        EXPECT_TRUE(accuracy.within_bound())
            << length << (together ? " together " : " alone ") << to_string(accuracy.precision) << ": error "
            << accuracy.error << ", FFTW's " << accuracy.fftw_error << ", bound " << accuracy.bound;
        worst = std::max(worst, accuracy.ratio());
      }
    }
  }
  RecordProperty("worst_ratio_to_fftw", std::to_string(worst));
}

}  // namespace
}  // namespace twiddle::test
