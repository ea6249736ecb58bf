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

// One interleaved line, times `scale`: too few lines to fill the lanes of a vector are computed one after the other, in
// one lane. The two may be the same memory.
template <class T>
struct LoneRowCall {
  const T* input = nullptr;
  T* output = nullptr;
  T scale = 1;
  const T* a_real = nullptr;  // of the map, as above
  const T* a_imaginary = nullptr;
  T sum = 1;
};

template <class T>
using LoneRowFunction = void (*)(const LoneRowCall<T>&);

template <class T>
struct ShortRowsKernels {
  ShortRowsFunction<T> lines = nullptr;
  LoneRowFunction<T> lone = nullptr;
  LoneRowFunction<T> lone_swapped = nullptr;  // with the parts swapped on the way in and out; complex only
};

// For lines of `length` complex numbers, forward, and back for real_back. Null where there is no butterfly of it, or
// the spectrum has more elements than a tile.
template <class T>
[[nodiscard]] ShortRowsKernels<T> find_short_rows(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
ShortRowsKernels<float> find_short_rows<float>(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
ShortRowsKernels<double> find_short_rows<double>(ShortRowsKind kind, std::size_t length, std::int64_t targets);
template <>
ShortRowsKernels<long double> find_short_rows<long double>(ShortRowsKind kind, std::size_t length,
                                                           std::int64_t targets);

}  // namespace twiddle::backend::host
