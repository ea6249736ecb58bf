// Studies for people: on the terminal, and as a folder with a page and charts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "study.hpp"

namespace twiddle::tool {

// A study and what was measured.
struct StudyOutcome {
  const studies::Study* study;
  std::string obstacle{};  // why nothing was; empty: something was
  std::vector<studies::Sample> samples{};
};

void print(const StudyOutcome& outcome);

struct StudyReport {
  std::string title;
  std::string date;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<StudyOutcome> outcomes;
};

// Writes index.html and, where there is gnuplot, charts; else says so on standard error. Throws FileError.
void write_report(const StudyReport& report, const std::string& folder);

// folder/name; "" for no folder.
[[nodiscard]] std::string path_in(const std::string& folder, const std::string& name);

}  // namespace twiddle::tool
