// Results as lines of a file.
#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace twiddle::bench {
namespace {

constexpr const char* header =
    "suite,problem,threads,library,us,us_low,us_high,ratio,ratio_low,ratio_high,gflops,difference,plan_ms,complaint,"
    "version";

CsvLine line_of(const Row& row) {
  const Entry& e = row.entry;
  const auto number = [](double value, int digits) { return fmt::format("{:.{}g}", value, digits); };
  return {row.suite,
          row.problem,
          fmt::to_string(row.threads),
          e.library,
          number(e.microseconds.median, 6),
          number(e.microseconds.low, 6),
          number(e.microseconds.high, 6),
          number(e.ratio.median, 4),
          number(e.ratio.low, 4),
          number(e.ratio.high, 4),
          number(e.gigaflops, 4),
          number(e.difference, 2),
          number(e.planning_milliseconds, 4),
          e.complaint,
          e.version};
}

Row row_of(const CsvLine& fields, const std::string& file) {
  const auto number = [&](std::size_t column) { return csv_number(fields[column], file); };
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

Results::Results(std::string file) : file_(std::move(file), header) {
  for (const CsvLine& line : file_.lines()) insert(row_of(line, file_.file()));
}

bool Results::has(const Case& test, const std::vector<std::string>& libraries) const {
  return std::ranges::all_of(libraries, [&](const std::string& library) {
    const Row wanted{test.suite, to_string(test.problem), test.threads, {.library = library, .version = {}}};
    return std::ranges::any_of(rows_, [&](const Row& row) { return same(row, wanted); });
  });
}

void Results::add(const Case& test, const std::vector<Entry>& entries) {
  std::vector<CsvLine> lines;
  for (const Entry& entry : entries) {
    Row row{test.suite, to_string(test.problem), test.threads, entry};
    lines.push_back(line_of(row));
    insert(std::move(row));
  }
  file_.append(lines);
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
