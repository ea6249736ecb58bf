// Reading and growing a file of comma-separated values.
#include "csv_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace twiddle::bench {
namespace {

CsvLine fields_of(const std::string& line) {
  CsvLine fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool doubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) fields.back() += line[++i];
      if (!doubled) quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

std::string csv_field(std::string text) {
  text = one_line(std::move(text));
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

double csv_number(const std::string& field, const std::string& file) {
  char* end = nullptr;
  const double number = std::strtod(field.c_str(), &end);
  if (field.empty() || *end != '\0') throw std::runtime_error(fmt::format("{}: '{}' is no number", file, field));
  return number;
}

CsvFile::CsvFile(std::string file, std::string header) : file_(std::move(file)), header_(std::move(header)) {
  std::error_code none;
  if (std::filesystem::is_directory(file_, none)) throw std::runtime_error(fmt::format("{} is a folder", file_));
  if (!std::filesystem::is_regular_file(file_, none)) return;  // nothing can be read back from pipes and devices
  errno = 0;
  std::ifstream stream(file_, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("cannot read '{}': {}", file_, std::strerror(errno)));
  const std::size_t columns = fields_of(header_).size();
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t end = text.rfind('\n') + 1;  // 0 where there is none
  std::istringstream lines(text.substr(0, end));
  bool has_header = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      notes_.push_back(line.substr(2));
    } else if (!has_header) {
      if (line != header_) throw std::runtime_error(fmt::format("{} holds something else than results", file_));
      has_header = true;
    } else {
      lines_.push_back(fields_of(line));
      if (lines_.back().size() == columns) continue;
      throw std::runtime_error(
          fmt::format("{}: a line has {} fields instead of {}: {}", file_, lines_.back().size(), columns, line));
    }
  }
  // The header, which comes first, shows whose file it is; only a part of it may be all there is.
  if (!has_header && (end != 0 || !header_.starts_with(text))) {
    throw std::runtime_error(fmt::format("{} holds something else than results", file_));
  }
  if (end != text.size()) std::filesystem::resize_file(file_, end);  // drops a line that was cut off
}

void CsvFile::append(const std::vector<CsvLine>& lines) {
  std::string text;
  for (CsvLine line : lines) {
    for (std::string& field : line) field = csv_field(std::move(field));
    text += fmt::format("{}\n", fmt::join(line, ","));
  }
  write(text);
}

void CsvFile::note(const std::string& text) {
  if (std::ranges::find(notes_, text) != notes_.end()) return;
  notes_.push_back(text);
  write("# " + one_line(text) + "\n");
}

void CsvFile::write(const std::string& text) {
  if (file_.empty()) return;
  std::error_code none;
  const bool regular = std::filesystem::is_regular_file(file_, none);
  const bool fresh = regular ? std::filesystem::file_size(file_, none) == 0 : !begun_;
  errno = 0;
  std::ofstream stream(file_, std::ios::app | std::ios::binary);
  if (fresh) stream << header_ << '\n';
  stream << text << std::flush;
  if (!stream) throw std::runtime_error(fmt::format("cannot write to '{}': {}", file_, std::strerror(errno)));
  begun_ = !regular;
}

}  // namespace twiddle::bench
