// Lines no longer than a butterfly, one after the other: each is transformed at once, as plain data: what the SIMD
// kernels are called with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"

namespace twiddle::backend::host {

// What is done to the lines besides: nothing, or the maps of real transforms by half their points (r2c_store after the
// butterfly, c2r_load before it; plan/line_map.hpp), whose spectra have one element more.
enum class ShortRowsKind { complex, real_forward, real_back };

// Planar lines [line][element] without gaps. Whole vectors of lines are read and written: arrays have room for those,
// and two vectors more.
template <class T>
struct ShortRowsCall {
  Planes<const T> input;
  Planes<T> output;
  std::size_t lines = 0;
  // The map: element k = sum * conj(mirror) + a[k] * (element - conj(mirror)) of k and its mirror image.
  const T* a_real = nullptr;
  const T* a_imaginary = nullptr;
  T sum = 1;
  // Fetched meanwhile, `prefetch_count` cache lines for each vector of lines.
  const char* prefetch = nullptr;
  std::size_t prefetch_count = 0;
};

template <class T>
using ShortRowsFunction = void (*)(const ShortRowsCall<T>&);

// For lines of `length` complex numbers, forward, and back for real_back. Null where there is no butterfly of it, or
// the spectrum has more elements than a tile.
template <class T>
[[nodiscard]] ShortRowsFunction<T> find_short_rows(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
ShortRowsFunction<float> find_short_rows<float>(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
ShortRowsFunction<double> find_short_rows<double>(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
ShortRowsFunction<long double> find_short_rows<long double>(ShortRowsKind kind, std::size_t length,
                                                            std::int64_t targets);

}  // namespace twiddle::backend::host
