// Scratch memory is at most the data, the larger of input and output, for batches of every kind, but for what is listed
// here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "support/planned_program.hpp"
#include "support/sample.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class Scratch : public testing::TestWithParam<std::string> {
 protected:
  Scratch() : limits_(plan::named_limits(GetParam())) {}

  [[nodiscard]] ScratchSizes sizes(const std::string& text) const { return scratch_sizes(text, limits_); }

  DeviceLimits limits_;
};

// Where Bluestein's algorithm does not pad lines in memory. Lines of which half or a quarter is kept have an edge.
TEST_P(Scratch, IsAtMostTheDataInBatches) {
  constexpr double with_edge = 1.072;
  std::size_t sliced = 0, problems = 0;
  for (const char* kind : {"c2c", "r2c", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht"}) {
    for (const char* form :
         {"{}:f32:16*{}", "{}:f64:101*{}:inplace", "{}:f32:16*{}:inverse", "{}:f32:2*16x{}", "{}:f32:{}x17:axes=0",
          "{}:f16:20*{}:inverse:inplace", "{}:f32:16*{}:load=alternate:store=alternate"}) {
      for (const int n : {3375, 33075, 33601, 65625, 91125}) {
        if (!is_sampled(problems++, 3)) continue;
        const std::string text = fmt::format(fmt::runtime(form), kind, n);
        const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
        if (bluestein) continue;
        const bool half = parse_problem(text).transform.precision == Precision::float16;  // scratch memory is of floats
        EXPECT_LE(scratch, with_edge * data * (half ? 2 : 1)) << text;
        sliced += slices;
      }
    }
  }
  EXPECT_GE(sliced, every_case() ? 30U : 10U);
}

// Real lines of odd length, single and few ones as well. Without local memory, columns have the points of one pass, of
// which half and one row more are kept.
TEST_P(Scratch, OfHalvesIsTheDataAndAnEdge) {
  for (const char* text : {"r2c:f32:59049",
                           "r2c:f64:59049:inverse",
                           "r2c:f32:531441",
                           "r2c:f64:334125:inverse",
                           "r2c:f32:295245:load=power",
                           "dct2:f32:59049:inplace",
                           "dht:f32:531441",
                           "dct3:f64:531441",
                           "dst4:f32:98415",
                           "dst2:f32:3*98415:load=power",
                           "r2c:f32:1594323",
                           "r2c:f64:1594323:inverse",
                           "r2c:f32:3*1594323",
                           "r2c:f32:2*1594323:inverse",
                           "dct2:f32:1594323",
                           "dct3:f32:1594323",
                           "dht:f32:1594323",
                           "dct4:f32:1594323:inplace",
                           "dct2:f32:1594323:store=power",
                           "dht:f64:59049:store=alternate",
                           "dct3:f32:98415:load=power:store=alternate"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, (limits_.shape == DeviceLimits::Shape::staged ? 1.12 : 1.02) * data) << text;
  }
}

// Reals to reals by convolution as well: back from three parts in doubles, whose errors would add up, by copies.
TEST_P(Scratch, OfHalvesByConvolutionIsTheDataAndAnEdge) {
  const bool on_chip = limits_.shape == DeviceLimits::Shape::on_chip;
  for (const char* kind : {"dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"}) {
    for (const char* form : {"f64:30031", "f32:226981", "f32:2*100001:load=power", "f32:30031:inplace"}) {
      const auto [data, scratch, slices, bluestein, all_stages] = sizes(fmt::format("{}:{}", kind, form));
      if (bluestein) continue;
      EXPECT_LE(scratch, 1.092 * data) << kind << ':' << form;
    }
  }
  if (on_chip) limits_ = plan::named_limits("small");
  const auto there = sizes("dct2:f64:226981"), back = sizes("dct3:f64:226981");
  EXPECT_EQ(there.scratch > 1.092 * there.data, there.bluestein);
  EXPECT_EQ(back.scratch > 1.092 * back.data, back.bluestein);
  for (const char* text : {"dct2:f64:3599:norm=ortho", "dct3:f32:2*3599", "dct4:f64:3599:inplace", "dst2:f32:3599",
                           "dst3:f64:3599:load=alternate", "dst4:f32:3599", "dht:f64:3*3599:store=alternate"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Lines that would take several stages as a whole, two of which are one line where one stage holds them, are halved.
TEST_P(Scratch, OfHalvedLinesIsTheDataAndAnEdge) {
  std::size_t halved = 0;
  for (const char* text : {"dct2:f32:32768", "dct3:f64:16384:inplace", "dst2:f64:8192", "dst3:f32:32766",
                           "dht:f64:16384", "dct1:f64:4097", "dst1:f32:16383:inplace", "dct2:f64:262", "dct1:f32:132",
                           "dct2:f32:65536:store=alternate", "dct1:f32:65537:load=power:store=alternate:norm=ortho"}) {
    const Problem problem = parse_problem(text);
    const plan::Recipe recipe = plan::make_recipe(problem.transform, limits_);
    halved += recipe.axes.front().form != plan::LineForm::whole ? 1 : 0;
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    const bool extended = problem.transform.kind == Kind::dct1 || problem.transform.kind == Kind::dst1;
    const bool moves_always = limits_.shape == DeviceLimits::Shape::staged;
    if (bluestein) continue;
    EXPECT_LE(scratch, (extended && moves_always ? 2.51 : 1.072) * data) << text;
  }
  EXPECT_GE(halved, 2U);
  for (const char* text : {"dct2:f64:262", "dht:f32:3*262", "dct1:f32:4*132:inplace", "dst1:f64:2x261"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// One line cannot be cut: its complex numbers are twice its reals, the extended line of dct1 likewise, and floats twice
// the halves. They are there once: only the map behind them moves elements, in however many stages they are computed.
TEST_P(Scratch, OfOtherSingleRealLinesInSeveralStagesIsTwiceTheData) {
  std::size_t stages = 0;
  for (const char* text :
       {"dct1:f32:1048576", "dct1:f32:16777217", "dst1:f32:7529535", "dct1:f64:1048576:inplace", "r2c:f16:1048576",
        "r2c:f16:1048576:inplace", "dct2:f16:1048576", "dst2:f16:98304", "dct4:f16:1048576", "dht:f16:65536:inplace",
        "dct2:f64:226981", "dht:f32:226981", "dct4:f64:226981", "dst2:f32:226981:store=power"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    if (bluestein) continue;
    EXPECT_LE(scratch, (limits_.shape == DeviceLimits::Shape::staged ? 2.05 : 2.02) * data) << text;
    EXPECT_EQ(slices, 0U) << text;
    ++stages;
  }
  EXPECT_GE(stages, 8U);
}

TEST_P(Scratch, ResultsThatStayForTheMapBehindThemAreRight) {
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  std::size_t longest = 0;
  for (const char* text : {"dct2:f16:33750:wanted=33000", "dct2:f16:2048", "dht:f16:4096:wanted=4000", "dct4:f64:3721",
                           "dct2:f64:2*3721:norm=ortho", "r2c:f16:1800:load=alternate", "dct1:f64:2049:norm=ortho"}) {
    SCOPED_TRACE(text);
    const Problem problem = parse_problem(text);
    const plan::Recipe recipe = plan::make_recipe(problem.transform, limits_);
    const plan::Program program = plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits_);
    for (const plan::Stage& stage : program.stages) {
      if (stage.load_map) longest = std::max(longest, stage.load_map->source_parts.size());
    }
    check_lowering(problem, limits_, 3);
  }
  EXPECT_GE(longest, limits_.shape == DeviceLimits::Shape::owned ? 2U : 3U);
}

TEST_P(Scratch, SlicesAreRight) {
  std::size_t sliced = 0;
  for (const char* text :
       {"dst1:f64:4*2048", "dct1:f32:2*32770:load=power", "dct1:f32:3*28562", "dst1:f64:3*28560", "dst1:f64:4*4052"}) {
    SCOPED_TRACE(text);
    const std::size_t slices = sizes(text).slices;
    if (slices == 0 || sliced >= 2) continue;
    sliced += slices;
    try {
      check_lowering(parse_problem(text), limits_, 3);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(sliced, 2U);
}

// Results of some columns in place stand where others are still to be read: of pruned ones a copy of the data, and a
// slice of it.
TEST_P(Scratch, OfColumnsOfRealsInPlaceIsTheDataAndASlice) {
  const bool staged = limits_.shape == DeviceLimits::Shape::staged;
  for (const std::string text : {"r2c:f32:6561x101:axes=0:inplace", "c2r:f32:6561x101:axes=0:inplace"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_EQ(slices, 0U) << text;
    EXPECT_LE(scratch, 1.02 * data) << text;
    check_lowering(parse_problem(text), limits_, 3);
    if (!staged) continue;  // two stages need the data alone
    const std::string pruned = text + (text.starts_with("r2c") ? ":nonzero=6000,101" : ":wanted=6000,101");
    const auto [pruned_data, pruned_scratch, pruned_slices, padded, pruned_stages] = sizes(pruned);
    EXPECT_EQ(pruned_slices, 1U) << pruned;
    EXPECT_LE(pruned_scratch, 1.4 * pruned_data) << pruned;
    check_lowering(parse_problem(pruned), limits_, 3);
  }
}

// Reals have no room for what is between two stages of another axis, and the input is kept: its elements move once,
// from there to scratch memory, and once more to the output. An odd last dimension in two stages has an edge.
TEST_P(Scratch, OfTransformsBackToRealsOverSeveralDimensionsIsAtMostTheData) {
  for (const char* text : {"c2r:f32:65536x512", "c2r:f64:40000x300", "c2r:f32:64x40000x30", "c2r:f32:40000x64x28",
                           "c2r:f32:5*40000x8", "c2r:f32:16384x16384x4", "c2r:f64:3*40000x40000x8",
                           "c2r:f32:16777216x8", "c2r:f32:3000x4096", "c2r:f32:65536x65536", "c2r:f32:9x3375x8",
                           "c2r:f32:1048576x6", "c2r:f32:1x40000x40000x8", "c2r:f32:40000x40000x1"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, data) << text;
    EXPECT_EQ(slices, 0U) << text;
  }
  if (limits_.shape == DeviceLimits::Shape::staged) return;  // odd lines in more stages than two
  for (const char* text : {"c2r:f32:8x98415", "c2r:f64:30x98415", "c2r:f32:16x3x98415", "c2r:f32:5*3x98415",
                           "c2r:f32:16777216x98415", "c2r:f64:40000x98415", "c2r:f32:1000x226981",
                           "c2r:f32:10000x10001", "c2r:f32:8x98415:store=power", "c2r:f32:8x1x98415"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    const bool host = limits_.shape == DeviceLimits::Shape::owned;  // one thread, which is faster with slices
    EXPECT_LE(scratch, (host ? 1.125 : 1.072) * data) << text;
    if (!host) {
      EXPECT_EQ(slices, 0U) << text;
    }
  }
}

TEST_P(Scratch, TransformsBackToRealsWithOneArrayAreRight) {
  std::vector<const char*> texts{"c2r:f64:2*2x33075:store=power", "c2r:f64:3x33075:norm=ortho:load=alternate"};
  if (limits_.shape == DeviceLimits::Shape::staged) {
    texts = {"c2r:f32:60x36x8",
             "c2r:f64:2*36x30x8:norm=ortho",
             "c2r:f32:60x64",
             "c2r:f64:154x1",
             "c2r:f32:3*315x1x1:norm=ortho:store=alternate",
             "c2r:f64:1050x1:load=bartlett/1"};
  } else if (limits_.shape == DeviceLimits::Shape::on_chip) {  // one that takes several stages for short lines
    limits_ = plan::named_limits("small");
    texts = {"c2r:f32:2*900x4", "c2r:f32:1024x6x4", "c2r:f32:20x1001", "c2r:f64:3*4x1025:load=alternate:store=power"};
  }
  std::size_t fewer = 0;
  for (const char* text : texts) {
    SCOPED_TRACE(text);
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, 1.072 * data);
    fewer += scratch > data / 2 ? 1 : 0;
    check_lowering(parse_problem(text), limits_, 3);
  }
  EXPECT_GE(fewer, 1U);
}

// The map to reals of a last dimension with an odd number of columns, which one stage beside it carries out otherwise.
TEST_P(Scratch, OfTransformsBackToRealsByAnOddNumberOfColumnsIsTheData) {
  if (limits_.shape != DeviceLimits::Shape::on_chip) GTEST_SKIP() << "no stage carries it out together there";
  limits_ = plan::named_limits("small");
  limits_.local_memory = 1024;
  const auto [data, scratch, slices, bluestein, all_stages] = sizes("c2r:f64:225x196");
  EXPECT_LE(scratch, data);
  check_lowering(parse_problem("c2r:f64:225x196"), limits_, 3);
}

// Pruned ones lengthen an axis, whose spectra have a number more than the reals: on the host nothing is beside them.
TEST_P(Scratch, OfPrunedTransformsBackToOddRealsOverSeveralDimensionsIsTheData) {
  if (limits_.shape != DeviceLimits::Shape::owned) GTEST_SKIP() << "half spectra have an edge there";
  limits_.compute_units = 1;
  const auto [data, scratch, slices, bluestein, all_stages] = sizes("c2r:f64:30x98415:nonzero=20,49208");
  EXPECT_LE(scratch, 30 * 49208 * 16);
  EXPECT_EQ(slices, 0U);
  EXPECT_EQ(sizes("c2r:f32:8x98415:nonzero=6,49208").slices, 0U);
  SCOPED_TRACE("right");
  check_lowering(parse_problem("c2r:f64:16x33075:nonzero=12,16538"), limits_, 3);
  limits_.compute_units = 16;
  EXPECT_EQ(sizes("c2r:f64:30x98415:nonzero=20,49208").slices, 0U);
}

// Of a batch only a slice of the padded lines is there at a time.
TEST_P(Scratch, OfBluesteinsAlgorithmIsAtMostTheDataInBatches) {
  for (const char* text : {"c2c:f32:16*1000003", "c2c:f64:4*1000003:inplace", "r2c:f32:16*1000003",
                           "r2c:f64:20*1000003:inverse", "dct2:f32:16*1000003", "c2c:f32:1000003x17:axes=0"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_TRUE(bluestein) << text;
    EXPECT_LE(scratch, 1.072 * data) << text;
  }
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  std::size_t sliced = 0;
  for (const char* text : {"c2c:f32:5*10007:inplace", "r2c:f64:7*10007", "dct2:f64:3*10007:norm=ortho"}) {
    SCOPED_TRACE(text);
    sliced += sizes(text).slices;
    check_lowering(parse_problem(text), limits_, 3);
  }
  EXPECT_GE(sliced, 2U);
}

// Between axes stand floats, a half of each of which is in scratch memory where results are halves of as many numbers;
// beside these, what is between an axis's stages is there for a slice of its lines.
TEST_P(Scratch, BesideFloatsBetweenAxesIsForASlice) {
  for (const char* form : {"{}:f16:20x33075", "{}:f16:65625x24:inplace", "{}:f16:40x6x30031", "{}:f16:3*20x65536"}) {
    for (const char* kind : {"r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1", "dht"}) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
      if (bluestein) continue;
      EXPECT_LE(scratch, (limits_.shape == DeviceLimits::Shape::staged ? 2.31 : 2.01) * data) << text;
    }
  }
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  std::size_t sliced = 0;
  for (const char* text : {"dct1:f16:12x2050:wanted=12,2049", "dct2:f16:10x3721:inplace",
                           "dct1:f16:2047x5:wanted=2000,5", "dst3:f16:3*5x2058", "dct4:f16:7x3721:wanted=7,3700"}) {
    SCOPED_TRACE(text);
    sliced += sizes(text).slices;
    check_lowering(parse_problem(text), limits_, 3);
  }
  EXPECT_GE(sliced, 2U);
}

// Of single lines of halves that are real one stage moves elements, beside the map.
TEST_P(Scratch, OfSingleRealLinesOfHalvesIsTwiceTheDataOnTheHost) {
  if (limits_.shape != DeviceLimits::Shape::owned) GTEST_SKIP() << "forward four times elsewhere";
  for (const char* text : {"r2c:f16:1048576", "r2c:f16:1048576:inplace", "c2r:f16:1048576"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, 2.001 * data) << text;
  }
}

// Columns that the host transforms together with the map to the spectrum, and their mirror images, keep to each other's
// places: out of place nothing else is needed.
TEST_P(Scratch, LongLinesOfRealsLeaveTheirRowsInTheOutput) {
  if (limits_.shape != DeviceLimits::Shape::owned) GTEST_SKIP() << "results are elsewhere there";
  EXPECT_EQ(sizes("r2c:f64:262144").scratch, 0);
  EXPECT_EQ(sizes("r2c:f32:3*1048576").scratch, 0);
  EXPECT_EQ(sizes("r2c:f64:262144:inplace").scratch, 1048576 * 2);
  limits_.level2_cache = std::uint64_t{64} << 10;
  for (const char* text : {"r2c:f64:16384", "r2c:f32:2*40000", "r2c:f64:16384:in=-1/offset=16383"}) {
    const plan::Stage last = program_of(text, limits_).stages.back();
    ASSERT_TRUE(last.shared_map) << text;
    EXPECT_EQ(last.source, plan::Operand::output) << text;
    check_lowering(parse_problem(text), limits_, 3);
  }
  SCOPED_TRACE("rows last");
  for (const char* text : {"r2c:f64:131072", "r2c:f32:3*80000:inplace"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, data) << text;
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Where less is said to be there, slices of the batch make do with it, also between the axes of several dimensions.
TEST_P(Scratch, IsWhatIsSaidToBeThere) {
  for (const char* text : {"c2c:f32:24*65536", "r2c:f32:30*90000:inverse", "r2c:f32:12*300x500:inverse",
                           "r2c:f32:20*16000x4:inverse", "r2c:f64:9*30x70x50:inverse"}) {
    const auto [transform, direction, placement] = parse_problem(text);
    const plan::Recipe recipe = plan::make_recipe(transform, limits_);
    const plan::Program usual = plan::lower(recipe, transform, direction, Placement::out_of_place, limits_);
    const std::uint64_t most = usual.scratch_bytes / 4;
    const plan::Program less = plan::lower(recipe, transform, direction, Placement::out_of_place, limits_, most);
    EXPECT_LE(static_cast<double>(less.scratch_bytes), 1.0625 * static_cast<double>(most)) << text;
  }
  SCOPED_TRACE("right");
  for (const char* text : {"r2c:f32:7*30x20:inverse:nonzero=30,11", "c2c:f32:5*4x6x5", "c2c:f32:9*40000"}) {
    check_lowering(parse_problem(text), limits_, 3, std::uint64_t{1} << 12);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, Scratch, testing::Values("host", "nvidia-opencl", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
