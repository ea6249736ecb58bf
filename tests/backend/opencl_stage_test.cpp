// Generated kernels of everything that a stage can say, on a real device.
#include <gtest/gtest.h>

#include "backend/device_stage.hpp"
#include "backend/opencl/opencl_engine.hpp"
#include "support/device_test.hpp"
#include "support/sample.hpp"
#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

class OpenClStage : public DeviceTest {};

// Some of them each day, since they take long to compile; opencl_races_test runs them in a simulator.
TEST_F(OpenClStage, ComputesEveryKind) {
  for (const NamedStage& named : sampled(stages_of_every_kind(device().info().limits), 3)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStage, ComputesConvolutions) {
  for (const NamedStage& named : sampled(convolution_stages(device().info().limits), 4)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStage, ComputesLinesThatGroupsStore) {
  for (const NamedStage& named : sampled(group_store_stages(device().info().limits), 2)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStage, ComputesOddNumbersOfRealsInPairs) {
  for (const NamedStage& named : sampled(lone_real_stages(device().info().limits), 2)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStage, ComputesMapsOfHalfOfThePoints) {
  for (const NamedStage& named : sampled(half_map_stages(device().info().limits), 3)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStage, ComputesOddNumbersOfRealsInTheirPlaces) {
  for (const NamedStage& named : sampled(odd_real_stages(device().info().limits), 2)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStage, LeavesLongDoubleToTheHost) {
  plan::Stage stage;
  stage.length = 4;
  stage.radices = {4};
  stage.precision = stage.input_storage.precision = stage.output_storage.precision = Precision::extended;
  EXPECT_THROW((void)device().engine().compile(stage), Unsupported);
}

TEST(OpenClPrecision, NamesTheDeviceWithoutDoubles) {
  DeviceInfo info;
  info.backend = BackendKind::opencl;
  info.name = "Single GPU";
  info.limits.float64 = false;
  plan::Stage stage;
  EXPECT_NO_THROW(backend::require_precision(stage, info));
  stage.output_storage.precision = Precision::float64;
  try {
    backend::require_precision(stage, info);
    FAIL() << "accepted";
  } catch (const Unsupported& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("Single GPU"), std::string::npos) << message;
    EXPECT_NE(message.find("float32"), std::string::npos) << message;
  }
  info.limits.float64 = true;
  EXPECT_NO_THROW(backend::require_precision(stage, info));
}

}  // namespace
}  // namespace twiddle::test
