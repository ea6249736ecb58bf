// How much there is to do for problems, and how long it is estimated to take by made-up profiles.
#include "plan/device/execution_seconds.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "plan/recipe/recipe.hpp"
#include "support/made_up_profiles.hpp"

namespace twiddle::plan {
namespace {

TEST(Work, CountsWhatStagesMoveAndCompute) {
  const Work rows = work_of(parse_problem("c2c:f32:1000*256"), named_limits("host"));
  ASSERT_EQ(rows.stages.size(), 1U);
  EXPECT_EQ(rows.stages[0].bytes, 2 * 1000 * 256 * 8);
  EXPECT_EQ(rows.stages[0].operations, 1000.0 * 256 * 5 * 8);
  EXPECT_EQ(rows.stages[0].lines, 1000);
  EXPECT_FALSE(rows.stages[0].strided);
  EXPECT_EQ(rows.input_bytes, 1000U * 256 * 8);
  EXPECT_EQ(rows.memory_bytes, 2U * 1000 * 256 * 8);

  const Work columns = work_of(parse_problem("c2c:f64:256x1000:axes=0:inplace"), named_limits("host"));
  ASSERT_EQ(columns.stages.size(), 1U);
  EXPECT_TRUE(columns.stages[0].strided);
  EXPECT_EQ(columns.stages[0].bytes, 2 * 1000 * 256 * 16);
  EXPECT_EQ(columns.memory_bytes, 1000U * 256 * 16);

  const Work reals = work_of(parse_problem("r2c:f32:1000*256"), named_limits("host"));
  EXPECT_EQ(reals.input_bytes, 1000U * 256 * 4);
  EXPECT_EQ(reals.output_bytes, 1000U * 129 * 8);
  EXPECT_LT(reals.stages[0].bytes, 0.6 * rows.stages[0].bytes);
}

TEST(Work, CountsMoreWhereALengthIsConvolved) {
  const Work prime = work_of(parse_problem("c2c:f32:100*1009"), named_limits("host"));
  const Work smooth = work_of(parse_problem("c2c:f32:100*1024"), named_limits("host"));
  const auto operations = [](const Work& work) {
    double sum = 0;
    for (const StageWork& stage : work.stages) sum += stage.operations;
    return sum;
  };
  EXPECT_GT(operations(prime), 1.9 * operations(smooth));
}

TEST(Work, OfConvolutionsGrowsWithTheFilters) {
  twiddle::Convolution convolution{.signal_lengths = {100000}, .kernel_lengths = {257}};
  const auto seconds = [&](const char* limits) {
    return execution_seconds(work_of(convolution, named_limits(limits)), host_profile(), 1);
  };
  for (const char* limits : {"host", "nvidia-cuda"}) {
    convolution.filters = 1;
    const double one = seconds(limits);
    convolution.filters = 16;
    EXPECT_GT(seconds(limits), 6 * one) << limits;
    EXPECT_EQ(work_of(convolution, named_limits(limits)).output_bytes, 4 * output_elements(convolution));
  }
}

// There and back: reals, of which half are read twice and half are stored, and twice the spectra.
TEST(Work, OfConvolutionsCountsAllSegmentsThroughMemory) {
  twiddle::Convolution convolution{.signal_lengths = {1 << 22}, .kernel_lengths = {8193}};
  convolution.method = twiddle::Convolution::Method::overlap_save;
  convolution.segment = 16384;
  double bytes = 0;
  for (const StageWork& stage : work_of(convolution, named_limits("nvidia-cuda")).stages) bytes += stage.bytes;
  EXPECT_GT(bytes, 1.5 * 2 * 8 * (1 << 22));
}

// All filters are one batch, and their spectra one buffer.
TEST(Work, OfConvolutionsThroughMemoryHasOneSetOfStagesForAllFilters) {
  twiddle::Convolution convolution{.signal_lengths = {1 << 16}, .kernel_lengths = {4097}, .filters = 3};
  convolution.method = twiddle::Convolution::Method::whole;
  const std::size_t stages = work_of(convolution, named_limits("nvidia-cuda")).stages.size();
  convolution.filters = 300;
  const Work many = work_of(convolution, named_limits("nvidia-cuda"));
  EXPECT_EQ(many.stages.size(), stages);
  EXPECT_GE(many.largest_allocation, 300ULL * 4 * (1 << 16));
  EXPECT_GE(many.memory_bytes, many.input_bytes + many.output_bytes + 300ULL * 4 * (1 << 16));
}

TEST(ExecutionSeconds, CountsOperationsThatOutweighMemory) {
  // By the definition the host is slow at it: 127 x 127 terms.
  DeviceProfile slow = host_profile();
  slow.stage = curve(1e-7, 1e10);
  const Problem problem = parse_problem("c2c:f64:100000*16129");
  const Work host = work_of(problem, named_limits("host"));
  EXPECT_GT(execution_seconds(host, slow, 1), 2 * static_cast<double>(2 * host.input_bytes) / 1e10);
}

TEST(ExecutionSeconds, KnowsThatOneLineIsOneUnitsWork) {
  DeviceProfile profile = fast_profile();
  profile.line = SizeCurve({{4096, 1e-9}, {16384, 1e-6}, {65536, 5e-5}});
  const auto seconds = [&](const char* problem, std::size_t units, const char* limits = "host") {
    return execution_seconds(work_of(parse_problem(problem), named_limits(limits)), profile, units);
  };
  EXPECT_NEAR(seconds("c2c:f32:4096", 8), 5e-5, 1e-7);
  EXPECT_NEAR(seconds("c2c:f32:8*4096", 8, "nvidia-opencl"), 5e-5, 1e-7);
  EXPECT_NEAR(seconds("c2c:f32:9*4096", 8, "nvidia-opencl"), 1e-4, 1e-7);  // one unit has two
  EXPECT_NEAR(seconds("c2c:f32:9*4096", 1), 4.5e-4, 1e-6);
  EXPECT_NEAR(seconds("c2c:f32:9*4096", 8), 4.5e-4, 1e-6);  // so few points are one thread's on the host
  EXPECT_NEAR(seconds("c2c:f32:32*4096", 8), 2e-4, 1e-6);
  EXPECT_NEAR(seconds("c2c:f64:4096", 8), 1e-4, 1e-7);
  EXPECT_LT(seconds("c2c:f32:256", 8), 1e-7);
  // By two transforms of twice the points, or nearly as many.
  EXPECT_GT(seconds("c2c:f32:1009", 8), 1.5 * seconds("c2c:f32:1024", 8));
}

// The host's threads share a stage from so many points on, each of them no fewer than a piece has: operations take as
// long as one thread was measured to take for them, each further one adding most of one. Of 512x512 points 16 threads
// have work for 8.
TEST(ExecutionSeconds, KnowsHowManyThreadsShareAStageOfTheHost) {
  DeviceProfile profile;
  // 10 GB/s by one thread, 80 by 16.
  profile.stage = SizeCurve({{4096, 4.096e-7}, {1 << 20, 1.048576e-4}, {1 << 21, 2.62144e-5}, {1 << 24, 2.097152e-4}});
  const auto seconds = [&](const char* problem) {
    return execution_seconds(work_of(parse_problem(problem), named_limits("host")), profile, 16);
  };
  EXPECT_NEAR(seconds("dct2:f32:1024*256") / (16 * seconds("dct2:f32:64*256")), 1 / (1 + 7 * host_further_thread),
              0.005);
  // Waking them takes as long as the smallest stage that they share took beside its operations.
  const double awake = seconds("dct2:f32:1024*256");
  profile.stage = SizeCurve({{4096, 4.096e-7}, {1 << 20, 1.048576e-4}, {1 << 21, 6e-5}, {1 << 24, 2.097152e-4}});
  const double operations = (1 << 21) / ((1 + 7 * host_further_thread) * 1e10);
  EXPECT_NEAR(seconds("dct2:f32:1024*256") - awake, 6e-5 - operations, 1e-7);
  const Work work = work_of(parse_problem("dct2:f32:512x512"), named_limits("host"));
  for (const StageWork& stage : work.stages) EXPECT_EQ(stage.pieces, 8);
  EXPECT_EQ(work_of(parse_problem("dct2:f32:64*256"), named_limits("host")).stages[0].pieces, 1);
  EXPECT_EQ(work_of(parse_problem("dct2:f32:64*256"), named_limits("nvidia-cuda")).stages[0].pieces,
            StageWork::unlimited);
}

// The maps before and after it are shared out; the columns and rows between them are as many lines as a complex
// transform of half the points has.
TEST(ExecutionSeconds, KnowsThatMapsOfOneLineAreEveryUnitsWork) {
  DeviceProfile profile = fast_profile();
  profile.line = SizeCurve({{4096, 1e-9}, {16384, 1e-6}, {65536, 5e-5}});
  const auto seconds = [&](const char* problem, const char* limits) {
    return execution_seconds(work_of(parse_problem(problem), named_limits(limits)), profile, 2);
  };
  for (const char* limits : {"host", "nvidia-opencl"}) {
    EXPECT_NEAR(seconds("dct2:f32:1048576", limits) / seconds("c2c:f32:524288", limits), 1, 0.1) << limits;
  }
}

// A cosine transform of 2^20 points by maps with rules took a little longer than one of reals by one core of an EPYC,
// and one whose maps have tables 2.5 times as long as that.
TEST(ExecutionSeconds, CountsTheHostsMaps) {
  const auto seconds = [](const char* problem, const char* limits) {
    DeviceProfile profile = host_profile();
    profile.row_mapping = 20;
    profile.column_mapping = 40;
    return execution_seconds(work_of(parse_problem(problem), named_limits(limits)), profile, 1);
  };
  EXPECT_GT(seconds("dct2:f32:1048576", "host"), seconds("r2c:f32:1048576", "host"));
  EXPECT_GT(seconds("dct4:f32:1048576", "host"), 2 * seconds("dct2:f32:1048576", "host"));
  EXPECT_LT(seconds("r2c:f32:1024*1024", "nvidia-cuda"), 1.2 * seconds("c2c:f32:1024*512", "nvidia-cuda"));
  // Of lines: rows of reals have the cheapest maps, and columns the dearest.
  const double reals = seconds("r2c:f32:512*512", "host");
  const double cosines = seconds("dct2:f32:512*512", "host");
  EXPECT_GT(reals, seconds("c2c:f32:512*256", "host"));
  EXPECT_GT(cosines, 1.5 * reals);
  EXPECT_GT(seconds("dct2:f32:512x512:axes=0", "host"), 1.3 * cosines);
  EXPECT_GT(seconds("dct4:f32:512*512", "host"), 1.1 * cosines);  // neither of its maps only moves elements
  DeviceLimits limits = named_limits("host");
  limits.sub_group_size = 16;
  const auto mapped = [&](const char* problem) { return work_of(parse_problem(problem), limits).stages[0].mapped; };
  EXPECT_EQ(mapped("dct2:f32:16*512"), 4 * mapped("dct2:f32:32*512") / 2);  // pairs for half of the lanes
}

// Cosine transforms of 512x512 took 0.30 to 0.38 ms on 16 cores of a Xeon, where 0.2 were estimated, and one by way of
// the card 0.24 to 0.27: columns that cores share take their share of what rows wait for, however few bytes they are.
TEST(ExecutionSeconds, KnowsThatSharedColumnsLieInTheCachesOfOtherCores) {
  DeviceProfile profile = host_profile();
  profile.stage = SizeCurve({{4096, 1e-7}, {1 << 20, 4e-5}, {1 << 21, 4.1e-5}, {1 << 26, 5e-4}});
  profile.cached_strided_slowdown = 1.25;
  profile.strided_slowdown = profile.long_strided_slowdown = 2;
  const auto slowdown = [&](const char* size, std::size_t units) {
    const auto seconds = [&](const std::string& problem) {
      return execution_seconds(work_of(parse_problem(problem), named_limits("host")), profile, units);
    };
    return seconds(fmt::format("c2c:f32:256x{}:axes=0", size)) / seconds(fmt::format("c2c:f32:{}*256", size));
  };
  EXPECT_NEAR(slowdown("64", 16), 1.25, 1e-2);  // one thread's
  EXPECT_NEAR(slowdown("512", 16), 1.25 * std::pow(2 / 1.25, 7.0 / 8), 2e-2);
  EXPECT_NEAR(slowdown("512", 1), 1.25 * std::pow(2 / 1.25, 0.75), 2e-2);
}

// Columns that are written as rows, or to working memory, and not those that are written to a program's array.
TEST(ExecutionSeconds, KnowsWhichColumnsShareCacheLines) {
  const auto aligned = [](const char* problem, const char* limits = "host") {
    std::vector<bool> result;
    for (const StageWork& stage : work_of(parse_problem(problem), named_limits(limits)).stages) {
      if (stage.strided) result.push_back(stage.aligned);
    }
    return result;
  };
  EXPECT_EQ(aligned("c2c:f32:1048576"), (std::vector{true, false}));
  EXPECT_EQ(aligned("dct2:f32:1048576"), (std::vector{true, true}));
  EXPECT_EQ(aligned("c2c:f32:512x512"), std::vector{false});
  EXPECT_EQ(aligned("c2c:f32:512x512", "nvidia-cuda"), std::vector{false});
  DeviceProfile profile = host_profile();
  profile.cached_strided_slowdown = profile.strided_slowdown = profile.long_strided_slowdown = 2;
  profile.aligned_strided_slowdown = 1.25;
  Work columns = work_of(parse_problem("c2c:f32:1024x1024:axes=0"), named_limits("host"));
  const double shared = execution_seconds(columns, profile, 16);
  columns.stages[0].aligned = true;
  EXPECT_NEAR(shared / execution_seconds(columns, profile, 16), 2 / 1.25, 1e-2);
}

// What cores wait for is not hidden behind operations: more of these take longer, though memory takes longest.
TEST(ExecutionSeconds, AddsOperationsToWhatTheHostWaitsFor) {
  DeviceProfile profile;
  profile.stage = SizeCurve({{4096, 4.096e-7}, {1 << 20, 1.048576e-4}, {1 << 21, 4e-5}, {1 << 25, 6.4e-4}});
  profile.row_mapping = 20;
  const Work cosines = work_of(parse_problem("dct2:f32:4096*1024"), named_limits("host"));
  const double rows = profile.stage.seconds(cosines.stages[0].bytes);
  const double operations = cosines.stages[0].operations + 20 * cosines.stages[0].mapped;
  const double beyond = operations - 2.5 * cosines.stages[0].bytes;  // of what rows of 256 points have
  ASSERT_GT(beyond, 0);
  EXPECT_NEAR(execution_seconds(cosines, profile, 16), rows + beyond / 2.5 / (1e10 * host_speedup(16)), 1e-6);
}

TEST(ExecutionSeconds, CountsPagesBetweenTheElementsOfPlanarColumns) {
  const auto crowded = [](const char* problem) {
    return work_of(parse_problem(problem), named_limits("host")).stages.back().crowded;
  };
  EXPECT_TRUE(crowded("c2c:f32:512x512"));  // 4096 bytes
  EXPECT_FALSE(crowded("dct2:f32:512x512"));
  EXPECT_TRUE(crowded("dct2:f32:1024x1024"));
  EXPECT_TRUE(crowded("dct2:f64:512x512"));
}

TEST(ExecutionSeconds, CountsTheDefinitionAsWork) {
  DeviceLimits limits = named_limits("nvidia-opencl");
  limits.strategy.algorithm = Strategy::Algorithm::direct;
  const Work work = work_of(parse_problem("c2c:f32:3*1000"), limits);
  ASSERT_EQ(work.stages.size(), 1U);
  EXPECT_GE(work.stages[0].operations, 3e6);
}

TEST(ExecutionSeconds, CountsLaunchesOfAllStages) {
  DeviceProfile profile = fast_profile();
  profile.stage = curve(1e-5, 1e15);
  profile.strided_slowdown = profile.long_strided_slowdown = 5;  // not of launches
  const Work work = work_of(parse_problem("c2c:f32:64x64"), named_limits("nvidia-cuda"));
  ASSERT_EQ(work.stages.size(), 2U);
  EXPECT_NEAR(execution_seconds(work, profile, 1), 2e-5, 1e-8);
}

// Planes, and both stages of long lines: what is between the two does not move, and the launch is paid once.
TEST(ExecutionSeconds, CountsTwoStagesInOneLaunchAsOne) {
  const DeviceLimits limits = named_limits("nvidia-cuda");
  struct Case {
    const char* text;
    double bytes, lines;
  };
  for (const Case& one :
       {Case{"c2c:f32:132*64x64", 132.0 * 4096 * 8, 132}, Case{"c2c:f64:8192*64x64", 8192.0 * 4096 * 16, 8192},
        Case{"c2c:f32:256*262144:inplace", 256.0 * 262144 * 8, 256 * 512}}) {
    const Problem problem = parse_problem(one.text);
    const Program program =
        lower(make_recipe(problem.transform, limits), problem.transform, problem.direction, problem.placement, limits);
    ASSERT_EQ(program.stages.size(), 2U) << one.text;
    const Work work = work_of(problem, limits);
    ASSERT_EQ(work.stages.size(), 1U) << one.text;
    EXPECT_EQ(work.stages[0].bytes, 2 * one.bytes) << one.text;
    EXPECT_EQ(work.stages[0].operations, work_of(program.stages[0]).operations + work_of(program.stages[1]).operations);
    EXPECT_EQ(work.stages[0].lines, one.lines) << one.text;
  }
  const Work volumes = work_of(parse_problem("c2c:f32:256*64x64x64"), limits);  // planes, then the third dimension
  ASSERT_EQ(volumes.stages.size(), 2U);
  EXPECT_EQ(volumes.stages[0].lines, 256 * 64);
  EXPECT_EQ(volumes.stages[1].bytes, volumes.stages[0].bytes);
  DeviceProfile profile = fast_profile();
  profile.stage = curve(1e-5, 1e15);
  EXPECT_NEAR(execution_seconds(work_of(parse_problem("c2c:f32:132*64x64"), limits), profile, 132), 1e-5, 1e-6);
  EXPECT_NEAR(execution_seconds(work_of(parse_problem("c2c:f32:131*64x64"), limits), profile, 132), 2e-5, 1e-6);
}

TEST(ExecutionSeconds, CountsColumnsThatLeaveTheCaches) {
  DeviceProfile profile;
  profile.stage = curve(1e-9, 1e9);
  profile.cached_strided_slowdown = 1.5;
  profile.strided_slowdown = 2;
  profile.long_strided_slowdown = 8;
  const auto slowdown = [&](const char* columns, const char* rows) {
    const auto seconds = [&](const char* problem) {
      return execution_seconds(work_of(parse_problem(problem), named_limits("host")), profile, 1);
    };
    return seconds(columns) / seconds(rows);
  };
  EXPECT_NEAR(slowdown("c2c:f32:256x32:axes=0", "c2c:f32:32*256"), 1.5, 2e-2);     // 128 KiB stay
  EXPECT_NEAR(slowdown("c2c:f32:256x4096:axes=0", "c2c:f32:4096*256"), 2, 1e-3);   // 16 MiB do not
  EXPECT_NEAR(slowdown("c2c:f32:1024x1024:axes=0", "c2c:f32:1024*1024"), 8, 0.1);  // nor do rows of whole pages,
  EXPECT_NEAR(slowdown("c2c:f32:1024x1000:axes=0", "c2c:f32:1000*1024"), 2, 0.1);  // which others are not
  EXPECT_NEAR(slowdown("c2c:f32:512x2048:axes=0", "c2c:f32:2048*512"), 4, 0.1);
}

TEST(ExecutionSeconds, CountsHowMuchFasterShortLinesAre) {
  DeviceProfile profile;
  profile.stage = curve(1e-9, 1e9);
  profile.short_slowdown = 0.5;
  profile.many_short_slowdown = 0.25;
  profile.shortest_slowdown = 4;
  const auto seconds = [&](const char* problem) {
    return execution_seconds(work_of(parse_problem(problem), named_limits("host")), profile, 1);
  };
  EXPECT_NEAR(seconds("c2c:f32:4096*64") / seconds("c2c:f32:1024*256"), 0.5, 1e-3);  // 4 MiB, as few as were measured
  EXPECT_NEAR(seconds("c2c:f32:16384*64") / seconds("c2c:f32:4096*256"), std::sqrt(0.125), 1e-3);
  EXPECT_NEAR(seconds("c2c:f32:262144*64") / seconds("c2c:f32:65536*256"), 0.25, 1e-3);
  const double rows = seconds("c2c:f32:16384*256");  // 64 MiB
  EXPECT_NEAR(seconds("c2c:f32:65536*64") / rows, 0.25, 1e-3);
  EXPECT_NEAR(seconds("c2c:f32:32768*128") / rows, 0.5, 1e-3);
  EXPECT_NEAR(seconds("c2c:f32:262144*16") / rows, 4, 1e-2);
  EXPECT_NEAR(seconds("c2c:f32:131072*32") / rows, 1, 1e-2);
  EXPECT_NEAR(seconds("c2c:f32:524288*8") / rows, 4, 1e-2);
  EXPECT_GE(seconds("c2c:f32:4096*1024") / rows, 1);
}

}  // namespace
}  // namespace twiddle::plan
