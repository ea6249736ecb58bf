// One Stockham pass over one transform or one bundle of transforms, as plain data: what the SIMD kernels are called
// with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/host/lane_order.hpp"

namespace twiddle::backend::host {

// Two planar arrays.
template <class T>
struct Planes {
  T* real = nullptr;
  T* imaginary = nullptr;
};

// Each kernel exists for every host radix. "Row" kernels put the elements of one transform into the lanes of a vector,
// "bundle" kernels put neighbouring transforms there. The inverse transform is the forward one with real and imaginary
// parts swapped on the way in and out: the `_swapped` kernels. Kernels that store past the cache exist for
// float and double. Between interleaved memory and bundles each vector's lanes are in blocks (lane_order.hpp).
enum class PassKind {
  first_row,  // interleaved -> planar: columns in the lanes, results transposed in registers
  first_row_swapped,
  first_row_planar,  // the same from planar data
  // The same with results, and input of last passes, in the order of exchanges within 128-bit blocks in each vector.
  // Null where that is their own order, and for first passes whose results are no whole vectors.
  first_row_in_blocks,
  first_row_in_blocks_swapped,
  last_row_in_blocks,
  last_row_in_blocks_swapped,
  first_bundle,  // interleaved with neighbouring transforms adjacent -> planar
  first_bundle_swapped,
  middle,       // planar -> planar
  last_planar,  // planar -> planar, without twiddles
  last_row,     // planar -> interleaved
  last_row_swapped,
  last_row_streamed,  // the same past the cache
  last_row_streamed_swapped,
  last_bundle,  // planar -> interleaved with neighbouring transforms adjacent
  last_bundle_swapped,
  last_bundle_twiddled,  // the same, times the stage twiddles
  last_bundle_twiddled_swapped,
  last_bundle_streamed,
  last_bundle_streamed_swapped,
  last_bundle_twiddled_streamed,
  last_bundle_twiddled_streamed_swapped,
  // With the map of a line of pairs of reals as part of the pass (mapped_pass.hpp, which makes twiddles and roots of
  // their own). Null where there is no SIMD.
  first_row_mapped,  // half of the reals' spectrum, interleaved -> planar, for the inverse transform
  last_row_mapped,   // planar -> half of the spectrum, interleaved
  // The same lines by vectors of columns (column_blocks.hpp): a vector of real parts and that of the imaginary ones
  // next to each other, where as many interleaved elements may be. Null for first passes whose results are no whole
  // vectors.
  first_row_paired,
  first_row_paired_swapped,
  middle_block,  // a vector of each row, paired -> planar, as if rows were a vector long
  last_block,    // planar -> interleaved, each vector of the block to a place of its own
  last_block_swapped
};

// Kernels that move data between memory and a planar bundle.
enum class MoveKind {
  lanes_to_bundle,  // neighbouring transforms are adjacent in memory
  lanes_to_bundle_swapped,
  rows_to_bundle,  // elements of one transform are adjacent in memory: transposed in registers
  rows_to_bundle_swapped,
  bundle_to_rows,
  bundle_to_rows_swapped,
  bundle_to_rows_streamed,
  bundle_to_rows_streamed_swapped,
  // Neighbouring transforms are adjacent in memory, each number times a value of its own. Of reals on either side the
  // bundle has what is complex, in their own order.
  lanes_to_bundle_times,
  bundle_to_lanes_times,
  reals_to_bundle_times,
  bundle_to_reals_times,
  reorder_lanes  // of the output alone: from either order of lanes to the other; null where both are the same
};

// Kernels between `radix` reals that lie `columns` apart and half of their spectrum, radix / 2 + 1 elements next to
// each other (times their twiddles), whose first imaginary part is zero: the first pass of a line of reals, in planar
// data
//   out[run * (half * p + k)] = w^(p k) * sum_j in[p + columns * j] * exp(-2 pi i j k / radix),  half = radix / 2 + 1
// and the last one back, with conjugate roots. Reals have the steps of "interleaved" elements in PassCall, and lie next
// to each other within a row.
enum class RealPassKind { first_row, first_bundle, last_row, last_bundle };

// Decimation in frequency (C. Van Loan, Computational Frameworks for the FFT, 1992, section 1.7.5):
//   out[q + run * (radix * p + k)] = w^(p k) * sum_j in[q + run * (p + columns * j)] * exp(-2 pi i j k / radix)
// for 0 <= q < run, 0 <= p < columns, w = exp(-2 pi i / (radix * columns)).
// Planar data stands in two arrays, strides count scalars (two for a complex element of interleaved data). Kernels may
// write up to a vector beyond the end of planar output, and of interleaved row output where `run` is below a vector.
template <class T>
struct PassCall {
  const T* input = nullptr;            // interleaved, or the real parts
  const T* input_imaginary = nullptr;  // planar input only
  T* output = nullptr;                 // interleaved, or the real parts
  T* output_imaginary = nullptr;       // planar output only
  std::size_t radix = 1;               // this, and the roots, for radices without a butterfly
  const T* roots = nullptr;
  std::size_t columns = 1;
  std::size_t run = 1;
  const T* twiddles = nullptr;     // see twiddle_tables.hpp
  std::size_t lanes = 1;           // width of a bundle: a multiple of the vector's
  std::ptrdiff_t input_step = 2;   // between elements of interleaved bundle input
  std::ptrdiff_t output_step = 2;  // between elements of interleaved bundle output
  // Of blocks, in scalars: how far apart the rows are that a middle pass reads, or a last one writes, and the columns.
  std::size_t rows_apart = 0;
  std::size_t columns_apart = 0;
  T scale = 1;  // of interleaved output without stage twiddles
  // Stage twiddles, for vector v of the bundle: block_twiddles[v * block_step + ...], [element][real, imaginary], is
  // that of the vector's first lane, and lane_twiddles, [element][real, imaginary][lane], by what part of it those of
  // the other lanes differ from it (null: not at all). The former hold the scale.
  // By AVX-512, of a first pass of rows from interleaved memory: where there are lane_twiddles, [k = 1..radix-1][real,
  // imaginary][lane], `twiddles` are those of each vector's first column.
  const T* block_twiddles = nullptr;
  std::size_t block_step = 0;
  const T* lane_twiddles = nullptr;
  // Each step of the innermost loop fetches this many pieces of memory that is needed soon.
  const char* prefetch = nullptr;
  std::size_t prefetch_count = 0;
  std::size_t prefetch_lines = 1;       // 64-byte lines of a piece
  std::ptrdiff_t prefetch_stride = 64;  // bytes between pieces
};

template <class T>
struct MoveCall {
  const T* input = nullptr;  // as in PassCall
  const T* input_imaginary = nullptr;
  T* output = nullptr;
  T* output_imaginary = nullptr;
  std::size_t length = 1;  // elements of each transform; at least a vector's lanes for rows
  std::size_t lanes = 1;
  std::size_t active = 1;          // lanes that exist in memory; the rest are filled with copies or left alone
  std::ptrdiff_t memory_step = 2;  // lanes: between elements; rows: between transforms
  T scale = 1;
  const T* values = nullptr;       // complex numbers, of the first element, those of lanes next to each other
  std::ptrdiff_t values_step = 0;  // scalars from an element's to the next one's
};

template <class T>
using PassFunction = void (*)(const PassCall<T>&);
template <class T>
using MoveFunction = void (*)(const MoveCall<T>&);

// Odd radices up to this one that have no butterfly are computed directly, in `middle` and `last_planar` passes only;
// radix 1, which only loads and stores, stands before or after them where a line begins or ends so.
inline constexpr unsigned largest_direct_radix = 127;

// The kernels for the best of the SIMD targets in `targets` (a mask of Highway target bits); null for a radix or a kind
// that the host has no kernel for. T is float, double, or long double, which no SIMD target has: one lane of it.
template <class T>
[[nodiscard]] PassFunction<T> find_pass(PassKind kind, unsigned radix, std::int64_t targets);
template <class T>
[[nodiscard]] PassFunction<T> find_real_pass(RealPassKind kind, unsigned radix, std::int64_t targets);
template <class T>
[[nodiscard]] MoveFunction<T> find_move(MoveKind kind, LaneOrder order, std::int64_t targets);
// Scalars of type T in a vector of that target.
template <class T>
[[nodiscard]] std::size_t vector_lanes(std::int64_t targets);
// Which element of a vector each of its lanes holds in blocks: a column in first_row passes from interleaved memory.
template <class T>
[[nodiscard]] std::vector<std::size_t> elements_in_blocks(std::int64_t targets);

#define TWIDDLE_HOST_DECLARE_KERNELS(T)                                                       \
  template <>                                                                                 \
  PassFunction<T> find_pass<T>(PassKind kind, unsigned radix, std::int64_t targets);          \
  template <>                                                                                 \
  PassFunction<T> find_real_pass<T>(RealPassKind kind, unsigned radix, std::int64_t targets); \
  template <>                                                                                 \
  MoveFunction<T> find_move<T>(MoveKind kind, LaneOrder order, std::int64_t targets);         \
  template <>                                                                                 \
  std::size_t vector_lanes<T>(std::int64_t targets);                                          \
  template <>                                                                                 \
  std::vector<std::size_t> elements_in_blocks<T>(std::int64_t targets);
TWIDDLE_HOST_DECLARE_KERNELS(float)
TWIDDLE_HOST_DECLARE_KERNELS(double)
TWIDDLE_HOST_DECLARE_KERNELS(long double)
#undef TWIDDLE_HOST_DECLARE_KERNELS

}  // namespace twiddle::backend::host
