// Fourier transforms in double-double arithmetic: numbers that are the sums of two doubles, for tables that are rounded
// once. A vector of them takes no longer than one x87 number, which is stored in 2 ns.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>

namespace twiddle::backend::host {

// Complex numbers: the real part is the sum of the first two arrays' elements, the imaginary part of the others'. Of
// either two the first is the larger one, and carries all but what rounding left over.
using DoubleDoublePlanes = std::array<double*, 4>;

// A pass of a line of radix * done * rest elements, between different memory: the self-sorting algorithm, decimation in
// frequency. Neighbouring results of the passes before are `done`.
struct DoubleDoublePass {
  std::size_t radix = 2;  // 2, 4, or an odd prime up to 13
  std::size_t done = 1;
  std::size_t rest = 1;
  DoubleDoublePlanes roots{};  // exp(-2 pi i k / n), k = 0..n - 1, of the whole line
  DoubleDoublePlanes from{};
  DoubleDoublePlanes to{};
};

struct DoubleDoubleKernels {
  std::size_t vector;  // lanes; a pass has at least as many elements, over its radix
  void (*pass)(const DoubleDoublePass&);
  // to[i] = from[i] * factor, for count of them; writes whole vectors. May be the same memory.
  void (*turn)(const DoubleDoublePlanes& from, const std::array<double, 4>& factor, std::size_t count,
               const DoubleDoublePlanes& to);
};

// For the best of the SIMD targets in the mask; null where it does not multiply and add with one rounding.
[[nodiscard]] const DoubleDoubleKernels* find_double_double(std::int64_t targets);

}  // namespace twiddle::backend::host
