// Short columns of complex numbers, neighbours side by side, on packed numbers: vectors hold them as memory does, and
// nothing is sorted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"

namespace twiddle::backend::host {

// Columns of several arrays, equally far apart. Results may be stored over what is read.
template <class T>
struct PackedColumnsCall {
  const T* from = nullptr;
  T* to = nullptr;
  std::ptrdiff_t from_step = 2;  // scalars from an element to the next
  std::ptrdiff_t to_step = 2;
  std::size_t columns = 1;  // of an array
  std::size_t arrays = 1;
  std::ptrdiff_t from_apart = 0;  // from array to array
  std::ptrdiff_t to_apart = 0;
  std::ptrdiff_t from_imaginary = 0;  // from a real part to its imaginary part, of columns in planes
  std::ptrdiff_t to_imaginary = 0;
  T scale = 1;
  bool inverse = false;  // of complex columns
};

template <class T>
using PackedColumnsFunction = void (*)(const PackedColumnsCall<T>&);

inline constexpr std::size_t longest_short_column = 32;

// For columns of 2 to 16 elements, and where vectors have 64 bytes of plan::packed_line_radices up to the longest; null
// in plain code and for other lengths.
template <class T>
[[nodiscard]] PackedColumnsFunction<T> find_packed_columns(std::size_t length, std::int64_t targets);
template <>
PackedColumnsFunction<float> find_packed_columns<float>(std::size_t length, std::int64_t targets);
template <>
PackedColumnsFunction<double> find_packed_columns<double>(std::size_t length, std::int64_t targets);
template <>
PackedColumnsFunction<long double> find_packed_columns<long double>(std::size_t length, std::int64_t targets);

enum class ShortColumnsKind {
  planar,      // complex, real parts in one plane and imaginary ones in another
  reals,       // to their spectra, interleaved
  reals_back,  // from these
};

// The same of 2 to 16 elements, in planes also of 18, 20, 24, 25, 30 and 32; of reals at most as many columns as a
// vector has lanes.
template <class T>
[[nodiscard]] PackedColumnsFunction<T> find_short_columns(ShortColumnsKind kind, std::size_t length,
                                                          std::int64_t targets);
template <>
PackedColumnsFunction<float> find_short_columns<float>(ShortColumnsKind kind, std::size_t length, std::int64_t targets);
template <>
PackedColumnsFunction<double> find_short_columns<double>(ShortColumnsKind kind, std::size_t length,
                                                         std::int64_t targets);
template <>
PackedColumnsFunction<long double> find_short_columns<long double>(ShortColumnsKind kind, std::size_t length,
                                                                   std::int64_t targets);

}  // namespace twiddle::backend::host
