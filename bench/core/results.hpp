// Results as a file of comma-separated values, to which an interrupted run adds what is missing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "contest.hpp"
#include "suite.hpp"

namespace twiddle::bench {

// One library's entry of one case: a line of the file.
struct Row {
  std::string suite;
  std::string problem;
  std::size_t threads = 1;
  Entry entry;
};

// Of several lines for the same library and case the last one counts. Lines that begin with '#' are notes.
class Results {
 public:
  // Reads what is in the file; none is an empty one. Throws std::runtime_error for a file that is not one of ours. A
  // last line without its end, which an interruption leaves, is dropped.
  explicit Results(std::string file);

  // Whether all of these libraries have a line for the case.
  [[nodiscard]] bool has(const Case& test, const std::vector<std::string>& libraries) const;

  // Adds the case's lines to the file, in one piece. Throws std::runtime_error where it cannot be written.
  void add(const Case& test, const std::vector<Entry>& entries);

  // Adds a note, such as what machine the following lines are from, unless the file has it.
  void note(const std::string& text);

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }

 private:
  void append(const std::string& text);
  void insert(Row row);
  std::string file_;
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

}  // namespace twiddle::bench
