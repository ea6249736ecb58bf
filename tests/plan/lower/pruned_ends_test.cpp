// Long lines of halves of which a part is not there, or not wanted, keep to their places as whole ones do.
#include "plan/lower/pruned_ends.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "support/lowered_problem.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class PrunedEnds : public testing::TestWithParam<std::string> {
 protected:
  PrunedEnds() : limits_(plan::named_limits(GetParam())) {}
  DeviceLimits limits_;
};

// In place what is left out has its place in the larger side; out of place where the results are all wanted, or
// complex.
TEST_P(PrunedEnds, NeedTheData) {
  for (const char* text : {"c2c:f16:1048576:nonzero=500000",
                           "c2c:f16:1048576:inplace:nonzero=500000",
                           "c2c:f16:1048576:inplace:wanted=500000",
                           "c2c:f16:1048576:wanted=500000",
                           "r2c:f16:1048576:nonzero=500001",
                           "r2c:f16:1048576:inplace:nonzero=500000",
                           "r2c:f16:1048576:inplace:wanted=200000",
                           "c2r:f16:1048576:nonzero=200000:load=alternate",
                           "c2r:f16:1048576:inplace:wanted=800000",
                           "r2c:f16:531441:nonzero=500000",
                           "r2c:f16:531441:inplace:wanted=200000:load=bartlett/7",
                           "c2r:f16:531441:nonzero=200000",
                           "c2r:f16:531441:inplace:wanted=200000",
                           "dct2:f16:1048576:nonzero=500000",
                           "dct2:f16:1048576:inplace:wanted=500000",
                           "dct3:f16:1048576:nonzero=500000",
                           "dct4:f16:1048576:inplace:nonzero=500000:load=bartlett/7",
                           "dst2:f16:531441:nonzero=500000",
                           "dst3:f16:531441:inplace:wanted=500000",
                           "dst4:f16:531441:nonzero=500000:store=bartlett/7",
                           "dht:f16:1048576:inplace:wanted=500000",
                           "dht:f16:3*531441:nonzero=500000:norm=ortho"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
  }
}

// Short lines take several stages there.
TEST_P(PrunedEnds, AreRight) {
  if (limits_.shape == DeviceLimits::Shape::on_chip) limits_ = plan::named_limits("small");
  if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = 4096;
  limits_.local_memory = std::min<std::size_t>(limits_.local_memory, 2048);
  for (const std::string kind : {"c2c", "r2c", "c2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4", "dht"}) {
    for (const char* form :
         {":f16:2048:nonzero=701", ":f16:2048:inplace:nonzero=300", ":f16:2*1125:nonzero=400", ":f16:1125:nonzero=563",
          ":f16:2*2048:inplace:wanted=500", ":f16:1125:inplace:wanted=561", ":f16:2048:inplace:nonzero=1000:wanted=900",
          ":f16:1125:nonzero=300:load=bartlett/7:store=bartlett/9:norm=ortho",
          ":f16:2048:inplace:wanted=200:load=bartlett/7:store=bartlett/9"}) {
      const std::string text = kind + form;
      SCOPED_TRACE(text);
      check_lowering(parse_problem(text), limits_, 3);
    }
  }
  // Beside other axes.
  for (const char* text :
       {"c2c:f16:3x2048:inplace:nonzero=3,700", "c2c:f16:1500x3:nonzero=700,3", "c2c:f16:3x2048:inplace:nonzero=2,2048",
        "c2c:f16:6x1500:inplace:wanted=6,700:load=bartlett/7", "r2c:f16:3x2048:inplace:nonzero=3,700",
        "r2c:f16:3x2048:inplace:wanted=3,700", "r2c:f16:3x1125:nonzero=3,700:store=bartlett/7",
        "c2r:f16:3x2048:inplace:nonzero=3,700", "c2r:f16:4x1125:inplace:wanted=4,700", "c2c:f16:60x70:nonzero=50,70",
        "dct2:f16:3x2048:inplace:nonzero=3,700", "dct3:f16:2048x3:inplace:wanted=700,3"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
  // Complex lines of reals have all of their spectrum.
  for (const char* text : {"r2c:f16:1001x1:wanted=700,1", "r2c:f16:1125x1:wanted=400,1", "c2r:f16:1125x1:wanted=400,1",
                           "c2r:f16:1125x1:nonzero=400,1", "r2c:f64:1001x1:wanted=700,1"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits_, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, PrunedEnds,
                         testing::Values("host", "nvidia-opencl", "nvidia-cuda", "small", "mali"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
