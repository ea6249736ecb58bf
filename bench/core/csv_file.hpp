// A file of comma-separated values that only grows, so that an interrupted run loses nothing that was finished.
#pragma once

#include <string>
#include <vector>

namespace twiddle::bench {

using CsvLine = std::vector<std::string>;

// A field as it stands in a file (RFC 4180): in quotes where it holds commas or quotes. Ends of lines become spaces.
[[nodiscard]] std::string csv_field(std::string text);

// A number of a file; throws std::runtime_error naming the file where the field holds something else.
[[nodiscard]] double csv_number(const std::string& field, const std::string& file);

// The first line names the columns; those that begin with '#' are notes.
class CsvFile {
 public:
  // Reads what is in the file; none is an empty one, and an empty name is no file at all: nothing is kept. Throws
  // std::runtime_error for a file with another header, and for lines with another number of fields. A last line without
  // its end, which an interruption leaves, is dropped.
  CsvFile(std::string file, std::string header);

  [[nodiscard]] const std::string& file() const { return file_; }
  // What was in the file when it was read.
  [[nodiscard]] const std::vector<CsvLine>& lines() const { return lines_; }
  // Those that were there, and those added since.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  // Adds lines to the file, in one piece. Throws std::runtime_error where it cannot be written.
  void append(const std::vector<CsvLine>& lines);

  // Adds a note of one line, such as what machine the following lines are from, unless the file has it.
  void note(const std::string& text);

 private:
  void write(const std::string& text);
  std::string file_;
  std::string header_;
  bool begun_ = false;  // a pipe or device, which cannot be asked, has the header
  std::vector<CsvLine> lines_;
  std::vector<std::string> notes_;
};

}  // namespace twiddle::bench
