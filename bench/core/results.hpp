// Results as a file of comma-separated values, to which an interrupted run adds what is missing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contest.hpp"
#include "csv_file.hpp"
#include "suite.hpp"

namespace twiddle::bench {

// One library's entry of one case: a line of the file.
struct Row {
  std::string suite;
  std::string problem;
  std::size_t threads = 1;
  Entry entry;
};

// Of several lines for the same library and case the last one counts.
class Results {
 public:
  // Reads what is in the file, as CsvFile does.
  explicit Results(std::string file);

  // Whether all of these libraries have a line for the case.
  [[nodiscard]] bool has(const Case& test, const std::vector<std::string>& libraries) const;

  // Adds the case's lines to the file, in one piece. Throws std::runtime_error where it cannot be written.
  void add(const Case& test, const std::vector<Entry>& entries);

  // Adds a note, such as what machine the following lines are from, unless the file has it.
  void note(const std::string& text) { file_.note(text); }

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  void insert(Row row);
  CsvFile file_;
  std::vector<Row> rows_;
};

}  // namespace twiddle::bench
