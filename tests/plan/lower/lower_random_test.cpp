// Lowering of problems over all features together, checked by executing the stages on no device: for every named set of
// limits they compute what the definitions say, write nothing else and keep the rules that engines rely on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/lowered_problem.hpp"
#include "support/sample.hpp"
#include "support/transform_name.hpp"
#include "verify/random_problem.hpp"

namespace twiddle::test {
namespace {

// Of the first those count that are of some kind. With sanitizers problems take five times as long.
constexpr std::ptrdiff_t last_seed = instrumented ? 3000 : 12000;
const std::uint64_t problems = every_case() ? 600 : instrumented ? 75 : 300;

class LowerRandom : public testing::TestWithParam<std::string> {};

TEST_P(LowerRandom, ComputesTheDefinition) {
  const DeviceLimits limits = plan::named_limits(GetParam());
  const bool owned = limits.shape == DeviceLimits::Shape::owned;
  const verify::Abilities abilities{.extended = owned, .most_elements = 1 << 12};
  for (std::uint64_t seed = 1; seed <= problems; ++seed) {
    const Problem problem = verify::random_problem(seed, abilities);
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, to_string(problem)));
    try {
      check_lowering(problem, limits, seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// A device so small that lines of some hundred elements take several stages: what real lines of odd length keep of them
// between two, and several lines in pairs, serve all layouts and prunings, and need no more scratch memory than complex
// numbers of one axis would.
TEST(LowerRandomForATinyDevice, RealLinesOfOddLengthInSeveralStages) {
  DeviceLimits limits = plan::named_limits("small");
  limits.local_memory = 1024;
  limits.compute_units = 0;  // too few for launches to count
  const verify::Abilities abilities{.extended = false, .most_elements = 1 << 12};
  const auto is_mirrored = [](const plan::Stage& stage) {
    const auto has_period = [](const std::optional<plan::Bound>& bound) { return bound && bound->period != 0; };
    return has_period(stage.load_bound) || has_period(stage.store_bound);
  };
  const auto maps_pairs = [](const plan::Stage& stage) {
    return stage.radices.empty() && stage.load_map && plan::holds_two_spectra(stage.load_map->rule);
  };
  const auto has_half = [](const plan::Stage& stage) { return stage.load_map && stage.load_map->half_columns != 0; };
  std::ptrdiff_t mirrored = 0;
  std::ptrdiff_t paired = 0;
  std::ptrdiff_t by_half = 0;
  std::size_t checks = 0;
  for (std::uint64_t seed = 1; seed <= last_seed; ++seed) {
    const Problem problem = verify::random_problem(seed, abilities);
    const Transform& transform = problem.transform;
    if (transform.kind == Kind::c2c || transform.lengths[transformed_axes(transform).back()] < 45) continue;
    const plan::Recipe recipe = plan::make_recipe(transform, limits);
    const plan::Program program = plan::lower(recipe, transform, problem.direction, problem.placement, limits);
    const auto mirrored_here = std::count_if(program.stages.begin(), program.stages.end(), is_mirrored);
    const auto paired_here = std::count_if(program.stages.begin(), program.stages.end(), maps_pairs);
    const auto by_half_here = std::count_if(program.stages.begin(), program.stages.end(), has_half);
    if (mirrored_here + paired_here + by_half_here == 0) continue;
    by_half += by_half_here;
    mirrored += mirrored_here;
    paired += paired_here;
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, to_string(problem)));
    try {
      if (is_sampled(checks++, 2)) check_lowering(problem, limits, seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    if (transformed_axes(transform).size() > 1 || paired_here > 0 || transform.kind != Kind::r2c) continue;
    const std::uint64_t scalar = plan::scalar_bytes(plan::arithmetic_precision(transform.precision));
    EXPECT_LE(program.scratch_bytes, (total_elements(transform) * 2 * scalar + 63) / 64 * 64) << "seed " << seed;
  }
  EXPECT_GE(mirrored, last_seed / 500);
  EXPECT_GE(paired, last_seed / 2000);
  EXPECT_GE(by_half, last_seed / 1300);
}

// Lines of odd length in three to seven stages, of which half is kept between them: single ones, few ones, and where
// their spectrum is on neither side; without local memory and with so little of it.
TEST(LowerRandomForATinyDevice, HalvesOfRealLinesInManyStages) {
  std::size_t checks = 0;
  DeviceLimits tiny = plan::named_limits("small");
  tiny.local_memory = 1024;
  for (const DeviceLimits& limits : {tiny, plan::named_limits("mali")}) {
    for (const char* form :
         {"r2c:f32:{}", "r2c:f64:3*{}:inverse", "r2c:f32:{}x3:axes=0:inplace", "r2c:f32:2x{}:wanted=2,77",
          "r2c:f32:{}:inverse:nonzero=77", "r2c:f32:{}:inverse:inplace", "r2c:f32:{}:nonzero=99",
          "r2c:f32:{}:inverse:in=2/offset=3", "dct2:f32:{}", "dct3:f64:{}x2:axes=0", "dct4:f32:{}:inplace",
          "dst2:f32:3*{}:norm=ortho", "dst3:f32:{}:wanted=100", "dst4:f64:{}", "dht:f32:{}:nonzero=50"}) {
      for (const int n : {1001, 2187, 3375, 6561}) {
        const Problem problem = parse_problem(fmt::format(fmt::runtime(form), n));
        SCOPED_TRACE(fmt::format(fmt::runtime(form), n));
        const plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
        if (n == 6561) {
          EXPECT_GE(plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits).stages.size(),
                    4U);
        }
        if (is_sampled_if_instrumented(checks++, 7)) check_lowering(problem, limits, 7);
      }
    }
  }
}

// On a device with many compute units, the columns of one short line are no work for a launch more, by which one would
// follow the pairs of all others; few short lines likewise.
TEST(LowerLongRealLine, HasPairsOfColumnsOnlyWhereTheyPay) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const auto stages = [&limits](const char* text) {
    const Problem problem = parse_problem(text);
    const plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
    const plan::Program program = plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits);
    EXPECT_LE(program.scratch_bytes, 1.01 * 4 * static_cast<double>(total_elements(problem.transform))) << text;
    return program.stages.size();
  };
  EXPECT_EQ(stages("r2c:f32:59049"), 2U);
  EXPECT_EQ(stages("c2r:f32:59049"), 2U);
  EXPECT_EQ(stages("r2c:f32:101*1001"), 1U);
  EXPECT_EQ(stages("dct2:f32:3*1000"), 1U);
  EXPECT_EQ(stages("r2c:f32:9*59049"), 3U);  // an even number of lines leaves none over
  EXPECT_EQ(stages("r2c:f32:1594323"), 3U);
}

// Its padded line would fit one work-group, which leaves all others idle: there, there and back, and back.
TEST(LowerLongRealLine, IsDividedWhereItWouldBeAloneInAGroup) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const char* text : {"r2c:f32:10007", "c2r:f32:10007"}) {
    SCOPED_TRACE(text);
    const Problem problem = parse_problem(text);
    check_lowering(problem, limits, 3);
    const plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
    const auto stages = plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits).stages;
    ASSERT_EQ(stages.size(), 3U);
    EXPECT_TRUE(stages[1].returns);
  }
}

// 9 x 6667: half as many lines by Bluestein's algorithm, which stay rows.
TEST(LowerLongRealLine, KeepsHalfOfTheLinesByConvolution) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const Problem problem = parse_problem("r2c:f32:60003");
  const plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
  const auto stages = plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits).stages;
  ASSERT_FALSE(stages.empty());
  EXPECT_EQ(stages.front().length, 9U);
  ASSERT_TRUE(stages.back().convolution);
  EXPECT_EQ(plan::transform_count(stages.back()), 5U);
}

// 61 x 61 x 61 by Rader's algorithm: the mean of both halves of the first part's results in doubles, which two parts
// and floats can do without.
TEST(LowerRandomForATinyDevice, OneLineOfThreeConvolutions) {
  DeviceLimits limits = plan::named_limits("nvidia-opencl");
  for (const std::size_t units : {1, 132}) {
    limits.compute_units = units;
    for (const auto& [text, mean] : {std::pair("r2c:f64:226981", true),
                                     {"dct2:f64:226981", true},
                                     {"dct3:f64:226981", false},
                                     {"r2c:f32:226981", false},
                                     {"r2c:f64:3721", false}}) {
      SCOPED_TRACE(text);
      const Problem problem = parse_problem(text);
      if (problem.transform.lengths[0] < 10000) check_lowering(problem, limits, 3);
      const plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
      const auto stages = plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits).stages;
      const auto& map = stages.front().store_map;
      EXPECT_EQ(map && map->rule == plan::LineMap::Rule::mean_store, mean);
    }
  }
}

// Pairs of lines that leave none or one over, of the batch or of another dimension, in every placement.
TEST(LowerRandomForATinyDevice, PairsOfLines) {
  DeviceLimits tiny = plan::named_limits("small");
  tiny.local_memory = 1024;
  for (const DeviceLimits& limits : {tiny, plan::named_limits("mali")}) {
    for (const char* kind : {"r2c", "c2r"}) {
      for (const char* lines : {"4*211", "5*211", "2x211", "3*2x211:axes=1", "3x3x211:axes=2", "211x5:axes=0",
                                "7*3375:nonzero=100", "2*211:wanted=60", "3*211:out=planar:norm=ortho",
                                "3*422:nonzero=106"}) {  // as many as a line of 211 reals has frequencies
        for (const char* placement : {"", ":inplace"}) {
          const std::string text = fmt::format("{}:f32:{}{}", kind, lines, placement);
          SCOPED_TRACE(text);
          try {
            check_lowering(parse_problem(text), limits, 3);
          } catch (const std::exception& error) {
            ADD_FAILURE() << error.what();
          }
        }
      }
    }
  }
}

// A host whose cores' caches hold a few elements, so that short lines and small images go in slices: in all layouts,
// also where some are left over, and in place.
TEST(LowerRandomForTinyCaches, ImagesAndLinesInSlices) {
  DeviceLimits limits = plan::named_limits("host");
  limits.level2_cache = 128;
  limits.compute_units = 2;
  const verify::Abilities abilities{.extended = true, .most_elements = 1 << 12};
  std::ptrdiff_t sliced = 0;
  std::ptrdiff_t in_place = 0;
  std::size_t checks = 0;
  for (std::uint64_t seed = 1; seed <= last_seed; ++seed) {
    const Problem problem = verify::random_problem(seed, abilities);
    const plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
    const plan::Program program = plan::lower(recipe, problem.transform, problem.direction, problem.placement, limits);
    if (program.turns.empty()) continue;
    ++sliced;
    if (std::ranges::any_of(program.stages, &plan::Stage::writes_over_recent)) ++in_place;
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, to_string(problem)));
    try {
      if (is_sampled(checks++, 2)) check_lowering(problem, limits, seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(sliced, last_seed / 30);
  EXPECT_GE(in_place, last_seed / 600);
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, LowerRandom, testing::ValuesIn(plan::limit_names()), limits_name<std::string>);

}  // namespace
}  // namespace twiddle::test
