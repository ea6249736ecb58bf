// Lines of double-double numbers in memory, and their transforms.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/aligned_array.hpp"
#include "backend/host/double_double.hpp"

namespace twiddle::backend::host {

// Complex double-doubles, with room for a vector beyond the last one.
class DoubleDoubles {
 public:
  // In memory from there on, which then begins behind them.
  DoubleDoubles(double*& memory, std::size_t count) : plane_(scalars(count) / 4), values_(memory) {
    memory += scalars(count);
  }
  [[nodiscard]] static std::size_t scalars(std::size_t count) {
    constexpr std::size_t widest_vector = 8;                   // lanes
    constexpr std::size_t line = cache_line / sizeof(double);  // between the planes, which fall onto other sets then
    return 4 * ((count + widest_vector + line - 1) / line + 1) * line;
  }

  [[nodiscard]] DoubleDoublePlanes from(std::size_t at) const {
    return {values_ + at, values_ + plane_ + at, values_ + 2 * plane_ + at, values_ + 3 * plane_ + at};
  }
  void clear(std::size_t begin, std::size_t end) {
    for (double* const plane : from(0)) std::fill(plane + begin, plane + end, 0.0);
  }
  // With high parts as passes need them.
  void set(std::size_t at, const std::array<double, 4>& value) {
    constexpr double shift = double_double_unit * 0x1.8p52;
    for (std::size_t part = 0; part < 4; part += 2) {
      const double high = value[part] + shift - shift;
      values_[part * plane_ + at] = high;
      values_[(part + 1) * plane_ + at] = value[part] - high + value[part + 1];
    }
  }
  [[nodiscard]] std::array<double, 4> operator[](std::size_t at) const {
    return {values_[at], values_[plane_ + at], values_[2 * plane_ + at], values_[3 * plane_ + at]};
  }
  [[nodiscard]] std::complex<double> rounded(std::size_t at) const {
    const auto [re, re_low, im, im_low] = (*this)[at];
    return {re + re_low, im + im_low};
  }

 private:
  std::size_t plane_;
  double* values_;
};

[[nodiscard]] std::array<double, 4> in_doubles(const std::complex<long double>& value);

// exp(-2 pi i k / n), k = 0..n - 1, in memory as DoubleDoubles take it.
[[nodiscard]] DoubleDoubles roots_of_unity(std::uint64_t n, const DoubleDoubleKernels& kernels, double*& memory);

// Forward transforms of one length.
class DoubleDoubleLine {
 public:
  // Whether its prime factors have butterflies, and its passes a vector of elements.
  [[nodiscard]] static bool serves(std::size_t length, const DoubleDoubleKernels& kernels);

  // The roots are made in `memory`, which then begins behind them: DoubleDoubles::scalars(length) of it.
  DoubleDoubleLine(std::size_t length, const DoubleDoubleKernels& kernels, double*& memory);

  // By way of both; returns the one that holds the spectrum. High parts are multiples of the unit before and after.
  [[nodiscard]] DoubleDoubles run(DoubleDoubles from, DoubleDoubles other) const;

 private:
  const DoubleDoubleKernels& kernels_;
  std::size_t length_;
  std::vector<std::size_t> radices_;
  DoubleDoubles roots_;
};

}  // namespace twiddle::backend::host
