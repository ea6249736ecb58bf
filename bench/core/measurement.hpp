// What all benchmarks share: sizes on the command line, random data, medians and quartiles.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace twiddle::bench {

// A median with its quartiles.
struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

// Of at least one value.
[[nodiscard]] Spread spread_of(std::vector<double> values);
[[nodiscard]] double median(const std::vector<double>& values);

// Half the distance between the quartiles, relative to the median.
[[nodiscard]] double relative_spread(const std::vector<double>& values);

// Of at least one positive value.
[[nodiscard]] double geometric_mean(const std::vector<double>& values);

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// How long a call takes.
[[nodiscard]] double seconds_of(const std::function<void()>& action);

// "1080x1920" as {1080, 1920}. Throws InvalidArgument for what is no size.
[[nodiscard]] std::vector<std::size_t> parse_lengths(const std::string& text);
[[nodiscard]] std::string to_text(const std::vector<std::size_t>& lengths);

// What make_input() reaches: small enough that repeated unscaled transforms stay finite.
inline constexpr double input_magnitude = 1e-20;

// In [-1e-20, 1e-20), or [-magnitude, magnitude). The same values every time.
template <class Real>
[[nodiscard]] std::vector<Real> make_input(std::size_t count, double magnitude = input_magnitude) {
  std::vector<Real> values(count);
  std::uint64_t state = 1;
  for (Real& value : values) {  // the high bits of Knuth's linear congruential generator (MMIX)
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = static_cast<Real>(magnitude) * (static_cast<Real>(state >> 40U) * static_cast<Real>(0x1p-23) - 1);
  }
  return values;
}

}  // namespace twiddle::bench
