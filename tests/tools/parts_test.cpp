// The small parts of the command: sizes, axes, levels, files, the progress line.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "errors.hpp"
#include "files.hpp"
#include "grey_levels.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "tools/command.hpp"

namespace twiddle::tool {
namespace {

using Lengths = std::vector<std::size_t>;

TEST(Options, LengthsAreParsedStrictly) {
  EXPECT_EQ(parse_lengths("1000"), Lengths{1000});
  EXPECT_EQ(parse_lengths("1080x1920"), (Lengths{1080, 1920}));
  EXPECT_EQ(parse_lengths("2x3x5x7"), (Lengths{2, 3, 5, 7}));
  for (const char* text : {"", "x", "10x", "x10", "1080 x 1920", "10X20", "-4", "+4", "0", "4x0", "4.5", "1e3", "10a",
                           "99999999999999999999"}) {
    EXPECT_THROW(static_cast<void>(parse_lengths(text)), UsageError) << text;
  }
}

TEST(Options, NegativeAxesCountFromTheEnd) {
  EXPECT_EQ(resolve_axes({0, -1, 1}, 4), (Lengths{0, 3, 1}));
  EXPECT_EQ(resolve_axes({}, 4), Lengths{});
  EXPECT_THROW(static_cast<void>(resolve_axes({4}, 4)), UsageError);
  EXPECT_THROW(static_cast<void>(resolve_axes({-5}, 4)), UsageError);
}

Image one_row(std::vector<Samples> channels, unsigned depth) {
  return {.height = 1, .width = channels[0].size(), .depth = depth, .channels = std::move(channels)};
}

TEST(Levels, AreRoundedAndClamped) {
  Image image = one_row({{0, 0, 0, 0, 0}}, 8);
  set_levels(image, std::vector<float>{-3, 0.49F, 0.5F, 254.5F, 300}, false, 0);
  EXPECT_EQ(image.channels[0], (Samples{0, 0, 1, 255, 255}));
}

TEST(Levels, ColoursShareOneMaximum) {
  Image image = one_row({{0, 0}, {0, 0}, {0, 0}}, 16);
  set_levels(image, std::vector<float>{0, 1, 2, 4, -1, 0.5F}, true, 1e-6F);
  EXPECT_EQ(image.channels[0], (Samples{0, 16384}));
  EXPECT_EQ(image.channels[1], (Samples{32768, 65535}));
  EXPECT_EQ(image.channels[2], (Samples{0, 8192}));
}

TEST(Levels, RoundingErrorsAreNotBlownUp) {
  Image image = one_row({{7, 7}}, 8);
  set_levels(image, std::vector<float>{1e-5F, 0}, true, 1e-4F);
  EXPECT_EQ(image.channels[0], (Samples{0, 0}));
}

TEST(Levels, PartsOfComplexValues) {
  const std::vector<std::complex<float>> values = {{3, -4}, {-2, 0}};
  EXPECT_EQ(take_part(values, Part::magnitude), (std::vector<float>{5, 2}));
  EXPECT_EQ(take_part(values, Part::real), (std::vector<float>{3, -2}));
  EXPECT_EQ(to_complex(one_row({{1, 2}, {3, 4}, {5, 6}}, 8)), (std::vector<std::complex<float>>{1, 2, 3, 4, 5, 6}));
}

TEST(Files, WritingReplacesWholeFilesAndKeepsTheirMode) {
  const test::Folder folder;
  folder.write("a", "old");
  std::filesystem::permissions(folder.path("a"), std::filesystem::perms(0640));
  std::filesystem::create_symlink("a", folder.path("link"));
  write_file(folder.path("link"), {"new ", "text"});
  EXPECT_EQ(folder.read("a"), "new text");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(std::filesystem::status(folder.path("a")).permissions(), std::filesystem::perms(0640));
  write_file(folder.path("b"), {});
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(std::filesystem::status(folder.path("b")).permissions(), std::filesystem::perms(0666 & ~mask));
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"a", "b", "link"}));
}

TEST(Files, LinksToWhatIsNotThereAreFollowed) {
  const test::Folder folder;
  std::filesystem::create_directory(folder.path("below"));
  std::filesystem::create_symlink("below/second", folder.path("first"));
  std::filesystem::create_symlink("a", folder.path("below/second"));  // from the link's own folder
  write_file(folder.path("first"), {"text"});
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("first")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("below/second")));
  EXPECT_EQ(folder.read("below/a"), "text");
  std::filesystem::create_symlink("circle", folder.path("circle"));
  EXPECT_THROW(write_file(folder.path("circle"), {"x"}), FileError);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("circle")));
}

TEST(Files, FailedWritesLeaveNothing) {
  const test::Folder folder;
  EXPECT_THROW(write_file(folder.path("none/a"), {"x"}), FileError);
  EXPECT_THROW(write_file(folder.path(""), {"x"}), FileError);
  EXPECT_THROW(write_file("/dev/full", {"x"}), FileError);
  EXPECT_TRUE(folder.names().empty());
  write_file("/dev/null", {"x"});
}

// As by Ctrl-C, or worse.
TEST(Files, KilledProcessesLeaveNothing) {
  const test::Folder folder;
  const int nameless = ::open(folder.path("").c_str(), O_TMPFILE | O_RDWR, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system has no files without a name";
  ::close(nameless);
  if (::access("/proc/self/fd", F_OK) != 0) GTEST_SKIP() << "without /proc files that have no name never get one";
  folder.write("a", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      OutputFile file(folder.path("a"));
      file.append("half of it");
      ::kill(::getpid(), SIGKILL);
    } catch (...) {
      ::_exit(1);  // back in the loop of tests, the child would run the rest of them as well
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a"});
  EXPECT_EQ(folder.read("a"), "old");
}

TEST(Files, ReadingNamesTheReason) {
  const test::Folder folder;
  EXPECT_THROW(static_cast<void>(read_file(folder.path("none"))), FileError);
  EXPECT_THROW(static_cast<void>(read_file(folder.path(""))), FileError);
  folder.write("a", std::string("\0\n\r\xFF", 4));
  EXPECT_EQ(read_file(folder.path("a")), std::string("\0\n\r\xFF", 4));
}

TEST(Progress, LineShowsFinishedSteps) {
  EXPECT_EQ(progress_line(1, 4, "reading", std::chrono::seconds(2)), "[....................] 1/4 reading, 2 s");
  EXPECT_EQ(progress_line(3, 4, "filtering", std::chrono::seconds(5)), "[##########..........] 3/4 filtering, 5 s");
}

TEST(Report, TimesSteps) {
  Report report;
  EXPECT_EQ(report.timed("first", [] { return 3; }), 3);
  report.profiled([](Profile* profile) { profile->push_back({"second", 0.0}); });
  ASSERT_GE(report.steps().size(), 2U);
  EXPECT_EQ(report.steps()[0].step, "first");
  EXPECT_EQ(report.steps()[1].step, "second");
  EXPECT_NE(report.table().find("total"), std::string::npos);
  EXPECT_EQ(report.json()[0]["step"], "first");
}

}  // namespace
}  // namespace twiddle::tool
