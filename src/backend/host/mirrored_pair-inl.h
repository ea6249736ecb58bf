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

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
