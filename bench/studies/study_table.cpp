// Tables and charts of samples.
#include "study_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "samples.hpp"

namespace twiddle::studies {
namespace {

std::string cell_of(const Sample* sample) {
  if (sample == nullptr || !sample->complaint.empty()) return "-";
  const bench::Spread& time = sample->microseconds;
  const double spread = time.median > 0 ? 50 * (time.high - time.low) / time.median : 0;
  return fmt::format("{} ±{:.0f}%", number_text(time.median), spread);
}

// Characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string aligned(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return right ? space + text : text + space;
}

bool has_time(const std::vector<Sample>& samples, const std::string& part, const std::string& series) {
  return std::ranges::any_of(samples, [&](const Sample& sample) {
    return sample.part == part && sample.series == series && sample.complaint.empty();
  });
}

void add_note(Table& table, const Sample& sample) {
  const std::string note = fmt::format("{}: {}", sample.series, sample.complaint);
  if (std::ranges::find(table.notes, note) == table.notes.end()) table.notes.push_back(note);
}

}  // namespace

std::vector<Table> tables_of(const Study& study, const std::vector<Sample>& samples) {
  std::vector<Table> tables;
  for (const std::string& part : parts_of(samples)) {
    Table table{.title = fmt::format("{}: {}, microseconds", part, study.quantity), .header = {study.x_name}};
    std::vector<std::string> series = series_of(samples, part);
    std::erase_if(series, [&](const std::string& one) { return !has_time(samples, part, one); });  // notes say why
    table.header.insert(table.header.end(), series.begin(), series.end());
    for (const double x : xs_of(samples, part)) {
      table.rows.push_back({fmt::format("{:.0f}", x)});
      for (const std::string& one : series) table.rows.back().push_back(cell_of(find_sample(samples, part, x, one)));
    }
    for (const Sample& sample : samples) {
      if (sample.part == part && !sample.complaint.empty()) add_note(table, sample);
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Table comparison_table(const std::vector<Comparison>& comparisons) {
  Table table{.title = "Published figures beside these", .header = {"what", "published", "here"}};
  for (const Comparison& one : comparisons) table.rows.push_back({one.what, one.published, one.here});
  return table;
}

std::string to_text(const Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < table.header.size(); ++column) {
    widths.push_back(width_of(table.header[column]));
    for (const auto& row : table.rows) widths.back() = std::max(widths.back(), width_of(row[column]));
  }
  const bool numbers = table.header.front() != "what";
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) text += "  " + aligned(cells[i], widths[i], numbers);
    while (text.ends_with(' ')) text.pop_back();
    return text + "\n";
  };
  std::string text = table.title + "\n" + line(table.header);
  for (const auto& row : table.rows) text += line(row);
  for (const std::string& note : table.notes) text += "  - " + note + "\n";
  return text;
}

std::vector<bench::Chart> charts_of(const Study& study, const std::vector<Sample>& samples) {
  std::vector<bench::Chart> charts;
  std::vector<std::string> names;  // of all series, so that one has the same colour in all charts
  for (const Sample& sample : samples) {
    if (std::ranges::find(names, sample.series) == names.end()) names.push_back(sample.series);
  }
  for (const std::string& part : parts_of(samples)) {
    const std::vector<double> xs = xs_of(samples, part);
    bench::Chart chart{
        .title = part, .x_label = study.x_name, .y_label = study.quantity + ", microseconds", .logarithmic_y = true};
    bool several_points = false;
    for (const std::string& series : series_of(samples, part)) {
      const auto place = std::ranges::find(names, series) - names.begin();
      bench::Curve curve{.name = series, .color = bench::chart_color(static_cast<std::size_t>(place))};
      for (const double x : xs) {
        const auto time = time_of(samples, part, x, series);
        if (time && *time > 0) curve.points.emplace_back(x, *time);
      }
      several_points = several_points || curve.points.size() > 1;
      if (!curve.points.empty()) chart.curves.push_back(std::move(curve));
    }
    if (several_points) charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace twiddle::studies
