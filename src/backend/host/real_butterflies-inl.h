// Butterflies between reals and half of their spectrum on arrays of vectors. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_REAL_BUTTERFLIES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_REAL_BUTTERFLIES_INL_H
#undef TWIDDLE_HOST_REAL_BUTTERFLIES_INL_H
#else
#define TWIDDLE_HOST_REAL_BUTTERFLIES_INL_H
#endif
// clang-format on

#include "host_butterflies-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// To and from arrays of vectors, numbered as src/kernel/real_butterfly.hpp says.
template <unsigned kRadix>
struct RealButterfly;
#define TWIDDLE_HOST_REAL_BUTTERFLY(radix)                                                   \
  template <>                                                                                \
  struct RealButterfly<radix> {                                                              \
    template <class D, class V = hn::Vec<D>>                                                 \
    static HWY_INLINE void forward(D d, const V* HWY_RESTRICT reals, V* HWY_RESTRICT half) { \
      twiddle::HWY_NAMESPACE::RealButterfly##radix(                                          \
          d, [&](unsigned n, V& value) HWY_ATTR { value = reals[n]; },                       \
          [&](unsigned n, V value) HWY_ATTR { half[n] = value; });                           \
    }                                                                                        \
    template <class D, class V = hn::Vec<D>>                                                 \
    static HWY_INLINE void back(D d, const V* HWY_RESTRICT half, V* HWY_RESTRICT reals) {    \
      twiddle::HWY_NAMESPACE::HermitianButterfly##radix(                                     \
          d, [&](unsigned n, V& value) HWY_ATTR { value = half[n]; },                        \
          [&](unsigned n, V value) HWY_ATTR { reals[n] = value; });                          \
    }                                                                                        \
  };
TWIDDLE_HOST_REAL_BUTTERFLY(2)
TWIDDLE_HOST_REAL_BUTTERFLY(3)
TWIDDLE_HOST_REAL_BUTTERFLY(4)
TWIDDLE_HOST_REAL_BUTTERFLY(5)
TWIDDLE_HOST_REAL_BUTTERFLY(6)
TWIDDLE_HOST_REAL_BUTTERFLY(7)
TWIDDLE_HOST_REAL_BUTTERFLY(8)
TWIDDLE_HOST_REAL_BUTTERFLY(9)
TWIDDLE_HOST_REAL_BUTTERFLY(10)
TWIDDLE_HOST_REAL_BUTTERFLY(11)
TWIDDLE_HOST_REAL_BUTTERFLY(12)
TWIDDLE_HOST_REAL_BUTTERFLY(13)
TWIDDLE_HOST_REAL_BUTTERFLY(14)
TWIDDLE_HOST_REAL_BUTTERFLY(15)
TWIDDLE_HOST_REAL_BUTTERFLY(16)
TWIDDLE_HOST_REAL_BUTTERFLY(25)
TWIDDLE_HOST_REAL_BUTTERFLY(27)
#undef TWIDDLE_HOST_REAL_BUTTERFLY

// Elements of half a spectrum as complex numbers: the imaginary part of the first one, and of the one in the middle of
// an even radix, is zero.
template <unsigned kRadix, class D, class V = hn::Vec<D>>
HWY_INLINE void SpectrumParts(D d, const V* HWY_RESTRICT half, V* HWY_RESTRICT re, V* HWY_RESTRICT im) {
  re[0] = half[0];
  im[0] = hn::Zero(d);
  for (unsigned k = 1; k <= kRadix / 2; ++k) {
    re[k] = half[2 * k - 1];
    im[k] = 2 * k == kRadix ? hn::Zero(d) : half[2 * k];
  }
}

template <unsigned kRadix, class D, class V = hn::Vec<D>>
HWY_INLINE void SpectrumNumbers(const V* HWY_RESTRICT re, const V* HWY_RESTRICT im, V* HWY_RESTRICT half) {
  half[0] = re[0];
  for (unsigned n = 1; n < kRadix; ++n) half[n] = n % 2 == 1 ? re[(n + 1) / 2] : im[(n + 1) / 2];
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
