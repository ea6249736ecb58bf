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
  EXPECT_EQ(tuning["problem"], "convolve f32 real, 1 x 40000 with 4 x 33, mode full, boundary zero, overlap-save");
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
}

}  // namespace
}  // namespace twiddle::test
