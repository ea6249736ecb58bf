// Devices compared by made-up profiles.
#include "plan/device/automatic.hpp"

#include <gtest/gtest.h>

#include "plan/device/limits.hpp"
#include "support/made_up_profiles.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

Candidate candidate(const char* limits, const Problem& problem, const DeviceProfile& profile, std::size_t units = 1) {
  return {std::string_view(limits) == "host", units, work_of(problem, named_limits(limits)), profile};
}

std::size_t chosen(const Problem& problem, bool data_on_gpu, double executions = 1) {
  std::vector<Candidate> candidates{candidate("host", problem, host_profile()),
                                    candidate("nvidia-cuda", problem, gpu_profile())};
  return choose_automatically(candidates, data_on_gpu ? 1 : 0, executions).order.front();
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
