// Halves over several dimensions that are floats between stages: imaginary parts apart from real ones, or the lower
// words of reals from the upper ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "support/planned_program.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class PartsApart : public testing::TestWithParam<std::string> {
 protected:
  PartsApart() : limits_(plan::named_limits(GetParam())) {}

  [[nodiscard]] bool has_parts_apart(const char* text) const {
    const Problem problem = parse_problem(text);
    const plan::Recipe recipe = plan::make_recipe(problem.transform, limits_);
    const plan::Program program = plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits_);
    return std::ranges::any_of(program.stages, plan::has_parts_apart);
  }

  // So that short lines take several stages.
  void make_small() {
    if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
    if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
    limits_.local_memory = std::min<std::size_t>(limits_.local_memory, 2048);
  }

  DeviceLimits limits_;
};

// Images of halves stand in place of these as floats, of which imaginary parts, or lower words of reals, are in scratch
// memory.
TEST_P(PartsApart, NeedTheData) {
  if (limits_.shape != DeviceLimits::Shape::staged) {
    for (const char* text :
         {"c2c:f16:1000x1000:inplace", "c2c:f16:300x500", "c2c:f16:3*64x81x100:inplace:inverse", "r2c:f16:640x480",
          "r2c:f16:640x480:inplace", "c2r:f16:640x480:inplace", "dct2:f16:640x480", "dct3:f16:640x480:inplace",
          "dst1:f16:3*31x127:inverse", "dct4:f16:64x81x100:inplace",
          "dht:f16:3x1000:inplace:in=1010,1:out=1010,1:load=alternate",
          "c2c:f16:3x1000:inplace:in=1010,1:out=1010,1:load=alternate", "c2c:f16:300x500:inplace:in=planar:out=planar",
          "c2c:f16:300x500:out=planar", "r2c:f16:640x480:out=planar"}) {
      const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
      EXPECT_LE(scratch, data) << text;
      EXPECT_EQ(slices, 0U) << text;
      EXPECT_TRUE(has_parts_apart(text)) << text;
    }
  }
  // Beside them a slice of an axis in several stages, where that has work for the device.
  limits_.compute_units = 1;
  for (const auto& [text, most] : {std::pair{"c2c:f16:30x59049:inplace", 1.13},
                                   {"c2c:f16:59049x30:inplace", 1.13},
                                   {"c2c:f16:3x65536:inplace", 1.67},
                                   {"r2c:f16:30x65536:inplace", 1.14},
                                   {"dct2:f16:30x30031:inplace", 1.29},
                                   {"dst4:f16:100001x30", 1.21},
                                   {"c2c:f16:2097152x20", 1.13}}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, most * data) << text;
  }
  // Where halves are not next to each other, or far apart, there is no place.
  EXPECT_FALSE(has_parts_apart("c2c:f16:3x4:in=100,1:out=100,1:inplace"));
  EXPECT_FALSE(has_parts_apart("c2r:f16:30x40"));
  EXPECT_FALSE(has_parts_apart("dct2:f16:3x4:in=100,1:out=100,1:inplace"));
  EXPECT_FALSE(has_parts_apart("dct2:f32:30x40:inplace"));
}

// Each slice is a launch there, which has work for all of a card's units.
TEST(SlicesOfHalves, GiveACardWork) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  EXPECT_EQ(scratch_sizes("c2c:f16:16384x300:inplace:nonzero=16000,299", limits).slices, 0U);
  const ScratchSizes large = scratch_sizes("c2c:f16:16384x3000:inplace:nonzero=16000,2999", limits);
  EXPECT_GT(large.slices, 0U);
  EXPECT_LE(large.scratch, 1.4 * large.data);
}

TEST_P(PartsApart, AreRight) {
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  for (const char* text :
       {"c2c:f16:60x70:inplace:load=alternate:store=power", "c2c:f16:2*12x10x8:norm=ortho",
        "c2c:f16:3x1024:inplace:inverse", "c2c:f16:1024x3:inplace", "r2c:f16:30x64:inplace", "r2c:f16:31x63",
        "c2r:f16:30x64:inplace", "c2r:f16:31x63:inplace:store=alternate",
        "c2c:f16:30x40:inplace:in=50,1/offset=3:out=50,1/offset=3", "dct2:f16:60x70:inplace",
        "dct3:f16:31x48:load=alternate:store=power", "dct1:f16:2*9x33:inplace:norm=ortho", "dst4:f16:12x10x9",
        "dht:f16:3x1024:inplace:inverse", "dct2:f16:1024x3",
        "dst2:f16:30x41:inplace:in=50,1/offset=3:out=50,1/offset=3", "dct4:f16:8x9:in=-9,1/offset=63"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Columns in place that are stored elsewhere and copied back are halves there.
TEST_P(PartsApart, CopiesOfResultsAreHalves) {
  if (limits_.shape == DeviceLimits::Shape::staged) GTEST_SKIP() << "other stages need more there";
  for (const char* text : {"r2c:f16:2048x17:axes=0:inplace", "c2r:f16:2048x17:axes=0:inplace"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
  }
  for (const char* text : {"r2c:f16:64x17:axes=0:inplace", "c2r:f16:65x16:axes=0:inplace:load=alternate",
                           "r2c:f16:64x17:axes=0:inplace:store=power"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Where stages would move halves of input in place, a copy of them stands at the places of what is apart, from where
// nothing moves; likewise of results.
TEST_P(PartsApart, BesideACopyOfHalvesNeedTheData) {
  if (limits_.shape == DeviceLimits::Shape::staged) GTEST_SKIP() << "each radix moves elements there";
  for (const char* text :
       {"c2c:f16:400x300:inplace:in=1,400", "c2c:f16:64x81:inplace:out=-81,1/offset=5103",
        "c2c:f16:130x140:inplace:in=planar", "c2c:f16:3*30x20x10:inplace:in=1,30,600",
        "dst2:f16:4*15x28:inverse:inplace:out=28,-1/batch=420/offset=27",
        "dct4:f16:44x43:inplace:out=43,1/batch=1895/offset=7:store=alternate",
        "r2c:f16:2*13x5:inplace:out=3,1/batch=39/offset=7", "r2c:f16:50x180:inplace:out=-91,1/offset=4459",
        "c2r:f16:50x180:inplace:out=180,1", "c2r:f16:50x181:inplace:out=181,1:load=alternate",
        "c2c:f16:64x81:inplace:out=-81,1/offset=5103:load=alternate",
        "c2r:f16:50x180:inplace:out=180,1:store=alternate"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
  }
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  for (const char* text :
       {"c2c:f16:40x30:inplace:in=1,40:store=power", "c2c:f16:5*6x9:inplace:out=-9,1/offset=45",
        "c2c:f16:13x14:inplace:in=planar", "c2c:f16:3*6x5x4:inplace:in=1,6,30:inverse",
        "dht:f16:4*15x28:inplace:out=28,-1/batch=420/offset=27", "r2c:f16:2*13x5:inplace:out=3,1/batch=39/offset=7",
        "r2c:f16:12x18:inplace:out=-10,1/offset=110", "c2r:f16:12x18:inplace:out=18,1",
        "c2r:f16:11x13:inplace:out=13,1:load=alternate"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Complex lines in several stages keep to their places once their elements have moved: in place as halves, in a copy of
// them, out of place by the stage that computes first.
TEST_P(PartsApart, OfLongComplexLinesNeedTheData) {
  std::vector<const char*> texts{"c2c:f16:1048576",          "c2c:f16:1048576:inplace",
                                 "c2c:f16:3x65536:inplace",  "c2c:f16:270000:inplace:inverse",
                                 "c2c:f16:20x59049:inplace", "c2c:f16:65536x3:inplace:norm=ortho",
                                 "c2c:f16:65536x59049",      "c2c:f16:2*100000:inplace:out=planar"};
  if (limits_.shape != DeviceLimits::Shape::staged) {  // where maps of reals are stages of their own
    texts.insert(texts.end(), {"r2c:f16:100000x20:inplace", "c2r:f16:100000x20:inplace"});
  }
  for (const char* text : texts) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
    EXPECT_EQ(slices, 0U) << text;
    EXPECT_TRUE(has_parts_apart(text)) << text;
  }
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  limits_.local_memory = std::min<std::size_t>(limits_.local_memory, 4096);
  for (const char* text :
       {"c2c:f16:4096:inplace", "c2c:f16:3003:inplace:inverse", "c2c:f16:2x3000", "c2c:f16:3x2187:inplace:norm=ortho",
        "c2c:f16:2048x3:inplace:store=power", "c2c:f16:3*2000:load=alternate", "r2c:f16:2048x10:inplace",
        "c2r:f16:2187x9:inplace", "c2c:f16:1024x1500:inplace"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Lines of an even number of reals keep to their places as half as many complex numbers do, and their spectra as pairs
// of mirror images.
TEST_P(PartsApart, OfLongRealLinesNeedTheData) {
  std::vector<std::string> forms{"{}:f16:1048576", "{}:f16:1048576:inplace", "{}:f16:3*100000:norm=ortho",
                                 "{}:f16:2*65536:inplace"};
  if (limits_.shape == DeviceLimits::Shape::on_chip)
    forms.insert(forms.end(), {"{}:f16:20x65536:inplace", "{}:f16:100000x4:axes=0"});
  for (const std::string& form : forms) {
    for (const char* kind : {"r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"}) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
      EXPECT_LE(scratch, data) << text;
    }
  }
  // Maps of what is pruned do not make mirror images alike.
  EXPECT_FALSE(has_parts_apart("r2c:f16:1048576:wanted=1000"));
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  limits_.local_memory = std::min<std::size_t>(limits_.local_memory, 4096);
  std::size_t mirrored = 0;
  for (const char* form :
       {"{}:f16:40000", "{}:f16:40002:inplace", "{}:f16:2x36000:norm=ortho", "{}:f16:33750x2:axes=0:inplace"}) {
    for (const char* kind : {"r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"}) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      SCOPED_TRACE(text);
      const Problem problem = parse_problem(text);
      mirrored += std::ranges::count_if(program_of(text, limits_).stages, &plan::Stage::mirrored);
      check_lowering(problem, limits_, 3);
    }
  }
  EXPECT_GE(mirrored, limits_.shape == DeviceLimits::Shape::staged ? 9U : 14U);
}

// Columns back to reals in place stand where their frequencies did.
TEST_P(PartsApart, OfColumnsBackToRealsInPlaceNeedTheData) {
  if (limits_.shape == DeviceLimits::Shape::staged) GTEST_SKIP() << "each radix is a stage there";
  for (const char* text : {"c2r:f16:65536x17:axes=0:inplace", "c2r:f16:268126x17:axes=0:inplace",
                           "c2r:f16:3*1048576x5:axes=0:inplace:norm=ortho"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
  }
  make_small();
  for (const char* text : {"c2r:f16:2048x3:axes=0:inplace", "c2r:f16:1800x5:axes=0:inplace:norm=ortho"}) {
    SCOPED_TRACE(text);
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
    EXPECT_TRUE(has_parts_apart(text)) << text;
    check_lowering(parse_problem(text), limits_, 3);
  }
}

// Of an odd number they keep to exactly as many places: parts of frequencies take those of the reals.
TEST_P(PartsApart, OfLongOddRealLinesNeedTheData) {
  const std::vector<const char*> kinds{"r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"};
  std::vector<std::string> forms{"{}:f16:1594323", "{}:f16:1594323:inplace", "{}:f16:3*98415:norm=ortho"};
  if (limits_.shape != DeviceLimits::Shape::staged) forms.insert(forms.end(), {"{}:f16:98415x3:axes=0:inplace"});
  for (const std::string& form : forms) {
    for (const char* kind : kinds) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
      EXPECT_LE(scratch, data) << text;
    }
  }
  EXPECT_FALSE(has_parts_apart("r2c:f16:1594323:wanted=1000"));
  make_small();
  std::size_t real_first = 0;
  for (const char* form : {"{}:f16:6561", "{}:f16:6561:inplace", "{}:f16:4725:inplace:norm=ortho", "{}:f16:3*3375",
                           "{}:f16:4095x2:axes=0:inplace", "{}:f16:6567:norm=ortho"}) {
    for (const char* kind : kinds) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      SCOPED_TRACE(text);
      const Problem problem = parse_problem(text);
      for (const plan::Stage& stage : program_of(text, limits_).stages) {
        if (stage.store_bound && stage.store_bound->real_first) ++real_first;
      }
      check_lowering(problem, limits_, 3);
    }
  }
  EXPECT_GE(real_first, 50U);
}

// Other axes of their spectra are carried out where the frequencies are, of which the first ones need a place more.
TEST_P(PartsApart, OfOddRealLinesAndOtherAxesNeedTheData) {
  for (const char* text : {"r2c:f16:20x98415", "r2c:f16:3x98415:inplace", "c2r:f16:20x98415:inplace",
                           "c2r:f16:3x1594323:inplace", "r2c:f16:4x3x98415:inplace:norm=ortho"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
  }
  make_small();
  std::size_t served = 0;
  std::size_t problems = 0;
  for (const char* form : {"{}:f16:3x6561:inplace", "{}:f16:2x3x3375:inplace", "{}:f16:5x4725:inplace:norm=ortho",
                           "{}:f16:2*4x3375:inplace"}) {
    for (const char* kind : {"r2c", "c2r"}) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      SCOPED_TRACE(text);
      ++problems;
      const auto is_moved = [](const plan::Stage& stage) {
        const auto has_period = [](const std::optional<plan::Bound>& bound) { return bound && bound->period != 0; };
        return stage.radices.empty() && (has_period(stage.load_bound) || has_period(stage.store_bound));
      };
      if (std::ranges::any_of(program_of(text, limits_).stages, is_moved)) ++served;
      check_lowering(parse_problem(text), limits_, 3);
    }
  }
  EXPECT_EQ(served, problems);
}

// Such axes in several stages leave results by reversed digits, or find elements by these.
TEST_P(PartsApart, OfRealLinesAndOtherAxesInSeveralStagesNeedTheData) {
  const double most = limits_.shape == DeviceLimits::Shape::owned ? 1.02 : 1;  // in slices for the cores' caches
  for (const char* text :
       {"r2c:f16:65536x65536", "r2c:f16:65536x65536:inplace", "c2r:f16:65536x65536:inplace", "r2c:f16:98415x98415",
        "c2r:f16:98415x98415:inplace", "r2c:f16:98415x65536:inplace", "c2r:f16:2*65536x98415:inplace"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, most * data) << text;
  }
  make_small();
  for (const char* form : {"{}:f16:320x700:inplace", "{}:f16:320x735:inplace:norm=ortho", "{}:f16:2*320x2x700:inplace",
                           "{}:f16:320x700", "{}:f16:315x735"}) {
    for (const char* kind : {"r2c", "c2r"}) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      SCOPED_TRACE(text);
      const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
      // Out of place such a first frequency has no room: the first stage is repeated, of two stages of the line.
      if (text != "c2r:f16:315x735") {
        EXPECT_LE(scratch, most * data);
      }
      check_lowering(parse_problem(text), limits_, 3);
    }
  }
}

// Even and odd lines likewise.
TEST_P(PartsApart, OfLongSymmetricLinesNeedTheData) {
  if (limits_.shape == DeviceLimits::Shape::staged) GTEST_SKIP() << "stages of one radix each";
  for (const char* text :
       {"dct1:f16:100001", "dct1:f16:59049:inplace", "dct1:f16:1048576", "dct1:f16:3*65536:norm=ortho",
        "dct1:f16:59049x3:axes=0:inplace", "dst1:f16:59049", "dst1:f16:98415:inplace", "dst1:f16:226981:inverse",
        "dst1:f16:3*100001:inplace", "dst1:f16:1048575:inplace", "dct1:f16:65537x3"}) {
    if (std::string(text) == "dct1:f16:1048576" && GetParam() == "nvidia-opencl") continue;  // three stages there
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
  }
  make_small();
  std::size_t turned = 0;
  // Of so many points, of which memory has half and one more, or one less.
  for (const auto& [points, form] : {std::pair{1800, "{}:f16:{}"},
                                     {1800, "{}:f16:{}:inplace"},
                                     {1080, "{}:f16:{}:norm=ortho"},
                                     {1440, "{}:f16:3*{}:inplace:inverse"},
                                     {1440, "{}:f16:{}x2:axes=0"},
                                     {1260, "{}:f16:2x{}:norm=ortho:inplace"},
                                     {2048, "{}:f16:{}:inplace"},
                                     {2048, "{}:f16:{}:norm=ortho"},
                                     {1024, "{}:f16:3*{}:inplace:inverse"}}) {
    for (const bool odd : {false, true}) {
      const std::string text =
          fmt::format(fmt::runtime(form), odd ? "dst1" : "dct1", odd ? points / 2 - 1 : points / 2 + 1);
      SCOPED_TRACE(text);
      for (const plan::Stage& stage : program_of(text, limits_).stages) {
        const bool even = stage.store_factor && stage.store_factor->sequence == plan::Factor::Sequence::half_turn;
        const bool odd = stage.store_factor && stage.store_factor->sequence == plan::Factor::Sequence::odd_half_turn;
        if (even || odd) ++turned;
      }
      check_lowering(parse_problem(text), limits_, 3);
    }
  }
  EXPECT_GE(turned, limits_.shape == DeviceLimits::Shape::owned ? 14U : 6U);
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, PartsApart, testing::Values("host", "nvidia-opencl", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
