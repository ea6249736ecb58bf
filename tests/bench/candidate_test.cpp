// Ways to compute problems as text: what they make of a program, and what is refused.
#include "candidate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <limits>

#include "candidate_contest.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/planes.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Property;

plan::Program program_of(const char* line) {
  return bench::candidate_program(bench::parse_candidate(line), plan::named_limits("nvidia-cuda"));
}

template <class Thrown>
std::string refusal(const char* line) {
  try {
    (void)program_of(line);
  } catch (const Thrown& error) {
    return error.what();
  }
  return "none";
}

TEST(Candidate, IsImagesInOneLaunch) {
  const plan::Program program =
      program_of("c2c:f32:900*16x24:inplace images 4.6/4x4 4.4/4x4 registers=64 groups=2 ahead=2048");
  ASSERT_TRUE(program.joined);
  EXPECT_EQ(program.joined->groups, 264U);
  EXPECT_EQ(program.joined->lag, 2048U * 2 / 3);
  EXPECT_THAT(program.stages[0].radices, ElementsAre(4U, 6U));
  EXPECT_EQ(program.stages[0].shape.registers, 64U);
  EXPECT_EQ(program.stages[1].shape.transforms_per_group, 4U);
}

TEST(Candidate, IsAStageThatFetchesTilesAheadOrClustersShare) {
  const plan::KernelShape tiles =
      program_of("c2c:f32:9*1024x96:axes=0 stage 32.32/32x16 exchange=split fetch=2 twiddle=gathered").stages[0].shape;
  EXPECT_TRUE(tiles.prefetch);
  EXPECT_EQ(tiles.groups, 264U);
  EXPECT_FALSE(tiles.column_roots);
  EXPECT_FALSE(program_of("c2c:f32:4096*16384 stage 32.32.16/512 fetch=0").stages[0].shape.prefetch);
  EXPECT_EQ(program_of("c2c:f32:2048*32768 stage 16.16.8.16/512 cluster=4").stages[0].shape.groups_per_transform, 4U);
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:9*1024x96:axes=0 stage 32.32/32x16 exchange=complex fetch=1"),
              HasSubstr("do not allow"));
}

// Divided as the way says, whatever the plan has: of complex numbers and of reals, there and back.
TEST(Candidate, IsLinesInOneLaunch) {
  for (const char* problem : {"c2c:f32:900*512:inplace", "r2c:f32:900*1024:inplace", "c2r:f32:900*1024"}) {
    const plan::Program program =
        program_of(fmt::format("{} lines 4.4/4x8 4.8/8x4 registers=64 groups=3 ring=300 lag=800", problem).c_str());
    ASSERT_TRUE(program.joined) << problem;
    EXPECT_EQ(program.joined->ring, 300U) << problem;
    EXPECT_EQ(program.joined->line_elements, 512U) << problem;
    EXPECT_THAT(program.stages[0].radices, ElementsAre(4U, 4U)) << problem;
    EXPECT_THAT(program.stages[1].radices, ElementsAre(4U, 8U)) << problem;
  }
}

// A stage of a single pass would write over what another line's still reads.
TEST(Candidate, IsNoLaunchOfStagesThatNeverMeet) {
  EXPECT_TRUE(program_of("c2c:f32:900*512 lines 8.2/8x1 4.8/8x1 ring=300 lag=800").joined);
  for (const char* refused : {"c2c:f32:900*512 lines 16/1x8 4.8/8x1 ring=300 lag=800",
                              "c2c:f32:900*512 lines 4.8/8x1 16/1x8 ring=300 lag=800",
                              "c2c:f32:900*16x24:inplace images 24/1x16 4.4/4x4 groups=2 ahead=2048"}) {
    EXPECT_THAT(refusal<Unsupported>(refused), HasSubstr("do not allow")) << refused;
  }
}

// Also of planes that plans have in one launch already.
TEST(Candidate, IsPlanesInOneLaunch) {
  const plan::Program program =
      program_of("c2c:f32:16384*64x64:inplace planes 16.4/4 8.8/8 registers=80 exchange=split");
  ASSERT_TRUE(program.planes);
  EXPECT_THAT(program.stages[0].radices, ElementsAre(16U, 4U));
  EXPECT_EQ(program.stages[0].shape.exchange, plan::KernelShape::Exchange::split);
  EXPECT_EQ(program.stages[1].shape.registers, 80U);
}

TEST(Candidate, IsAStageOfAnotherShape) {
  const plan::Program program =
      program_of("c2c:f32:5000*100x343 stage 49.7/7x9 registers=40 exchange=split roots=4 cache=past vector=2");
  ASSERT_EQ(program.stages.size(), 2U);
  const plan::KernelShape& shape = program.stages[0].shape;
  EXPECT_THAT(program.stages[0].radices, ElementsAre(49U, 7U));
  EXPECT_EQ(shape.items_per_transform, 7U);
  EXPECT_EQ(shape.transforms_per_group, 9U);
  EXPECT_EQ(shape.registers, 40U);
  EXPECT_EQ(shape.exchange, plan::KernelShape::Exchange::split);
  EXPECT_EQ(shape.root_step, 4U);
  EXPECT_TRUE(shape.past_cache);
  EXPECT_EQ(shape.vector, 2U);
  EXPECT_EQ(program_of("c2c:f32:5000*100x343 stage 5.20/20x8 first=1").stages[1].shape.items_per_transform, 20U);
}

TEST(Candidate, IsALineDividedOtherwise) {
  const plan::Program program = program_of("c2c:f64:32*1048575:inplace divided 11.31.3/33x4 41.25/41x8 cache=usual");
  ASSERT_EQ(program.stages.size(), 2U);
  EXPECT_EQ(program.stages[0].length, 1023U);
  EXPECT_THAT(program.stages[1].radices, ElementsAre(41U, 25U));
  EXPECT_EQ(program.stages[1].shape.transforms_per_group, 8U);
  EXPECT_FALSE(program.stages[0].shape.past_cache);
  const plan::Program whole = program_of("c2c:f64:2796*12000:inplace divided 20.24.25/600x1 exchange=split");
  ASSERT_EQ(whole.stages.size(), 1U);
  EXPECT_EQ(whole.stages[0].length, 12000U);
  const plan::Program parts = program_of("c2c:f32:16777216 divided 16.8/8x16 16.32/16x8 16.16/16x8");
  ASSERT_EQ(parts.stages.size(), 3U);
  EXPECT_EQ(parts.stages[1].length, 512U);
  EXPECT_EQ(parts.stages[2].shape.transforms_per_group, 8U);
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:4096 divided"), HasSubstr("expected 1"));
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:4096 divided 16.16/16x8"), HasSubstr("do not allow"));
}

TEST(Candidate, IsALinePaddedOtherwise) {
  const plan::Program program = program_of("c2c:f32:100*65537:inplace padded 24.14/14x16 28.14/14x9");
  ASSERT_EQ(program.stages.size(), 3U);
  EXPECT_THAT(program.stages[0].radices, ElementsAre(24U, 14U));
  EXPECT_TRUE(program.stages[1].returns);
  EXPECT_EQ(program.stages[1].shape.transforms_per_group, 9U);
  EXPECT_EQ(program.stages[2].shape.transforms_per_group, 16U);
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:100*65537 padded 16.16/16 16.16/16"), HasSubstr("do not allow"));
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:100*1000 padded 16.16/16 16.16/16"), HasSubstr("do not allow"));
}

TEST(Candidate, StoresTogetherOrApart) {
  EXPECT_TRUE(program_of("c2c:f32:1000*80 stage 8.10/10x6 store=together").stages[0].shape.stores_together);
  EXPECT_FALSE(program_of("c2c:f32:1000*60 stage 5.12/12x6 store=apart").stages[0].shape.stores_together);
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:80x1000:axes=0 stage 8.10/10x6 store=together"), HasSubstr("do not allow"));
}

// A butterfly in place of Rader's algorithm.
TEST(Candidate, HasPassesForAConvolution) {
  const plan::Program program = program_of("r2c:f64:6000*61:inplace stage 61/1x32 registers=200");
  ASSERT_EQ(program.stages.size(), 1U);
  EXPECT_FALSE(program.stages[0].convolution);
  EXPECT_TRUE(program.stages[0].shape.stage_through_local);
  EXPECT_EQ(program.stages[0].shape.transforms_per_group, 32U);
}

// Bluestein's algorithm takes as many points as the passes have, where these do.
TEST(Candidate, HasAConvolutionOfOtherPoints) {
  const plan::Program program = program_of("c2c:f32:16372*4099:inplace stage 14.28.21/294x1");
  ASSERT_TRUE(program.stages[0].convolution);
  EXPECT_EQ(program.stages[0].convolution->points, 8232U);
  EXPECT_EQ(program.stages[0].shape.items_per_transform, 294U);
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:16372*4099:inplace stage 16.16.32/256x1"), HasSubstr("do not allow"));
}

// Also where the plan has none.
TEST(Candidate, HasAConvolutionInPlaceOfPasses) {
  const plan::Stage stage = program_of("c2c:f32:1000*43 stage 7.6/7x8").stages[0];
  ASSERT_TRUE(stage.convolution);
  EXPECT_EQ(stage.convolution->algorithm, plan::Convolution::Algorithm::rader);
}

TEST(Candidate, GoesBackAsItWentThere) {
  EXPECT_TRUE(program_of("c2c:f32:1000*53 stage 2.13.2/26x2 back=same").stages[0].shape.same_way_back);
  EXPECT_FALSE(program_of("c2c:f32:53 stage 2.13.2/26x2 back=mirrored").stages[0].shape.same_way_back);
  EXPECT_FALSE(program_of("c2c:f32:1000*53 stage 4.13/13x4").stages[0].shape.same_way_back);
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:1000*53 stage 4.13/13x4 back=same"), HasSubstr("do not allow"));
}

TEST(Candidate, SumsTheResultsOfARow) {
  const plan::KernelShape shape = program_of("dct2:f64:31 stage 31/31").stages[0].shape;
  EXPECT_EQ(shape.items_per_transform, 31U);
  EXPECT_EQ(shape.exchange, plan::KernelShape::Exchange::complex);
  EXPECT_TRUE(shape.dependent_launch);
  for (const char* refused :
       {"c2c:f32:31 stage 31/30", "c2c:f32:31 stage 31/31x2", "c2c:f32:31x4:axes=0 stage 31/31"}) {
    EXPECT_THAT(refusal<Unsupported>(refused), HasSubstr("do not allow")) << refused;
  }
  EXPECT_TRUE(program_of("c2c:f32:31 direct").stages[0].direct);
}

// Real elements as the parts of half as many points.
TEST(Candidate, IsALineThatIsHalved) {
  const plan::Program halved = program_of("dct2:f32:256 divided 8.16/16 form=halved");
  ASSERT_EQ(halved.stages.size(), 1U);
  EXPECT_EQ(halved.stages[0].length, 128U);
  EXPECT_EQ(program_of("dct2:f32:256 divided 16.16/16 form=usual").stages[0].length, 256U);
  EXPECT_THAT(refusal<Unsupported>("dct2:f32:256 divided 16.16/16 form=halved"), HasSubstr("do not allow"));
  EXPECT_THAT(refusal<Unsupported>("dct2:f32:225 divided 15.15/15 form=halved"), HasSubstr("do not allow"));
}

TEST(Candidate, HasItsStagesApart) {
  const plan::Program program = program_of("c2c:f32:16384*64x64 apart");
  EXPECT_EQ(program.stages.size(), 2U);
  EXPECT_FALSE(program.planes);
}

// In the shape of a line that one work-item has, several would read and write beyond their local memory.
TEST(Candidate, ExchangesWhatOneItemHadAlone) {
  const plan::Program program = program_of("c2c:f32:5000*16 stage 4.4/4x32");
  EXPECT_FALSE(program.stages[0].shape.stage_through_local);
  EXPECT_EQ(program.stages[0].shape.exchange, plan::KernelShape::Exchange::complex);
  EXPECT_TRUE(program_of("c2c:f32:5000*16 stage 16/1x64").stages[0].shape.stage_through_local);
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:5000*16 stage 16/2x64"), HasSubstr("do not allow"));
}

TEST(Candidate, IsRefusedWithTheReason) {
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 waves 7.49/7"),
              HasSubstr("expected lines, divided, padded, images, planes, stage, direct or apart"));
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 stage 7.49"), HasSubstr("'7.49' are no passes"));
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 stage 7.4a/7"), HasSubstr("a radix is '4a'"));
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 stage 7.49/7x"), HasSubstr("the lines of a group is ''"));
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 stage 7.49/0x2"), HasSubstr("no work-items"));
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 stage 7.49/7 7.49/7"), HasSubstr("2 stages; expected 1"));
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 stage 7.49/7 ahead=3"), HasSubstr("stage knows no 'ahead'"));
  EXPECT_THAT(refusal<InvalidArgument>("c2c:f32:343 stage 7.49/7 exchange=none"),
              HasSubstr("expected split or complex"));
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:343 stage 7.7/7"), HasSubstr("do not allow"));
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:343 stage 7.49/7x200"), HasSubstr("do not allow"));
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:343 images 7.7/7 7.7/7"), HasSubstr("do not allow"));
  EXPECT_THAT(refusal<Unsupported>("c2c:f32:3*20x16x24 images 4.4/4x4 4.5/4x4 first=1"), HasSubstr("do not allow"));
  EXPECT_THROW(bench::parse_candidate("no problem"), InvalidArgument);
}

TEST(Candidate, StandsInALineOfAFile) {
  const std::string file = (std::filesystem::temp_directory_path() / fmt::format("ways_{}", ::getpid())).string();
  std::ofstream(file) << "# a note\n\nc2c:f32:343 stage 7.49/7\nc2c:f32:100\n";
  const auto candidates = bench::read_candidates(file);
  std::filesystem::remove(file);
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_EQ(candidates[0].problem, parse_problem("c2c:f32:343"));
  EXPECT_EQ(candidates[0].way, "stage 7.49/7");
  EXPECT_EQ(candidates[1].way, "");
  EXPECT_THROW((void)bench::read_candidates(file), std::runtime_error);
}

TEST(Candidate, ComplainsOfResultsThatAreNotThePlans) {
  const Problem problem = parse_problem("c2c:f32:2");
  const std::vector<std::complex<float>> expected{{1e-20F, 0}, {0, 1e-20F}};
  const auto complaint_of = [&](std::complex<float> second) {
    const std::vector<std::complex<float>> results{expected[0], second};
    bench::CandidateEntry entry{"stage"};
    bench::compare(entry, problem, std::as_bytes(std::span(expected)), std::as_bytes(std::span(results)));
    return entry.complaint;
  };
  EXPECT_EQ(complaint_of(expected[1]), "");
  EXPECT_EQ(complaint_of({0, 1.00001e-20F}), "");
  EXPECT_THAT(complaint_of({0, 1.0001e-20F}), HasSubstr("wrong result: 7."));
  EXPECT_THAT(complaint_of({0, std::numeric_limits<float>::quiet_NaN()}), HasSubstr("wrong result"));
}

// On a fake device, whose kernels do nothing, and whose events say that each turn took as long.
TEST(CandidateContest, TimesThePlanFirstAndNamesWhatCannotBe) {
  bench::CandidateContest contest(Device::open("cuda"), 1 << 16);
  for (const char* text : {"c2c:f32:2*16x24:inplace", "c2c:f64:2*16x24:inplace"}) {
    const auto entries =
        contest.measure(parse_problem(text), {"images 4.6/4x4 4.4/4x4 groups=1", "stage 5.5/5", "stage 6.4/6"}, 3,
                        {.repetitions = 2, .whole = true});
    ASSERT_EQ(entries.size(), 4U);
    EXPECT_EQ(entries[0].way, "plan");
    EXPECT_EQ(entries[3].way, "stage 6.4/6");
    for (const std::size_t right : {0U, 1U, 3U}) {
      EXPECT_EQ(entries[right].complaint, "");
      EXPECT_EQ(entries[right].milliseconds, 1.5);
    }
    EXPECT_THAT(entries[2].complaint, HasSubstr("do not allow"));
    EXPECT_EQ(entries[2].milliseconds, 0);
  }
  EXPECT_THROW((void)contest.measure(parse_problem("c2c:f32:8193"), {}, 3, {}), InvalidArgument);
}

// Of reals in place, rows are filled up but for the last one: arrays were taken for shorter than they are.
TEST(CandidateContest, ComparesWholeArrays) {
  bench::CandidateContest contest(Device::open("cuda"), 4 << 20);
  const auto entries = contest.measure(parse_problem("c2r:f32:8000*8x8:inplace"), {}, 3, {});
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].complaint, "");
}

}  // namespace
}  // namespace twiddle::test
