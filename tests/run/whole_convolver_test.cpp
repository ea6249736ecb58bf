// Convolutions of the whole and in long segments on devices: how many kernels, launches and bytes many filters take. On
// no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "run/recording_engine.hpp"
#include "twiddle/convolution_plan.hpp"

namespace twiddle {
namespace {

struct Use {
  std::set<std::string> texts;  // of kernels
  std::size_t launches = 0;     // of an execution
  std::size_t filter_launches = 0;
  std::size_t scratch = 0;
};

Use use_of(Convolution convolution, std::size_t filters, const char* device = "nvidia-cuda") {
  convolution.filters = filters;
  const auto engine = std::make_shared<test::RecordingEngine>(plan::named_limits(device));
  ConvolutionPlan plan(Device(engine), convolution);
  const Buffer taps(plan.device(), plan.filter_bytes());
  const Buffer signal(plan.device(), plan.signal_bytes());
  Buffer output(plan.device(), plan.output_bytes());
  Use use;
  plan.set_filters(taps);
  use.filter_launches = engine->runs.size();
  plan.execute(signal, output);
  use.launches = engine->runs.size() - use.filter_launches;
  use.scratch = plan.scratch_bytes();
  for (const plan::Stage& stage : engine->stages) {
    use.texts.insert(kernel::stage_kernel(stage, kernel::Dialect::cuda).text);
  }
  return use;
}

Convolution whole() {
  return {.signal_lengths = {50000}, .kernel_lengths = {5000}, .method = Convolution::Method::whole};
}

Convolution in_segments() {
  return {.signal_lengths = {1 << 20},
          .kernel_lengths = {20000},
          .signals = 2,
          .method = Convolution::Method::overlap_save,
          .segment = 1 << 16};
}

Convolution picture() {
  return {.signal_lengths = {300, 200},
          .kernel_lengths = {41, 40},
          .mode = Convolution::Mode::same,
          .boundary = Boundary::reflect,
          .method = Convolution::Method::whole};
}

// Not more than for few, of which three cannot all be paired. Results of all filters stay in memory for
// post-processing, which is a kernel for all of them as well.
TEST(WholeConvolver, HasNoMoreKernelsAndLaunchesForManyFilters) {
  Convolution processed = whole();
  processed.complex = true;
  processed.post = {.function = PostProcessing::Function::power, .decimation = 2};
  for (const Convolution& convolution : {whole(), in_segments(), picture(), processed}) {
    for (const char* device : {"nvidia-cuda", "small"}) {
      const bool segments = convolution.method == Convolution::Method::overlap_save;
      const Use few = use_of(convolution, 3, device);
      const Use many = use_of(convolution, segments ? 6 : 30, device);
      EXPECT_LE(many.texts.size(), few.texts.size()) << to_string(convolution) << device;
      EXPECT_LE(many.filter_launches, few.filter_launches) << to_string(convolution) << device;
      if (segments) continue;
      EXPECT_LE(many.launches, few.launches) << to_string(convolution) << device;
    }
  }
}

// Slices of filters are launches, not kernels; those that are left over have one more set of them.
TEST(WholeConvolver, TakesManyFiltersInSlices) {
  Convolution long_lines = whole();
  long_lines.signal_lengths = {1 << 20};
  Convolution pictures = picture();
  pictures.signal_lengths = {1000, 1500};
  for (const Convolution& convolution : {long_lines, in_segments(), pictures}) {
    const Use one = use_of(convolution, 1);
    const Use some = use_of(convolution, 40);
    const Use many = use_of(convolution, 200);
    EXPECT_LE(many.texts.size(), some.texts.size() + one.texts.size()) << to_string(convolution);
    EXPECT_GT(many.launches, some.launches) << to_string(convolution);
    EXPECT_LE(many.scratch, one.scratch + (std::size_t{34} << 20)) << to_string(convolution);
  }
}

}  // namespace
}  // namespace twiddle
