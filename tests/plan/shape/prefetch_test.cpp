// Which lines and tiles are fetched ahead, by how many groups, and what is left to the other ways.
#include "plan/shape/prefetch.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "kernel/kernel_source.hpp"
#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "support/planned_program.hpp"
#include "twiddle/error.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

using test::program_of;

DeviceLimits cuda() { return named_limits("nvidia-cuda"); }

DeviceLimits without_copies() {
  DeviceLimits limits = cuda();
  limits.bulk_copies = false;
  return limits;
}

bool fetches(const std::string& text, const DeviceLimits& limits = cuda()) {
  for (const Stage& stage : program_of(text, limits).stages) {
    if (stage.shape.prefetch) return true;
  }
  return false;
}

// Of one of each sort that was measured to be faster so.
const std::vector<std::string>& fetched() {
  static const std::vector<std::string> problems{
      "c2c:f32:4096*16384:inplace", "c2c:f32:4096*16384:inverse", "c2c:f32:6710*10000:norm=ortho",
      "c2c:f32:4294*15625:inplace", "c2c:f32:8x400x16384:axes=2", "c2c:f32:2112*16384:in=1/batch=16385",
      "c2c:f32:3992*16807:inplace", "c2c:f64:4096*8192:inplace",  "c2c:f64:5114*6561",
      "c2c:f64:6710*5000:inplace",  "c2c:f64:5592*6000:inplace",  "r2c:f32:6710*20000:inplace",
      "r2c:f32:6710*20000"};
  return problems;
}

TEST(Prefetch, ServesLinesThatWereMeasuredToBeFasterSo) {
  for (const std::string& text : fetched()) {
    const Program program = program_of(text);
    ASSERT_EQ(program.stages.size(), 1U) << text;
    const KernelShape& shape = program.stages[0].shape;
    EXPECT_TRUE(shape.prefetch) << text;
    EXPECT_EQ(shape.transforms_per_group, 1U) << text;
    EXPECT_EQ(program.scratch_bytes, 0U) << text;
    EXPECT_NE(to_string(program.stages[0]).find("groups that fetch the next line ahead"), std::string::npos);
  }
}

// As many groups as are resident, however many lines there are; the text of the kernel is the same for all.
TEST(Prefetch, HasAsManyGroupsAsTheDeviceHolds) {
  DeviceLimits limits = cuda();
  const Stage many = program_of("c2c:f32:4096*16384", limits).stages[0];
  const Stage some = program_of("c2c:f32:3000*16384", limits).stages[0];
  EXPECT_EQ(many.shape.groups, 132U);
  EXPECT_EQ(many.shape, some.shape);
  const auto source = kernel::stage_kernel(many, kernel::Dialect::cuda);
  EXPECT_EQ(source.groups, 132U);
  EXPECT_EQ(source.text, kernel::stage_kernel(some, kernel::Dialect::cuda).text);
  limits.compute_units = 7;
  EXPECT_EQ(program_of("c2c:f32:112*16384", limits).stages[0].shape.groups, 7U);
}

// The line, what its items exchange, and what says that it is there.
TEST(Prefetch, KeepsWithinLocalMemory) {
  for (const std::string& text : fetched()) {
    const Stage stage = program_of(text).stages[0];
    EXPECT_LE(kernel::stage_kernel(stage, kernel::Dialect::cuda).local_memory, cuda().local_memory) << text;
  }
  EXPECT_EQ(prefetched_elements(16384, Precision::float32), 16386U);
  EXPECT_EQ(prefetched_elements(15625, Precision::float32), 15626U);
  EXPECT_EQ(prefetched_elements(8192, Precision::float64), 8192U);
}

// Few lines, other lengths, and lines of which more happens than was measured are planned as on a device without.
TEST(Prefetch, LeavesTheOthersAsTheyWere) {
  for (const char* text :
       {"c2c:f32:2111*16384", "c2c:f32:4096*4096", "c2c:f64:4096*10000", "c2c:f64:2111*8192", "c2c:f16:4096*16384",
        "c2c:f32:4096*16384:load=alternate", "c2c:f32:4096*16384:nonzero=10000", "c2c:f32:4096*16384:wanted=9000",
        "c2c:f32:4096*16384:in=planar", "c2c:f32:16384x4000:axes=0", "r2c:f32:4000*20000:inverse",
        "dct2:f32:4000*20000", "c2c:f32:4000*16384:in=4000/batch=1", "r2c:f32:4000*10000", "c2c:f32:4000*6000"}) {
    EXPECT_EQ(program_of(text), program_of(text, without_copies())) << text;
    EXPECT_FALSE(fetches(text)) << text;
  }
}

// Of columns: one of each sort that was measured to be faster so.
TEST(Prefetch, ServesTilesThatWereMeasuredToBeFasterSo) {
  struct Tiles {
    const char* problem;
    std::size_t stage;
    std::uint32_t transforms;
    bool column_roots;
  };
  for (const Tiles& each :
       {Tiles{"c2c:f32:64*1048576:inplace", 0, 16, true}, Tiles{"c2c:f32:33*2097152:inverse", 0, 16, true},
        Tiles{"c2c:f32:8*2160x3840:inplace", 1, 4, false}, Tiles{"c2c:f64:33*1000x1000", 1, 8, false}}) {
    const Stage stage = program_of(each.problem).stages.at(each.stage);
    EXPECT_TRUE(fetches_tiles(stage.shape)) << each.problem;
    EXPECT_EQ(stage.shape.groups, 132U) << each.problem;
    EXPECT_EQ(stage.shape.transforms_per_group, each.transforms) << each.problem;
    EXPECT_EQ(stage.shape.column_roots, each.column_roots) << each.problem;
    const auto source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
    EXPECT_EQ(source.groups, 132U) << each.problem;
    EXPECT_LE(source.local_memory, cuda().local_memory) << each.problem;
    EXPECT_FALSE(fetches(each.problem, without_copies())) << each.problem;
  }
}

// Few tiles, tiles with columns of two images, rows that begin between multiples of 16 bytes, reals, and what else
// happens to elements; other devices, strategies, and what was tuned.
TEST(Prefetch, LeavesOtherTilesAsTheyWere) {
  for (const char* text :
       {"c2c:f32:2*2160x3840", "c2c:f32:16*2160x1922:axes=0", "c2c:f32:16*2160x1921:axes=0", "r2c:f32:16*2160x3840",
        "c2c:f32:8*2160x3840:axes=0:load=alternate", "c2c:f32:8*2160x3840:axes=0:in=planar", "c2c:f32:16*1048576",
        "c2c:f64:33*1048576", "c2c:f32:33*1000x1000"}) {
    EXPECT_EQ(program_of(text), program_of(text, without_copies())) << text;
  }
  DeviceLimits limits = cuda();
  limits.strategy.algorithm = Strategy::Algorithm::fft;
  EXPECT_FALSE(fetches("c2c:f32:8*2160x3840", limits));
  limits = cuda();
  limits.local_memory = 99 * 1024;
  EXPECT_FALSE(fetches("c2c:f32:8*2160x3840", limits));
  limits = cuda();
  auto table = std::make_shared<ChoiceTable>();
  table->set({2160, LineUse::columns, Precision::float32}, {0, {{20, 18, 6}, 120, 4}});
  limits.choices = table;
  EXPECT_FALSE(fetches("c2c:f32:8*2160x3840", limits));
}

TEST(Prefetch, NeedsADeviceThatHasIt) {
  for (const std::string& text : fetched()) {
    EXPECT_FALSE(fetches(text, without_copies())) << text;
    for (const char* name : {"host", "nvidia-opencl", "small", "mali"}) {
      EXPECT_FALSE(fetches(text, named_limits(name))) << text << " on " << name;
    }
  }
  const Stage stage = program_of(fetched()[0]).stages[0];
  EXPECT_THROW((void)kernel::stage_kernel(stage, kernel::Dialect::opencl), Unsupported);
}

// GeForce cards that have bulk copies have 99 KiB of local memory, less than a line and what is exchanged.
TEST(Prefetch, NeedsAsMuchLocalMemoryAsWasMeasuredWith) {
  DeviceLimits smaller = cuda();
  smaller.local_memory = 99 * 1024;
  DeviceLimits without = smaller;
  without.bulk_copies = false;
  for (const std::string& text : fetched()) EXPECT_EQ(program_of(text, smaller), program_of(text, without)) << text;
  smaller = cuda();
  smaller.max_group_size = 512;
  EXPECT_FALSE(fetches("c2c:f32:5592*12000", smaller));
}

// A strategy speaks of groups that hold a line each; what was tuned goes before what was measured elsewhere.
TEST(Prefetch, GivesWayToStrategiesAndTunedChoices) {
  DeviceLimits limits = cuda();
  limits.strategy.algorithm = Strategy::Algorithm::fft;
  EXPECT_FALSE(fetches("c2c:f32:4096*16384", limits));
  limits = cuda();
  auto table = std::make_shared<ChoiceTable>();
  table->set({16384, LineUse::rows, Precision::float32}, {0, {{16, 32, 32}, 512, 1}});
  table->set({12000, LineUse::rows, Precision::float32}, {0, {{20, 20, 30}, 400, 1}});  // the same radices
  limits.choices = table;
  EXPECT_FALSE(fetches("c2c:f32:4096*16384", limits));
  EXPECT_FALSE(fetches("c2c:f32:5592*12000", limits));
  EXPECT_TRUE(fetches("c2c:f32:6710*10000", limits));
}

TEST(Prefetch, OfKernelsIsOfPlainLinesOnly) {
  const Stage stage = program_of("c2c:f32:4096*16384").stages[0];
  const auto refused = [&](const auto& change) {
    Stage changed = stage;
    change(changed);
    EXPECT_THROW((void)kernel::stage_kernel(changed, kernel::Dialect::cuda), Unsupported) << to_string(changed);
  };
  refused([](Stage& changed) { changed.shape.transforms_per_group = 2; });
  refused([](Stage& changed) { changed.shape.groups = 0; });
  refused([](Stage& changed) { changed.shape.exchange_rounds = 2; });
  refused([](Stage& changed) { changed.shape.load = KernelShape::Lanes::transforms; });
  refused([](Stage& changed) { changed.input_stride = 2; });
  refused([](Stage& changed) { changed.input_storage.precision = Precision::float64; });
  refused([](Stage& changed) { changed.load_bound = Bound{100, 1, {0}}; });
  refused([](Stage& changed) { changed.launched_loops = 1; });
  const Stage tiles = program_of("c2c:f32:8*2160x3840").stages[1];
  const auto refused_of_tiles = [&](const auto& change) {
    Stage changed = tiles;
    change(changed);
    EXPECT_THROW((void)kernel::stage_kernel(changed, kernel::Dialect::cuda), Unsupported) << to_string(changed);
  };
  refused_of_tiles([](Stage& changed) { changed.shape.transforms_per_group = 7; });  // no divisor
  refused_of_tiles([](Stage& changed) { changed.shape.store = KernelShape::Lanes::elements; });
  refused_of_tiles([](Stage& changed) { changed.shape.vector = 2; });
  refused_of_tiles([](Stage& changed) { changed.input_offset = 1; });
  refused_of_tiles([](Stage& changed) { changed.input_stride = 3841; });
  refused_of_tiles([](Stage& changed) { changed.loops[0].input_stride = 2; });
  refused_of_tiles([](Stage& changed) { changed.loops[1].input_stride = 3841; });
}

}  // namespace
}  // namespace twiddle::plan
