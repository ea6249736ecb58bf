// Charts of results, as benchFFT draws them: speed over length (https://www.fftw.org/benchfft).
#include <fmt/format.h>

#include <bit>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "chart.hpp"
#include "summary.hpp"

namespace twiddle::bench {
namespace {

constexpr std::size_t fewest_lengths = 3;

struct Speeds {
  std::map<std::string, std::map<std::size_t, double>> speeds;  // by library and length
  std::map<std::size_t, bool> lengths;
};

// One-dimensional results, by title.
std::map<std::string, Speeds> speeds_of(const std::vector<Row>& rows) {
  std::map<std::string, Speeds> charts;
  for (const Row& row : rows) {
    const Problem problem = parse_problem(row.problem);
    const Transform& transform = problem.transform;
    if (transform.lengths.size() != 1 || !row.entry.complaint.empty()) continue;
    const std::string title = fmt::format(
        "{}{}{} {} {}{}, {} thread{}", row.suite, row.suite.empty() ? "" : ": ", to_string(transform.kind),
        to_string(transform.precision), problem.placement == Placement::in_place ? "in place" : "out of place",
        problem.direction == Direction::inverse ? ", inverse" : "", row.threads, row.threads == 1 ? "" : "s");
    Speeds& chart = charts[title];
    chart.speeds[row.entry.library][transform.lengths.front()] = row.entry.gigaflops;
    chart.lengths[transform.lengths.front()] = true;
  }
  std::erase_if(charts, [](const auto& item) { return item.second.lengths.size() < fewest_lengths; });
  return charts;
}

std::vector<std::pair<double, double>> points_of(const std::map<std::size_t, double>& speeds, bool powers) {
  std::vector<std::pair<double, double>> points;
  for (const auto& [length, speed] : speeds) {
    if (std::has_single_bit(length) == powers) points.emplace_back(static_cast<double>(length), speed);
  }
  return points;
}

}  // namespace

void plot(const std::vector<Row>& rows, const std::string& file) {
  std::vector<Chart> charts;
  for (const auto& [title, chart] : speeds_of(rows)) {
    charts.push_back({.title = title, .x_label = "points", .y_label = "GFLOP/s (5 N log_2 N; half for reals)"});
    std::size_t others = 0;
    for (const auto& [library, speeds] : chart.speeds) {
      const std::string color = library == "twiddle" ? "black" : chart_color(others++);
      charts.back().curves.push_back({.name = library, .points = points_of(speeds, true), .color = color});
      charts.back().curves.push_back(
          {.name = "", .points = points_of(speeds, false), .color = color, .connected = false});
    }
  }
  if (charts.empty()) {
    throw std::runtime_error(fmt::format("nothing to draw: fewer than {} lengths of one dimension", fewest_lengths));
  }
  draw_charts(charts, file);
}

}  // namespace twiddle::bench
