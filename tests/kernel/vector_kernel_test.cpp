// The text of kernels that move two numbers at a time, as golden files; TWIDDLE_UPDATE_GOLDEN=1 writes them anew.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "support/golden.hpp"
#include "support/stage_list.hpp"

namespace twiddle::kernel {
namespace {

void expect_golden(const std::string& text, const std::string& name) {
  test::expect_golden(text, std::string(TWIDDLE_GOLDEN_FOLDER) + "/stage_" + name);
}

TEST(VectorKernelText, OfColumnsAndRowsEqualsTheGoldenFiles) {
  const std::map<std::string, std::string> chosen{{"VectorColumns", "vector_columns"},
                                                  {"VectorsOfRowsToColumns", "vectors_of_rows_to_columns"},
                                                  {"VectorRows", "vector_rows"}};
  std::size_t found = 0;
  for (const test::NamedStage& named : test::stages_of_every_kind(plan::named_limits("nvidia-opencl"))) {
    const auto file = chosen.find(named.name);
    if (file == chosen.end()) continue;
    ++found;
    EXPECT_EQ(named.stage.shape.vector, 2U) << named.name;
    expect_golden(stage_kernel(named.stage, Dialect::opencl).text, file->second + ".cl");
    expect_golden(stage_kernel(named.stage, Dialect::cuda).text, file->second + ".cu");
  }
  EXPECT_EQ(found, chosen.size());
}

// Through global memory and between the groups.
TEST(VectorKernelText, OfClustersEqualsTheGoldenFile) {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  limits.strategy.vector = 2;
  const Transform transform{.lengths = {16384}, .batch = 3};
  const auto stages = plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward,
                                  plan::Placement::out_of_place, limits)
                          .stages;
  ASSERT_EQ(stages.size(), 1U);
  ASSERT_EQ(stages[0].shape.vector, 2U);
  expect_golden(stage_kernel(stages[0], Dialect::cuda).text, "cluster_16384_vectors.cu");
}

}  // namespace
}  // namespace twiddle::kernel
