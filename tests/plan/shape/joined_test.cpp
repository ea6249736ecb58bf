// Which pairs of stages are one launch, with what scratch memory, and what is left in two.
#include "plan/shape/joined.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <tuple>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/joined_images.hpp"
#include "support/planned_program.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::plan {
namespace {

using test::program_of;

TEST(Joined, TakesLinesThatWereMeasuredToBeFasterSo) {
  for (const char* text : {"c2c:f32:1024*65536",
                           "c2c:f32:192*65536:inverse:inplace",
                           "c2c:f32:112*131072:norm=ortho",
                           "c2c:f32:512*131072:inplace",
                           "c2c:f32:56*262144",
                           "c2c:f32:256*262144:inplace:inverse",
                           "c2c:f32:128*524288",
                           "c2c:f32:1136*59049:inplace",
                           "c2c:f32:850*78125:inverse",
                           "c2c:f64:1024*32768",
                           "c2c:f64:512*65536:inplace",
                           "c2c:f64:256*131072:inverse",
                           "c2c:f64:128*262144:norm=ortho",
                           "c2c:f32:4x64x262144:axes=2",
                           "c2c:f64:568*59049",
                           "c2c:f64:64*524288",
                           "r2c:f32:2047*65536:inplace",
                           "c2r:f32:2047*65536",
                           "r2c:f32:1023*131072",
                           "c2r:f32:1023*131072:inplace",
                           "c2r:f32:511*262144",
                           "c2r:f32:255*524288:inplace",
                           "c2r:f32:127*1048576",
                           "c2c:f64:400*12000:inplace",
                           "c2c:f64:320*15625",
                           "c2c:f64:300*16384:inplace:inverse",
                           "c2c:f64:300*16807",
                           "c2c:f64:260*19683:norm=ortho",
                           "c2c:f64:70*78125",
                           "c2c:f64:50*100000:inverse",
                           "r2c:f32:255*524288",
                           "r2c:f64:1023*65536:inplace",
                           "c2r:f64:1023*65536",
                           "r2c:f64:511*131072",
                           "c2r:f64:511*131072:inplace"}) {
    const Program program = program_of(text);
    ASSERT_TRUE(program.joined) << text;
    EXPECT_EQ(program.stages.size(), 2u) << text;
    EXPECT_EQ(program.scratch_bytes, program.joined->counters + program.joined->counter_bytes) << text;
    EXPECT_LT(program.scratch_bytes, std::uint64_t{33} << 20) << text;
    EXPECT_TRUE(joined_text(program, 0)) << text;
    EXPECT_FALSE(joined_text(program, 1)) << text;
  }
}

// An H100's cache is smaller, and its memory slower: rings are shorter, and some lines are one launch there alone.
TEST(Joined, DependsOnTheCacheThatTheDeviceShares) {
  DeviceLimits h100 = named_limits("nvidia-cuda");
  h100.level2_cache = std::size_t{50} << 20;
  for (const auto& [text, smaller, larger] : {std::tuple{"c2c:f32:256*262144:inplace", 10U, 12U},
                                              {"c2c:f64:64*524288:inplace", 3U, 4U},
                                              {"c2c:f64:512*65536", 26U, 31U},
                                              {"c2r:f32:511*262144:inplace", 14U, 17U}}) {
    EXPECT_EQ(program_of(text, h100).joined.value().ring, smaller) << text;
    EXPECT_EQ(program_of(text).joined.value().ring, larger) << text;
  }
  for (const char* text : {"c2c:f32:340*30000:inplace", "c2c:f64:170*30000:inplace", "r2c:f32:511*262144:inplace"}) {
    EXPECT_TRUE(program_of(text, h100).joined) << text;
    EXPECT_FALSE(program_of(text).joined) << text;
  }
}

// Few lines, what else happens to elements, other layouts, lengths and precisions.
TEST(Joined, LeavesTheOthersInTwoLaunches) {
  for (const char* text : {"c2c:f32:191*65536",
                           "c2c:f32:111*131072",
                           "c2c:f32:55*262144",
                           "c2c:f32:262144",
                           "c2c:f32:127*524288",
                           "c2c:f32:64*1048576",
                           "c2c:f64:1023*32768",
                           "c2c:f64:127*262144",
                           "c2c:f32:300*65536:load=alternate",
                           "c2c:f32:300*131072:nonzero=100000",
                           "c2c:f64:64*1048576",
                           "c2c:f16:256*262144",
                           "c2c:f32:339*30000",
                           "c2c:f64:399*12000",
                           "c2c:f64:16384",
                           "r2c:f32:510*262144",
                           "r2c:f32:127*1048576",
                           "r2c:f64:1022*65536",
                           "r2c:f64:2048*24000",
                           "c2r:f32:2046*65536",
                           "r2c:f32:2047*65536:load=alternate",
                           "r2c:f32:2047*65536:wanted=30000",
                           "c2c:f32:67*1000000",
                           "c2c:f32:256*262144:store=power",
                           "c2c:f32:256*262144:in=planar",
                           "c2c:f32:64x262144"}) {
    EXPECT_FALSE(program_of(text).joined) << text;
  }
}

// Where there are too few lines, or what was not measured happens to them, the recipe is what it is without.
TEST(Joined, DividesLinesForThatAlone) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const auto recipe = [&](const char* text) {
    return to_string(make_recipe(parse_problem(text).transform, limits).axes[0]);
  };
  EXPECT_EQ(recipe("c2c:f32:112*131072"), "131072 = [512 = 16.32] x [256 = 16.16]");
  EXPECT_EQ(recipe("c2c:f32:111*131072"), "131072 = [256 = 16.16] x [512 = 16.32]");
  EXPECT_EQ(recipe("c2c:f32:112*131072:store=power"), recipe("c2c:f32:111*131072"));
  EXPECT_EQ(recipe("c2c:f64:1024*32768"), "32768 = [256 = 16.16] x [128 = 8.16]");
  EXPECT_EQ(recipe("c2c:f64:1023*32768"), "32768 = [32 = 32] x [1024 = 32.32]");
}

TEST(Joined, NeedsADeviceLikeTheMeasuredOneAndNoOtherStrategy) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.strategy.vector = 1;
  EXPECT_FALSE(program_of("c2c:f32:256*262144", limits).joined);
  limits = named_limits("nvidia-cuda");
  limits.compute_units = 64;
  EXPECT_FALSE(program_of("c2c:f32:256*262144", limits).joined);
  EXPECT_FALSE(program_of("c2c:f32:256*262144", named_limits("nvidia-opencl")).joined);
}

// A line's rows would be written over columns of another that are not read yet.
TEST(Joined, LeavesLinesThatMoveWithinOneMemory) {
  EXPECT_TRUE(program_of("c2c:f32:192*65536:in=1/batch=65552:out=1/batch=65536").joined);
  EXPECT_FALSE(program_of("c2c:f32:192*65536:inplace:in=1/batch=65552:out=1/batch=65536").joined);
  EXPECT_FALSE(program_of("c2c:f32:192*65536:inplace:in=1/batch=65536/offset=16:out=1/batch=65536").joined);
  EXPECT_TRUE(program_of("c2c:f32:192*65536:inplace:in=1/batch=65552:out=1/batch=65552").joined);
}

// Whatever a ticket waits for must come before it.
TEST(Joined, KeepsALineAheadAndAPlaceForIt) {
  const Program two = program_of("c2c:f32:55*262144");
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const JoinedPart part{two.stages[0].radices, 16, 16};
  const auto join = [&](std::uint64_t ring, std::uint64_t lag) {
    return with_joined_lines(two, Placement::out_of_place, {part, part, 128, 1, ring, lag}, limits);
  };
  ASSERT_EQ(two.stages[0].radices, two.stages[1].radices);
  ASSERT_TRUE(join(4, 96));
  EXPECT_EQ(join(4, 96)->joined->parts, 32u);
  EXPECT_FALSE(join(4, 97));
  EXPECT_FALSE(join(4, 31));
  EXPECT_FALSE(join(1, 32));
}

// More local memory, or work-items, than a group has.
TEST(Joined, NeedsGroupsThatHoldTheirPart) {
  const Program two = program_of("c2c:f32:55*262144");
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const auto join = [&](std::uint32_t items, std::uint32_t transforms) {
    const JoinedPart part{two.stages[0].radices, items, transforms};
    return with_joined_lines(two, Placement::out_of_place, {part, part, 128, 1, 16, 40}, limits);
  };
  EXPECT_TRUE(join(16, 16));
  EXPECT_FALSE(join(16, 128));
  EXPECT_FALSE(join(16, 64));
}

// Rows of 24 points and columns of 16, 2 MiB of what is between them ahead.
std::optional<Program> in_one_launch(const char* text, std::size_t first = 0, std::uint32_t transforms = 4) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  const Problem problem = parse_problem(text);
  const Program program = program_of(text);
  if (program.stages.size() < first + 2) return std::nullopt;
  const auto part = [&](std::size_t stage, std::uint32_t together) {
    const std::uint64_t length = program.stages[stage].length;
    if (length == 12) return JoinedPart{{3, 4}, 4, together};
    return length == 24 ? JoinedPart{{4, 6}, 4, together} : JoinedPart{{4, 4}, 4, together};
  };
  const ImageChoice choice{part(first, transforms), part(first + 1, 4), 64, 2, 2048};
  return with_joined_images(program, problem.placement, first, choice, limits_for(limits, problem.transform.precision));
}

TEST(JoinedImages, AreOneLaunchWithCountersAlone) {
  for (const char* text :
       {"c2c:f32:900*16x24", "c2c:f32:900*16x24:inplace:inverse", "c2c:f64:900*16x24:norm=ortho",
        "r2c:f32:900*16x24:inplace", "r2c:f64:900*16x24", "c2r:f32:900*16x24:inplace", "c2c:f32:30x30x16x24:axes=2,3",
        "c2c:f32:900*16x24:in=30,1/batch=1000", "c2c:f32:900*16x24:inplace:in=30,1/batch=1000:out=30,1/batch=1000"}) {
    const auto program = in_one_launch(text);
    ASSERT_TRUE(program) << text;
    const Program::Joined& joined = *program->joined;
    EXPECT_EQ(joined.lines, 900u) << text;
    EXPECT_EQ(joined.ring, 0u) << text;
    EXPECT_EQ(joined.counters, 0u) << text;
    EXPECT_EQ(program->scratch_bytes, (joined_ticket_counters + 900) * joined_counter_bytes) << text;
    EXPECT_GE(joined.lag, joined.parts) << text;
    EXPECT_EQ(group_items(program->stages[0].shape), group_items(program->stages[1].shape)) << text;
    EXPECT_TRUE(are_one_launch(*program, 0)) << text;
    EXPECT_EQ(joined_text(*program, 0)->substr(0, 43), "in one launch of 264 groups, for 900 images") << text;
  }
}

TEST(JoinedImages, KeepAsMuchAheadAsIsAskedForOrThereIs) {
  const auto many = in_one_launch("c2c:f32:900*16x24");  // of 3 KiB, in 2 parts
  ASSERT_TRUE(many);
  EXPECT_EQ(many->joined->parts, 2u);
  EXPECT_EQ(many->joined->lag, 2048u * 2 / 3);
  EXPECT_EQ(in_one_launch("c2c:f32:5*16x24")->joined->lag, 10u);
  EXPECT_EQ(in_one_launch("c2c:f32:16x24")->joined->lag, 2u);
}

TEST(JoinedImages, AreTwoOfThreeDimensions) {
  const auto program = in_one_launch("c2c:f32:3*20x16x24");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->stages.size(), 3u);
  EXPECT_EQ(program->joined->lines, 60u);
  EXPECT_FALSE(are_one_launch(*program, 1));
}

// Where more happens to elements, where the stages pass them through scratch memory, where images are written over
// others that are still to be read, and where groups of the two stages differ.
TEST(JoinedImages, LeavesTheOthersInTwoLaunches) {
  for (const char* text : {"c2c:f32:16x24:load=alternate", "c2c:f32:16x24:store=power", "c2c:f32:16x24:nonzero=8,24",
                           "c2c:f16:16x24", "c2c:f32:16x24:in=planar", "dct2:f32:16x24", "c2r:f32:900*16x24",
                           "c2c:f32:9*16x24:inplace:in=24,1/batch=384:out=26,1/batch=416", "c2c:f32:9*24"}) {
    EXPECT_FALSE(in_one_launch(text)) << text;
  }
  EXPECT_FALSE(in_one_launch("c2c:f32:16x24", 0, 8));
  EXPECT_FALSE(in_one_launch("c2c:f32:16x24", 1));
}

TEST(JoinedImages, AreTakenWhereThatWasMeasuredToBeFaster) {
  for (const char* text : {"c2c:f32:96*256x256",
                           "c2c:f32:1024*256x256:inplace:inverse",
                           "c2c:f32:24*512x512:norm=ortho",
                           "c2c:f32:7*1024x1024:inplace",
                           "c2c:f64:192*128x128",
                           "c2c:f64:48*256x256:inverse",
                           "c2c:f64:12*512x512:inplace",
                           "c2c:f32:256x256x256",
                           "c2c:f64:2*128x128x128:inplace",
                           "c2c:f32:10x10x256x256:axes=2,3",
                           "c2c:f32:99*256x256:in=260,1/batch=70000",
                           "c2c:f32:512*256x512",
                           "c2c:f32:128*1024x512:inplace",
                           "c2c:f64:2330*120x120",
                           "r2c:f32:384*256x256:inplace",
                           "r2c:f32:72*512x512",
                           "r2c:f32:2*256x256x256",
                           "r2c:f64:2000*128x128",
                           "c2r:f64:1016*256x256:inplace",
                           "r2c:f32:20*1024x1024:inplace",
                           "c2r:f32:400*256x256:inplace",
                           "c2r:f32:75*512x512:inplace",
                           "c2r:f32:127*1024x1024:inplace"}) {
    const Program program = program_of(text);
    ASSERT_TRUE(program.joined) << text;
    EXPECT_EQ(program.joined->first, 0u) << text;
    EXPECT_EQ(program.joined->ring, 0u) << text;
    EXPECT_EQ(program.scratch_bytes, program.joined->counter_bytes) << text;
  }
}

// Few images, which the cache holds whole, reals, other lengths and precisions, what else happens to elements, other
// strategies and devices.
TEST(JoinedImages, AreNotTakenElsewhere) {
  for (const char* text : {"c2c:f32:95*256x256",
                           "c2c:f32:23*512x512",
                           "c2c:f32:6*1024x1024",
                           "c2c:f64:191*128x128",
                           "c2c:f64:47*256x256",
                           "c2c:f64:11*512x512",
                           "c2c:f64:32*1024x1024",
                           "c2c:f32:16*2048x2048",
                           "c2c:f32:1024*256x240",
                           "c2c:f32:511*256x512",
                           "r2c:f32:383*256x256",
                           "r2c:f32:71*512x512",
                           "r2c:f64:1016*256x256",
                           "r2c:f32:19*1024x1024:inplace",
                           "c2r:f32:399*256x256:inplace",
                           "c2r:f32:400*256x256",
                           "c2r:f32:126*1024x1024:inplace",
                           "c2r:f64:1016*256x256",
                           "c2c:f16:1024*256x256",
                           "c2c:f32:1024*256x256:load=alternate",
                           "c2c:f32:1024*256x256:nonzero=200,256",
                           "c2c:f32:1024*256x256:in=planar"}) {
    EXPECT_FALSE(program_of(text).joined) << text;
  }
  DeviceLimits limits = named_limits("nvidia-cuda");
  limits.strategy.vector = 1;
  EXPECT_FALSE(program_of("c2c:f32:1024*256x256", limits).joined);
  limits = named_limits("nvidia-cuda");
  limits.compute_units = 64;
  EXPECT_FALSE(program_of("c2c:f32:1024*256x256", limits).joined);
  EXPECT_FALSE(program_of("c2c:f32:1024*256x256", named_limits("nvidia-opencl")).joined);
}

// What was tuned on the device itself goes before.
TEST(JoinedImages, AreNotTakenWhereTheirLinesWereTuned) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  ChoiceTable choices;
  choices.set(line_key(256, LineUse::columns, Precision::float32), {.stage = {{16, 16}, 16, 16}});
  limits.choices = std::make_shared<const ChoiceTable>(choices);
  EXPECT_FALSE(program_of("c2c:f32:1024*256x256", limits).joined);
  EXPECT_TRUE(program_of("c2c:f32:256*512x512", limits).joined);
}

}  // namespace
}  // namespace twiddle::plan
