// Lengths by powers, so that every method is the best one somewhere, and for short and long signals alike.
#include "convolution_grid.hpp"

namespace twiddle::bench {
namespace {

constexpr std::size_t longest_signal = std::size_t{1} << 24;
constexpr std::size_t few_filters = 8;
constexpr std::size_t most_filters = 200;
constexpr std::size_t other_filters = 32;  // of complex numbers and doubles

Convolution image(std::size_t side, std::size_t kernel) {
  return {.signal_lengths = {side, side}, .kernel_lengths = {kernel, kernel}, .mode = Convolution::Mode::same};
}

std::vector<Convolution> real_floats() {
  std::vector<Convolution> all;
  for (std::size_t length = 256; length <= longest_signal; length *= 8) {
    for (const std::size_t taps : {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536}) {
      for (const std::size_t filters : {std::size_t{1}, few_filters, most_filters}) {
        all.push_back({.signal_lengths = {length}, .kernel_lengths = {taps}, .filters = filters});
      }
    }
  }
  for (const std::size_t side : {64, 256, 1024, 4096}) {
    for (const std::size_t kernel : {3, 9, 31, 101, 257}) all.push_back(image(side, kernel));
  }
  return all;
}

// Lines of one type: one filter from few taps, where sums are the best, to many, and banks.
std::vector<Convolution> lines(bool complex, Precision precision) {
  std::vector<Convolution> all;
  const auto add = [&](std::size_t length, std::size_t taps, std::size_t filters) {
    all.push_back({.signal_lengths = {length},
                   .kernel_lengths = {taps},
                   .filters = filters,
                   .precision = precision,
                   .complex = complex});
  };
  for (const std::size_t length : {1 << 10, 1 << 15, 1 << 20}) {
    for (const std::size_t taps : {1, 5, 17, 65, 4097}) add(length, taps, 1);
  }
  for (const std::size_t length : {1 << 10, 1 << 15}) {
    for (const std::size_t taps : {5, 257}) add(length, taps, other_filters);
  }
  return all;
}

std::vector<Convolution> others() {
  std::vector<Convolution> all = lines(true, Precision::float32);
  for (const bool complex : {false, true}) {
    for (const Convolution& line : lines(complex, Precision::float64)) all.push_back(line);
  }
  for (const std::size_t side : {64, 256, 1024}) {
    for (const std::size_t kernel : {3, 9, 31}) {
      all.push_back(image(side, kernel));
      all.back().precision = Precision::float64;
    }
  }
  return all;
}

}  // namespace

std::vector<Convolution> convolution_grid(std::string_view name) {
  std::vector<Convolution> all;
  if (name != "other") all = real_floats();
  if (name == "float") return all;
  for (const Convolution& problem : others()) all.push_back(problem);
  return all;
}

}  // namespace twiddle::bench
