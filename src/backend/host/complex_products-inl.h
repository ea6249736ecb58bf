// Products of complex vectors with roots. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_COMPLEX_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_COMPLEX_PRODUCTS_INL_H
#undef TWIDDLE_HOST_COMPLEX_PRODUCTS_INL_H
#else
#define TWIDDLE_HOST_COMPLEX_PRODUCTS_INL_H
#endif
// clang-format on

#include "backend/host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// (re + i im) *= (wr + i wi)
template <class V>
HWY_INLINE void MultiplyComplex(V& re, V& im, V wr, V wi) {
  const V real = hn::NegMulAdd(im, wi, hn::Mul(re, wr));
  im = hn::MulAdd(re, wi, hn::Mul(im, wr));
  re = real;
}

// A root times 1 and a difference, small beside it.
template <class V>
HWY_INLINE void AddDifference(V& re, V& im, V difference_re, V difference_im) {
  MultiplyComplex(difference_re, difference_im, re, im);
  re = hn::Add(re, difference_re);
  im = hn::Add(im, difference_im);
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
