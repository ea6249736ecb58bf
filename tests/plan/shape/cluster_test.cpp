// Which lines groups of a cluster share, and what is left to the other ways.
#include "plan/shape/cluster.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kernel/kernel_source.hpp"
#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

using test::program_of;

// Groups that share each line; 0 where there are several launches.
std::uint32_t groups_of(const char* text, const DeviceLimits& limits = named_limits("nvidia-cuda")) {
  const Program program = program_of(text, limits);
  return program.stages.size() == 1 ? program.stages[0].shape.groups_per_transform : 0;
}

TEST(Cluster, SharesLinesThatWereMeasuredToBeFasterSo) {
  for (const char* text : {"c2c:f32:32768", "c2c:f32:2048*32768:inplace", "c2c:f32:17*32768:inverse", "c2c:f16:3*32768",
                           "c2c:f32:16384", "c2c:f32:82*16384:inplace", "c2c:f32:3x32768:axes=1",
                           "c2c:f32:32768:nonzero=20000:wanted=30000", "c2c:f32:2*32768:norm=ortho:load=alternate"}) {
    EXPECT_EQ(groups_of(text), 8u) << text;
    EXPECT_EQ(program_of(text).scratch_bytes, 0u) << text;
  }
}

// An axis before may leave fewer lines than the recipe counted, none of which a single group holds.
TEST(Cluster, SharesLinesOfWhichOthersArePruned) {
  for (const char* text : {"c2c:f32:1024x65536:nonzero=100,65536", "c2c:f32:1024x65536:inverse:nonzero=100,65536",
                           "c2c:f16:256x65536:nonzero=128,65536"}) {
    EXPECT_EQ(program_of(text).stages.back().shape.groups_per_transform +
                  program_of(text).stages.front().shape.groups_per_transform,
              9u)
        << text;
  }
}

// Of 65536 points two launches are faster for fewer lines, and both stages in one launch where nothing else happens.
TEST(Cluster, SharesLongerLinesWhereThereAreMany) {
  EXPECT_EQ(groups_of("c2c:f32:256*65536:load=alternate"), 8u);
  EXPECT_EQ(groups_of("c2c:f16:1024*65536:inplace"), 8u);
  EXPECT_EQ(groups_of("c2c:f32:128*65536:load=alternate"), 0u);
  EXPECT_EQ(groups_of("c2c:f32:1024*65536:inplace"), 0u);
}

// Beyond 82 lines of 16384 points a group holds a line; other lengths, precisions and kinds were not measured.
TEST(Cluster, LeavesTheOthersAsTheyWere) {
  DeviceLimits before = named_limits("nvidia-cuda");
  before.largest_cluster = 1;
  for (const char* text : {"c2c:f32:83*16384", "c2c:f32:4096", "c2c:f32:20000", "c2c:f32:65536", "c2c:f64:32768",
                           "c2c:f64:16384", "r2c:f32:65536", "r2c:f32:32768", "dct2:f32:32768",
                           "c2c:f32:32768x4:axes=0", "c2c:f32:32749", "c2c:f32:4*32768:in=4/batch=1:out=4/batch=1"}) {
    const Program program = program_of(text);
    EXPECT_EQ(program, program_of(text, before)) << text;
    for (const Stage& stage : program.stages) EXPECT_EQ(stage.shape.groups_per_transform, 1u) << text;
  }
}

TEST(Cluster, NeedsADeviceThatHasThem) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.largest_cluster = 4;
  EXPECT_NE(groups_of("c2c:f32:32768", limits), 8u);
  EXPECT_EQ(groups_of("c2c:f32:16384", limits), 1u);
  for (const char* name : {"host", "nvidia-opencl", "small", "mali"})
    EXPECT_EQ(named_limits(name).largest_cluster, 1u) << name;
}

// A strategy speaks of single groups; what was tuned goes before what was measured elsewhere.
TEST(Cluster, GivesWayToStrategiesAndTunedChoices) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.strategy.algorithm = Strategy::Algorithm::fft;
  EXPECT_EQ(groups_of("c2c:f32:16384", limits), 1u);
  EXPECT_EQ(groups_of("c2c:f32:32768", limits), 0u);
  limits = named_limits("nvidia-cuda");
  auto table = std::make_shared<ChoiceTable>();
  table->set({32768, LineUse::rows, Precision::float32}, {128, {}});
  limits.choices = table;
  EXPECT_EQ(groups_of("c2c:f32:32768", limits), 0u);
  EXPECT_EQ(groups_of("c2c:f32:16384", limits), 8u);
}

// Four groups of 256 items fit side by side on a compute unit; fewer lines leave more registers to each.
TEST(Cluster, LeavesRoomForOthersWhereThereAreMany) {
  EXPECT_EQ(program_of("c2c:f32:2048*32768").stages[0].shape.registers, 64u);
  EXPECT_EQ(program_of("c2c:f32:264*32768").stages[0].shape.registers, 64u);
  EXPECT_EQ(program_of("c2c:f32:263*32768").stages[0].shape.registers, 80u);
  EXPECT_EQ(program_of("c2c:f32:33*16384").stages[0].shape.registers, 80u);
  EXPECT_EQ(program_of("c2c:f32:32*16384").stages[0].shape.registers, 128u);
  EXPECT_EQ(program_of("c2c:f32:32768").stages[0].shape.registers, 80u);
}

TEST(Cluster, DividesPassesEvenly) {
  EXPECT_EQ(column_passes({16, 8, 16, 16}, 8), 2u);
  EXPECT_EQ(column_passes({16, 8, 16, 8}, 8), 2u);
  EXPECT_EQ(column_passes({32, 32, 32}, 8), 1u);
  EXPECT_EQ(column_passes({5, 25, 10, 16}, 5), 2u);
  EXPECT_EQ(column_passes({4, 4}, 8), 0u);
  EXPECT_EQ(column_passes({}, 8), 0u);
}

TEST(Cluster, KernelsTakeWholeSharesOfPlainLinesOnly) {
  Stage stage = program_of("c2c:f32:2*32768").stages[0];
  EXPECT_EQ(kernel::stage_kernel(stage, kernel::Dialect::cuda).groups, 16u);
  EXPECT_THROW((void)kernel::stage_kernel(stage, kernel::Dialect::opencl), Unsupported);
  const auto refused = [&](const auto& change) {
    Stage changed = stage;
    change(changed);
    EXPECT_THROW((void)kernel::stage_kernel(changed, kernel::Dialect::cuda), Unsupported) << to_string(changed);
  };
  refused([](Stage& changed) { changed.shape.items_per_transform = 96; });
  refused([](Stage& changed) { changed.shape.transforms_per_group = 2; });
  refused([](Stage& changed) { changed.shape.exchange = KernelShape::Exchange::split; });
  refused([](Stage& changed) { changed.shape.groups_per_transform = 5; });
  refused([](Stage& changed) { changed.shape.load = KernelShape::Lanes::transforms; });
  refused([](Stage& changed) { changed.store_map = LineMap{LineMap::Rule::r2c_store, 65536, 32768, 32769}; });
}

}  // namespace
}  // namespace twiddle::plan
