// Halves whose two sides have no rows in common, or other lengths, stand between stages in one array without gaps in
// the user's memory, of which each number's other half is in scratch memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "plan/device/limits.hpp"
#include "plan/lower/stage.hpp"
#include "support/lowered_problem.hpp"
#include "support/planned_program.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

class PackedParts : public testing::TestWithParam<std::string> {
 protected:
  PackedParts() : limits_(plan::named_limits(GetParam())) {}

  [[nodiscard]] bool has_parts_apart(const std::string& text) const {
    return std::ranges::any_of(program_of(text, limits_).stages, plan::has_parts_apart);
  }

  DeviceLimits limits_;
};

// Planar on one side of reals, lines that are not the innermost, layouts with other steps, and what is pruned along
// several dimensions; out of place as well.
TEST_P(PackedParts, NeedTheData) {
  for (const char* text :
       {"c2r:f16:640x480:inplace:in=planar", "r2c:f16:448x64:inplace:out=planar",
        "c2r:f16:9x16x15:axes=0,1,2:inplace:in=planar", "r2c:f16:30x16x8:axes=0,1:inplace",
        "r2c:f16:2*37x8x6:axes=0,1:inplace:in=48,6,1/batch=1776:out=30,6,-1/batch=1110/offset=5",
        "dht:f16:4x16x7:nonzero=4,9,1", "dst4:f16:3x7x3:nonzero=2,5,1", "dct3:f16:17x15x13:nonzero=2,4,6",
        "c2c:f16:11x3x14:inplace:nonzero=2,3,4", "r2c:f16:7x48:inplace:out=planar:store=alternate",
        "c2r:f16:7x48:inplace:in=planar:load=alternate"}) {
    const auto [data, scratch, slices, bluestein, all_stages] = scratch_sizes(text, limits_);
    EXPECT_LE(scratch, data) << text;
    EXPECT_TRUE(has_parts_apart(text)) << text;
  }
}

// What lies between the user's elements is not twiddle's.
TEST_P(PackedParts, AreNotInMemoryWithGaps) {
  EXPECT_FALSE(has_parts_apart("c2r:f16:7x48:inplace:in=30,1/planar:out=60,1"));
  EXPECT_FALSE(has_parts_apart("r2c:f16:30x16x8:axes=0,1:inplace:in=200,10,1:out=100,10,1"));
}

TEST_P(PackedParts, AreRight) {
  for (const char* text :
       {"c2r:f16:12x10:inplace:in=planar", "r2c:f16:9x14:inplace:out=planar:norm=ortho",
        "c2r:f16:5x6x7:axes=0,1,2:inplace:in=planar:store=alternate", "r2c:f16:6x8x5:axes=0,1:inplace",
        "r2c:f16:2*7x8x6:axes=0,1:inplace:in=48,6,1/batch=336:out=30,6,-1/batch=210/offset=5:load=alternate",
        "dht:f16:4x16x7:nonzero=4,9,1", "dst4:f16:3x7x3:nonzero=2,5,1:load=alternate",
        "dct3:f16:17x15x13:nonzero=2,4,6", "c2c:f16:11x3x14:inplace:nonzero=2,3,4:store=power",
        "r2c:f16:7x48:inplace:out=planar:store=alternate", "c2r:f16:7x48:inplace:in=planar:load=alternate",
        "c2r:f16:7x9:inplace:in=planar:load=bartlett/5:norm=ortho"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(has_parts_apart(text));
    check_lowering(parse_problem(text), limits_, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, PackedParts, testing::Values("host", "nvidia-opencl", "nvidia-cuda"),
                         limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
