// The kernels of halves whose imaginary parts are apart from real ones, and of reals whose words are apart.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "support/golden.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::kernel {
namespace {

// Rows that store imaginary parts in scratch memory, and columns that load them from there.
TEST(PartsApartKernel, EqualsTheGoldenFiles) {
  const DeviceLimits limits = plan::named_limits("nvidia-opencl");
  const auto [transform, direction, placement] = parse_problem("c2c:f16:4x5");
  const auto stages = plan::lower(plan::make_recipe(transform, limits), transform, direction, placement, limits).stages;
  ASSERT_EQ(stages.size(), 2U);
  const std::string folder = std::string(TWIDDLE_GOLDEN_FOLDER) + "/stage_parts_apart_";
  for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
    EXPECT_TRUE(stage_kernel(stages[0], dialect).parts_apart);
    test::expect_golden(stage_kernel(stages[0], dialect).text, folder + "rows" + extension);
    test::expect_golden(stage_kernel(stages[1], dialect).text, folder + "columns" + extension);
  }
}

// Rows that store lower words in scratch memory, and columns that load them from there.
TEST(WordsApartKernel, EqualsTheGoldenFiles) {
  const DeviceLimits limits = plan::named_limits("nvidia-opencl");
  const auto [transform, direction, placement] = parse_problem("dct2:f16:4x5");
  const auto stages = plan::lower(plan::make_recipe(transform, limits), transform, direction, placement, limits).stages;
  ASSERT_EQ(stages.size(), 2U);
  const std::string folder = std::string(TWIDDLE_GOLDEN_FOLDER) + "/stage_words_apart_";
  for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
    EXPECT_TRUE(stage_kernel(stages[0], dialect).parts_apart);
    test::expect_golden(stage_kernel(stages[0], dialect).text, folder + "rows" + extension);
    test::expect_golden(stage_kernel(stages[1], dialect).text, folder + "columns" + extension);
  }
}

}  // namespace
}  // namespace twiddle::kernel
