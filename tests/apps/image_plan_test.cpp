// Image convolutions on devices, without one: the variant that is chosen, and the memory that executions take.
#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "run/recording_engine.hpp"
#include "twiddle/image_convolution_plan.hpp"

namespace twiddle::test {
namespace {

std::string description(const DeviceLimits& limits, std::string_view kernel) {
  const Device device(std::make_shared<RecordingEngine>(limits, BackendKind::cuda));
  return ImageConvolutionPlan(device, {.kernel = parse_image_kernel(kernel)}, {.height = 64, .width = 64}).describe();
}

// On a GPU the sums of the first pass go through memory: five by five weights are multiplied sooner.
TEST(ImagePlan, TwoPassesWhereTheyPay) {
  const std::string_view seven =
      "1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1; 1 1 1 1 1 1 1";
  const DeviceLimits gpu = plan::named_limits("nvidia-cuda");
  DeviceLimits cpu = plan::named_limits("nvidia-opencl");
  cpu.max_group_size = 256;
  cpu.registers_per_item = 64;
  EXPECT_TRUE(description(gpu, "gaussian5").ends_with("blocked"));
  EXPECT_TRUE(description(gpu, seven).ends_with("separable"));
  EXPECT_TRUE(description(cpu, "gaussian5").ends_with("separable"));
}

TEST(ImagePlan, RepeatedExecutionsAllocateNothing) {
  const auto engine = std::make_shared<RecordingEngine>(plan::named_limits("nvidia-cuda"), BackendKind::cuda);
  const Device device(engine);
  const ImageConvolutionPlan plan(
      device, {.kernel = parse_image_kernel("gaussian5"), .variant = ImageConvolution::Variant::separable},
      {.height = 64, .width = 64});
  Buffer image(device, 64 * 64);
  Buffer result(device, 64 * 64);
  plan.execute(image, result);
  const auto allocated = engine->allocations;
  EXPECT_EQ(allocated.size(), 3U);  // image, result, sums
  plan.execute(image, result);
  EXPECT_EQ(engine->allocations, allocated);
  EXPECT_EQ(engine->runs.size(), 4U);

  std::vector<std::uint8_t> on_host(64 * 64);
  std::vector<std::uint8_t> result_on_host(64 * 64);
  plan.execute(on_host, result_on_host);
  const auto with_copies = engine->allocations.size();
  plan.execute(on_host, result_on_host);
  EXPECT_EQ(engine->allocations.size(), with_copies);
}

}  // namespace
}  // namespace twiddle::test
