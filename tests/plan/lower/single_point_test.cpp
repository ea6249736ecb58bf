// Real axes of one point are factors: they take no stages and no memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "plan/device/limits.hpp"
#include "support/lowered_problem.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class SinglePoint : public testing::TestWithParam<std::string> {
 protected:
  const DeviceLimits limits_ = plan::named_limits(GetParam());
};

TEST_P(SinglePoint, TakesNoStages) {
  for (const char* kind : {"dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"}) {
    const auto sizes = [&](const char* form) { return scratch_sizes(fmt::format(fmt::runtime(form), kind), limits_); };
    const ScratchSizes image = sizes("{}:f16:60x70:inplace");
    for (const char* form : {"{}:f16:1x60x70:inplace", "{}:f16:60x1x70:inplace", "{}:f16:60x70x1:inplace"}) {
      EXPECT_EQ(sizes(form).stages, image.stages) << kind << form;
      EXPECT_EQ(sizes(form).scratch, image.scratch) << kind << form;
    }
    EXPECT_EQ(sizes("{}:f32:1000*1").stages, 1U) << kind;
  }
  EXPECT_EQ(scratch_sizes("dht:f32:8*1x1:inplace", limits_).stages, 0U);
}

TEST_P(SinglePoint, IsRight) {
  for (const char* kind : {"dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4", "dht"}) {
    for (const char* form : {"{}:f64:1", "{}:f32:1x12:norm=ortho", "{}:f32:3*9x1:inverse:norm=none:inplace",
                             "{}:f16:1x6x1:norm=ortho:inverse:load=alternate:store=power", "{}:f64:5x1:factor=0.5"}) {
      const std::string text = fmt::format(fmt::runtime(form), kind);
      SCOPED_TRACE(text);
      check_lowering(parse_problem(text), limits_, 3);
    }
  }
}

// Of r2c, the complex axes take reals, or leave the real parts.
TEST_P(SinglePoint, OfTheRealAxisTakesNoStages) {
  const auto sizes = [&](const char* text) { return scratch_sizes(text, limits_); };
  EXPECT_EQ(sizes("r2c:f32:960x1").stages, sizes("c2c:f32:960").stages);
  EXPECT_EQ(sizes("c2r:f32:40x60x1").stages, sizes("c2c:f32:40x60").stages);
  EXPECT_EQ(sizes("r2c:f32:9*1x1").stages, 1U);
  EXPECT_LE(sizes("c2r:f32:400x400x1").scratch, sizes("c2r:f32:400x400x1").data);
  if (limits_.shape != DeviceLimits::Shape::staged) {
    EXPECT_EQ(sizes("c2r:f16:15x1:inplace").scratch, 0.0);
    EXPECT_EQ(sizes("r2c:f64:36x1:nonzero=36,1:wanted=8,1").scratch, 0.0);
  }
  for (const char* text :
       {"r2c:f32:30x1", "r2c:f16:5*6x1x9:axes=0,1", "r2c:f64:2187x1:load=alternate", "r2c:f32:45x1:wanted=23,1",
        "r2c:f64:1001x1:wanted=700,1", "r2c:f32:3*1x1", "c2r:f32:30x1:norm=ortho", "c2r:f16:4x15x1:inplace",
        "c2r:f64:2187x1:store=power", "c2r:f32:40x30x1", "c2r:f32:1x12x1:nonzero=1,7,1:wanted=1,9,1"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, SinglePoint, testing::Values("host", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
