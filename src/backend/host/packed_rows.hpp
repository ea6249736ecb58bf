// Rows of short complex lines on packed numbers: every vector holds one number of each of a few neighbouring lines,
// whose two parts stay next to each other as in memory, so that whole numbers are all that is sorted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/short_rows.hpp"

namespace twiddle::backend::host {

template <class T>
struct PackedRowsKernel {
  ShortRowsFunction<T> tiles = nullptr;
  std::size_t lines = 0;  // of a tile
};

// For lines of 2 to 16 complex numbers and of plan::packed_line_radices up to 32. None in plain code and for other
// lengths.
template <class T>
[[nodiscard]] PackedRowsKernel<T> find_packed_rows(std::size_t length, std::int64_t targets);
template <>
PackedRowsKernel<float> find_packed_rows<float>(std::size_t length, std::int64_t targets);
template <>
PackedRowsKernel<double> find_packed_rows<double>(std::size_t length, std::int64_t targets);
template <>
PackedRowsKernel<long double> find_packed_rows<long double>(std::size_t length, std::int64_t targets);

}  // namespace twiddle::backend::host
