// Two elements of a line that mirror each other, through the maps of real transforms by half their points. Included
// once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_MIRRORED_PAIR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_MIRRORED_PAIR_INL_H
#undef TWIDDLE_HOST_MIRRORED_PAIR_INL_H
#else
#define TWIDDLE_HOST_MIRRORED_PAIR_INL_H
#endif
// clang-format on

#include "backend/host/complex_products-inl.h"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Element F and its mirror image R become sum conj(R) + t and conj(sum F - t), where t = a (F - conj(R)): their factors
// are conjugates.
template <class V>
HWY_INLINE void CombinePair(V sum, V a_re, V a_im, V& re, V& im, V& mirror_re, V& mirror_im) {
  V turned_re = hn::Sub(re, mirror_re);
  V turned_im = hn::Add(im, mirror_im);
  MultiplyComplex(turned_re, turned_im, a_re, a_im);
  const V result_re = hn::MulAdd(sum, mirror_re, turned_re);
  const V result_im = hn::NegMulAdd(sum, mirror_im, turned_im);
  mirror_re = hn::MulSub(sum, re, turned_re);
  mirror_im = hn::NegMulAdd(sum, im, turned_im);
  re = result_re;
  im = result_im;
}

// The same of neighbouring elements, whose mirror images are neighbours the other way round: both as they lie in
// memory.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void CombineMirroredVectors(D d, V sum, V a_re, V a_im, V& re, V& im, V& mirror_re, V& mirror_im) {
  V reversed_re = hn::Reverse(d, mirror_re);
  V reversed_im = hn::Reverse(d, mirror_im);
  CombinePair(sum, a_re, a_im, re, im, reversed_re, reversed_im);
  mirror_re = hn::Reverse(d, reversed_re);
  mirror_im = hn::Reverse(d, reversed_im);
}

// A vector of complex elements from interleaved memory, back to front; and the other way.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void LoadComplexReversed(D d, const hn::TFromD<D>* HWY_RESTRICT from, V& re, V& im) {
#if HWY_TARGET == HWY_AVX3
  const V low = hn::LoadU(d, from);
  const V high = hn::LoadU(d, from + lanes_of<D>);
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const __m512i real = _mm512_setr_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i imaginary = _mm512_setr_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    re = V{_mm512_permutex2var_pd(low.raw, real, high.raw)};
    im = V{_mm512_permutex2var_pd(low.raw, imaginary, high.raw)};
  } else {
    const __m512i real = _mm512_setr_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    const __m512i imaginary = _mm512_setr_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    re = V{_mm512_permutex2var_ps(low.raw, real, high.raw)};
    im = V{_mm512_permutex2var_ps(low.raw, imaginary, high.raw)};
  }
#else
  LoadComplex<false>(d, from, re, im);
  re = hn::Reverse(d, re);
  im = hn::Reverse(d, im);
#endif
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE void StoreComplexReversed(D d, V re, V im, hn::TFromD<D>* HWY_RESTRICT to) {
#if HWY_TARGET == HWY_AVX3
  V low, high;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    low = V{_mm512_permutex2var_pd(re.raw, _mm512_setr_epi64(7, 15, 6, 14, 5, 13, 4, 12), im.raw)};
    high = V{_mm512_permutex2var_pd(re.raw, _mm512_setr_epi64(3, 11, 2, 10, 1, 9, 0, 8), im.raw)};
  } else {
    const __m512i last = _mm512_setr_epi32(15, 31, 14, 30, 13, 29, 12, 28, 11, 27, 10, 26, 9, 25, 8, 24);
    const __m512i first = _mm512_setr_epi32(7, 23, 6, 22, 5, 21, 4, 20, 3, 19, 2, 18, 1, 17, 0, 16);
    low = V{_mm512_permutex2var_ps(re.raw, last, im.raw)};
    high = V{_mm512_permutex2var_ps(re.raw, first, im.raw)};
  }
  hn::StoreU(low, d, to);
  hn::StoreU(high, d, to + lanes_of<D>);
#else
  StoreComplex<false, false>(d, hn::Reverse(d, re), hn::Reverse(d, im), to);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
