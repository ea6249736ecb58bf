// Statistics and sizes.
#include "measurement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace twiddle::bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double relative_spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return 0.5 * (values[last - last / 4] - values[last / 4]) / values[values.size() / 2];
}

std::vector<std::size_t> parse_lengths(const std::string& text) {
  std::vector<std::size_t> lengths;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find('x', start), text.size());
    lengths.push_back(std::stoull(text.substr(start, end - start)));
    start = end + 1;
  }
  return lengths;
}

std::string to_text(const std::vector<std::size_t>& lengths) { return fmt::format("{}", fmt::join(lengths, "x")); }

}  // namespace twiddle::bench
