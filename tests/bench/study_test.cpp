// Studies as values: what is computed from samples, how they are kept, printed and written as a page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "samples.hpp"
#include "study_page.hpp"
#include "study_results.hpp"
#include "study_table.hpp"
#include "tools/command.hpp"
#include "turns.hpp"
#include "twiddle/error.hpp"

namespace twiddle::studies {
namespace {

using test::Folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Sample sample(const std::string& part, double x, const std::string& series, double time) {
  return {part, x, series, {time, 0.9 * time, 1.1 * time}};
}

TEST(StudySamples, CrossoverIsWhereTheChallengerStaysAhead) {
  Samples samples;
  for (const auto& [x, host, device] : {std::tuple{64.0, 1.0, 9.0},
                                        {256.0, 5.0, 4.0},
                                        {1024.0, 8.0, 9.0},
                                        {4096.0, 40.0, 10.0},
                                        {16384.0, 200.0, 11.0}}) {
    samples.push_back(sample("complex", x, "host", host));
    samples.push_back(sample("complex", x, "device", device));
  }
  EXPECT_EQ(crossover(samples, "complex", "host", "device"), 4096);
  EXPECT_EQ(crossover(samples, "complex", "device", "host"), std::nullopt);
  EXPECT_EQ(crossover(samples, "real", "host", "device"), std::nullopt);
  EXPECT_EQ(fastest(samples, "complex", 256)->series, "device");
  EXPECT_EQ(range_text(ratios(samples, "complex", "host", "device")), "0.111 to 18.2 (geometric mean 1.55)");
  EXPECT_EQ(range_text({}), "not measured");
  EXPECT_EQ(times_text("A", "B", {{1, 2}}), "A takes 2.00 times as long as B");
  EXPECT_EQ(times_text("A", "B", {}), "A was not measured beside B");
}

TEST(StudySamples, WhatHasNoTimeCountsNowhere) {
  Samples samples{sample("a", 8, "x", 2), {"a", 8, "y", {}, "no such kernel"}};
  EXPECT_EQ(time_of(samples, "a", 8, "y"), std::nullopt);
  EXPECT_EQ(fastest(samples, "a", 8)->series, "x");
  EXPECT_EQ(fastest(samples, "a", 16), nullptr);
  EXPECT_TRUE(ratios(samples, "a", "y", "x").empty());
}

TEST(StudySamples, NumbersHaveThreeDigits) {
  EXPECT_EQ(number_text(0.04217), "0.0422");
  EXPECT_EQ(number_text(3.1416), "3.14");
  EXPECT_EQ(number_text(1250.4), "1250");
  EXPECT_EQ(number_text(0), "0");
}

TEST(StudyTables, ShowMediansSpreadAndWhyCellsAreEmpty) {
  const Study& study = find_study("crossover");
  const std::vector<Table> tables = tables_of(
      study, {sample("p", 64, "a", 12.5), sample("p", 64, "b", 2), sample("p", 16, "a", 3), {"p", 16, "c", {}, "why"}});
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_THAT(tables[0].header, ElementsAre("points", "a", "b"));
  EXPECT_THAT(tables[0].rows,
              ElementsAre(ElementsAre("16", "3.00 ±10%", "-"), ElementsAre("64", "12.5 ±10%", "2.00 ±10%")));
  EXPECT_THAT(tables[0].notes, ElementsAre("c: why"));
  EXPECT_EQ(to_text({"title", {"n", "time"}, {{"8", "1 ±2%"}, {"16", "12"}}, {"a note"}}),
            "title\n   n   time\n   8  1 ±2%\n  16     12\n  - a note\n");
}

TEST(StudyTables, ChartsLeaveOutWhatWasNotMeasured) {
  const auto charts = charts_of(
      find_study("crossover"),
      {sample("p", 16, "a", 3), sample("p", 64, "a", 12), {"p", 16, "b", {}, "why"}, sample("q", 16, "a", 1)});
  ASSERT_EQ(charts.size(), 1U);
  ASSERT_EQ(charts[0].curves.size(), 1U);
  EXPECT_THAT(charts[0].curves[0].points, ElementsAre(std::pair(16.0, 3.0), std::pair(64.0, 12.0)));
}

TEST(StudyList, EveryStudySaysWhatItIsAndSurvivesAnEmptyRun) {
  for (const Study& study : all_studies()) {
    for (const std::string& text : {study.title, study.shows, study.source, study.quantity, study.x_name}) {
      EXPECT_FALSE(text.empty()) << study.name;
    }
    EXPECT_TRUE(study.reading({}).ends_with('.')) << study.name;
    (void)study.comparisons({});
    const Setting quick{Device::host(), true};
    const Setting full{Device::host(), false};
    EXPECT_GE(study.trials(quick).size(), 2U) << study.name;
    EXPECT_GT(study.trials(full).size(), study.trials(quick).size()) << study.name;
  }
  EXPECT_THROW((void)find_study("crosover"), InvalidArgument);
}

TEST(StudyReadings, AreComputedFromTheData) {
  Samples samples;
  for (const double n : {1024.0, 4096.0, 16384.0}) {
    samples.push_back(sample("complex input", n, "FFT on the host", n / 100));
    samples.push_back(sample("complex input", n, "direct sum", n * n / 1e4));
    samples.push_back(sample("complex input", n, "FFT", 30));
    samples.push_back(sample("complex input", n, "FFT and copies", 100));
    samples.push_back(sample("real input", n, "direct sum", 20));
    samples.push_back(sample("real input", n, "FFT", 30));
  }
  EXPECT_EQ(find_study("crossover").reading(samples),
            "The device beats the host from 4096 points on where the data is there already, and from 16384 points on "
            "where it must be copied; its fast transform beats the direct sum from 1024 points on (complex) and at no "
            "measured length (real).");
  Samples pictures;
  for (const auto& [side, kernel, host] : {std::tuple{16.0, 1.0, 5.0}, {1024.0, 30.0, 100.0}}) {
    pictures.push_back(sample("3x3 sharpen, RGB", side, "kernel", kernel));
    pictures.push_back(sample("3x3 sharpen, RGB", side, "all steps", kernel + 10));
    pictures.push_back(sample("3x3 sharpen, RGB", side, "on the host", host));
  }
  EXPECT_EQ(
      find_study("overhead").reading(pictures),
      "Of the time of a picture, 91% is not the kernel at 16 x 16 pixels and 25% at 1024 x 1024; with all steps the "
      "device beats the host from 1024 x 1024 on.");
}

TEST(StudyResults, AreFoundAgainByTheSameDeviceVersionAndEffort) {
  const Folder folder;
  const std::string file = folder.path("studies.csv");
  const Study& study = find_study("crossover");
  const Identity identity{"host (a CPU, AVX2)", "1.2", true};
  {
    StudyResults results(file, identity);
    EXPECT_TRUE(results.find(study, {"p, q", 64}).empty());
    results.add(study, {sample("p, q", 64, "a", 12.5), {"p, q", 64, "b", {}, "too long,\nby \"far\""}});
    EXPECT_EQ(results.find(study, {"p, q", 64}).size(), 2U);
  }
  StudyResults results(file, identity);
  const auto found = results.find(study, {"p, q", 64});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].part, "p, q");
  EXPECT_EQ(found[0].series, "a");
  EXPECT_EQ(found[0].microseconds.median, 12.5);
  EXPECT_EQ(found[0].microseconds.high, 13.75);
  EXPECT_EQ(found[1].complaint, "too long, by \"far\"");
  EXPECT_TRUE(results.find(study, {"p, q", 16}).empty());
  EXPECT_TRUE(results.find(find_study("overhead"), {"p, q", 64}).empty());
  for (const Identity& other : {Identity{"host (another, AVX2)", "1.2", true}, Identity{identity.device, "1.3", true},
                                Identity{identity.device, "1.2", false}}) {
    EXPECT_TRUE(StudyResults(file, other).find(study, {"p, q", 64}).empty());
  }
}

TEST(StudyResults, KnowTheirDevicesAndFacts) {
  const Folder folder;
  const std::string file = folder.path("studies.csv");
  const Identity quick{"a (b, c)", "1", true};
  const Identity full{"d", "1", false};
  {
    StudyResults results(file, quick);
    results.add_fact("measured", "2026-01-01");
    results.add_fact("driver", "1: 2, 3");
    results.add(find_study("crossover"), {sample("p", 8, "s", 1)});
  }
  {
    StudyResults results(file, full);
    results.add_fact("measured", "2026-03-03");
    results.add(find_study("crossover"), {sample("p", 8, "s", 2)});
  }
  StudyResults results(file, quick);
  results.add_fact("measured", "2026-02-02");
  EXPECT_THAT(results.facts(), ElementsAre(std::pair("measured", "2026-02-02"), std::pair("driver", "1: 2, 3")));
  EXPECT_THAT(StudyResults::identities(file), ElementsAre(quick, full));
  EXPECT_EQ(results.find(find_study("crossover")).size(), 1U);
}

TEST(StudyResults, DamagedFilesAreRefusedAndCutOffLinesDropped) {
  const Folder folder;
  const std::string file = folder.path("studies.csv");
  const Identity identity{"d", "1", true};
  const Study& study = find_study("crossover");
  StudyResults(file, identity).add(study, {sample("p", 64, "a", 1)});
  const std::string good = folder.read("studies.csv");
  folder.write("studies.csv", good + "crossover,d,1,qui");
  EXPECT_EQ(StudyResults(file, identity).find(study, {"p", 64}).size(), 1U);
  EXPECT_EQ(folder.read("studies.csv"), good);
  for (const std::string& damaged :
       {std::string("PNG\n"), good + "crossover,d,1\n", good + "crossover,d,1,quick,p,many,a,1,1,1,\n"}) {
    folder.write("studies.csv", damaged);
    try {
      StudyResults(file, identity);
      ADD_FAILURE() << damaged;
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("studies.csv"));
      EXPECT_THAT(error.what(), HasSubstr("remove the file to measure anew"));
    }
    EXPECT_EQ(folder.read("studies.csv"), damaged);
  }
}

TEST(StudyPage, EscapesTextAndHoldsPictures) {
  EXPECT_EQ(escape_html("a < b && \"c\" > d"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
  const std::string page =
      to_html({.title = "on <x>",
               .date = "today",
               .facts = {{"name", "R&D"}},
               .chapters = {{.title = "one",
                             .shows = "s",
                             .source = "t",
                             .tables = {{"T", {"n"}, {{"<8"}}, {"n & m"}}},
                             .picture = "<?xml?><svg><g id=\"gnuplot_a\"/></svg>",
                             .reading = "It is < 3."},
                            {.title = "two", .shows = "s", .source = "t", .obstacle = "no groups"}}});
  EXPECT_THAT(page, HasSubstr("<h1>on &lt;x&gt;</h1>"));
  EXPECT_THAT(page, HasSubstr("<td>R&amp;D</td>"));
  EXPECT_THAT(page, HasSubstr("<td>&lt;8</td>"));
  EXPECT_THAT(page, HasSubstr("<div><svg><g id=\"chapter_1_a\"/></svg>"));
  EXPECT_THAT(page, Not(HasSubstr("<?xml")));
  EXPECT_THAT(page, HasSubstr("It is &lt; 3."));
  EXPECT_THAT(page, HasSubstr("Not here: no groups"));
}

TEST(StudyTurns, KeepWhatFailsAsComplaints) {
  const Setting setting{Device::host(), true};
  const Trial trial{"p", 4};
  Turns turns(setting, trial);
  int runs = 0;
  turns.add("runs", [&]() -> Turns::Work { return [&] { ++runs; }; });
  turns.add("cannot", []() -> Turns::Work { throw Unsupported("not here"); });
  turns.add("errs", []() -> Turns::Work { wrong(0.5); });
  const auto samples = turns.measure();
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_GT(runs, 5);
  EXPECT_GE(samples[0].microseconds.high, samples[0].microseconds.low);
  EXPECT_EQ(samples[1].complaint, "not here");
  EXPECT_FALSE(is_wrong(samples[1]));
  EXPECT_TRUE(is_wrong(samples[2]));
}

}  // namespace
}  // namespace twiddle::studies
