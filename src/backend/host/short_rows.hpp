// Lines no longer than a butterfly, one after the other: each is transformed at once, as plain data: what the SIMD
// kernels are called with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"

namespace twiddle::backend::host {

// What the lines are. Spectra of n reals are n / 2 + 1 complex numbers.
enum class ShortRowsKind {
  complex,
  reals,        // to their spectrum
  reals_back,   // from their spectrum
  packed,       // the same by a complex transform of half the points and the map of plan::LineMap::Rule::r2c_store,
  packed_back,  // or after that of c2r_load, where there is no butterfly of so many reals
};

// Whole tiles of lines, as many lines each as a vector has lanes.
template <class T>
struct ShortTilesCall {
  const T* input = nullptr;
  T* output = nullptr;
  std::size_t input_step = 0;  // scalars from a line to the next
  std::size_t output_step = 0;
  std::size_t tiles = 0;
  T scale = 1;
  bool inverse = false;   // of complex lines
  bool streamed = false;  // stored past the cache: then `output` is aligned to a vector
  // The map: element k = sum * conj(mirror) + a[k] * (element - conj(mirror)) of k and its mirror image.
  const T* a_real = nullptr;
  const T* a_imaginary = nullptr;
  T sum = 1;
  // Fetched meanwhile, `prefetch_count` cache lines for each tile.
  const char* prefetch = nullptr;
  std::size_t prefetch_count = 0;
};

template <class T>
using ShortRowsFunction = void (*)(const ShortTilesCall<T>&);

// One line, times `scale`: too few lines to fill the lanes of a vector are computed one after the other, in one lane.
template <class T>
struct LoneRowCall {
  T scale = 1;
  const T* a_real = nullptr;  // of the map, as above
  const T* a_imaginary = nullptr;
  T sum = 1;
};

// The two may be the same memory.
template <class T>
using LoneRowFunction = void (*)(const LoneRowCall<T>&, const T* from, T* to);

template <class T>
struct ShortRowsKernels {
  ShortRowsFunction<T> tiles = nullptr;        // of lines without gaps
  bool streams = false;                        // whether these can store past the cache
  ShortRowsFunction<T> tiles_apart = nullptr;  // of lines any distance apart; null for packed complex ones
  LoneRowFunction<T> lone = nullptr;
  LoneRowFunction<T> lone_inverse = nullptr;  // complex only
  // Of reals: the same where each line has room for its spectrum on either side, as rows in place have; the gap is read
  // and written along, so this is for one memory on both sides.
  ShortRowsFunction<T> padded_tiles = nullptr;
};

// For lines of `length` numbers, complex or real; packed ones of half as many complex numbers. Null where there is
// none.
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
