// Short lines by tiles and one at a time, whatever the lines are. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_SHORT_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_SHORT_ROWS_INL_H
#undef TWIDDLE_HOST_SHORT_ROWS_INL_H
#else
#define TWIDDLE_HOST_SHORT_ROWS_INL_H
#endif
// clang-format on

#include <algorithm>
#include <cstddef>

#include "backend/host/short_rows.hpp"
#include "backend/host/tiles-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Scalars that the transform of a line makes; what is stored behind them is stored as it was read.
template <class Line>
constexpr std::size_t made_by = Line::kWritten * Line::kWrittenParts;

// Line says what a line is: numbers read and written, scalars of each, and the transform of vectors that hold them. The
// imaginary parts of complex lines change their signs on either side for the inverse. Sorted by the network, lines have
// no gaps.
template <class T, class Line, bool kSorted>
void ShortRows(const ShortTilesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kRead = Line::kRead * Line::kReadParts;
  constexpr std::size_t kWritten = Line::kWritten * Line::kWrittenParts;
  const V scale = hn::Set(d, call.scale);
  const V sign = hn::Set(d, call.inverse ? T{-1} : T{1});
  const V imaginary_scale = hn::Set(d, call.inverse ? -call.scale : call.scale);
  const char* prefetch = call.prefetch;
  const T* from = call.input;
  T* to = call.output;
  for (std::size_t tile = 0; tile < call.tiles;
       ++tile, from += call.input_step * kLanes, to += call.output_step * kLanes) {
    for (std::size_t i = 0; i < call.prefetch_count; ++i, prefetch += 64) hwy::Prefetch(prefetch);
    V v[transpose_room<std::max(kRead, kWritten)>];
#if HWY_TARGET == HWY_AVX3
    if constexpr (kSorted) {
      LoadSorted<Line::kRead, Line::kReadParts>(d, from, v);
    } else
#endif
    {
      LoadLines<kRead>(d, from, call.input_step, v);
    }
    if constexpr (Line::kReadParts == 2 && Line::kWrittenParts == 2) {
      ForEachConstant<kRead / 2>([&](auto k) TWIDDLE_HOST_INLINE { v[2 * k + 1] = hn::Mul(v[2 * k + 1], sign); });
    }
    Line::transform(d, call, v);
    ForEachConstant<made_by<Line>>([&](auto i) TWIDDLE_HOST_INLINE {
      v[i] = hn::Mul(v[i], Line::kWrittenParts == 2 && i % 2 == 1 ? imaginary_scale : scale);
    });
#if HWY_TARGET == HWY_AVX3
    if constexpr (kSorted) {
      StoreSorted<Line::kWritten, Line::kWrittenParts>(d, v, call.streamed, to);
    } else
#endif
    {
      StoreLines<kWritten>(d, v, call.streamed, to, call.output_step);
    }
  }
}

template <class T, class Line, bool kInverse>
void LoneRow(const LoneRowCall<T>& call, const T* from, T* to) {
  const hn::CappedTag<T, 1> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kRead = Line::kRead * Line::kReadParts;
  constexpr std::size_t kWritten = Line::kWritten * Line::kWrittenParts;
  const V scale = hn::Set(d, call.scale);
  V v[std::max(kRead, kWritten)];
  ForEachConstant<kRead>([&](auto i) TWIDDLE_HOST_INLINE { v[i] = hn::Load(d, from + (kInverse ? i ^ 1 : i)); });
  Line::transform(d, call, v);
  ForEachConstant<kWritten>(
      [&](auto i) TWIDDLE_HOST_INLINE { hn::Store(hn::Mul(v[i], scale), d, to + (kInverse ? i ^ 1 : i)); });
}

// Few lines of reals taken as complex numbers are packed_line_worker.cpp's where it has kernels.
template <class T, class Line>
ShortRowsKernels<T> SelectShortRows() {
  constexpr bool kComplex = Line::kReadParts == 2 && Line::kWrittenParts == 2;
  constexpr bool kPackedElsewhere = kComplex && (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2);
  constexpr bool kSorted = HWY_TARGET == HWY_AVX3;
  ShortRowsKernels<T> found;
  found.tiles = ShortRows<T, Line, kSorted>;
  found.tiles_apart = ShortRows<T, Line, false>;
  found.streams = kSorted || has_whole_blocks<Line::kWritten * Line::kWrittenParts, hn::ScalableTag<T>>;
  if constexpr (!kPackedElsewhere) {
    found.lone = LoneRow<T, Line, false>;
    if constexpr (kComplex && Line::kRead == Line::kWritten) found.lone_inverse = LoneRow<T, Line, true>;
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
