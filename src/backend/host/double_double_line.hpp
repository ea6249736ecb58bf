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
  static constexpr std::size_t widest_vector = 8;  // lanes
  [[nodiscard]] static std::size_t scalars(std::size_t count) {
    constexpr std::size_t line = cache_line / sizeof(double);  // between the planes, which fall onto other sets then
    return 4 * ((count + widest_vector + line - 1) / line + 1) * line;
  }

  [[nodiscard]] DoubleDoublePlanes from(std::size_t at) const {
    return {values_ + at, values_ + plane_ + at, values_ + 2 * plane_ + at, values_ + 3 * plane_ + at};
  }
  // Those from there on.
  [[nodiscard]] DoubleDoubles behind(std::size_t at) const {
    DoubleDoubles others = *this;
    others.values_ += at;
    return others;
  }
  void clear(std::size_t begin, std::size_t end) {
    for (double* const plane : from(0)) std::fill(plane + begin, plane + end, 0.0);
  }
  // With high parts as passes need them.
  void set(std::size_t at, const std::array<double, 4>& value) {
    for (std::size_t part = 0; part < 4; part += 2) {
      const double high = in_units(value[part]);
      values_[part * plane_ + at] = high;
      values_[(part + 1) * plane_ + at] = value[part] - high + value[part + 1];
    }
  }
  // The first so many, likewise.
  void conjugate_for_passes(std::size_t count) {
    for (std::size_t part = 0; part < 4; part += 2) {
      const double sign = part == 0 ? 1 : -1;
      double* const high = values_ + part * plane_;
      double* const low = high + plane_;
      for (std::size_t i = 0; i < count; ++i) {
        const double units = in_units(sign * high[i]);
        low[i] = sign * high[i] - units + sign * low[i];
        high[i] = units;
      }
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
  [[nodiscard]] static double in_units(double value) {
    constexpr double shift = double_double_unit * 0x1.8p52;
    return value + shift - shift;
  }

  std::size_t plane_;
  double* values_;
};

[[nodiscard]] std::array<double, 4> in_doubles(const std::complex<long double>& value);

// exp(-2 pi i k / n), k = 0..count - 1, in memory as DoubleDoubles take it.
[[nodiscard]] DoubleDoubles roots_of_unity(std::uint64_t n, std::uint64_t count, const DoubleDoubleKernels& kernels,
                                           double*& memory);

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

// Forward transforms of one length, of lines that are their own mirror images: element length - j is element j. They
// take half of the first pass, and of the others what is left with 2 of 3 rows, 3 of 4 or 5, 4 of 7.
class DoubleDoubleMirroredLine {
 public:
  // Whether a factor has such a pass, and the rows are lines.
  [[nodiscard]] static bool serves(std::size_t length, const DoubleDoubleKernels& kernels);

  // Takes `memory`, which then begins behind it: less than 2 DoubleDoubles::scalars(length) of it, beside a line's few.
  DoubleDoubleMirroredLine(std::size_t length, const DoubleDoubleKernels& kernels, double*& memory);

  // By way of its own memory, from elements 0..length / 2. Calls put(k, row) where the row's element q is frequency
  // k + q radix(), and is frequency length - (k + q radix()) as well. High parts are multiples of the unit before and
  // after.
  template <class Put>
  void run(const DoubleDoubles& from, const Put& put) const {
    kernels_.mirrored_pass({.radix = radix_,
                            .rest = rest_,
                            .constants = constants_.from(0),
                            .roots = roots_.from(0),
                            .from = from.from(0),
                            .to = rows_.from(0),
                            .pitch = pitch_});
    for (std::size_t k = 0; k <= radix_ / 2; ++k) put(k, line_.run(rows_.behind(k * pitch_), other_));
  }

  [[nodiscard]] std::size_t radix() const { return radix_; }
  [[nodiscard]] std::size_t row() const { return rest_; }  // elements

 private:
  const DoubleDoubleKernels& kernels_;
  std::size_t radix_;
  std::size_t rest_;
  std::size_t pitch_;
  DoubleDoubles constants_;
  DoubleDoubles roots_;
  DoubleDoubles rows_;
  DoubleDoubles other_;
  DoubleDoubleLine line_;
};

}  // namespace twiddle::backend::host
