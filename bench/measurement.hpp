// What benchmarks share: sizes on the command line, random data, medians.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace twiddle::bench {

[[nodiscard]] double median(std::vector<double> values);

// Half the distance between the quartiles, relative to the median.
[[nodiscard]] double relative_spread(std::vector<double> values);

// "1080x1920" as {1080, 1920}.
[[nodiscard]] std::vector<std::size_t> parse_lengths(const std::string& text);
[[nodiscard]] std::string to_text(const std::vector<std::size_t>& lengths);

// In [-1e-20, 1e-20): small enough that repeated unscaled transforms stay finite. The same values every time.
template <class Real>
[[nodiscard]] std::vector<Real> make_input(std::size_t count) {
  constexpr Real magnitude = static_cast<Real>(1e-20);
  std::vector<Real> values(count);
  std::uint64_t state = 1;
  for (Real& value : values) {  // the high bits of Knuth's linear congruential generator (MMIX)
    state = state * 6364136223846793005U + 1442695040888963407U;
    value = magnitude * (static_cast<Real>(state >> 40U) * static_cast<Real>(0x1p-23) - 1);
  }
  return values;
}

}  // namespace twiddle::bench
