// Long lines of dct1 and dst1 as even and odd lines in two stages: right in all layouts, with little scratch memory,
// and other ways where these stages would not be right, or not exact.
#include "plan/lower/symmetric_line.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/lower/stage.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "support/sample.hpp"
#include "support/scratch_sizes.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

plan::Program lowered(const std::string& text, const DeviceLimits& limits) {
  const Problem problem = parse_problem(text);
  const plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
  return plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits);
}

// Columns and rows between one line that is even or odd, for all rows or for parts of them.
bool has_symmetric_stages(const plan::Program& program) {
  const auto& stages = program.stages;
  for (std::size_t i = 0; i + 1 < stages.size(); i += 2) {
    const std::optional<plan::Bound>& read = stages[i].load_bound;
    const std::optional<plan::Bound>& written = stages[i + 1].store_bound;
    if (!read || read->period == 0 || !written || written->period != read->period) return false;
  }
  return !stages.empty() && stages.size() % 2 == 0;
}

bool is_symmetric(const plan::Program& program) {
  return has_symmetric_stages(program) && program.stages[1].load_map &&
         program.stages[1].load_map->rule == plan::LineMap::Rule::hermitian_load;
}

// The first stage stores means of both halves, and rows are loaded by way of their mirror images.
bool keeps_means(const plan::Program& program) {
  if (!has_symmetric_stages(program)) return false;
  const plan::Stage& columns = program.stages[0];
  const plan::Stage& rows = program.stages[1];
  return columns.store_map && columns.store_map->rule == plan::LineMap::Rule::mean_store &&
         columns.twiddle->hermitian && rows.load_bound && rows.load_bound->period == rows.length;
}

// All columns of lines of so many points, for each part of the rows that is carried out by itself, and no maps.
bool is_extended(const plan::Program& program, std::uint64_t points) {
  const auto is_side = [&](const std::optional<plan::Bound>& bound) { return bound && bound->period == points; };
  const auto columns = std::ranges::count_if(program.stages, is_side, &plan::Stage::load_bound);
  const auto rows = std::ranges::count_if(program.stages, is_side, &plan::Stage::store_bound);
  const auto maps = [](const plan::Stage& stage) { return stage.load_map || stage.store_map; };
  return columns > 0 && columns == rows && std::ranges::none_of(program.stages, maps);
}

class SymmetricLine : public testing::TestWithParam<std::string> {
 protected:
  SymmetricLine() : limits_(plan::named_limits(GetParam())) {}

  void expect_right(const std::string& text) const {
    SCOPED_TRACE(text);
    try {
      EXPECT_TRUE(is_symmetric(lowered(text, limits_)));
      check_lowering(parse_problem(text), limits_, 5);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }

  DeviceLimits limits_;
};

TEST_P(SymmetricLine, ServesEveryLayout) {
  std::size_t problems = 0;
  for (const char* kind : {"dct1", "dst1"}) {
    for (const char* form :
         {"{}:f32:{}", "{}:f64:2*{}", "{}:f32:3*{}:inplace", "{}:f32:{}x3:axes=0", "{}:f16:2x{}:axes=1",
          "{}:f32:{}:nonzero=30001", "{}:f32:{}:wanted=29999", "{}:f32:{}:nonzero=77:wanted=3", "{}:f64:{}:inverse",
          "{}:f32:{}:norm=none:factor=0.3", "{}:f32:{}:in=-1/offset=33600", "{}:f32:{}:out=3"}) {
      if (!is_sampled(problems++, 5)) continue;
      const bool cosine = std::string(kind) == "dct1";
      expect_right(fmt::format(fmt::runtime(form), kind, cosine ? 33601 : 33599));  // of 67200 points
    }
  }
  for (const char* text :
       {"dst1:f32:33599:norm=ortho", "dct1:f32:33601:norm=ortho", "dct1:f64:2*33601:norm=ortho:inverse",
        "dct1:f32:33601:norm=ortho:nonzero=77:wanted=30001", "dct1:f32:33601:load=power", "dst1:f32:33599:store=power",
        "dct1:f32:3*33601:load=alternate:store=power:norm=ortho:inplace",
        "dst1:f64:2x33599:axes=1:load=bartlett/33599:store=alternate"}) {
    expect_right(text);
  }
  expect_right("dct1:f32:33615");  // of 4 x 7^5 points
}

// On the host many lines that one stage holds are symmetric where their planes fill the core's cache, and a few
// wherever that pays.
TEST(SymmetricLineOnTheHost, TakesTwoStagesWherePlanesFillTheCache) {
  DeviceLimits limits = plan::named_limits("host");
  limits.level2_cache = std::size_t{1} << 20;
  limits.halved_vectors = true;  // one stage holds the longest lines so
  for (const char* text : {"dct1:f32:99*65537", "dst1:f64:100*65535", "dct1:f64:100*65537", "dct1:f32:50*100001"}) {
    EXPECT_TRUE(is_symmetric(lowered(text, limits))) << text;
  }
  for (const char* text : {"dct1:f32:200*32769", "dst1:f64:200*16383", "dst1:f32:100*49999"}) {
    EXPECT_FALSE(is_symmetric(lowered(text, limits))) << text;
  }
}

// Where groups as wide as a segment of memory do not hold such columns, narrower ones do.
TEST(SymmetricLineOnDevices, TakesTwoNarrowStages) {
  for (const char* text : {"dct1:f32:1048576:inplace", "dct1:f16:1048576", "dst1:f32:1048575:inplace"}) {
    const ScratchSizes sizes = scratch_sizes(text, plan::named_limits("nvidia-opencl"));
    EXPECT_LE(sizes.scratch, 1.01 * sizes.data) << text;
  }
  DeviceLimits limits = plan::named_limits("small");
  limits.local_memory = 4096;
  for (const char* text : {"dst1:f32:2499:inplace", "dct1:f32:4097", "dct1:f32:4097:inverse:inplace:norm=ortho"}) {
    SCOPED_TRACE(text);
    const plan::Program program = lowered(text, limits);
    EXPECT_TRUE(has_symmetric_stages(program));
    EXPECT_EQ(program.stages.size(), 2U);
    check_lowering(parse_problem(text), limits, 3);
  }
  for (const char* text : {"dct1:f16:4097:inplace", "dst1:f16:2499:inplace"}) {
    SCOPED_TRACE(text);
    const ScratchSizes sizes = scratch_sizes(text, limits);
    EXPECT_LE(sizes.scratch, sizes.data);
    check_lowering(parse_problem(text), limits, 3);
  }
}

TEST_P(SymmetricLine, LeavesOthersToTheirWay) {
  for (const char* text :
       {"dst1:f32:2001", "dct1:f32:33602", "dct1:f32:33076", "dst1:f32:33074", "dct1:f32:235299", "dct2:f32:33600"}) {
    EXPECT_FALSE(is_symmetric(lowered(text, limits_))) << text;
  }
}

// Lines that two symmetric stages would not be exact for, of 68750 points and, with an even number of columns and of
// rows, 166012.
class ExtendedLine : public SymmetricLine {
 protected:
  ExtendedLine() {
    constexpr std::uint64_t one_stage_does_not_do = 1U << 16;
    if (limits_.shape == DeviceLimits::Shape::owned) limits_.level2_cache = one_stage_does_not_do;
  }

  // As means, or else extended; halves that two stages hold, in their places.
  void expect_right(const std::string& text, std::uint64_t points) const {
    SCOPED_TRACE(text);
    const plan::Program program = lowered(text, limits_);
    const Problem problem = parse_problem(text);
    const bool halves = problem.transform.precision == Precision::float16;
    EXPECT_TRUE(keeps_means(program) || is_extended(program, points) ||
                (halves && std::ranges::any_of(program.stages, plan::has_parts_apart)));
    check_lowering(problem, limits_, 5);
  }
};

TEST_P(ExtendedLine, ServesEveryLayout) {
  std::size_t problems = 0;
  for (const char* kind : {"dct1", "dst1"}) {
    for (const char* form :
         {"{}:f32:{}", "{}:f64:2*{}", "{}:f32:{}:inplace", "{}:f32:{}x3:axes=0", "{}:f16:{}", "{}:f32:{}:nonzero=30001",
          "{}:f32:{}:wanted=29999", "{}:f32:{}:nonzero=77:wanted=3", "{}:f64:{}:inverse", "{}:f32:{}:norm=ortho",
          "{}:f32:{}:in=-1/offset=72000", "{}:f32:{}:out=3", "{}:f32:{}:load=alternate", "{}:f64:{}:store=alternate"}) {
      if (!is_sampled(problems++, 5)) continue;
      expect_right(fmt::format(fmt::runtime(form), kind, std::string(kind) == "dct1" ? 34376 : 34374), 68750);
    }
  }
  for (const char* text : {"dct1:f32:83007", "dst1:f64:83005", "dct1:f64:83007:norm=ortho:inplace"}) {
    expect_right(text, 166012);
  }
}

// Without local memory each radix is a stage: of the results of the first one, which is that with the smallest lower
// half, a part at a time.
TEST(ExtendedLineWithoutLocalMemory, NeedsTheData) {
  const DeviceLimits limits = plan::named_limits("mali");
  for (const auto& [text, points] : {std::pair{"dct1:f32:1025", 2048U},
                                     {"dst1:f64:2047", 4096U},
                                     {"dct1:f32:100001", 200000U},
                                     {"dct1:f64:1048577", 2097152U},
                                     {"dct1:f32:334:norm=ortho", 666U}}) {
    const ScratchSizes sizes = scratch_sizes(text, limits);
    EXPECT_LE(sizes.scratch, sizes.data) << text;
    EXPECT_TRUE(is_extended(lowered(text, limits), points)) << text;
  }
  for (const char* text :
       {"dct1:f32:1025", "dst1:f64:512:inplace", "dct1:f32:3*334:norm=ortho", "dst1:f32:2*62:inplace:inverse",
        "dct1:f16:351", "dct1:f16:289x2:axes=0:inplace", "dst1:f32:599:nonzero=300:wanted=401:load=alternate",
        "dct1:f64:290:store=alternate:norm=ortho", "dst1:f16:7x83", "dct1:f32:10x144"}) {
    SCOPED_TRACE(text);
    check_lowering(parse_problem(text), limits, 5);
  }
}

// One line in two stages keeps means of a quarter, in place as well; several on the host, those that round much, and
// those in more stages keep halves.
TEST_P(ExtendedLine, KeepsMeansOfOneLine) {
  const bool host = limits_.shape == DeviceLimits::Shape::owned;
  for (const char* kind : {"dct1", "dst1"}) {
    const std::uint64_t n = std::string(kind) == "dct1" ? 34376 : 34374;
    for (const char* form : {"{}:f32:{}", "{}:f64:{}:inplace"}) {
      const std::string text = fmt::format(fmt::runtime(form), kind, n);
      EXPECT_TRUE(keeps_means(lowered(text, limits_))) << text;
      const ScratchSizes sizes = scratch_sizes(text, limits_);
      EXPECT_LE(sizes.scratch, 1.08 * sizes.data) << text;
    }
    EXPECT_EQ(keeps_means(lowered(fmt::format("{}:f32:2*{}", kind, n), limits_)), !host);
  }
  EXPECT_FALSE(keeps_means(lowered("dct1:f32:85684", limits_)));  // of 2 x 3 x 13^4 points
  if (GetParam() == "small") {
    EXPECT_FALSE(keeps_means(lowered("dct1:f32:226981", limits_)));
  }
}

// Of P = n1 n2 points there are (n1 / 2 + 1) (n2 / 2 + 1) complex numbers in between.
TEST_P(SymmetricLine, KeepsTheDataAndItsEdges) {
  for (const std::uint64_t points : {67200ULL, 262144ULL, 2000000ULL}) {
    for (const bool odd : {false, true}) {
      const std::uint64_t n = odd ? points / 2 - 1 : points / 2 + 1;
      const plan::Program program = lowered(fmt::format("{}:f32:{}", odd ? "dst1" : "dct1", n), limits_);
      ASSERT_TRUE(is_symmetric(program)) << n;
      const std::uint64_t edges = program.stages[0].length + program.stages[1].length + 3;
      EXPECT_LE(program.scratch_bytes, (4 * (n + edges) + 63) / 64 * 64) << n;
      EXPECT_LE(static_cast<double>(program.scratch_bytes), 4.1 * static_cast<double>(n)) << n;
    }
  }
}

// Sines begin one place before their memory, wherever that is, and need as much of it as cosines, but for what slices
// of 67201 and of 67199 lines differ by.
TEST_P(SymmetricLine, TakesAsMuchMemoryInSeveralDimensions) {
  for (const char* form :
       {"{0}:f16:{1}x{1}", "{0}:f32:4x{1}:nonzero=2,{1}", "{0}:f64:{1}x{1}:nonzero=64,{1}:wanted=1,64"}) {
    const auto scratch = [&](const char* kind, int n) {
      return static_cast<double>(lowered(fmt::format(fmt::runtime(form), kind, n), limits_).scratch_bytes);
    };
    const double cosines = scratch("dct1", 67201);
    ASSERT_GT(cosines, 0) << form;
    EXPECT_NEAR(scratch("dst1", 67199) / cosines, 1, 0.01) << form;
  }
}

#ifdef TWIDDLE_SANITIZED  // which takes five times as long and sees the same accesses for both
const auto devices = testing::Values("host");
const auto devices_of_extended_lines = testing::Values("host", "small");
#else
const auto devices = testing::Values("host", "nvidia-cuda");
const auto devices_of_extended_lines = testing::Values("host", "nvidia-cuda", "small");
#endif
INSTANTIATE_TEST_SUITE_P(NamedLimits, SymmetricLine, devices, limits_name<std::string>);
INSTANTIATE_TEST_SUITE_P(NamedLimits, ExtendedLine, devices_of_extended_lines, limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
