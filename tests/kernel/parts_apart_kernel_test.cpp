// The kernels of halves whose imaginary parts are apart from real ones, and of reals whose words are apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "support/golden.hpp"
#include "support/planned_program.hpp"

namespace twiddle::kernel {
namespace {

// Of two dimensions: rows that store a part of each number in scratch memory, and columns that load it from there.
void expect_golden_kernels(const char* problem, const std::string& name) {
  const DeviceLimits limits = plan::named_limits("nvidia-opencl");
  const auto stages = test::program_of(problem, limits).stages;
  ASSERT_EQ(stages.size(), 2U);
  const std::string file = std::string(TWIDDLE_GOLDEN_FOLDER) + "/" + name;
  for (const auto& [dialect, extension] : {std::pair{Dialect::opencl, ".cl"}, std::pair{Dialect::cuda, ".cu"}}) {
    EXPECT_TRUE(stage_kernel(stages[0], dialect).parts_apart);
    test::expect_golden(stage_kernel(stages[0], dialect).text, file + "_rows" + extension);
    test::expect_golden(stage_kernel(stages[1], dialect).text, file + "_columns" + extension);
  }
}

TEST(PartsApartKernel, EqualsTheGoldenFiles) { expect_golden_kernels("c2c:f16:4x5", "stage_parts_apart"); }

TEST(WordsApartKernel, EqualsTheGoldenFiles) { expect_golden_kernels("dct2:f16:4x5", "stage_words_apart"); }

// Pairs of results, of which each is made together with its mirror image, over what both are made of.
TEST(MirrorImagesKernel, EqualsTheGoldenFiles) {
  const auto stages = test::program_of("dct2:f16:65536", plan::named_limits("nvidia-cuda")).stages;
  const auto images = std::ranges::find_if(stages, &plan::Stage::mirrored);
  ASSERT_NE(images, stages.end());
  const std::string file = std::string(TWIDDLE_GOLDEN_FOLDER) + "/stage_mirror_images";
  test::expect_golden(stage_kernel(*images, Dialect::opencl).text, file + ".cl");
  test::expect_golden(stage_kernel(*images, Dialect::cuda).text, file + ".cu");
}

// The last reals of an odd line, whose frequencies take their places, turned.
TEST(OddRealsKernel, EqualsTheGoldenFiles) {
  const auto stages = test::program_of("dct2:f16:59049", plan::named_limits("nvidia-opencl")).stages;
  const auto reals = std::ranges::find_if(stages, [](const plan::Stage& stage) {
    return stage.store_bound && stage.store_bound->real_first && stage.store_factor;
  });
  ASSERT_NE(reals, stages.end());
  const std::string file = std::string(TWIDDLE_GOLDEN_FOLDER) + "/stage_odd_reals";
  test::expect_golden(stage_kernel(*reals, Dialect::opencl).text, file + ".cl");
  test::expect_golden(stage_kernel(*reals, Dialect::cuda).text, file + ".cu");
}

}  // namespace
}  // namespace twiddle::kernel
