// Fourier transforms in double-double arithmetic: numbers that are the sums of two doubles, for tables that are rounded
// once. A vector of them takes no longer than one x87 number, which is stored in 2 ns.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>

namespace twiddle::backend::host {

// The high parts of numbers that passes add up are multiples of this, below 2^52 of it: of sums of 2^17 numbers up
// to 1.
inline constexpr double double_double_unit = 0x1p-32;
inline constexpr std::size_t double_double_most_points = 131072;

// Complex numbers: the real part is the sum of the first two arrays' elements, the imaginary part of the others'. Of
// either two the first is the larger one, and carries all but what rounding left over.
using DoubleDoublePlanes = std::array<double*, 4>;

// A pass of a line of radix * done * rest elements, between different memory: the self-sorting algorithm, decimation in
// frequency. Neighbouring results of the passes before are `done`.
struct DoubleDoublePass {
  std::size_t radix = 2;  // 2, 4, or an odd prime up to 13
  std::size_t done = 1;
  std::size_t rest = 1;
  DoubleDoublePlanes roots{};  // exp(-2 pi i k / n), k = 0..n - 1, of the whole line: nearest doubles and their rests
  DoubleDoublePlanes from{};   // high parts are multiples of the unit, here and there
  DoubleDoublePlanes to{};
};

// The first pass of a line of radix * rest elements that is its own mirror image: element radix * rest - i is element
// i. So are its results, of which row radix - k is row k: half of the columns make the other half of the rows, lines of
// `rest` elements, whose transforms are the frequencies k, k + radix, k + 2 radix, ...
struct DoubleDoubleMirroredPass {
  std::size_t radix = 3;           // 3, 4, 5 or 7
  std::size_t rest = 1;            // at least three vectors
  DoubleDoublePlanes constants{};  // exp(-2 pi i j / radix), j = 0..radix / 2: nearest doubles and their rests
  DoubleDoublePlanes roots{};      // exp(-2 pi i p / (radix rest)), p = 0..rest / 2, likewise
  DoubleDoublePlanes from{};       // elements 0..radix * rest / 2; high parts are multiples of the unit, here and there
  DoubleDoublePlanes to{};         // rows 0..radix / 2
  std::size_t pitch = 1;           // from one row to the next, above rest; what lies between is written
};

// What roots exp(-2 pi i k / n) are made of; 0 < n <= most.
struct RootSteps {
  static constexpr std::uint64_t most = std::uint64_t{1} << 45;
  static constexpr std::size_t parts = 128;  // of an eighth of a turn, whose cosines and sines are in the table

  explicit RootSteps(std::uint64_t n);

  double count;      // n
  double angle;      // of an eighth of a turn, over n times the parts: the sum of two
  double angle_low;  // numbers
  const double* table;
};

struct DoubleDoubleKernels {
  std::size_t vector;  // lanes; a pass has at least as many elements, over its radix
  void (*pass)(const DoubleDoublePass&);
  void (*mirrored_pass)(const DoubleDoubleMirroredPass&);
  // to[i] = from[i] * factor, for count of them, whose larger part is the nearest double; writes whole vectors. May be
  // the same memory.
  void (*turn)(const DoubleDoublePlanes& from, const std::array<double, 4>& factor, std::size_t count,
               const DoubleDoublePlanes& to);
  // to[i] = from[i] * factors[i], likewise but for high parts that are multiples of the unit.
  void (*multiply)(const DoubleDoublePlanes& from, const DoubleDoublePlanes& factors, std::size_t count,
                   const DoubleDoublePlanes& to);
  // Each within 2^-65 of its size. The powers k, count of them, are whole numbers below n, and some behind them,
  // as whole vectors are read and written. The larger part of each number is the nearest double.
  void (*roots)(const RootSteps& steps, const double* powers, std::size_t count, const DoubleDoublePlanes& to);
};

// For the best of the SIMD targets in the mask; null where it does not multiply and add with one rounding.
[[nodiscard]] const DoubleDoubleKernels* find_double_double(std::int64_t targets);

}  // namespace twiddle::backend::host
