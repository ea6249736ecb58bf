// twiddle verify as its users run it: what it prints, and how it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "support/device_test.hpp"
#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class VerifyCommand : public DeviceTest {
 protected:
  static CommandResult run_verify(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "verify");
    arguments.insert(arguments.end(), {"--device", device_under_test()});
    return run_twiddle(arguments);
  }
};

TEST_F(VerifyCommand, PrintsTheErrorOfAProblem) {
  const CommandResult result = run_verify({"r2c:f32:2*12x10:inplace:norm=ortho"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, StartsWith("r2c:f32:2*12x10:inplace:norm=ortho  error "));
  EXPECT_THAT(result.output, HasSubstr("  ok\n"));
}

TEST_F(VerifyCommand, VerifiesRandomProblemsOfAGivenSize) {
  const CommandResult result = run_verify({"--random", "2", "--beyond", "0.0005"});
  EXPECT_EQ(result.exit_code, 0) << result.errors << result.output;
  EXPECT_THAT(result.output, HasSubstr("2 problems on "));
  EXPECT_EQ(run_verify({"c2c:f32:8", "--beyond", "1"}).exit_code, 2);
}

TEST_F(VerifyCommand, VerifiesRandomProblemsAndRepeatsThemBySeed) {
  const CommandResult result = run_verify({"--random", "3", "--seed", "11", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors << result.output;
  const auto report = nlohmann::json::parse(result.output);
  EXPECT_EQ(report["problems"], 3);
  EXPECT_EQ(report["failures"], 0);
  EXPECT_LE(report["worst_ratio"], 1);
  ASSERT_EQ(report["results"].size(), 3u);
  const auto& last = report["results"][2];
  EXPECT_LE(last["error"], last["bound"]);
  const CommandResult again = run_verify({last["problem"], "--seed", last["seed"].dump(), "--json"});
  EXPECT_EQ(nlohmann::json::parse(again.output)["results"][0], last);
}

TEST_F(VerifyCommand, HasOtherRandomProblemsForNeighbouringSeeds) {
  std::set<std::uint64_t> seeds;
  for (const char* seed : {"11", "12"}) {
    const CommandResult result = run_verify({"--random", "3", "--seed", seed, "--json"});
    const auto report = nlohmann::json::parse(result.output);
    for (const auto& line : report["results"]) seeds.insert(line["seed"].get<std::uint64_t>());
  }
  EXPECT_EQ(seeds.size(), 6u);
}

TEST_F(VerifyCommand, SummarizesRandomProblems) {
  const CommandResult result = run_verify({"--random", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("\n2 problems on " + device_under_test()));
  EXPECT_THAT(result.output, HasSubstr(", 0 failed, in "));
}

TEST_F(VerifyCommand, ProblemsThatCannotBeExitWithTwo) {
  const auto expect_refusal = [](const std::vector<std::string>& arguments, const std::string& reason) {
    const CommandResult result = run_verify(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr(reason));
    EXPECT_EQ(result.output, "");
  };
  expect_refusal({"c2c:f32:0"}, "axis 0 of 0 has length 0");
  expect_refusal({"c2x:f32:8"}, "'c2x' is no kind of transform");
  expect_refusal({"c2c:f32:8:out=0"}, "must not overlap");
  expect_refusal({}, "expected either a problem, such as c2c:f32:1080x1920, or --random N");
  expect_refusal({"c2c:f32:8", "--random", "4"}, "expected either a problem");
  expect_refusal({"--random", "-4"}, "--random");
}

TEST_F(VerifyCommand, WhatTheDeviceCannotComputeExitsWithOne) {
  if (device_under_test() == "host") GTEST_SKIP() << "the host computes everything";
  const CommandResult result = run_verify({"c2c:f80:8"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.errors, HasSubstr("long double"));
}

}  // namespace
}  // namespace twiddle::test
