// One line no longer than a butterfly whose numbers lie apart, strided or in planes: read from where they are, and
// stored there. As plain data: what the SIMD kernels are called with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace twiddle::backend::host {

// Where the numbers of a line are on one side, in scalars.
struct SpreadSide {
  std::ptrdiff_t step = 2;       // from one to the next
  std::ptrdiff_t imaginary = 1;  // from a real part to its imaginary part; of reals nothing
};

// All is read before anything is written: both sides may be the same memory.
template <class T>
struct SpreadLineCall {
  SpreadSide from;
  SpreadSide to;
  T scale = 1;
  bool inverse = false;  // of complex lines
};

template <class T>
using SpreadLineFunction = void (*)(const SpreadLineCall<T>&, const T* from, T* to);

enum class SpreadLineKind {
  complex,
  pairs,       // complex, whose parts are adjacent on both sides
  reals,       // to their spectrum
  reals_back,  // from their spectrum
};

inline constexpr std::size_t longest_spread_line = 20;

// For complex lines of 2 to 16, 18 and 20 points, and reals of 2 to 16; null in plain code and for all others.
template <class T>
[[nodiscard]] SpreadLineFunction<T> find_spread_line(SpreadLineKind kind, std::size_t length, std::int64_t targets);
template <>
SpreadLineFunction<float> find_spread_line<float>(SpreadLineKind kind, std::size_t length, std::int64_t targets);
template <>
SpreadLineFunction<double> find_spread_line<double>(SpreadLineKind kind, std::size_t length, std::int64_t targets);
template <>
SpreadLineFunction<long double> find_spread_line<long double>(SpreadLineKind kind, std::size_t length,
                                                              std::int64_t targets);

}  // namespace twiddle::backend::host
