// Strategies on a device, against the reference: one problem for each everyday, random ones in the long test and, a few,
// under a simulator that checks every access to memory (run_under_oclgrind.sh).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/device_test.hpp"
#include "support/random_strategy.hpp"
#include "verify/random_problem.hpp"
#include "verify/verify.hpp"

namespace twiddle::test {
namespace {

class StrategiesOnDevice : public DeviceTest {
 protected:
  // Whether the plan did not refuse the problem.
  bool expect_right(const Problem& problem, const Strategy& strategy, std::uint64_t seed) {
    const std::string again = "twiddle verify '" + to_string(problem) + "' --seed " + std::to_string(seed) +
                              " --device " + device_under_test() + " --strategy " + describe(strategy);
    try {
      const verify::Outcome outcome = verify::verify(device().with_strategy(strategy), problem, seed);
      EXPECT_TRUE(outcome.within) << outcome.complaint << "\n  again: " << again;
      return true;
    } catch (const Unsupported&) {
      return false;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n  again: " << again;
      return false;
    }
  }

  // Random strategies, each with a random problem; most of them are not refused.
  void expect_random_ones_right(std::uint64_t tried, std::uint64_t most_elements) {
    verify::Abilities abilities = verify::abilities_of(device());
    abilities.most_elements = most_elements;
    std::uint64_t computed = 0;
    for (std::uint64_t seed = 1; seed <= tried; ++seed) {
      const Strategy strategy = random_strategy(seed, device_under_test() != "host");
      computed += expect_right(verify::random_problem(seed, abilities), strategy, seed) ? 1 : 0;
    }
    EXPECT_GT(computed, tried / 2);
  }
};

TEST_F(StrategiesOnDevice, ComputeTheirProblems) {
  const std::vector<std::pair<const char*, const char*>> problems{
      {"c2c:f32:3*60", "twiddles=separate,elements=4"},
      {"c2c:f32:2*48:inplace", "reversal=separate,parts=planar,group=16"},
      {"r2c:f32:12x40:inverse", "transposes=blocked"},
      {"c2c:f32:20x12", "transposes=elementwise,exchange=split"},
      {"c2c:f32:2*9x9", "transposes=in-place,block=4"},
      {"c2c:f32:3x3:inverse:inplace", "transposes=in-place"},  // scaled before its last stage
      {"r2c:f32:2*30", "algorithm=direct"},
      {"c2c:f32:4x6", "launches=rows,transposes=host"},
      {"c2c:f16:2x4", "transposes=host"},  // from scratch memory to scratch memory
  };
  for (const auto& [problem, strategy] : problems) {
    const Strategy asked = parse_strategy(strategy);
    const bool kernels = device_under_test() != "host";
    const bool computed = expect_right(parse_problem(problem), asked, 1);
    const bool for_kernels = asked.group != 0 || asked.elements != 0 || asked.exchange != Strategy::Exchange::chosen ||
                             asked.launches != Strategy::Launches::all_rows ||
                             asked.transposes == Strategy::Transposes::in_place ||
                             asked.algorithm == Strategy::Algorithm::direct;
    EXPECT_EQ(computed, kernels || !for_kernels) << problem << " " << strategy;
  }
}

TEST_F(StrategiesOnDevice, SmallRandomOnesInTheSimulator) {
  // Every access to memory is checked there; elsewhere the long runs have more of them.
  if (device().info().name != "Oclgrind Simulator") GTEST_SKIP() << "not run under oclgrind";
  expect_random_ones_right(12, 1 << 7);
}

TEST_F(StrategiesOnDevice, LongRunsComputeRandomProblems) {
  expect_random_ones_right(device_under_test() == "host" ? 20000 : 600, 1 << 12);
}

}  // namespace
}  // namespace twiddle::test
