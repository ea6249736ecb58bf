// Random problems on a device, against the reference: the same ones each day, others by `make test-exhaustive`.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "support/device_test.hpp"
#include "support/sample.hpp"
#include "verify/random_problem.hpp"
#include "verify/results_file.hpp"
#include "verify/verify.hpp"

namespace twiddle::verify {
namespace {

constexpr std::uint64_t shares = 16;

class RandomProblems : public test::DeviceTest, public testing::WithParamInterface<std::uint64_t> {
 protected:
  void expect_right(std::uint64_t first, std::uint64_t count, test::ResultsFile* results = nullptr) {
    const Abilities abilities = abilities_of(device());
    for (std::uint64_t seed = first + GetParam(); seed < first + count; seed += shares) {
      const Problem problem = random_problem(seed, abilities);
      const std::string again = "twiddle verify '" + to_string(problem) + "' --seed " + std::to_string(seed) +
                                " --device " + test::device_under_test();
      try {
        const Outcome outcome = verify(device(), problem, seed);
        EXPECT_TRUE(outcome.within) << outcome.complaint << "\n  again: " << again;
        if (results == nullptr) continue;
        results->add(fmt::format("random,{},{},{:.4g},,{:.4g},{:.4f}", to_string(problem.transform.precision), seed,
                                 outcome.error, outcome.bound, outcome.error / outcome.bound));
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << "\n  again: " << again;
      }
    }
  }
};

TEST_P(RandomProblems, AreRight) { expect_right(1, test::plans_are_cheap() ? 1500 : test::every_case() ? 48 : 24); }

TEST_P(RandomProblems, ExhaustiveAreRight) {
  const char* given = std::getenv("TWIDDLE_TEST_SEED");
  const std::uint64_t first = given == nullptr ? std::random_device{}() : std::strtoull(given, nullptr, 10);
  RecordProperty("first_seed", std::to_string(first));
  test::ResultsFile results(test::device_under_test(), "random_" + std::to_string(GetParam() + 1) + "_of_16");
  expect_right(first, test::plans_are_cheap() ? 20000 : 1000, &results);
  results.finish(HasFailure());
}

INSTANTIATE_TEST_SUITE_P(Share, RandomProblems, testing::Range(std::uint64_t{0}, shares));

}  // namespace
}  // namespace twiddle::verify
