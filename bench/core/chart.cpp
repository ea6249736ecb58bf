// The script that gnuplot draws charts by.
#include "chart.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <stdexcept>

namespace twiddle::bench {
namespace {

// Okabe and Ito's, which the colour-blind can tell apart.
constexpr const char* colors[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00",
                                  "#56b4e9", "#000000", "#999999", "#f0e442"};

// A block of data that gnuplot reads by its name.
std::string data_block(const std::string& name, const Curve& curve) {
  std::string text = fmt::format("${} << end_of_data\n", name);
  for (const auto& [x, y] : curve.points) text += fmt::format("{} {:.6g}\n", x, y);
  return text + (curve.points.empty() ? "NaN NaN\n" : "") + "end_of_data\n";
}

// Inside single quotes, where gnuplot doubles them.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : c == '\n' ? std::string(" ") : std::string(1, c);
  return result + "'";
}

std::string script_of(const std::vector<Chart>& charts, const std::string& file) {
  const std::size_t across = charts.size() == 1 ? 1 : 2;
  const std::size_t down = (charts.size() + across - 1) / across;
  std::string script = fmt::format(
      "set terminal {} size {},{} background rgb 'white'\nset output '{}'\nset multiplot layout {},{}\n"
      "set logscale x 2\nset grid\nset format x '2^{{%L}}'\nset key outside right noenhanced\n",
      file.ends_with(".svg") ? "svg enhanced" : "pngcairo enhanced", 900 * across, 420 * down, file, down, across);
  std::size_t block = 0;
  for (const Chart& chart : charts) {
    std::string plots;
    std::size_t next_color = 0;
    for (const Curve& curve : chart.curves) {
      const std::string color = curve.color.empty() ? chart_color(next_color++) : curve.color;
      const std::string name = fmt::format("block{}", block++);
      script += data_block(name, curve);
      plots += fmt::format("{}${} with {} lc rgb '{}' {} {}", plots.empty() ? "" : ", ", name,
                           curve.connected ? "linespoints" : "points", color,
                           curve.connected ? "pt 7 ps 0.5 lw 2" : "pt 2 ps 0.6",
                           curve.name.empty() ? "notitle" : "title " + quoted(curve.name));
    }
    script += fmt::format("set xlabel {}\nset ylabel {}\n{}\n", quoted(chart.x_label), quoted(chart.y_label),
                          chart.logarithmic_y ? "set logscale y 10\nset yrange [*:*]\nset format y '%g'"
                                              : "unset logscale y\nset yrange [0:*]\nset format y '%g'");
    script += fmt::format("set title {} noenhanced\nplot {}\n", quoted(chart.title), plots);
  }
  return script + "unset multiplot\n";
}

// A gnuplot that ends early must not end this program.
class NoBrokenPipe {
 public:
  NoBrokenPipe() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~NoBrokenPipe() { std::signal(SIGPIPE, before_); }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace

std::string chart_color(std::size_t index) { return colors[index % std::size(colors)]; }

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

void draw_charts(const std::vector<Chart>& charts, const std::string& file) {
  if (file.find('\'') != std::string::npos || !(file.ends_with(".png") || file.ends_with(".svg"))) {
    throw std::runtime_error(fmt::format("charts are drawn to a file that ends in .png or .svg, not to '{}'", file));
  }
  if (!has_gnuplot()) {
    throw std::runtime_error(
        fmt::format("there is no gnuplot in the PATH to draw {}; install it (Debian: gnuplot)", file));
  }
  const std::string script = script_of(charts, file);
  const NoBrokenPipe guard;
  FILE* const gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw std::runtime_error("cannot start gnuplot");
  const bool written = std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  if (pclose(gnuplot) != 0 || !written) throw std::runtime_error(fmt::format("gnuplot cannot draw {}", file));
}

}  // namespace twiddle::bench
