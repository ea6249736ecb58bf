// Odd numbers of reals whose frequencies take their places: every SIMD target, in scalars of every kind.
#include <gtest/gtest.h>

#include <string>

#include "backend/host/any_stage.hpp"
#include "plan/device/limits.hpp"
#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

using OddRealStageTest = AnyStageTargetTest;

TEST_P(OddRealStageTest, KeepToTheirPlaces) {
  for (const NamedStage& named : odd_real_stages(plan::named_limits("host"))) {
    for (const Precision precision : {Precision::float32, Precision::float64, Precision::extended}) {
      for (const bool halves : {false, true}) {
        plan::Stage stage = named.stage;
        stage.precision = precision;
        stage.input_storage.precision = stage.output_storage.precision = halves ? Precision::float16 : precision;
        EXPECT_TRUE(computes_its_share(stage)) << named.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, OddRealStageTest, testing::Values("avx512", "avx2", "sse4", "neon", "plain"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace twiddle::test
