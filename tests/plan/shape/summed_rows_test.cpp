// Which rows are summed by as many work-items as points.
#include "plan/shape/summed_rows.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "kernel/kernel_source.hpp"
#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/exchange_shape.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::first_stage;

bool is_summed(const char* text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
  const Program program = test::program_of(text, limits);
  return program.stages.size() == 1 && plan::is_summed(program.stages[0], program.stages[0].shape);
}

TEST(SummedRows, AreFewOfOneLargeButterfly) {
  for (const char* text :
       {"c2c:f32:41", "c2c:f64:43*43:inverse", "r2c:f32:41", "c2r:f64:43", "dct2:f32:43", "dct4:f64:41:inplace",
        "dht:f32:2*43", "c2c:f32:43:load=alternate", "c2c:f32:20", "dct2:f64:31", "dct4:f32:64", "r2c:f32:4*46"}) {
    EXPECT_TRUE(is_summed(text)) << text;
  }
  const KernelShape shape = first_stage("c2c:f64:30*43").shape;
  EXPECT_EQ(shape.items_per_transform, 43U);
  EXPECT_EQ(shape.transforms_per_group, 1U);
  EXPECT_EQ(shape.exchange, KernelShape::Exchange::complex);
  EXPECT_TRUE(shape.dependent_launch);
}

// Compilers load neighbours together, and would go past the end where that is within two that they load.
TEST(SummedRows, HaveLocalMemoryForWholeFours) {
  for (const char* text : {"c2c:f32:41", "c2c:f32:43", "c2c:f64:25"}) {
    const Stage stage = first_stage(text);
    EXPECT_EQ(local_points(stage, stage.shape), (stage.length + 3) / 4 * 4) << text;
    EXPECT_EQ(kernel::stage_kernel(stage, kernel::Dialect::cuda).local_memory,
              (stage.length + 3) / 4 * 4 * 2 * scalar_bytes(stage.precision))
        << text;
  }
}

TEST(SummedRows, AreNeitherManyNorColumnsNorOfOtherPoints) {
  for (const char* text : {"c2c:f32:44*41", "c2c:f32:41x5:axes=0", "c2c:f32:47", "c2c:f32:19", "c2c:f32:82"}) {
    EXPECT_FALSE(is_summed(text)) << text;
  }
}

TEST(SummedRows, AreNotThoseOfOtherDevicesAndTunedOnes) {
  EXPECT_TRUE(is_summed("c2c:f32:41", named_limits("nvidia-opencl")));
  EXPECT_FALSE(is_summed("c2c:f32:41", named_limits("small")));
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.compute_units = 20;  // of which none was measured
  EXPECT_FALSE(is_summed("c2c:f32:41", limits));
  limits = named_limits("nvidia-cuda");
  limits.strategy.exchange = Strategy::Exchange::split;
  EXPECT_FALSE(is_summed("c2c:f32:41", limits));
  limits.strategy = {};
  auto table = std::make_shared<ChoiceTable>();
  table->set({41, LineUse::rows, Precision::float32}, {0, {{41}, 1, 64}});
  limits.choices = table;
  EXPECT_FALSE(is_summed("c2c:f32:41", limits));
}

}  // namespace
}  // namespace twiddle::plan
