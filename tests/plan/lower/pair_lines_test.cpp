// Lines of an odd number of reals in pairs on the host: which, how many are left over, and that what is planned is
// right.
#include "plan/lower/pair_lines.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {
namespace {

DeviceLimits host() {
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = 16;
  return limits;
}

plan::Program program_of(const std::string& text) {
  const auto [transform, direction, placement] = parse_problem(text);
  return plan::lower(plan::make_recipe(transform, host()), transform, direction, placement, host());
}

bool pairs(const plan::Stage& stage) {
  return (stage.load_map && plan::holds_two_spectra(stage.load_map->rule)) ||
         (stage.store_map && plan::holds_two_spectra(stage.store_map->rule));
}

// How many lines stages take in pairs, and one by one.
std::pair<std::uint64_t, std::uint64_t> lines_of(const std::string& text) {
  std::pair<std::uint64_t, std::uint64_t> result;
  for (const plan::Stage& stage : program_of(text).stages) {
    if (pairs(stage)) {
      result.first += 2 * plan::transform_count(stage);
    } else {
      result.second += plan::transform_count(stage);
    }
  }
  return result;
}

TEST(PairLines, OnTheHostByConvolution) {
  using Lines = std::pair<std::uint64_t, std::uint64_t>;
  for (const char* precision : {"f32", "f64", "f16", "f80"}) {
    for (const char* rest : {"", ":inverse", ":inplace", ":inplace:inverse"}) {
      for (const char* length : {"251", "509", "1009", "1019"}) {
        const auto text = [&](const char* batch) { return std::string("r2c:") + precision + batch + length + rest; };
        EXPECT_EQ(lines_of(text(":8*")), Lines(8, 0)) << text(":8*");
        EXPECT_EQ(lines_of(text(":7*")), Lines(6, 1)) << text(":7*");
        EXPECT_EQ(lines_of(text(":")), Lines(0, 1)) << text(":");
      }
    }
  }
  EXPECT_EQ(lines_of("r2c:f32:3*4x251:axes=1"), Lines(12, 0));  // an even number of lines beside an odd one
  EXPECT_EQ(lines_of("r2c:f32:251x20:axes=0"), Lines(20, 0));
  EXPECT_EQ(lines_of("r2c:f32:8*251:nonzero=240"), Lines(8, 0));
}

// Passes compute half of a line of reals; pruned lines by Bluestein's algorithm need fewer points alone; half of the
// spectrum is not there to be told apart; a hook sees one line.
TEST(PairLines, OnTheHostNotEverywhere) {
  for (const char* text : {"r2c:f32:8*243", "r2c:f32:8*127", "r2c:f32:8*254", "r2c:f32:8*1019:nonzero=500",
                           "r2c:f32:8*1019:wanted=300", "r2c:f32:8*251:load=bartlett/251"}) {
    EXPECT_EQ(lines_of(text).first, 0U) << text;
  }
}

// A few rows of an odd number of reals with maps by vectors on either side are transforms of reals, others two lines
// as one.
TEST(PairLines, FewOddRowsFromRealsToRealsAreAlone) {
  const auto are_alone = [](const char* text) {
    const plan::Program program = program_of(text);
    return std::ranges::all_of(
        program.stages, [](const plan::Stage& stage) { return stage.input_storage.form == plan::Storage::Form::real; });
  };
  for (const char* text : {"dct2:f64:2*35", "dst2:f32:5*243", "dct3:f32:9*1001", "dht:f64:3*99", "dst3:f64:4x81:axes=1",
                           "dct2:f32:4*45:inplace", "dct2:f64:2*81:norm=ortho"}) {
    EXPECT_TRUE(are_alone(text)) << text;
  }
  for (const char* text : {"dct2:f64:6*35", "dct2:f64:2*33", "dct3:f32:10*1001", "dct4:f32:2*243", "dct2:f16:2*243",
                           "dct2:f64:243x4:axes=0", "dct2:f64:2*243:wanted=100", "dct2:f32:2*251"}) {
    EXPECT_FALSE(are_alone(text)) << text;
  }
}

// Bluestein's points have to serve all of the line, of which half is enough alone.
TEST(PairLines, TakeAsManyPointsAsTwoLinesNeed) {
  const auto points = [](const std::string& text) { return program_of(text).stages.front().convolution->points; };
  EXPECT_LT(points("r2c:f32:1019"), 2 * 1019 - 1);
  EXPECT_GE(points("r2c:f32:2*1019"), 2 * 1019 - 1);
}

TEST(PairLines, AreRight) {
  std::uint64_t seed = 0;
  for (const char* text :
       {"r2c:f32:2*131", "r2c:f64:5*251:inverse", "r2c:f32:3*263:inplace", "r2c:f64:4*509:inplace:inverse",
        "r2c:f32:3*4x137:norm=ortho", "r2c:f64:5x131:inverse", "r2c:f32:137x6:axes=0", "r2c:f32:137x7:axes=0:inverse",
        "r2c:f32:6*149:nonzero=60", "r2c:f64:3*263:nonzero=100:inverse", "r2c:f32:4*263:wanted=90",
        "r2c:f32:3*139:in=3/batch=500:out=4/batch=300/offset=3"}) {
    SCOPED_TRACE(text);
    try {
      check_lowering(parse_problem(text), host(), ++seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// Floats between axes of halves are made in parts, each of which stores some of the frequencies. A pair's map knows
// none of that: it wrote all of them, before where memory began.
TEST(PairLines, StorePartsOfSpectraApart) {
  for (const DeviceLimits& limits : {host(), plan::named_limits("nvidia-cuda"), plan::named_limits("mali")}) {
    for (const char* text : {"r2c:f16:10x139", "r2c:f16:10x139:out=70,-1/batch=1/offset=74", "r2c:f16:11x251"}) {
      SCOPED_TRACE(text);
      EXPECT_NO_THROW(check_lowering(parse_problem(text), limits, 3));
    }
  }
}

}  // namespace
}  // namespace twiddle::test
