// The measuring core: statistics, suites, the file of results and their summary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "library.hpp"
#include "measurement.hpp"
#include "results.hpp"
#include "signal.hpp"
#include "suite.hpp"
#include "summary.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

using ::testing::HasSubstr;

TEST(Measurement, SpreadIsMedianAndQuartiles) {
  const Spread spread = spread_of({5, 1, 4, 2, 3});
  EXPECT_EQ(spread.median, 3);
  EXPECT_EQ(spread.low, 2);
  EXPECT_EQ(spread.high, 4);
  EXPECT_EQ(spread_of({7}).high, 7);
  EXPECT_NEAR(geometric_mean({1, 4, 2}), 2, 1e-12);
}

TEST(Measurement, ReadsSizesAndNamesWhatIsNone) {
  EXPECT_EQ(parse_lengths("1080x1920"), (std::vector<std::size_t>{1080, 1920}));
  for (const char* text : {"Z2Z", "1080x", "", "12.5", "-3"}) {
    try {
      (void)parse_lengths(text);
      ADD_FAILURE() << text;
    } catch (const InvalidArgument& refusal) {
      EXPECT_THAT(refusal.what(), HasSubstr(std::string("'") + text + "' is no size; expected"));
    }
  }
}

// twiddle, noting how many threads the host has when it plans, and how far into a page the arrays begin.
class Witness : public Library {
 public:
  Witness() : Library("witness") {}
  [[nodiscard]] std::string version() const override { return own_->version(); }
  [[nodiscard]] std::unique_ptr<Contender> plan(const Problem& problem, void* input, void* output,
                                                std::size_t threads) override {
    std::unique_ptr<Contender> contender = own_->plan(problem, input, output, threads);
    seen.push_back(Device::host().info().limits.compute_units);  // that of the contender
    places.emplace_back(place_in_page(input), place_in_page(output));
    return contender;
  }
  std::vector<std::size_t> seen;
  std::vector<std::pair<std::size_t, std::size_t>> places;

 private:
  static std::size_t place_in_page(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory) % 4096; }
  std::unique_ptr<Library> own_ = own_library();
};

TEST(Contest, HasTheThreadsOfItsCaseFromTheFirstOneOn) {
  unsetenv("TWIDDLE_THREADS");
  Witness library;
  std::vector<Library*> libraries{&library};
  const Problem problem = parse_problem("c2c:f32:64");
  for (const std::size_t threads : {3, 1, 2}) {
    (void)hold_contest({"", problem, threads}, libraries, {.rounds = 5, .seconds = 0.01});
  }
  EXPECT_EQ(library.seen, (std::vector<std::size_t>{3, 1, 2}));
}

// So that no execution waits for the one before.
TEST(Contest, ShortOutputsBeginHalfAPageBehindTheirInputs) {
  unsetenv("TWIDDLE_THREADS");
  Witness library;
  std::vector<Library*> libraries{&library};
  // The last has 129 complex doubles as results, which do not fit in half a page.
  for (const char* text : {"c2c:f64:12", "c2c:f64:128", "c2c:f64:12:inplace", "c2c:f64:129", "r2c:f64:256"}) {
    (void)hold_contest({"", parse_problem(text), 1}, libraries, {.rounds = 5, .seconds = 0.01});
  }
  using Places = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(library.places, (std::vector<Places>{{0, 2048}, {0, 2048}, {0, 0}, {0, 0}, {0, 0}}));
}

TEST(Contest, RefusesAHostThatIsOpenWithOtherThreads) {
  setenv("TWIDDLE_THREADS", "2", 1);
  const Device open = Device::host();
  EXPECT_THROW((void)host_with(1), InvalidArgument);
  EXPECT_NO_THROW((void)host_with(2));
}

TEST(Suite, HasEveryCombinationOfEveryShapeOnce) {
  for (const char* name : {"throughput", "latency"}) {
    const auto cases = make_suite(name, false);
    EXPECT_EQ(cases.size(), 93u * 16u);
    std::set<std::string> different;
    for (const Case& test : cases) {
      different.insert(to_string(test.problem) + std::to_string(test.threads));
      EXPECT_NO_THROW(validate(test.problem.transform)) << to_string(test.problem);
      if (std::string(name) == "latency") {
        EXPECT_EQ(test.problem.transform.batch, 1u);
      }
    }
    EXPECT_EQ(different.size(), cases.size());
    const auto few = make_suite(name, true);
    EXPECT_TRUE(std::ranges::all_of(few, [&](const Case& test) {
      return different.contains(to_string(test.problem) + std::to_string(test.threads));
    }));
  }
  EXPECT_THROW(make_suite("speed", false), InvalidArgument);
}

TEST(Suite, ThroughputHasFourMillionPoints) {
  for (const Case& test : make_suite("throughput", false)) {
    const std::size_t points = total_elements(test.problem.transform);
    if (test.problem.transform.batch > 1) {
      EXPECT_LE(points, throughput_points);
    }
    EXPECT_GT(points, throughput_points / 2) << to_string(test.problem);
  }
}

TEST(Suite, Families) {
  const auto family = [](const char* problem) { return std::string(family_of(parse_problem(problem))); };
  EXPECT_EQ(family("c2c:f32:8*4096"), "powers of two");
  EXPECT_EQ(family("c2c:f32:1331"), "other smooth lengths");
  EXPECT_EQ(family("c2c:f32:34"), "primes and their multiples");
  EXPECT_EQ(family("r2c:f64:64x64"), "images");
  EXPECT_EQ(family("c2c:f32:64x64x64"), "volumes");
}

TEST(Signal, ExecutionsInPlaceEndBeforeTheyOverflow) {
  EXPECT_EQ(most_executions(parse_problem("c2c:f32:1000:inplace")), 19u);
  EXPECT_GT(most_executions(parse_problem("c2c:f64:1000:inplace")), 100u);
  EXPECT_GT(most_executions(parse_problem("c2c:f32:1000")), 1000000u);
}

TEST(Signal, DifferencesLeaveOutWhatFillsRowsUp) {
  const Problem problem = parse_problem("c2r:f32:2*3:inplace");  // rows of 4 scalars, 3 of them results
  const float expected[] = {1, 2, 3, 0, 4, 5, 6, 0};
  float actual[] = {1, 2, 3, 9, 4, 5, 6, 9};
  EXPECT_EQ(difference_of(problem, std::as_bytes(std::span(expected)), reinterpret_cast<const std::byte*>(actual)), 0);
  actual[1] = 3;
  EXPECT_GT(difference_of(problem, std::as_bytes(std::span(expected)), reinterpret_cast<const std::byte*>(actual)),
            0.1);
}

class ResultsFile : public ::testing::Test {
 protected:
  ResultsFile()
      : file_((std::filesystem::temp_directory_path() /
               ("twiddle-results-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv"))
                  .string()) {
    std::filesystem::remove(file_);
  }
  ~ResultsFile() override { std::filesystem::remove(file_); }

  static Entry entry(const std::string& library, double ratio) {
    return {.library = library, .version = "1, really", .microseconds = {10 * ratio, 9, 11}, .ratio = {ratio, 1, 3}};
  }
  const Case test_{"latency", parse_problem("c2c:f32:16*64"), 2};
  std::string file_;
};

TEST_F(ResultsFile, ComesBackAsItWasWritten) {
  {
    Results results(file_);
    results.note("a machine");
    results.add(test_, {entry("twiddle", 1), entry("fftw", 2.5)});
    results.note("a machine");
  }
  const Results again(file_);
  ASSERT_EQ(again.rows().size(), 2u);
  EXPECT_EQ(again.rows()[1].problem, "c2c:f32:16*64");
  EXPECT_EQ(again.rows()[1].threads, 2u);
  EXPECT_EQ(again.rows()[1].entry.library, "fftw");
  EXPECT_EQ(again.rows()[1].entry.ratio.median, 2.5);
  EXPECT_EQ(again.rows()[1].entry.microseconds.median, 25);
  EXPECT_EQ(again.rows()[1].entry.version, "1, really");
  EXPECT_TRUE(again.has(test_, {"twiddle", "fftw"}));
  EXPECT_FALSE(again.has(test_, {"twiddle", "mkl"}));
  EXPECT_FALSE(again.has({"throughput", test_.problem, 2}, {"twiddle"}));
}

TEST_F(ResultsFile, WhatAnInterruptionLeftIsDropped) {
  Results(file_).add(test_, {entry("twiddle", 1)});
  std::ofstream(file_, std::ios::app) << "latency,c2c:f32:128,1,twi";
  Results results(file_);
  EXPECT_EQ(results.rows().size(), 1u);
  results.add({"latency", parse_problem("c2c:f32:128"), 1}, {entry("twiddle", 1)});
  EXPECT_EQ(Results(file_).rows().size(), 2u);
}

TEST_F(ResultsFile, OtherFilesAreRefused) {
  std::ofstream(file_) << "something,else\n";
  EXPECT_THROW(Results{file_}, std::runtime_error);
  std::ofstream(file_) << "one line that does not end";
  EXPECT_THROW(Results{file_}, std::runtime_error);
  std::string line;
  std::getline(std::ifstream(file_), line);
  EXPECT_EQ(line, "one line that does not end");
  std::ofstream(file_) << "# settings of another program\n";
  EXPECT_THROW(Results{file_}, std::runtime_error);
  EXPECT_THROW(Results{std::filesystem::temp_directory_path().string()}, std::runtime_error);
  std::ofstream(file_) << "suite,prob";  // a header that was cut off
  Results(file_).add(test_, {entry("twiddle", 1)});
  EXPECT_EQ(Results(file_).rows().size(), 1u);
}

TEST_F(ResultsFile, SaysWhyItCannotBeWritten) {
  const auto message_for = [&](const std::string& file) {
    Results results(file);
    try {
      results.add(test_, {entry("twiddle", 1)});
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_for("/dev/full"), "cannot write to '/dev/full': No space left on device");
  EXPECT_EQ(message_for(file_ + "/results.csv"),
            "cannot write to '" + file_ + "/results.csv': No such file or directory");
}

TEST(Summary, TellsMeansAndWorstCasesOfEachFamily) {
  const auto row = [](const char* problem, const char* library, double ratio) {
    return Row{"latency", problem, 1, {.library = library, .version = "", .ratio = {ratio, ratio, ratio}}};
  };
  std::vector<Row> rows{row("c2c:f32:64", "twiddle", 1), row("c2c:f32:64", "fftw", 4), row("c2c:f32:128", "fftw", 0.25),
                        row("c2c:f32:60", "fftw", 2)};
  rows.push_back(row("c2c:f32:30", "fftw", 100));
  rows.back().entry.complaint = "wrong";
  const std::string summary = summarize(rows);
  EXPECT_THAT(summary, HasSubstr("| all | 1.26 (0.25; 1 of 3) |"));
  EXPECT_THAT(summary, HasSubstr("| powers of two | 1.00 (0.25; 1 of 2) |"));
  EXPECT_THAT(summary, HasSubstr("| other smooth lengths | 2.00 (2.00; 0 of 1) |"));
  EXPECT_THAT(summary, HasSubstr("Worst beside fftw:\n- `c2c:f32:128`, 1 thread: 0.25"));
  EXPECT_EQ(summarize({rows.front()}), "");
}

}  // namespace
}  // namespace twiddle::bench
