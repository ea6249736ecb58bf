// Kernels that make elements of lines from those of others (plan/lower/line_map.hpp), as plain data: what they are
// called with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"

namespace twiddle::backend::host {

// What the real and the imaginary part of two elements are multiplied by.
template <class T, class Index = std::size_t>
struct CombinationTerm {
  Index first = 0;
  Index second = 0;
  T first_real = 0;
  T first_imaginary = 0;
  T second_real = 0;
  T second_imaginary = 0;
};

// Any map on planar lines [element][lane], `lanes` a multiple of the vector's: for every term
//   to[k] = first factor * source[first] + second factor * source[second]
// where the second factor multiplies the imaginary part of source[second] times `sign`.
template <class T>
struct CombineLanesCall {
  Planes<T> source;
  Planes<T> to;
  const CombinationTerm<T>* terms = nullptr;
  std::size_t count = 0;
  std::size_t lanes = 1;
  T sign = 1;
};

// A line that is combined with its mirror image, at k = begin..end-1, at least a vector of them:
//   to[k] = sum * conj(source[half - k]) + t, t = a[k] * (source[k] - conj(source[half - k]))
// and, where both are wanted, to[half - k] = conj(sum * source[k] - t), as a[half - k] is the conjugate of a[k].
// Either side is planar, or interleaved where `imaginary` is null.
template <class T>
struct CombineMirroredCall {
  const T* source = nullptr;
  const T* source_imaginary = nullptr;
  T* output = nullptr;
  T* output_imaginary = nullptr;
  const T* a_real = nullptr;
  const T* a_imaginary = nullptr;
  T sum = 1;
  std::size_t half = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool both = true;
};

// Results of a real transform of n = 2 half points from the transform Z of their pairs, for k = begin..end-1, at least
// a vector of them, where 0 < begin and end <= half / 2 + 1:
//   e = Z[k] + conj(Z[half - k]), t = root[k] * (Z[k] - conj(Z[half - k])), V = factor[k] * (e + t),
//   W = mirror_factor[k] * conj(e - t), to[k] = Re V, to[n - k] = -Im V, to[half - k] = Re W, to[half + k] = -Im W
// Without factors, real minus imaginary part stands for the former of each, and their sum for the latter, times
// `scale`. Backwards, result i stands at n - 1 - i.
template <class T>
struct RealFrequenciesCall {
  const T* source = nullptr;  // interleaved
  T* to = nullptr;
  const T* root_real = nullptr;
  const T* root_imaginary = nullptr;
  const T* factor_real = nullptr;
  const T* factor_imaginary = nullptr;
  const T* mirror_factor_real = nullptr;
  const T* mirror_factor_imaginary = nullptr;
  T scale = 1;
  std::size_t half = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool backwards = false;
};

// Of a line of reals and its complex numbers, items begin..end-1, at least a vector of them; the two are other memory.
//   to[k] = (a + i b) root[k] with a = source[first + k step], b = source[second - k step],
// of whose imaginary part `sign` is the sign. The other way, two reals for each item:
//   to[2 k] = Re source[k] root[k], to[2 k + 1] = sign * Im source[m] root[m] with m = items - 1 - k
// or, to line or spectrum of an odd number of reals,
//   to[first + k step] = Re source[k] root[k], to[second - k step] = sign * Im source[k] root[k], step 1 or -1
template <class T>
struct TurnedRealsCall {
  const T* source = nullptr;
  T* to = nullptr;
  const T* roots = nullptr;  // interleaved, as complex numbers are
  std::ptrdiff_t first = 0;
  std::ptrdiff_t second = 0;
  int step = 1;  // 1, -1, 2 or -2
  T sign = 1;
  std::size_t items = 0;  // of the line
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Even reals of a line, times `scale`, and then odd ones backwards, times `odd_scale` (`load`); or the other way: items
// begin..end-1 of two reals each, at least a vector of them. Of an odd length the last real, which is an even one and
// ends up in the middle, is none of them.
template <class T>
struct ReorderedRealsCall {
  const T* source = nullptr;
  T* to = nullptr;
  T scale = 1;
  T odd_scale = 1;
  bool load = true;
  std::size_t length = 0;  // reals
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The map of r2c_store, a = (1 - i root) / 2, of two blocks of interleaved elements in rows that mirror each other: the
// mirror image of element i of row r is element count - 1 - i of row last_row - r of the other block. At least a vector
// of elements in a row. A block that mirrors itself is both, of half of its rows.
template <class T>
struct CombineBlocksCall {
  const T* block = nullptr;
  const T* mirror = nullptr;
  T* to = nullptr;  // row 0 of either block's results
  T* mirror_to = nullptr;
  std::size_t count = 0;
  std::size_t rows = 1;  // of the block, from row 0 on
  std::size_t last_row = 0;
  std::size_t step = 0;  // scalars from a row of either block to the next
  std::size_t to_step = 0;
  // The root of an element of the block is that of its row, [row][real, imaginary], times 1 and a column's difference.
  const T* row_roots = nullptr;
  const T* column_real = nullptr;
  const T* column_imaginary = nullptr;
  T scale = 1;
  const char* prefetch = nullptr;  // fetched meanwhile: so many cache lines for each row, from either place on
  const char* mirror_prefetch = nullptr;
  std::size_t prefetch_step = 0;  // bytes
  std::size_t prefetch_lines = 0;
};

// Element k of a planar line [element][lane], times value k of a sequence. `lanes` is a multiple of the vector's, or 1:
// then whole vectors are multiplied, for which the line and the sequence have room.
template <class T>
struct MultiplyCall {
  Planes<T> line;
  const T* real = nullptr;
  const T* imaginary = nullptr;
  std::size_t count = 0;
  std::size_t lanes = 1;
};

// Of a planar line [element][lane], one vector of lanes: element k times roots[k] * (1 + differences[k][lane]).
template <class T>
struct TurnCall {
  Planes<T> line;
  std::size_t lanes = 1;           // from an element to the next
  const T* roots = nullptr;        // [k][real, imaginary]
  const T* differences = nullptr;  // [k][real, imaginary][lane]
  std::size_t count = 0;
};

// The same of all vectors of lanes, which are in blocks (lane_order.hpp) and whose roots follow each other, and each
// lane as a row of complex numbers.
template <class T>
struct TurnedRowsCall {
  TurnCall<T> turn;        // of the first vector; at least as many elements as a vector has lanes
  std::size_t active = 1;  // lanes that are stored
  bool swapped = false;    // real and imaginary parts change places
  bool streamed = false;   // stored past the cache: then rows are aligned to vectors, and whole ones
  T* to = nullptr;
  std::ptrdiff_t step = 2;  // scalars from a row to the next
};

// Element k of a planar line [element][lane], times the values from k * element_stride on, one for each lane, or the
// first of them for all. `lanes` is a multiple of the vector's.
template <class T>
struct MultiplyRunsCall {
  Planes<T> line;
  std::size_t lanes = 1;
  const T* values = nullptr;  // complex numbers
  std::ptrdiff_t element_stride = 1;
  bool shared = false;
  std::size_t count = 0;
};

// Short lines of reals times a matrix; results may be stored over what they are made of. Rows: elements are adjacent,
// and the matrix is [input][result], each input's results filled up to whole vectors. Columns: neighbouring lines are
// adjacent, and it is [result][input].
template <class T>
struct MatrixCall {
  const T* from = nullptr;
  T* to = nullptr;
  const T* matrix = nullptr;
  std::size_t matrix_step = 1;
  std::size_t inputs = 1;  // of a line, at most most_matrix_points
  std::size_t results = 1;
  std::size_t lines = 1;
  std::ptrdiff_t from_step = 1;  // from row to row, or along a column
  std::ptrdiff_t to_step = 1;
};

// One line of neighbouring reals, from one place to another, or the same: of the call's matrix and numbers of elements.
template <class T>
using MatrixLineFunction = void (*)(const MatrixCall<T>& call, const T* from, T* to);

// Neighbouring transforms in the lanes of planar lines [element][lane], and adjacent numbers in memory.
struct SomeLanes {
  std::size_t active = 1;  // so many
  std::size_t lanes = 1;   // of the lines, a multiple of the vector's
  std::size_t length = 1;
  std::ptrdiff_t step = 2;  // scalars from an element to the next in memory
};

template <class T>
struct CombinationKernels {
  std::size_t vector;  // lanes of a vector
  void (*combine_lanes)(const CombineLanesCall<T>&);
  void (*combine_mirrored)(const CombineMirroredCall<T>&);
  void (*combine_blocks)(const CombineBlocksCall<T>&);
  void (*real_frequencies)(const RealFrequenciesCall<T>&);
  void (*turn_reals)(const TurnedRealsCall<T>&);
  void (*turn_to_reals)(const TurnedRealsCall<T>&);
  void (*spectrum_to_reals)(const TurnedRealsCall<T>&);
  void (*reorder_reals)(const ReorderedRealsCall<T>&);
  void (*multiply)(const MultiplyCall<T>&);
  void (*multiply_runs)(const MultiplyRunsCall<T>&);
  // `count` complex numbers as std::complex lays them out, each times a value.
  void (*multiply_interleaved)(const T* values, std::size_t count, T* line);
  void (*turn)(const TurnCall<T>&);
  void (*turned_rows)(const TurnedRowsCall<T>&);
  // `count` complex numbers between interleaved and planar, on the way out times `scale`.
  void (*take_apart)(const T* from, std::size_t count, const Planes<T>& to);
  void (*put_together)(const Planes<const T>& from, std::size_t count, T scale, T* to);
  // As many as there are whole vectors in `count`, which is returned. Past the cache, where both planes begin with a
  // vector's alignment; conjugates that follow each other backwards in memory, from the first one's place on.
  std::size_t (*take_apart_past_cache)(const T* from, std::size_t count, const Planes<T>& to);
  std::size_t (*take_apart_mirrored)(const T* from, std::size_t count, const Planes<T>& to);
  std::size_t (*put_together_mirrored)(const Planes<const T>& from, std::size_t count, T scale, T* to);
  // Complex numbers loaded, zeros being in the lanes beyond them; or stored times `scale`. Reals to and from one plane.
  void (*lanes_in)(const T* from, const SomeLanes& some, const Planes<T>& to);
  void (*lanes_out)(const Planes<T>& from, const SomeLanes& some, T scale, T* to);
  void (*real_lanes_in)(const T* from, const SomeLanes& some, T* to);
  void (*real_lanes_out)(const T* from, const SomeLanes& some, T scale, T* to);
  // Element q of a planar line is that of another one at places[q], for q < count.
  void (*gather)(const Planes<T>& from, const std::uint32_t* places, std::size_t count, const Planes<T>& to);
  // `count` scalars as they are, stored past the cache wherever they lie (the ends excepted).
  void (*copy_past_cache)(const T* from, std::size_t count, T* to);
  // `count` scalars, or pairs of neighbouring scalars, from one step (in scalars) to another; the memories do not
  // overlap.
  void (*move_reals)(const T* from, std::ptrdiff_t from_step, std::size_t count, T* to, std::ptrdiff_t to_step);
  void (*move_pairs)(const T* from, std::ptrdiff_t from_step, std::size_t count, T* to, std::ptrdiff_t to_step);
  void (*matrix_rows)(const MatrixCall<T>&);
  void (*matrix_columns)(const MatrixCall<T>&);
  // For a line that is alone; null where it has more elements than registers hold.
  MatrixLineFunction<T> (*find_matrix_line)(std::size_t inputs, std::size_t results);
  // Half precision, whole vectors as above; null where the target does not convert it itself.
  std::size_t (*from_halves)(const std::uint16_t* from, std::size_t count, T* to);
  std::size_t (*to_halves)(const T* from, std::size_t count, std::uint16_t* to);
  // Square tiles of a matrix of scalars: to[column * to_step + row] = from[row * from_step + column] * scale, for
  // `columns` of at least a vector and any number of rows. Columns go to whole vectors of rows: those beyond `rows` get
  // copies of the first one. The other way, rows are read in whole vectors, of which `rows` are written.
  void (*rows_to_lanes)(const T* from, std::ptrdiff_t from_step, std::size_t rows, std::size_t columns, T* to,
                        std::size_t to_step);
  void (*lanes_to_rows)(const T* from, std::size_t from_step, std::size_t rows, std::size_t columns, T scale, T* to,
                        std::ptrdiff_t to_step);
};

// For the best of the SIMD targets in the mask.
template <class T>
[[nodiscard]] CombinationKernels<T> find_combinations(std::int64_t targets);
template <>
CombinationKernels<float> find_combinations<float>(std::int64_t targets);
template <>
CombinationKernels<double> find_combinations<double>(std::int64_t targets);
template <>
CombinationKernels<long double> find_combinations<long double>(std::int64_t targets);

}  // namespace twiddle::backend::host
