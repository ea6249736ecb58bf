// How lines by Bluestein's algorithm through memory are divided and shaped where that was measured.
#include "plan/shape/padded_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"

namespace twiddle::plan {
namespace {

using test::program_of;
using ::testing::ElementsAre;

TEST(PaddedLines, HaveTheMeasuredPartsThereAndBack) {
  for (const char* text : {"c2c:f32:500*65537:inplace", "c2c:f32:500*65537:inverse", "r2c:f32:1000*65537:inplace"}) {
    const Program program = program_of(text);
    ASSERT_GE(program.stages.size(), 3U);
    EXPECT_THAT(program.stages[0].radices, ElementsAre(16U, 32U)) << text;
    EXPECT_THAT(program.stages[1].radices, ElementsAre(16U, 16U)) << text;
    EXPECT_THAT(program.stages[2].radices, ElementsAre(16U, 32U)) << text;
    EXPECT_TRUE(program.stages[1].returns) << text;
    for (const std::size_t columns : {0U, 2U}) {
      EXPECT_EQ(program.stages[columns].shape.transforms_per_group, 16U) << text;
      EXPECT_EQ(program.stages[columns].shape.registers, 128U) << text;
    }
    EXPECT_EQ(program.stages[1].shape.transforms_per_group, 4U) << text;
    EXPECT_EQ(program.stages[1].shape.items_per_transform, 16U) << text;
    EXPECT_EQ(program.stages[1].shape.root_step, 4U) << text;
  }
}

TEST(PaddedLines, HaveThemInDoublesAndForLongerLines) {
  EXPECT_THAT(program_of("c2c:f64:511*65537").stages[0].radices, ElementsAre(8U, 8U, 8U));
  EXPECT_THAT(program_of("c2c:f64:511*65537").stages[1].radices, ElementsAre(16U, 16U));
  EXPECT_THAT(program_of("c2c:f32:67*1000003").stages[1].radices, ElementsAre(32U, 32U));
  EXPECT_THAT(program_of("c2c:f64:33*1000003").stages[1].radices, ElementsAre(16U, 16U, 4U));
  EXPECT_EQ(program_of("c2c:f64:33*1000003").stages[0].shape.transforms_per_group, 4U);
}

// Some are slower there.
TEST(PaddedLines, HaveThoseThatAreFasterThroughOpenCl) {
  const DeviceLimits opencl = named_limits("nvidia-opencl");
  EXPECT_EQ(program_of("c2c:f32:500*65537", opencl).stages[0].shape.registers, 128U);
  EXPECT_TRUE(padded_choice(131072, 500, opencl));
  EXPECT_FALSE(padded_choice(std::uint64_t{2048} * 1024, 67, opencl));
  EXPECT_FALSE(padded_choice(131072, 500, limits_for(opencl, Precision::float64)));
  EXPECT_TRUE(padded_choice(std::uint64_t{2048} * 1024, 33, limits_for(opencl, Precision::float64)));
}

// Of few lines tiles are narrower, and where another device is, or other passes are asked for, nothing was measured.
TEST(PaddedLines, AreDividedAsUsualElse) {
  EXPECT_NE(program_of("c2c:f32:65537").stages[0].length, 512U);
  EXPECT_NE(program_of("c2c:f32:500*65537", named_limits("small")).stages[0].shape.registers, 128U);
  EXPECT_NE(program_of("c2c:f32:65537x500:axes=0").stages[0].shape.registers, 128U);
  DeviceLimits limits = named_limits("nvidia-cuda");
  ChoiceTable choices;
  choices.set(line_key(256, LineUse::rows, Precision::float32), {.stage = {{4, 8, 8}, 32, 2}});
  limits.choices = std::make_shared<const ChoiceTable>(choices);
  EXPECT_FALSE(padded_choice(131072, 500, limits));
  EXPECT_FALSE(padded_choice(131072, 2, named_limits("nvidia-cuda")));
  EXPECT_FALSE(padded_choice(131712, 500, named_limits("nvidia-cuda")));
  EXPECT_TRUE(padded_choice(131072, 500, named_limits("nvidia-cuda")));
}

// A plain column of as many points carries no chirp.
TEST(PaddedLines, AreNoOtherLines) {
  Stage stage = program_of("c2c:f32:500*65537:inplace").stages[0];
  EXPECT_TRUE(padded_part(stage, named_limits("nvidia-cuda")));
  stage.load_factor.reset();
  EXPECT_FALSE(padded_part(stage, named_limits("nvidia-cuda")));
}

}  // namespace
}  // namespace twiddle::plan
