// twiddle study as its users run it: reports, runs that go on, and what can go wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "chart.hpp"
#include "support/device_test.hpp"
#include "tools/command.hpp"

namespace twiddle::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class StudyCommand : public DeviceTest {
 protected:
  // The one that takes least time on the device.
  static std::string study() { return device_under_test() == "host" ? "crossover" : "overhead"; }
  static CommandResult run_study(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), "study");
    arguments.insert(arguments.end(), {"--quick", "--device", device_under_test()});
    return run_twiddle(arguments, environment);
  }
  Folder folder_;
};

TEST_F(StudyCommand, LeavesAReportAndMeasuresNothingTwice) {
  const std::string report = folder_.path("a/report");
  const CommandResult result = run_study({study(), "--report", report});
  ASSERT_EQ(result.exit_code, 0) << result.errors << result.output;
  EXPECT_THAT(result.output, HasSubstr("microseconds\n"));
  EXPECT_THAT(result.output, HasSubstr("Published figures beside these\n"));
  const std::string page = folder_.read("a/report/index.html");
  EXPECT_THAT(page, HasSubstr("</html>"));
  EXPECT_EQ(page.find("<svg") != std::string::npos, bench::has_gnuplot());
  EXPECT_EQ(std::filesystem::exists(report + "/" + study() + ".png"), bench::has_gnuplot());
  const std::string measured = folder_.read("a/report/studies.csv");
  EXPECT_THAT(measured, HasSubstr(study() + ","));

  // Without its last lines it goes on; with all of them the same figures come again.
  const CommandResult again = run_study({study(), "--report", report}, {"PATH=" + folder_.path("empty")});
  EXPECT_EQ(again.exit_code, 0) << again.errors;
  EXPECT_EQ(folder_.read("a/report/studies.csv"), measured);
  EXPECT_EQ(again.output, result.output);
  EXPECT_THAT(again.errors, HasSubstr("no charts: there is no gnuplot in the PATH; install it"));
  EXPECT_THAT(folder_.read("a/report/index.html"), Not(HasSubstr("<svg")));
  const CommandResult redrawn = run_twiddle({"study", "--redraw", "--report", report});
  EXPECT_EQ(redrawn.exit_code, 0) << redrawn.errors;
  EXPECT_EQ(folder_.read("a/report/index.html").find("<svg") != std::string::npos, bench::has_gnuplot());
  const std::size_t half = measured.find('\n', measured.size() / 2) + 1;
  folder_.write("a/report/studies.csv", measured.substr(0, half) + "crossover,cut o");
  EXPECT_EQ(run_study({study(), "--report", report}).exit_code, 0);
  EXPECT_THAT(folder_.read("a/report/studies.csv"), ::testing::StartsWith(measured.substr(0, half)));
}

TEST_F(StudyCommand, RefusesWhatMakesNoSense) {
  const CommandResult none = run_study({});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("expected the names of studies, or --all; there are\n  crossover "));
  const CommandResult nothing = run_study({"--redraw", "--report", folder_.path("none")});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.errors, HasSubstr("has measurements of 0 such devices"));
  const CommandResult unknown = run_study({"crosover"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("there is no study 'crosover'; expected one of crossover, "));
  if (device_under_test() != "host") return;
  const CommandResult groups = run_study({"workgroup"});
  EXPECT_EQ(groups.exit_code, 1);
  EXPECT_THAT(groups.errors, HasSubstr("the host has no work-groups; choose an OpenCL or CUDA device"));
}

TEST_F(StudyCommand, NamesFilesThatItCannotUse) {
  if (device_under_test() != "host") GTEST_SKIP() << "the same on all devices";
  folder_.write("file", "");
  const CommandResult no_folder = run_study({"crossover", "--report", folder_.path("file/report")});
  EXPECT_EQ(no_folder.exit_code, 1);
  EXPECT_THAT(no_folder.errors, HasSubstr("cannot make the folder " + folder_.path("file/report")));
  folder_.write("studies.csv", "something else\n");
  const CommandResult damaged = run_study({"crossover", "--report", folder_.path("")});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.errors, HasSubstr("studies.csv holds something else than results; remove the file"));
  EXPECT_EQ(folder_.read("studies.csv"), "something else\n");
}

}  // namespace
}  // namespace twiddle::test
