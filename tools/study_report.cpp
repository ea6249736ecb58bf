// Printing and drawing what was measured.
#include "study_report.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "chart.hpp"
#include "files.hpp"
#include "study_page.hpp"
#include "study_table.hpp"

namespace twiddle::tool {
namespace {

using studies::Chapter;
using studies::Study;

// Draws the study's charts as .svg and .png; the text of the former.
std::string draw(const StudyOutcome& outcome, const std::string& folder) {
  const std::vector<bench::Chart> charts = charts_of(*outcome.study, outcome.samples);
  if (charts.empty()) return "";
  const std::string svg = path_in(folder, outcome.study->name + ".svg");
  bench::draw_charts(charts, path_in(folder, outcome.study->name + ".png"));
  bench::draw_charts(charts, svg);
  return read_file(svg);
}

Chapter chapter_of(const StudyOutcome& outcome, const std::string& folder, bool draws) {
  const Study& study = *outcome.study;
  Chapter chapter{.title = study.title, .shows = study.shows, .source = study.source};
  chapter.obstacle = outcome.obstacle;
  if (!outcome.obstacle.empty()) return chapter;
  chapter.tables = tables_of(study, outcome.samples);
  chapter.comparisons = studies::comparison_table(study.comparisons(outcome.samples));
  chapter.reading = study.reading(outcome.samples);
  if (draws) chapter.picture = draw(outcome, folder);
  return chapter;
}

}  // namespace

std::string path_in(const std::string& folder, const std::string& name) {
  return folder.empty() ? "" : (std::filesystem::path(folder) / name).string();
}

void print(const StudyOutcome& outcome) {
  const Study& study = *outcome.study;
  fmt::print("{}: {}\n", study.name, study.title);
  if (!outcome.obstacle.empty()) return fmt::print("  not here: {}\n\n", outcome.obstacle);
  for (const studies::Table& table : tables_of(study, outcome.samples)) fmt::print("\n{}", to_text(table));
  const studies::Table comparisons = studies::comparison_table(study.comparisons(outcome.samples));
  if (!comparisons.rows.empty()) fmt::print("\n{}", to_text(comparisons));
  fmt::print("\n{}\n\n", study.reading(outcome.samples));
}

void write_report(const StudyReport& report, const std::string& folder) {
  const bool draws = bench::has_gnuplot();
  if (!draws) {
    fmt::print(stderr,
               "twiddle: no charts: there is no gnuplot in the PATH; install it (Debian: gnuplot) and make the report "
               "again by --redraw, here or on another machine\n");
  }
  studies::Page page{.title = report.title, .date = report.date, .facts = report.facts, .chapters = {}};
  for (const StudyOutcome& outcome : report.outcomes) page.chapters.push_back(chapter_of(outcome, folder, draws));
  const std::string file = path_in(folder, "index.html");
  write_file(file, {studies::to_html(page)});
  fmt::print("report: {}\n", file);
}

}  // namespace twiddle::tool
