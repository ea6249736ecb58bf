// Charts by gnuplot, as benchFFT draws them: speed over length (https://www.fftw.org/benchfft).
#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "summary.hpp"

namespace twiddle::bench {
namespace {

constexpr std::size_t fewest_lengths = 3;

// Of the others' lines (Okabe and Ito's, which the colour-blind can tell apart); ours are black.
constexpr const char* colors[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"};

struct Chart {
  std::map<std::string, std::map<std::size_t, double>> speeds;  // by library and length
  std::map<std::size_t, bool> lengths;
};

// One-dimensional results, by title.
std::map<std::string, Chart> charts_of(const std::vector<Row>& rows) {
  std::map<std::string, Chart> charts;
  for (const Row& row : rows) {
    const Problem problem = parse_problem(row.problem);
    const Transform& transform = problem.transform;
    if (transform.lengths.size() != 1 || !row.entry.complaint.empty()) continue;
    const std::string title = fmt::format(
        "{}{}{} {} {}{}, {} thread{}", row.suite, row.suite.empty() ? "" : ": ", to_string(transform.kind),
        to_string(transform.precision), problem.placement == Placement::in_place ? "in place" : "out of place",
        problem.direction == Direction::inverse ? ", inverse" : "", row.threads, row.threads == 1 ? "" : "s");
    Chart& chart = charts[title];
    chart.speeds[row.entry.library][transform.lengths.front()] = row.entry.gigaflops;
    chart.lengths[transform.lengths.front()] = true;
  }
  std::erase_if(charts, [](const auto& item) { return item.second.lengths.size() < fewest_lengths; });
  return charts;
}

// A block of data that gnuplot reads by its name.
std::string data_block(const std::string& name, const std::map<std::size_t, double>& speeds, bool powers) {
  std::string text = fmt::format("${} << end_of_data\n", name);
  bool any = false;
  for (const auto& [length, speed] : speeds) {
    if (std::has_single_bit(length) != powers) continue;
    text += fmt::format("{} {:.6g}\n", length, speed);
    any = true;
  }
  return text + (any ? "" : "NaN NaN\n") + "end_of_data\n";
}

std::string script_of(const std::map<std::string, Chart>& charts, const std::string& file) {
  const std::size_t across = charts.size() == 1 ? 1 : 2;
  const std::size_t down = (charts.size() + across - 1) / across;
  std::string script = fmt::format(
      "set terminal {} size {},{} background rgb 'white'\nset output '{}'\nset multiplot layout {},{}\n"
      "set logscale x 2\nset grid\nset xlabel 'points'\nset ylabel 'GFLOP/s (5 N log_2 N; half for reals)'\n"
      "set format x '2^{{%L}}'\nset yrange [0:*]\nset key outside right noenhanced\n",
      file.ends_with(".svg") ? "svg enhanced" : "pngcairo enhanced", 900 * across, 420 * down, file, down, across);
  std::size_t block = 0;
  for (const auto& [title, chart] : charts) {
    std::string plots;
    std::size_t others = 0;
    for (const auto& [library, speeds] : chart.speeds) {
      const char* const color = library == "twiddle" ? "black" : colors[others++ % std::size(colors)];
      const std::string lines = fmt::format("block{}", block++);
      const std::string points = fmt::format("block{}", block++);
      script += data_block(lines, speeds, true) + data_block(points, speeds, false);
      plots += fmt::format(
          "{}${} with linespoints lc rgb '{}' pt 7 ps 0.5 lw 2 title '{}', ${} with points lc rgb '{}' pt 2 ps 0.6 "
          "notitle",
          plots.empty() ? "" : ", ", lines, color, library, points, color);
    }
    script += fmt::format("set title '{}' noenhanced\nplot {}\n", title, plots);
  }
  return script + "unset multiplot\n";
}

}  // namespace

void plot(const std::vector<Row>& rows, const std::string& file) {
  if (file.find('\'') != std::string::npos || !(file.ends_with(".png") || file.ends_with(".svg"))) {
    throw std::runtime_error(fmt::format("charts are drawn to a file that ends in .png or .svg, not to '{}'", file));
  }
  const std::map<std::string, Chart> charts = charts_of(rows);
  if (charts.empty()) {
    throw std::runtime_error(fmt::format("nothing to draw: fewer than {} lengths of one dimension", fewest_lengths));
  }
  const std::string script = script_of(charts, file);
  FILE* const gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw std::runtime_error("cannot start gnuplot");
  const bool written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  if (pclose(gnuplot) != 0 || !written)
    throw std::runtime_error(fmt::format("gnuplot cannot draw {}; is it installed?", file));
}

}  // namespace twiddle::bench
