// Passes of one short line on packed complex numbers: neighbouring columns of the line in a vector, the two parts of
// each next to each other as in memory. As plain data: what the SIMD kernels are called with.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/host/aligned_array.hpp"
#include "backend/host/pass.hpp"
#include "hwy/cache_control.h"

namespace twiddle::backend::host {

// A line of radix a x b takes two passes. The first transforms the columns p < b of a elements, multiplies by
// exp(-2 pi i p k / (a b)) and leaves rows p of elements k; the second transforms columns of rows and puts the results
// where they belong. Rows are whole vectors, so that what is loaded is what was stored. Where a is, too, b rows take
// the room of a line, and each column's results its places: the second pass may work in place.
enum class PackedKind {
  first,  // from the line to rows
  last,   // from rows to the line
  both,   // from the line to the line, which may be the same; b is a vector's numbers, a the radix. Factors as of first
  both_narrow,  // the same where b is one less than a vector's numbers, and a at most largest_beside_narrow
  // The next two past the cache, where a vector is a cache line. The line that is written is aligned to one, and its
  // rows of a numbers are whole vectors.
  last_streamed,
  both_streamed,
  // The maps of real transforms by half their points n, plan::LineMap::Rule::r2c_store and c2r_load, from `columns` = n
  // complex numbers, at least a vector of them less one, to one more, and back; the radix does not matter.
  //   to[k] = sum * conj(from[n - k]) + a[k] * (from[k] - conj(from[n - k]))
  // The first finds from[n] = from[0] put there, the second also writes to[n].
  real_store,
  real_load,
  // Of `columns` numbers each times one of the factors, by whole vectors, for which all three have room. `from` may be
  // `to`; the radix does not matter.
  product
};

// Lines as long as a butterfly, one number a vector. `from` may be `to`.
enum class PackedLineKind {
  complex,         // not scaled
  complex_scaled,  // times the call's scale
  // Those of twice as many reals by a transform of half their points and the map above.
  reals,
  reals_back
};
inline constexpr unsigned largest_beside_narrow = 16;
inline constexpr unsigned shortest_packed_reals = 9;  // pairs; fewer reals have butterflies of their own

// What comes later, fetched from memory little by little while a line is computed: all at once, a core waits until it
// is there. (19972*210 doubles take 0.53 of the time so, 16777*250 0.62, 33554*125 0.7 to 0.9 on an EPYC of Zen 5; on
// one of Zen 4, which waits for 24 cache lines at a time, both halves apart 34952*120 0.63, 16384*256 reals 0.85.)
struct Ahead {
  const char* next = nullptr;
  const char* end = nullptr;
  std::size_t piece = 0;  // bytes
  static constexpr std::size_t fetched_at_once = 768;

  void fetch_piece() { fetch_to(std::min(next + piece, end)); }
  // Half of it, or all if that is little.
  void fetch_first() {
    fetch_to(static_cast<std::size_t>(end - next) > fetched_at_once ? next + (end - next) / 2 : end);
  }
  void fetch_rest() { fetch_to(end); }

 private:
  void fetch_to(const char* stop) {
    for (; next < stop; next += cache_line) hwy::Prefetch(next);
  }
};

template <class T>
struct PackedCall {
  std::size_t columns = 1;  // of the pass
  // Factors for each vector, of whole vectors: those by which numbers are multiplied and those by which numbers with
  // exchanged parts are, whose signs alternate. First passes: for each column and k > 0, times the scale; products: for
  // each number; maps: those of all k, then the others.
  const T* factors = nullptr;
  T scale = 1;                                                // of a line, in first passes and scaled lines
  T sum = 1;                                                  // of maps
  alignas(64) std::array<T, 64 / sizeof(float)> alternate{};  // 1, -1, 1, -1, ... forward, its negative for the inverse
  std::ptrdiff_t from_imaginary = 0;  // of lines in planes, from a real part to its imaginary part
  std::ptrdiff_t to_imaginary = 0;
};

// The two passes apart fetch a piece of what lies ahead, if anything, with each vector of columns; both_streamed, which
// must be given it, fetches as many cache lines from its beginning on as it stores; all else leaves it.
template <class T>
using PackedFunction = void (*)(const PackedCall<T>& call, Ahead* ahead, const T* from, T* to);

// Null where there is none: other radices than 2 to 16 and plan::packed_line_radices, and SIMD targets whose vectors
// hold fewer than two numbers; past the cache, other rows and vectors.
template <class T>
[[nodiscard]] PackedFunction<T> find_packed(PackedKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<float> find_packed<float>(PackedKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<double> find_packed<double>(PackedKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<long double> find_packed<long double>(PackedKind kind, unsigned radix, std::int64_t targets);

// Passes of `first`, `last` and `both` where the line, not rows, is in planes. Null for other kinds, without AVX2 or
// AVX-512, and for other radices than 5 to 10, 12, 15, 16, 18, 20, 24, 25, 30, 32 and 64.
template <class T>
[[nodiscard]] PackedFunction<T> find_packed_planes(PackedKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<float> find_packed_planes<float>(PackedKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<double> find_packed_planes<double>(PackedKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<long double> find_packed_planes<long double>(PackedKind kind, unsigned radix, std::int64_t targets);

// Null for other radices than 2 to 16, 18 and 20, in plain code, and, between reals and their spectrum, without
// AVX2 or AVX-512.
template <class T>
[[nodiscard]] PackedFunction<T> find_packed_line(PackedLineKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<float> find_packed_line<float>(PackedLineKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<double> find_packed_line<double>(PackedLineKind kind, unsigned radix, std::int64_t targets);
template <>
PackedFunction<long double> find_packed_line<long double>(PackedLineKind kind, unsigned radix, std::int64_t targets);

}  // namespace twiddle::backend::host
