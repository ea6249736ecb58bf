// Transforms back to reals over several dimensions of large data on the host: the input stays, and what is between
// stages is in the output's memory.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "plan/device/limits.hpp"
#include "support/lowered_problem.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

using plan::LineMap;
using plan::Operand;

// A host with one core, whose cache is a quarter of what scratch memory would be.
DeviceLimits host_beside(const std::string& text) {
  DeviceLimits limits = plan::named_limits("host");
  limits.compute_units = 1;
  limits.level2_cache = std::size_t{1} << 30;
  limits.level2_cache = program_of(text, limits).scratch_bytes / 4;
  return limits;
}

bool packs_ends(const plan::Program& program) {
  const auto& map = program.stages.back().load_map;
  return map && map->rule == LineMap::Rule::half_spectrum_load;
}

TEST(PackedEnds, TakeNoScratchMemoryInTwoDimensions) {
  for (const char* text : {"c2r:f32:600x1000", "c2r:f64:1080x1920", "c2r:f64:4*500x512", "c2r:f32:500x3x512:axes=0,2",
                           "c2r:f32:997x512", "c2r:f32:1x900x400"}) {
    const plan::Program program = program_of(text, host_beside(text));
    EXPECT_TRUE(packs_ends(program)) << text;
    EXPECT_EQ(program.scratch_bytes, 0U) << text;
    EXPECT_EQ(program.stages.size(), 3U) << text;
    EXPECT_TRUE(program.stages.back().ends) << text;
  }
}

// In more dimensions the last frequency alone is there.
TEST(PackedEnds, TakeOneFrequencyInMoreDimensions) {
  const char* text = "c2r:f64:30x40x256";
  const plan::Program program = program_of(text, host_beside(text));
  EXPECT_TRUE(packs_ends(program));
  EXPECT_EQ(program.scratch_bytes, 30U * 40 * 16);
  std::size_t of_input = 0;
  for (const plan::Stage& stage : program.stages) {
    EXPECT_NE(stage.destination, Operand::input);
    of_input += stage.source == Operand::input ? 1 : 0;
  }
  EXPECT_EQ(of_input, 2U);
}

TEST(PackedEnds, AreWhereTheyPay) {
  for (const char* text : {
           "c2r:f32:600x1000:overwrite",   // the input's memory serves
           "c2r:f32:600x1000:inplace",     // likewise
           "c2r:f32:600x255",              // odd
           "c2r:f32:5000x200",             // short rows
           "c2r:f16:600x1000",             // no room for floats
           "c2r:f32:600x1000:out=1002,1",  // gaps between rows
           "c2r:f32:600x1000:nonzero=600,400",
           "c2r:f32:4*100000",  // one dimension
           "dct2:f32:600x1000",
           "r2c:f32:600x1000",
       }) {
    EXPECT_FALSE(packs_ends(program_of(text, host_beside(text)))) << text;
  }
  const char* text = "c2r:f32:300x300";
  DeviceLimits limits = host_beside(text);
  EXPECT_TRUE(packs_ends(program_of(text, limits)));
  limits.compute_units = 2;  // whose caches hold more
  EXPECT_FALSE(packs_ends(program_of(text, limits)));
}

TEST(PackedEnds, ComputeWhatTheDefinitionSays) {
  for (const char* text : {"c2r:f32:32x256", "c2r:f64:3*8x200", "c2r:f64:5x6x128:norm=ortho", "c2r:f32:4x1x3x260",
                           "c2r:f64:24x130:in=70,1", "c2r:f32:2*5x300:in=planar", "c2r:f64:3x4x140:axes=0,2",
                           "c2r:f80:9x64", "c2r:f32:3*6x512:in=257,1/batch=0", "c2r:f64:67x128",
                           "c2r:f32:8x256:store=alternate", "c2r:f64:8x200:load=bartlett/7:store=power"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(packs_ends(program_of(text, host_beside(text))));
    check_lowering(parse_problem(text), host_beside(text), 3);
  }
}

}  // namespace
}  // namespace twiddle::test
