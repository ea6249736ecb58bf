// A selection of kernels, each run once: for a simulator that checks every access to memory (run_under_oclgrind.sh).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "backend/device_stage.hpp"
#include "backend/engine.hpp"
#include "kernel/kernel_memory.hpp"
#include "kernel/plane_programs.hpp"
#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"
#include "support/stage_list.hpp"

namespace twiddle::test {
namespace {

// The limits that the device is held to take shares.
Share share_of_limits() {
  const char* const name = std::getenv("TWIDDLE_LIMITS");
  if (name == nullptr) return {0, 1};
  constexpr std::string_view names[] = {"nvidia-opencl", "small", "mali"};
  return {static_cast<std::size_t>(std::ranges::find(names, name) - names), std::size(names)};
}

class OpenClStageRaces : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (!IsSkipped() && device().info().name != "Oclgrind Simulator") GTEST_SKIP() << "not run under oclgrind";
  }

  void expect_share_runs_clean(const std::vector<NamedStage>& stages) {
    Share share = share_of_limits();
    for (const NamedStage& named : stages) {
      if (!share.takes_next()) continue;
      EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
    }
  }
};

class OpenClRaces : public OpenClStageRaces, public testing::WithParamInterface<Transform> {};

TEST_P(OpenClRaces, KernelsRunClean) {
  const Transform& transform = GetParam();
  const Plan plan(device(), transform);
  const Signal signal = random_signal(total_elements(transform));
  const auto expected = reference_transform(transform, Direction::forward, signal);
  Buffer input = Buffer::of<std::complex<float>>(device(), signal.size());
  Buffer output = Buffer::of<std::complex<float>>(device(), signal.size());
  Signal result(signal.size());
  input.write(signal);
  plan.forward(input, output);
  output.read(result);
  EXPECT_LT(relative_l2_error(result, expected), 1e-6);
  plan.forward(input);
  input.read(result);
  EXPECT_LT(relative_l2_error(result, expected), 1e-6);
  plan.inverse(input);
  input.read(result);
  EXPECT_LT(relative_l2_error(result, Spectrum(signal.begin(), signal.end())), 1e-6);
}

TEST_F(OpenClStageRaces, StagesOfEveryKindRunClean) {
  expect_share_runs_clean(stages_of_every_kind(device().info().limits));
}

TEST_F(OpenClStageRaces, ConvolutionsRunClean) { expect_share_runs_clean(convolution_stages(device().info().limits)); }

TEST_F(OpenClStageRaces, LinesThatGroupsStoreRunClean) {
  for (const NamedStage& named : group_store_stages(device().info().limits)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStageRaces, OddNumbersOfRealsInPairsRunClean) {
  for (const NamedStage& named : lone_real_stages(device().info().limits)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

// Short ones, which long ones differ from in their coefficients alone.
TEST_F(OpenClStageRaces, MapsWithMirrorImagesRunClean) {
  for (const NamedStage& named : half_map_stages(device().info().limits)) {
    if (named.stage.length > 100) continue;
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

TEST_F(OpenClStageRaces, OddNumbersOfRealsInTheirPlacesRunClean) {
  for (const NamedStage& named : odd_real_stages(device().info().limits)) {
    EXPECT_TRUE(computes_stage(device(), named.stage)) << named.name;
  }
}

// Both stages of a program in one launch, beside the interpreter.
template <class Real>
void expect_computed(const Device& device, const plan::Program& program, Placement placement, long double bound) {
  constexpr std::size_t scalars = 2048;
  constexpr std::size_t bytes = scalars * sizeof(Real);
  backend::Engine& engine = device.engine();
  const auto kernel = engine.compile_two(program, 0);
  KernelMemory<Real, scalars> memory;
  const auto run = [&](const Complex<Real>* input, Complex<Real>* output) {
    const auto read = engine.allocate(bytes);
    read->write(input, bytes);
    const auto other = placement == Placement::in_place ? nullptr : engine.allocate(bytes);
    backend::Memory& written = other ? *other : *read;
    if (other) other->write(output, bytes);
    kernel->run({.input = read.get(), .output = &written}, nullptr);
    written.read(output, bytes);
  };
  memory.expect_program(program, placement, run, bound);
}

TEST_F(OpenClStageRaces, PlanesRunClean) {
  for (const PlaneProgram& asked : plane_programs()) {
    SCOPED_TRACE(asked.text);
    const Problem problem = parse_problem(asked.text);
    if (problem.transform.precision == Precision::float64) {
      expect_computed<double>(device(), lowered(asked), problem.placement, 3e-14L);
    } else {
      expect_computed<float>(device(), lowered(asked), problem.placement, 2e-5L);
    }
  }
}

// Without a barrier, work-items beyond the last column must not read what the last one's stores.
TEST_F(OpenClStageRaces, ColumnsInPlaceBesideIdleItemsRunClean) {
  plan::Stage stage;
  stage.length = 11;
  stage.radices = {11};
  stage.loops = {{45, 1, 1}};
  stage.input_stride = stage.output_stride = 45;
  stage.source = stage.destination = plan::Operand::scratch;
  stage.shape.transforms_per_group = 38;
  stage.shape.load = stage.shape.store = plan::KernelShape::Lanes::transforms;
  EXPECT_TRUE(computes_stage(device(), stage));
}

std::vector<Transform> share_of_transforms() {
  Share share = share_of_limits();
  std::vector<Transform> taken;
  for (const Transform& transform : {Transform{{1}},           Transform{{2}},
                                     Transform{{7}},           Transform{{16}, {}, 130},
                                     Transform{{30}, {}, 9},   Transform{{97}},
                                     Transform{{360}},         Transform{{500}},
                                     Transform{{1000}},        Transform{{1001}},
                                     Transform{{1024}, {}, 3}, Transform{{2048}},
                                     Transform{{2187}},        Transform{{4096}},
                                     Transform{{8192}},        Transform{{10000}},
                                     Transform{{16384}},       Transform{{17, 3}},
                                     Transform{{30, 64}},      Transform{{26, 22}, {}, 2},
                                     Transform{{13, 11, 7}},   Transform{{6, 20, 9}, {0, 2}, 3}}) {
    if (share.takes_next()) taken.push_back(transform);
  }
  return taken;
}

INSTANTIATE_TEST_SUITE_P(Selection, OpenClRaces, testing::ValuesIn(share_of_transforms()));

}  // namespace
}  // namespace twiddle::test
