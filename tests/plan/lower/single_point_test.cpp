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

INSTANTIATE_TEST_SUITE_P(NamedLimits, SinglePoint, testing::Values("host", "nvidia-cuda", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
