// The first stage once for each part of its results: scratch memory is at most the data, and results are right.
#include "plan/lower/repeat_first.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "support/lowered_problem.hpp"
#include "support/planned_program.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class RepeatFirst : public testing::TestWithParam<std::string> {
 protected:
  RepeatFirst() : limits_(plan::named_limits(GetParam())) {}

  [[nodiscard]] ScratchSizes sizes(const std::string& text) const { return scratch_sizes(text, limits_); }

  // How often the input is read.
  [[nodiscard]] std::ptrdiff_t parts(const std::string& text) const {
    return std::ranges::count(program_of(text, limits_).stages, plan::Operand::input, &plan::Stage::source);
  }

  DeviceLimits limits_;
};

// Results in half precision have no room for what is between stages, nor reals for two arrays where one does not do:
// out of place the first stage is carried out for each part of its results, but for complex lines of halves, which it
// moves. Of two or three lines of halves each by itself. Without local memory the first stage is a part of lines, of
// which pairs are one later on.
TEST_P(RepeatFirst, NeedsAtMostTheData) {
  std::size_t repeated = 0;
  std::vector<const char*> texts{
      "c2c:f16:1048576",   "c2c:f16:1048576:inverse", "c2c:f16:16777216",  "c2c:f16:59049",
      "c2c:f16:3000x3000", "c2c:f16:256x256x256",     "c2r:f16:3000x3000", "c2c:f16:2*3000x3000:load=alternate"};
  if (limits_.shape != DeviceLimits::Shape::staged) {
    texts.insert(texts.end(), {"c2r:f16:2x5616", "c2r:f16:2x65536", "c2r:f16:2*2x20000:norm=ortho",
                               "c2r:f16:206x3x3:axes=1,2", "c2r:f16:3x100", "c2r:f32:20x98415:nonzero=16,49208",
                               "c2r:f64:100x98415:nonzero=60,49208", "c2r:f32:64x177147", "c2r:f32:20x1000003",
                               "dct1:f32:1048576", "dst1:f64:1048574", "dct1:f64:1048576:norm=ortho",
                               "dst1:f32:531440:inverse", "dct1:f32:16777217", "dct1:f16:1048577", "dst1:f16:65535"});
  }
  for (const char* text : texts) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, 1.072 * data) << text;
    repeated += parts(text) > 1 ? 1 : 0;
  }
  EXPECT_GE(repeated, limits_.shape == DeviceLimits::Shape::staged ? 1U : 5U);
}

TEST_P(RepeatFirst, IsRight) {
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  for (const char* text : {"c2c:f16:2*3375:load=alternate:store=power", "c2c:f16:60x70:norm=ortho",
                           "c2c:f16:18x20x22:inverse", "c2r:f16:30x64", "c2r:f64:15x1025:nonzero=9,513",
                           "c2r:f32:9x3375:nonzero=7,1688:load=alternate:store=alternate", "c2r:f16:5*3x100",
                           "c2r:f16:2x57:store=alternate", "c2c:f16:3375x3:wanted=1688,3",
                           "c2r:f16:3375x3:wanted=1688,3", "c2c:f16:2*3375:wanted=1688:load=bartlett/7",
                           "c2r:f16:2x2048:load=bartlett/5", "c2r:f16:2*2x1500:norm=ortho"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// A map that mirrored transforms share needs both of them: the parts of the first stage's results have one each.
TEST_P(RepeatFirst, MapsThatMirroredTransformsShareAreNotForPartsOfThem) {
  if (limits_.shape != DeviceLimits::Shape::on_chip) GTEST_SKIP() << "no stage has such a map of halves there";
  limits_ = plan::named_limits("small");
  const char* const text = "r2c:f16:3x2048:nonzero=2,2000";
  EXPECT_TRUE(std::ranges::any_of(program_of(text, limits_).stages, &plan::Stage::shared_map));
  check_lowering(parse_problem(text), limits_, 3);
}

// Halves back to reals over two dimensions: of columns that the last axis puts in order the fewest parts, as equal as
// can be; and of columns in one stage before a last axis in several, whose map mirrored transforms share.
TEST_P(RepeatFirst, OfHalvesBackToRealsOverTwoDimensionsNeedsTheData) {
  if (limits_.shape == DeviceLimits::Shape::staged) GTEST_SKIP() << "a stage is one radix of a line there";
  for (const char* text :
       {"c2r:f16:98415x3", "c2r:f16:226981x3", "c2r:f16:65536x3", "c2r:f16:1048576x3:load=alternate",
        "c2r:f16:2*30031x3", "c2r:f16:20x65536", "c2r:f16:20x1048576", "c2r:f16:16x20x65536", "c2r:f16:65536x65536",
        "c2r:f16:98415x98415", "c2r:f16:65536x98415", "c2r:f16:98415x65536"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, data) << text;
  }
  EXPECT_EQ(parts("c2r:f16:1048576x3"), 2);
  EXPECT_EQ(parts("c2r:f16:98415x3"), 3);  // of an odd number of elements two are not equal
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  for (const char* text : {"c2r:f16:2048x3", "c2r:f16:2187x3:load=alternate", "c2r:f16:2*3721x3:norm=ortho",
                           "c2r:f16:20x2048", "c2r:f16:6x2048:store=alternate", "c2r:f16:2*3x5x2048:axes=1,2"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
  limits_.local_memory = std::min<std::size_t>(limits_.local_memory, 2048);
  for (const char* text : {"c2r:f16:300x315", "c2r:f16:400x441:load=alternate", "c2r:f16:324x640"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// In place, where parts of the results would stand on what the next ones read: a copy of the input in scratch memory,
// or of the results, and behind it what is between the stages of a part.
TEST_P(RepeatFirst, BesideOneSideInScratchMemoryNeedsTheData) {
  if (limits_.shape == DeviceLimits::Shape::staged) GTEST_SKIP() << "stages there move elements of several dimensions";
  const std::vector<const char*> texts{"c2r:f32:7x37x10:inplace:nonzero=5,26,4:wanted=6,35,2",
                                       "c2r:f32:98x4x3:axes=0,1:inplace:out=12,3,1/batch=1181:nonzero=80,3,3",
                                       "r2c:f32:3x891:inplace:nonzero=3,694:wanted=2,446:store=alternate"};
  for (const char* text : texts) {
    SCOPED_TRACE(text);
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, data);
    check_lowering(parse_problem(text), limits_, 3);
  }
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  for (const char* text : {"c2c:f64:1112:inverse:inplace:nonzero=487:wanted=117:load=alternate",
                           "c2c:f64:2000:inplace:nonzero=900:wanted=300:norm=ortho:store=power"}) {
    SCOPED_TRACE(text);
    const auto [data, scratch, slices, bluestein, all_stages] = sizes(text);
    EXPECT_LE(scratch, data);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, RepeatFirst, testing::Values("host", "nvidia-opencl", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
