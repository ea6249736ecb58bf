// Devices compared by made-up profiles.
#include "plan/device/automatic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/host_sharing.hpp"
#include "plan/recipe/recipe.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

// Launches of 10 us, then 1 GB/s.
SizeCurve curve(double launch, double rate) {
  std::vector<SizeCurve::Point> points;
  for (const std::uint64_t bytes : {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28}) {
    points.push_back({bytes, launch + static_cast<double>(bytes) / rate});
  }
  return SizeCurve(std::move(points));
}

Candidate candidate(const char* limits, const Problem& problem, const DeviceProfile& profile, std::size_t units = 1) {
  return {std::string_view(limits) == "host", units, work_of(problem, named_limits(limits)), profile};
}

DeviceProfile host_profile() {
  DeviceProfile profile;
  profile.stage = curve(1e-7, 2e10);
  return profile;
}

DeviceProfile gpu_profile() {
  DeviceProfile profile;
  profile.wait_seconds = 1e-5;
  profile.stage = curve(5e-6, 2e12);
  profile.to_device = curve(1e-5, 1e10);
  profile.from_device = curve(1e-5, 1e10);
  return profile;
}

std::size_t chosen(const Problem& problem, bool data_on_gpu, double executions = 1) {
  std::vector<Candidate> candidates{candidate("host", problem, host_profile()),
                                    candidate("nvidia-cuda", problem, gpu_profile())};
  return choose_automatically(candidates, data_on_gpu ? 1 : 0, executions).order.front();
}

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

TEST(Automatic, KeepsShortTransformsAwayFromLaunches) {
  EXPECT_EQ(chosen(parse_problem("c2c:f32:16"), false), 0U);
  EXPECT_EQ(chosen(parse_problem("c2c:f32:4096*4096"), true), 1U);
}

TEST(Automatic, CountsTheWayOfTheData) {
  const Problem large = parse_problem("c2c:f32:4096*4096");
  EXPECT_EQ(chosen(large, false), 0U);  // 256 MiB there and back take 27 ms, the host 13
  EXPECT_EQ(chosen(large, true), 1U);
  EXPECT_EQ(chosen(large, false, 10), 1U);                   // worth moving for ten executions
  EXPECT_EQ(chosen(parse_problem("c2c:f32:16"), true), 1U);  // two transfers are longer than a launch
}

// Once, however often it is executed then.
TEST(Automatic, CountsThatTheHostsInputWasJustWritten) {
  const Problem problem = parse_problem("c2c:f32:64*1024");
  DeviceProfile slow = host_profile();
  slow.after_writing = curve(2e-4, 1e9);
  const auto host_seconds = [&](const DeviceProfile& profile, double executions) {
    const std::vector<Candidate> candidates{candidate("host", problem, profile),
                                            candidate("nvidia-cuda", problem, gpu_profile())};
    return choose_automatically(candidates, 0, executions).costs[0]->total();
  };
  const double extra = slow.after_writing.seconds(64 * 1024 * 8);
  for (const double executions : {1.0, 2.0}) {
    EXPECT_NEAR(host_seconds(slow, executions), host_seconds(host_profile(), executions) + extra, 1e-12);
  }
  std::vector<Candidate> candidates{candidate("host", problem, slow), candidate("nvidia-cuda", problem, gpu_profile())};
  EXPECT_EQ(choose_automatically(candidates, 0, 1).order.front(), 1U);
  candidates[0].profile = host_profile();
  EXPECT_EQ(choose_automatically(candidates, 0, 1).order.front(), 0U);
}

TEST(Automatic, CountsOperationsThatOutweighMemory) {
  // By the definition the host is slow at it: 127 x 127 terms.
  DeviceProfile slow = host_profile();
  slow.stage = curve(1e-7, 1e10);
  const Problem problem = parse_problem("c2c:f64:100000*16129");
  const Work host = work_of(problem, named_limits("host"));
  EXPECT_GT(execution_seconds(host, slow, 1), 2 * static_cast<double>(2 * host.input_bytes) / 1e10);
}

// A profile whose stages take no time worth counting beside what is looked at.
DeviceProfile fast_profile() {
  DeviceProfile profile;
  profile.stage = curve(1e-9, 1e15);
  return profile;
}

TEST(Automatic, KnowsThatOneLineIsOneUnitsWork) {
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
TEST(Automatic, KnowsHowManyThreadsShareAStageOfTheHost) {
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
TEST(Automatic, KnowsThatMapsOfOneLineAreEveryUnitsWork) {
  DeviceProfile profile = fast_profile();
  profile.line = SizeCurve({{4096, 1e-9}, {16384, 1e-6}, {65536, 5e-5}});
  const auto seconds = [&](const char* problem, const char* limits) {
    return execution_seconds(work_of(parse_problem(problem), named_limits(limits)), profile, 2);
  };
  for (const char* limits : {"host", "nvidia-opencl"}) {
    EXPECT_NEAR(seconds("dct2:f32:1048576", limits) / seconds("c2c:f32:524288", limits), 1, 0.1) << limits;
  }
}

// A cosine transform of 2^20 points on an H200's host took 1.26 times as long as by way of the card, for which it was
// not sent: its maps take longer there than its transform.
TEST(Automatic, CountsTheHostsMaps) {
  const auto seconds = [](const char* problem, const char* limits) {
    return execution_seconds(work_of(parse_problem(problem), named_limits(limits)), host_profile(), 1);
  };
  EXPECT_GT(seconds("dct2:f32:1048576", "host"), 2.5 * seconds("r2c:f32:1048576", "host"));
  EXPECT_GT(seconds("r2c:f32:1024*1024", "host"), 1.5 * seconds("c2c:f32:1024*512", "host"));
  EXPECT_LT(seconds("r2c:f32:1024*1024", "nvidia-cuda"), 1.2 * seconds("c2c:f32:1024*512", "nvidia-cuda"));
}

TEST(Automatic, CountsTheDefinitionAsWork) {
  DeviceLimits limits = named_limits("nvidia-opencl");
  limits.strategy.algorithm = Strategy::Algorithm::direct;
  const Work work = work_of(parse_problem("c2c:f32:3*1000"), limits);
  ASSERT_EQ(work.stages.size(), 1U);
  EXPECT_GE(work.stages[0].operations, 3e6);
}

TEST(Automatic, CountsLaunchesOfAllStages) {
  DeviceProfile profile = fast_profile();
  profile.stage = curve(1e-5, 1e15);
  profile.strided_slowdown = profile.long_strided_slowdown = 5;  // not of launches
  const Work work = work_of(parse_problem("c2c:f32:64x64"), named_limits("nvidia-cuda"));
  ASSERT_EQ(work.stages.size(), 2U);
  EXPECT_NEAR(execution_seconds(work, profile, 1), 2e-5, 1e-8);
}

// Planes, and both stages of long lines: what is between the two does not move, and the launch is paid once.
TEST(Automatic, CountsTwoStagesInOneLaunchAsOne) {
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

TEST(Automatic, CountsColumnsThatLeaveTheCaches) {
  DeviceProfile profile;
  profile.stage = curve(1e-9, 1e9);
  profile.strided_slowdown = 2;
  profile.long_strided_slowdown = 8;
  const auto slowdown = [&](const char* columns, const char* rows) {
    const auto seconds = [&](const char* problem) {
      return execution_seconds(work_of(parse_problem(problem), named_limits("host")), profile, 1);
    };
    return seconds(columns) / seconds(rows);
  };
  EXPECT_NEAR(slowdown("c2c:f32:256x32:axes=0", "c2c:f32:32*256"), 1, 1e-3);       // 128 KiB stay
  EXPECT_NEAR(slowdown("c2c:f32:256x4096:axes=0", "c2c:f32:4096*256"), 2, 1e-3);   // 16 MiB do not
  EXPECT_NEAR(slowdown("c2c:f32:1024x1024:axes=0", "c2c:f32:1024*1024"), 8, 0.1);  // nor do rows of whole pages,
  EXPECT_NEAR(slowdown("c2c:f32:1024x1000:axes=0", "c2c:f32:1000*1024"), 2, 0.1);  // which others are not
  EXPECT_NEAR(slowdown("c2c:f32:512x2048:axes=0", "c2c:f32:2048*512"), 4, 0.1);
}

TEST(Automatic, CountsHowMuchFasterShortLinesAre) {
  DeviceProfile profile;
  profile.stage = curve(1e-9, 1e9);
  profile.short_slowdown = 0.5;
  profile.many_short_slowdown = 0.25;
  profile.shortest_slowdown = 4;
  const auto seconds = [&](const char* problem) {
    return execution_seconds(work_of(parse_problem(problem), named_limits("host")), profile, 1);
  };
  EXPECT_NEAR(seconds("c2c:f32:4096*64") / seconds("c2c:f32:1024*256"), 0.5, 1e-3);  // 4 MiB, as few as were measured
  EXPECT_NEAR(seconds("c2c:f32:8192*64") / seconds("c2c:f32:2048*256"), std::sqrt(0.125), 1e-3);
  EXPECT_NEAR(seconds("c2c:f32:65536*64") / seconds("c2c:f32:16384*256"), 0.25, 1e-3);
  const double rows = seconds("c2c:f32:4096*256");
  EXPECT_NEAR(seconds("c2c:f32:16384*64") / rows, 0.25, 1e-3);
  EXPECT_NEAR(seconds("c2c:f32:8192*128") / rows, 0.5, 1e-3);
  EXPECT_NEAR(seconds("c2c:f32:65536*16") / rows, 4, 1e-2);
  EXPECT_NEAR(seconds("c2c:f32:32768*32") / rows, 1, 1e-2);
  EXPECT_NEAR(seconds("c2c:f32:131072*8") / rows, 4, 1e-2);
  EXPECT_GE(seconds("c2c:f32:1024*1024") / rows, 1);
}

// What a CPU's own OpenCL was measured to take on 16 cores, rounded: a launch that is waited for takes longer than two
// small transfers, and lines of 4096 points are slow.
TEST(Automatic, KnowsACpuBehindOpenCL) {
  DeviceProfile there;
  there.wait_seconds = 3.5e-5;
  there.stage = SizeCurve({{4096, 4.3e-5}, {65536, 4.5e-5}, {524288, 7e-5}, {4194304, 1.9e-4}, {33554432, 1.2e-3}});
  there.line = SizeCurve({{4096, 1e-9}, {16384, 1.1e-5}, {65536, 1.75e-4}});
  there.strided_slowdown = 1.4;
  there.long_strided_slowdown = 4.6;
  there.short_slowdown = 0.6;
  there.many_short_slowdown = 0.42;
  there.to_device = there.from_device =
      SizeCurve({{4096, 2.9e-5}, {65536, 3.3e-5}, {1 << 20, 1.2e-4}, {1 << 24, 2.2e-3}});
  DeviceProfile host;
  host.stage = SizeCurve({{4096, 2e-7}, {65536, 3e-6}, {524288, 2.2e-5}, {4194304, 3.8e-5}, {33554432, 2.4e-4}});
  const auto stays = [&](const char* text) {
    const Problem problem = parse_problem(text);
    return choose_automatically({candidate("host", problem, host, 16), candidate("nvidia-opencl", problem, there, 16)},
                                1, 1)
               .order.front() == 1;
  };
  EXPECT_FALSE(stays("c2c:f32:16"));
  EXPECT_FALSE(stays("c2c:f32:4096"));
  EXPECT_FALSE(stays("c2c:f32:1024x1024:axes=0"));
  EXPECT_TRUE(stays("c2c:f32:64*1024"));
  EXPECT_TRUE(stays("c2c:f32:4096*256"));
  EXPECT_TRUE(stays("c2c:f32:65536*64"));
}

TEST(Automatic, LeavesOutWhoCannot) {
  const Problem problem = parse_problem("c2c:f80:4096*4096");
  std::vector<Candidate> candidates{candidate("host", problem, host_profile()), {false, 1, {}, gpu_profile()}};
  const AutomaticChoice choice = choose_automatically(candidates, 1, 1);
  EXPECT_EQ(choice.order, std::vector<std::size_t>{0});
  EXPECT_TRUE(choice.measured);
  EXPECT_GT(choice.costs[0]->transfer_seconds, 0);
  EXPECT_FALSE(choice.costs[1].has_value());
  candidates[0].work.reset();
  EXPECT_TRUE(choose_automatically(candidates, 1, 1).order.empty());
}

TEST(Automatic, StaysWithTheDataWhereNothingWasMeasured) {
  const Problem problem = parse_problem("c2c:f32:4096*4096");
  std::vector<Candidate> candidates{candidate("nvidia-opencl", problem, gpu_profile()),
                                    candidate("nvidia-cuda", problem, gpu_profile()),
                                    candidate("host", problem, host_profile())};
  candidates[1].profile.reset();
  AutomaticChoice choice = choose_automatically(candidates, 1, 1);
  EXPECT_FALSE(choice.measured);
  EXPECT_EQ(choice.order, (std::vector<std::size_t>{1, 2, 0}));
  candidates[1].work.reset();
  choice = choose_automatically(candidates, 1, 1);
  EXPECT_EQ(choice.order, (std::vector<std::size_t>{2, 0}));
}

TEST(Automatic, PassesOverTheUnmeasured) {
  const Problem problem = parse_problem("c2c:f32:4096*4096");
  std::vector<Candidate> candidates{candidate("host", problem, host_profile()),
                                    candidate("nvidia-cuda", problem, gpu_profile())};
  candidates[1].profile.reset();
  const AutomaticChoice choice = choose_automatically(candidates, 0, 100);
  EXPECT_TRUE(choice.measured);
  EXPECT_EQ(choice.order, (std::vector<std::size_t>{0, 1}));
}

}  // namespace
}  // namespace twiddle::plan
