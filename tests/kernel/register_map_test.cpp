// Maps of lines that a work-item has all of in its registers: without local memory, short lines take one stage.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "support/golden.hpp"
#include "support/planned_program.hpp"

namespace twiddle::kernel {
namespace {

TEST(RegisterMapKernel, EqualsTheGoldenFiles) {
  for (const auto& [problem, name] :
       {std::pair{"dct2:f32:2*9", "stage_register_map"}, std::pair{"r2c:f16:3*24", "stage_register_spectrum"}}) {
    const auto stages = test::program_of(problem, plan::named_limits("mali")).stages;
    ASSERT_EQ(stages.size(), 1U) << problem;
    const std::string file = std::string(TWIDDLE_GOLDEN_FOLDER) + "/" + name;
    test::expect_golden(stage_kernel(stages.front(), Dialect::opencl).text, file + ".cl");
    test::expect_golden(stage_kernel(stages.front(), Dialect::cuda).text, file + ".cu");
  }
}

TEST(RegisterMapKernel, OfShortRealLinesNeedsNeitherLocalNorScratchMemory) {
  const DeviceLimits limits = plan::named_limits("mali");
  for (const char* kind : {"r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"}) {
    for (const int length : {2, 3, 4, 7, 8, 9, 13, 17}) {
      const std::string problem = fmt::format("{}:f16:5*{}:inplace", kind, length);
      const plan::Program program = test::program_of(problem, limits);
      EXPECT_EQ(program.scratch_bytes, 0U) << problem;
      for (const plan::Stage& stage : program.stages) {
        EXPECT_EQ(stage_kernel(stage, Dialect::opencl).local_memory, 0U) << problem;
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::kernel
