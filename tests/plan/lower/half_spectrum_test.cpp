// Lines of an odd number of reals by Bluestein's algorithm through memory: half of the spectrum takes half of the
// points more, not as many; and a line that is left over by pairs has half of its spectrum as well.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "support/sample.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

const std::vector<std::string> kinds{"dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"};

class HalfSpectrum : public testing::TestWithParam<std::string> {
 protected:
  HalfSpectrum() : limits_(plan::named_limits(GetParam())) {}

  DeviceLimits limits_;
};

// 1572864 points for 1000003, as r2c has them.
TEST_P(HalfSpectrum, NeedsOneAndAHalfTimesThePoints) {
  for (const std::string& kind : kinds) {
    for (const auto& [form, most] :
         {std::pair{":f32:1000003", 3.15}, {":f64:1000003:inplace", 3.15}, {":f32:2*1000003:inverse", 1.58}}) {
      const ScratchSizes sizes = scratch_sizes(kind + form, limits_);
      EXPECT_TRUE(sizes.bluestein) << kind << form;
      EXPECT_LE(sizes.scratch, most * sizes.data) << kind << form;
    }
  }
}

TEST_P(HalfSpectrum, IsRight) {
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  std::size_t problems = 0;
  for (const std::string& kind : kinds) {
    for (const char* form :
         {":f64:10007", ":f32:2*5011:norm=ortho:inplace", ":f64:5011:inverse:load=alternate:store=power",
          ":f64:5011:nonzero=700:norm=ortho", ":f64:5011x2:axes=0"}) {
      if (!is_sampled(problems++, 3)) continue;
      SCOPED_TRACE(kind + form);
      check_lowering(parse_problem(kind + form), limits_, 3);
    }
  }
  EXPECT_TRUE(scratch_sizes("dct2:f32:10007", limits_).bluestein);
  EXPECT_TRUE(scratch_sizes("dct3:f64:5011", limits_).bluestein);
}

// Two lines of r2c are one; the last one of an odd number is a slice of its own.
TEST_P(HalfSpectrum, OfTheLineThatPairsLeaveOver) {
  for (const auto& [text, most] : {std::pair{"r2c:f32:3*1000003", 1.4},
                                   {"r2c:f64:3x1000003:inplace", 1.4},
                                   {"c2r:f32:5*1000003", 0.84},
                                   {"c2r:f64:5x1000003", 1.84},
                                   {"r2c:f32:1000003x9:axes=0", 1.07}}) {
    const ScratchSizes sizes = scratch_sizes(text, limits_);
    EXPECT_LE(sizes.scratch, most * sizes.data) << text;
  }
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  for (const char* text : {"r2c:f32:3*5011:norm=ortho", "c2r:f64:3*5011:inplace", "r2c:f64:5x5011:inplace",
                           "c2r:f32:3x5011:norm=ortho", "r2c:f32:5011x3:axes=0", "c2r:f64:5011x5:axes=0"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, HalfSpectrum, testing::Values("host", "nvidia-opencl", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
