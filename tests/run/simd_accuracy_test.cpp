// Whole transforms by each SIMD target that this machine has, dispatch capped to it: accuracy beside FFTW's, and random
// problems over all features.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/accuracy.hpp"
#include "support/environment.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"
#include "verify/random_problem.hpp"
#include "verify/verify.hpp"

namespace twiddle::test {
namespace {

class SimdAccuracy : public testing::TestWithParam<const char*> {
 protected:
  SimdAccuracy() : variable_("TWIDDLE_SIMD", GetParam()), share_(share_of_target(GetParam())) {}

  void SetUp() override {
    try {
      device_ = Device::host();
    } catch (const InvalidArgument& error) {
      GTEST_SKIP() << error.what();
    }
  }

  ScopedVariable variable_;
  std::optional<Device> device_;
  Share share_;  // beside the same reference
};

// Every butterfly, rows and bundles, a direct prime, four-step, Rader's and Bluestein's algorithms, columns.
TEST_P(SimdAccuracy, ComplexTransforms) {
  std::vector<Transform> transforms;
  for (const std::size_t length :
       {7, 13, 60, 81, 91, 125, 169, 243, 625, 1000, 1009, 1021, 1024, 2000, 2197, 3125, 4096, 16384, 65536, 100000}) {
    transforms.push_back({.lengths = {length}});
  }
  transforms.push_back({.lengths = {16}, .batch = 100});
  transforms.push_back({.lengths = {97}, .batch = 20});
  transforms.push_back({.lengths = {120, 64}});
  for (const Transform& transform : transforms) {
    const Plan plan(*device_, transform);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      if (!share_.takes_next()) continue;
      // The errors of short lines vary much between inputs.
      const std::size_t inputs = std::max<std::size_t>(random_inputs, 4096 / transform.lengths[0]);
      const Accuracy accuracy = measure_accuracy(plan, direction, inputs);
      EXPECT_TRUE(accuracy.within_bound()) << describe(plan, direction, accuracy);
    }
  }
}

TEST_P(SimdAccuracy, RandomProblems) {
  const verify::Abilities abilities{.most_elements = 1 << 12};
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Problem problem = verify::random_problem(seed, abilities);
    if (!share_.takes_next()) continue;
    const verify::Outcome outcome = verify::verify(*device_, problem, seed);
    EXPECT_TRUE(outcome.within) << to_string(problem) << ": " << outcome.complaint;
  }
}

// Their columns are transformed together with the map to their spectrum.
TEST_P(SimdAccuracy, LongRealLines) {
  for (const char* text : {"r2c:f32:200000", "r2c:f32:2*262144:inplace", "r2c:f64:66560:norm=ortho", "r2c:f64:2*131072",
                           "r2c:f32:3x131072"}) {
    const verify::Outcome outcome = verify::verify(*device_, parse_problem(text), 1);
    EXPECT_TRUE(outcome.within) << text << ": " << outcome.complaint;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, SimdAccuracy, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace twiddle::test
