// Reading and writing results.
#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace twiddle::bench {
namespace {

constexpr const char* header =
    "suite,problem,threads,library,us,us_low,us_high,ratio,ratio_low,ratio_high,gflops,difference,plan_ms,complaint,"
    "version";
constexpr std::size_t columns = 15;

// A field must not end its line or itself; problems have commas only in lists of strides, which become spaces.
std::string field(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == ',' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string line_of(const Row& row) {
  const Entry& e = row.entry;
  return fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g},{:.4g},{:.4g},{:.4g},{:.4g},{:.2g},{:.4g},{},{}\n", row.suite,
                     field(row.problem), row.threads, e.library, e.microseconds.median, e.microseconds.low,
                     e.microseconds.high, e.ratio.median, e.ratio.low, e.ratio.high, e.gigaflops, e.difference,
                     e.planning_milliseconds, field(e.complaint), field(e.version));
}

Row row_of(const std::string& line, const std::string& file) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string text; std::getline(stream, text, ',');) fields.push_back(text);
  if (line.ends_with(',')) fields.emplace_back();
  if (fields.size() != columns) {
    throw std::runtime_error(
        fmt::format("{}: a line has {} fields instead of {}: {}", file, fields.size(), columns, line));
  }
  const auto number = [&](std::size_t column) { return std::strtod(fields[column].c_str(), nullptr); };
  Entry entry{.library = fields[3],
              .version = fields[14],
              .complaint = fields[13],
              .microseconds = {number(4), number(5), number(6)},
              .ratio = {number(7), number(8), number(9)},
              .gigaflops = number(10),
              .difference = number(11),
              .planning_milliseconds = number(12)};
  return {fields[0], fields[1], static_cast<std::size_t>(number(2)), std::move(entry)};
}

bool same(const Row& a, const Row& b) {
  return a.suite == b.suite && a.problem == b.problem && a.threads == b.threads && a.entry.library == b.entry.library;
}

}  // namespace

Results::Results(std::string file) : file_(std::move(file)) {
  std::ifstream stream(file_, std::ios::binary);
  if (!stream) return;
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t end = text.rfind('\n') + 1;  // 0 where there is none
  std::istringstream lines(text.substr(0, end));
  bool has_header = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      notes_.push_back(line.substr(2));
    } else if (!has_header) {
      if (line != header) throw std::runtime_error(fmt::format("{} holds something else than results", file_));
      has_header = true;
    } else {
      insert(row_of(line, file_));
    }
  }
  if (end < text.size()) std::filesystem::resize_file(file_, end);
}

bool Results::has(const Case& test, const std::vector<std::string>& libraries) const {
  return std::ranges::all_of(libraries, [&](const std::string& library) {
    const Row wanted{test.suite, field(to_string(test.problem)), test.threads, {.library = library, .version = {}}};
    return std::ranges::any_of(rows_, [&](const Row& row) { return same(row, wanted); });
  });
}

void Results::add(const Case& test, const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries) {
    const Row row{test.suite, field(to_string(test.problem)), test.threads, entry};
    text += line_of(row);
    insert(row);
  }
  append(text);
}

void Results::note(const std::string& text) {
  if (std::ranges::find(notes_, text) != notes_.end()) return;
  notes_.push_back(text);
  append("# " + field(text) + "\n");
}

void Results::append(const std::string& text) {
  if (file_.empty()) return;
  std::error_code none;
  const bool fresh = !std::filesystem::exists(file_, none) || std::filesystem::file_size(file_, none) == 0;
  std::ofstream stream(file_, std::ios::app | std::ios::binary);
  if (fresh) stream << header << '\n';
  stream << text << std::flush;
  if (!stream) throw std::runtime_error(fmt::format("cannot write to {}", file_));
}

void Results::insert(Row row) {
  const auto old = std::ranges::find_if(rows_, [&](const Row& other) { return same(other, row); });
  if (old != rows_.end()) {
    *old = std::move(row);
  } else {
    rows_.push_back(std::move(row));
  }
}

}  // namespace twiddle::bench
