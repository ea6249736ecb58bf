// Lines, and blocks of rows, that are combined with their mirror images (combination.hpp). Included once per SIMD
// target.
// clang-format off
#if defined(TWIDDLE_HOST_MIRRORED_COMBINATIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_MIRRORED_COMBINATIONS_INL_H
#undef TWIDDLE_HOST_MIRRORED_COMBINATIONS_INL_H
#else
#define TWIDDLE_HOST_MIRRORED_COMBINATIONS_INL_H
#endif
// clang-format on

#include <cstddef>

#include "backend/host/aligned_array.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/complex_products-inl.h"
#include "backend/host/mirrored_pair-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// A vector of complex numbers, planar, or interleaved where there is no second array.
template <bool kPlanar, class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE void LoadElements(D d, const T* real, const T* imaginary, std::size_t at, V& re, V& im) {
  if constexpr (kPlanar) {
    re = hn::LoadU(d, real + at);
    im = hn::LoadU(d, imaginary + at);
  } else {
    LoadComplex<false>(d, real + 2 * at, re, im);
  }
}
template <bool kPlanar, class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE void StoreElements(D d, V re, V im, T* real, T* imaginary, std::size_t at) {
  if constexpr (kPlanar) {
    hn::StoreU(re, d, real + at);
    hn::StoreU(im, d, imaginary + at);
  } else {
    StoreComplex<false, false>(d, re, im, real + 2 * at);
  }
}

template <class T, bool kPlanarSource, bool kPlanarOutput>
void CombineMirroredBetween(const CombineMirroredCall<T>& given) {
  const CombineMirroredCall<T> call = given;  // a copy of its own: vectors that are stored may alias the caller's
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const V sum = hn::Set(d, call.sum);
  for (std::size_t begin = call.begin; begin < call.end; begin += kLanes) {
    const std::size_t k = begin + kLanes <= call.end ? begin : call.end - kLanes;
    const std::size_t mirrored = call.half - k - kLanes + 1;
    V re, im, mirror_re, mirror_im;
    LoadElements<kPlanarSource>(d, call.source, call.source_imaginary, k, re, im);
    LoadElements<kPlanarSource>(d, call.source, call.source_imaginary, mirrored, mirror_re, mirror_im);
    CombineMirroredVectors(d, sum, hn::LoadU(d, call.a_real + k), hn::LoadU(d, call.a_imaginary + k), re, im, mirror_re,
                           mirror_im);
    StoreElements<kPlanarOutput>(d, re, im, call.output, call.output_imaginary, k);
    if (!call.both) continue;
    StoreElements<kPlanarOutput>(d, mirror_re, mirror_im, call.output, call.output_imaginary, mirrored);
  }
}

constexpr std::size_t rows_ahead = 8;  // that results are stored to: they are fetched

template <class T>
void CombineBlocks(const CombineBlocksCall<T>& given) {
  const CombineBlocksCall<T> call = given;  // likewise
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr LaneOrder kOrder = LaneOrder::in_blocks;  // backwards, it is that of what is backwards
  const V sum = hn::Set(d, call.scale);
  const V middle = hn::Set(d, call.scale / 2);
  const auto ahead = static_cast<std::ptrdiff_t>(rows_ahead * call.to_step);
  for (std::size_t row = 0; row < call.rows; ++row) {
    const std::size_t mirror_row = call.last_row - row;
    // -i / 2 times the root and the scale
    const V row_re = hn::Set(d, call.row_roots[2 * row + 1] * call.scale / 2);
    const V row_im = hn::Set(d, -call.row_roots[2 * row] * call.scale / 2);
    T* const to = call.to + row * call.to_step;
    T* const mirror_to = call.mirror_to + mirror_row * call.to_step;
    for (std::size_t i = 0; i < 2 * call.count; i += cache_line / sizeof(T)) {
      hwy::Prefetch(to + ahead + i);
      hwy::Prefetch(mirror_to - ahead + i);
    }
    for (std::size_t line = 0; line < call.prefetch_lines; ++line) {
      hwy::Prefetch(call.prefetch + row * call.prefetch_step + line * cache_line);
      hwy::Prefetch(call.mirror_prefetch + row * call.prefetch_step + line * cache_line);
    }
    const T* const block = call.block + call.step * row;
    const T* const mirror = call.mirror + call.step * mirror_row;
    for (std::size_t begin = 0; begin < call.count; begin += kLanes) {
      const std::size_t k = begin + kLanes <= call.count ? begin : call.count - kLanes;
      const std::size_t mirrored = call.count - k - kLanes;
      V re, im, mirror_re, mirror_im;
      LoadComplex<false, kOrder>(d, block + 2 * k, re, im);
      LoadComplex<false, kOrder>(d, mirror + 2 * mirrored, mirror_re, mirror_im);
      V a_re = row_re;
      V a_im = row_im;
      AddDifference(a_re, a_im, OtherOrder(d, hn::LoadU(d, call.column_real + k)),
                    OtherOrder(d, hn::LoadU(d, call.column_imaginary + k)));
      CombineMirroredVectors(d, sum, hn::Add(middle, a_re), a_im, re, im, mirror_re, mirror_im);
      StoreComplex<false, false, kOrder>(d, re, im, to + 2 * k);
      StoreComplex<false, false, kOrder>(d, mirror_re, mirror_im, mirror_to + 2 * mirrored);
    }
  }
}

template <class T>
void CombineMirrored(const CombineMirroredCall<T>& call) {
  if (call.source_imaginary != nullptr) {
    if (call.output_imaginary != nullptr) return CombineMirroredBetween<T, true, true>(call);
    return CombineMirroredBetween<T, true, false>(call);
  }
  if (call.output_imaginary != nullptr) return CombineMirroredBetween<T, false, true>(call);
  return CombineMirroredBetween<T, false, false>(call);
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
