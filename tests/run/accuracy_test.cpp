// Forward and inverse against the long-double reference, beside FFTW in single precision: lengths, shapes, batches,
// axes.
#include "support/accuracy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/device_test.hpp"
#include "support/sample.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class AccuracyTest : public DeviceTest {
 protected:
  void expect_accurate(const Transform& transform) {
    const Plan plan(device(), transform);
    // Devices where plans are dear compile the kernels of one direction each, in turn.
    static bool forward = false;
    forward = !forward;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      if (!plans_are_cheap() && forward != (direction == Direction::forward)) continue;
      const auto accuracy = measure_accuracy(plan, direction);
      EXPECT_TRUE(accuracy.within_bound()) << describe(plan, direction, accuracy);
      worst_ratio_ = std::max(worst_ratio_, accuracy.error / std::max(accuracy.fftw_error, 1e-9));
    }
  }

  void TearDown() override { RecordProperty("worst_ratio_to_fftw", std::to_string(worst_ratio_)); }

 private:
  double worst_ratio_ = 0;
};

constexpr std::size_t lengths_a_test = 128;

// The everyday run: the short ones, then every seventh length; on devices where plans are dear half of the shortest,
// every 1536th and some odd ones.
bool belongs_to_sample(std::size_t length) {
  if (plans_are_cheap()) return length <= 1024 || length % 7 == 4;
  return (length <= 17 && length % 2 != 0) || length % 1536 == 0 || length % 1536 == 35;
}

class AccuracyOfShortLengths : public AccuracyTest, public testing::WithParamInterface<std::size_t> {
 protected:
  void expect_accurate_lengths(bool all) {
    for (std::size_t n = GetParam(); n < GetParam() + lengths_a_test; ++n) {
      if (all || belongs_to_sample(n)) expect_accurate({.lengths = {n}});
    }
  }
};

TEST_P(AccuracyOfShortLengths, From) { expect_accurate_lengths(false); }

TEST_P(AccuracyOfShortLengths, LongFrom) { expect_accurate_lengths(true); }

INSTANTIATE_TEST_SUITE_P(UpTo4096, AccuracyOfShortLengths,
                         testing::Range(std::size_t{1}, std::size_t{4097}, lengths_a_test));

class AccuracyOfLongLengths : public AccuracyTest, public testing::WithParamInterface<std::size_t> {};

TEST_P(AccuracyOfLongLengths, Length) { expect_accurate({.lengths = {GetParam()}}); }

// On devices where plans are dear, the longest are left to the host.
std::vector<std::size_t> long_lengths() {
  std::vector<std::size_t> lengths{5000,   6561,    8192,    10000,   10007,   14641,   15015,  16384,
                                   19683,  28561,   30030,   32768,   46656,   65536,   78125,  100000,
                                   117649, 131072,  161051,  262144,  371293,  500000,  524288, 531441,
                                   61681,  1000000, 1 << 20, 1048577, 1 << 21, 3 << 20, 1 << 22};
  if (!plans_are_cheap()) std::erase_if(lengths, [](std::size_t length) { return length > 150000; });
  return sampled_on_devices(lengths, 3);
}

INSTANTIATE_TEST_SUITE_P(Sample, AccuracyOfLongLengths, testing::ValuesIn(long_lengths()));

// The largest image is left to the long run.
std::vector<Transform> shapes() {
  std::vector<Transform> all{
      Transform{{1, 1}},       Transform{{1, 100}},     Transform{{100, 1}},     Transform{{2, 3}},
      Transform{{3, 5}},       Transform{{15, 28}},     Transform{{16, 16}},     Transform{{17, 19}},
      Transform{{33, 65}},     Transform{{64, 64}},     Transform{{91, 99}},     Transform{{120, 120}},
      Transform{{125, 343}},   Transform{{256, 256}},   Transform{{872, 1000}},  Transform{{512, 512}},
      Transform{{3, 16384}},   Transform{{16384, 3}},   Transform{{5, 100000}},  Transform{{2, 3, 5}},
      Transform{{7, 1, 9}},    Transform{{12, 10, 6}},  Transform{{13, 11, 7}},  Transform{{16, 32, 64}},
      Transform{{30, 35, 39}}, Transform{{64, 64, 64}}, Transform{{2, 3, 4, 5}}, Transform{{3, 5, 7, 9}}};
  if (every_case()) all.push_back({{1080, 1920}});
  return sampled_on_devices(all, 5);
}

class AccuracyOfTransforms : public AccuracyTest, public testing::WithParamInterface<Transform> {};

TEST_P(AccuracyOfTransforms, Case) { expect_accurate(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Shapes, AccuracyOfTransforms, testing::ValuesIn(shapes()), transform_name);

INSTANTIATE_TEST_SUITE_P(Batches, AccuracyOfTransforms,
                         testing::ValuesIn(sampled_on_devices<Transform>(
                             {Transform{{1}, {}, 7}, Transform{{2}, {}, 1000}, Transform{{3}, {}, 33},
                              Transform{{16}, {}, 5}, Transform{{16}, {}, 4096}, Transform{{60}, {}, 129},
                              Transform{{97}, {}, 10}, Transform{{1000}, {}, 3}, Transform{{1024}, {}, 64},
                              Transform{{4096}, {}, 17}, Transform{{65536}, {}, 3}, Transform{{28, 15}, {}, 9},
                              Transform{{64, 48}, {}, 2}, Transform{{6, 10, 14}, {}, 5}},
                             4)),
                         transform_name);

INSTANTIATE_TEST_SUITE_P(Axes, AccuracyOfTransforms,
                         testing::ValuesIn(sampled_on_devices<Transform>(
                             {Transform{{24, 35}, {0}}, Transform{{24, 35}, {1}}, Transform{{1000, 3}, {0}},
                              Transform{{16384, 5}, {0}, 2}, Transform{{6, 20, 9}, {0}}, Transform{{6, 20, 9}, {1}, 3},
                              Transform{{6, 20, 9}, {2}}, Transform{{6, 20, 9}, {0, 1}},
                              Transform{{6, 20, 9}, {0, 2}, 2}, Transform{{6, 20, 9}, {1, 2}},
                              Transform{{31, 20, 17}, {0, 2}}},
                             4)),
                         transform_name);

INSTANTIATE_TEST_SUITE_P(
    Normalizations, AccuracyOfTransforms,
    testing::ValuesIn(sampled_on_devices<Transform>(
        {Transform{{48}, {}, 1, Normalization::ortho}, Transform{{48}, {}, 1, Normalization::forward},
         Transform{{48}, {}, 1, Normalization::none}, Transform{{37}, {}, 2, Normalization::ortho},
         Transform{{10, 14}, {}, 3, Normalization::ortho}, Transform{{10, 14}, {}, 1, Normalization::forward},
         Transform{{6, 20, 9}, {0, 2}, 1, Normalization::ortho}, Transform{{16384}, {}, 1, Normalization::ortho},
         Transform{{1}, {}, 1, Normalization::forward}},
        4)),
    transform_name);

}  // namespace
}  // namespace twiddle::test
