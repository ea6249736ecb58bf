// What a table of results says: means, worst cases.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"

namespace twiddle::bench {

// Markdown: for each suite and peer the geometric mean of (peer's time / ours) over each family of problems, over each
// kind, precision, placement and number of threads, the share of cases below 1, and the ten worst cases. Empty without
// peers.
[[nodiscard]] std::string summarize(const std::vector<Row>& rows);

// Draws GFLOP/s over the length, a chart for each suite, kind, precision, placement and number of threads with enough
// lengths: lines through the powers of two, points for other lengths. Needs gnuplot in the PATH; `file` ends in .png or
// .svg. Throws std::runtime_error where it cannot be drawn.
void plot(const std::vector<Row>& rows, const std::string& file);

}  // namespace twiddle::bench
