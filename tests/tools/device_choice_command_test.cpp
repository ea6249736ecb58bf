// --device auto and simulated devices as users meet them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using ::testing::HasSubstr;

class DeviceChoiceCommand : public testing::Test {
 protected:
  CommandResult run(const std::vector<std::string>& arguments) const {
    return run_twiddle(arguments, {"TWIDDLE_PROFILES=" + folder_.path("profiles.json")});
  }
  Folder folder_;
};

TEST_F(DeviceChoiceCommand, PlanExplainsWhatWasCompared) {
  const CommandResult result = run({"plan", "c2c:f32:64*256", "--device", "auto", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto comparison = nlohmann::json::parse(result.output)["comparison"];
  EXPECT_TRUE(comparison["measured"]);
  ASSERT_GE(comparison["devices"].size(), 1U);
  double before = 0;
  for (const auto& device : comparison["devices"]) {
    const double total = device["transfer_milliseconds"].get<double>() + device["execution_milliseconds"].get<double>();
    EXPECT_GE(total, before);
    before = total;
    EXPECT_EQ(device["transfer_milliseconds"] == 0, device["device"] == "host");
  }
  EXPECT_THAT(folder_.names(), testing::Contains("profiles.json"));
  const CommandResult again = run({"plan", "c2c:f32:64*256", "--device", "auto"});
  EXPECT_THAT(again.output, HasSubstr("devices, by the time that they are estimated to take\n"));
  EXPECT_THAT(again.output, HasSubstr("computing"));
}

TEST_F(DeviceChoiceCommand, PlanTellsOfADamagedFile) {
  folder_.write("profiles.json", "damaged");
  const CommandResult result = run({"plan", "64", "--device", "auto"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("profiles.json: these are no profiles of twiddle's"));
  EXPECT_EQ(folder_.read("profiles.json"), "damaged");
}

TEST_F(DeviceChoiceCommand, TheDataStaysWhereNothingMayBeMeasured) {
  const CommandResult result = run_twiddle({"plan", "64", "--device", "auto"});  // tests measure nothing
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("for host ("));
  EXPECT_THAT(result.output, HasSubstr("TWIDDLE_PROFILES is \"off\""));
}

TEST_F(DeviceChoiceCommand, CommandsThatComputeTakeAuto) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"verify", "c2c:f32:64", "--device", "auto"},
           {"verify", "--random", "2", "--device", "auto"},
           {"tune", "c2c:f32:64", "--dry-run", "--budget", "0.01", "--device", "auto"}}) {
    const CommandResult result = run_twiddle(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments.front() << result.errors;
  }
}

TEST_F(DeviceChoiceCommand, DevicesNeedNotBeThereToPlanFor) {
  EXPECT_EQ(run_twiddle({"plan", "4096", "--device", "mali"}).output,
            run_twiddle({"plan", "4096", "--limits", "mali"}).output);
  EXPECT_EQ(run_twiddle({"kernel", "4096", "--device", "small"}).output,
            run_twiddle({"kernel", "4096", "--limits", "small"}).output);
  const CommandResult data = run_twiddle({"plan", "4096", "--device", "host", "--data", "host"});
  EXPECT_EQ(data.exit_code, 2);
  EXPECT_THAT(data.errors, HasSubstr("--data is for --device auto"));
}

}  // namespace
}  // namespace twiddle::test
