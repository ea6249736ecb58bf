// twiddle tune with filter banks: what is found is kept, shown, exported and read by plans.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using ::testing::HasSubstr;

class TuneCommand : public testing::Test {
 protected:
  CommandResult run(const std::vector<std::string>& arguments) const {
    return run_twiddle(arguments, {"TWIDDLE_CHOICES=" + folder_.path("choices.json")});
  }
  Folder folder_;
};

TEST_F(TuneCommand, TunesBanks) {
  const CommandResult result =
      run({"tune", "conv:real:f32:40000:4*33:method=overlap-save", "--device", "host", "--budget", "0.2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto tuning = nlohmann::json::parse(result.output)["results"][0];
  EXPECT_EQ(tuning["problem"], "conv:real:f32:40000:4*33:method=overlap-save");
  EXPECT_GT(tuning["tried"], 0);
  EXPECT_EQ(tuning["wrong"], 0);
}

TEST_F(TuneCommand, KeepsAndShowsBanks) {
  folder_.write("bank.json",
                R"({"format": "twiddle choices", "version": 1, "devices": [{"backend": "host", "name": "A CPU",)"
                R"( "lines": [], "banks": [{"taps": 33, "filters": "few", "complex": true, "precision": "f32",)"
                R"( "segment": 512}]}]})");
  const CommandResult import = run({"tune", "--import", folder_.path("bank.json")});
  EXPECT_EQ(import.exit_code, 0) << import.errors;
  EXPECT_THAT(import.output, HasSubstr("1 choices for 1 devices added"));
  const CommandResult again = run({"tune", "--import", folder_.path("bank.json"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(again.output).at("choices"), 1) << again.output;
  EXPECT_THAT(run({"tune", "--show"}).output, HasSubstr("bank of few x 33 taps, complex, f32: segments of 512\n"));
  EXPECT_EQ(run({"tune", "--export", folder_.path("exported.json")}).exit_code, 0);
  EXPECT_EQ(folder_.read("exported.json"), folder_.read("choices.json"));
}

TEST_F(TuneCommand, SaysWhatIsWrong) {
  const CommandResult result = run({"tune", "conv:real:f32:40000", "--device", "host"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.errors, HasSubstr("expected conv:ELEMENTS:PRECISION:SIGNALS:FILTERS"));
  folder_.write("bad.json",
                R"({"format": "twiddle choices", "version": 1, "devices": [{"backend": "host", "name": "A",)"
                R"( "lines": [], "banks": [{"taps": 33, "filters": "some"}]}]})");
  const CommandResult import = run({"tune", "--import", folder_.path("bad.json")});
  EXPECT_EQ(import.exit_code, 1);
  EXPECT_THAT(import.errors, HasSubstr("at A, bank 1: \"filters\" is \"some\"; expected one of one, few, many"));
  const CommandResult budget = run({"tune", "c2c:f32:64", "--budget", "0"});
  EXPECT_EQ(budget.exit_code, 2);
  EXPECT_THAT(budget.errors, HasSubstr("--budget: '0' is no number above 0"));
}

// No time is spent on choices that could not be kept, and the arguments are not to blame.
TEST_F(TuneCommand, SaysWhatIsWrongWithItsFile) {
  folder_.write("choices.json", "half of");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"tune", "--show"},
                                                    {"tune", "--export", folder_.path("exported.json")},
                                                    {"tune", "c2c:f32:64", "--device", "host"}}) {
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 1) << arguments[1];
    EXPECT_THAT(result.errors, HasSubstr("move the file away to begin a new one"));
  }
  const CommandResult nowhere = run_twiddle({"tune", "c2c:f32:64", "--device", "host", "--budget", "1000h"},
                                            {"TWIDDLE_CHOICES=" + folder_.path("choices.json") + "/more.json"});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_THAT(nowhere.errors, HasSubstr("Not a directory"));
}

}  // namespace
}  // namespace twiddle::test
