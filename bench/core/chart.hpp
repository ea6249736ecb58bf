// Charts of curves over a logarithmic axis, drawn by gnuplot.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace twiddle::bench {

struct Curve {
  std::string name;  // in the legend; empty: not there
  std::vector<std::pair<double, double>> points{};
  std::string color{};    // "#0072b2"; empty: one that the curves before have not
  bool connected = true;  // lines through the points
  bool operator==(const Curve&) const = default;
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool logarithmic_y = false;  // else from 0
  std::vector<Curve> curves{};
  bool operator==(const Chart&) const = default;
};

// Side by side in one picture. `file` ends in .png or .svg. Throws std::runtime_error for other names and where gnuplot
// is missing or cannot write.
void draw_charts(const std::vector<Chart>& charts, const std::string& file);

// A few colours that the colour-blind can tell apart, again and again.
[[nodiscard]] std::string chart_color(std::size_t index);

// Whether there is a gnuplot in the PATH.
[[nodiscard]] bool has_gnuplot();

}  // namespace twiddle::bench
