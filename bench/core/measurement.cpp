// Statistics and sizes.
#include "measurement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "twiddle/error.hpp"

namespace twiddle::bench {

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t last = values.size() - 1;
  return {values[values.size() / 2], values[last / 4], values[last - last / 4]};
}

double median(const std::vector<double>& values) { return spread_of(values).median; }

double relative_spread(const std::vector<double>& values) {
  const Spread spread = spread_of(values);
  return 0.5 * (spread.high - spread.low) / spread.median;
}

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

double seconds_of(const std::function<void()>& action) {
  const auto start = Clock::now();
  action();
  return seconds_since(start);
}

std::vector<std::size_t> parse_lengths(const std::string& text) {
  std::vector<std::size_t> lengths;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find('x', start), text.size());
    std::size_t length = 0;
    const auto [after, error] = std::from_chars(text.data() + start, text.data() + end, length);
    if (error != std::errc() || after != text.data() + end) {
      throw InvalidArgument(fmt::format("'{}' is no size; expected one such as 1024 or 1080x1920", text));
    }
    lengths.push_back(length);
    start = end + 1;
  }
  return lengths;
}

std::string to_text(const std::vector<std::size_t>& lengths) { return fmt::format("{}", fmt::join(lengths, "x")); }

}  // namespace twiddle::bench
