// The generated butterflies by their radix, from wherever inputs are to wherever results go. Included once per SIMD
// target.
// clang-format off
#if defined(TWIDDLE_HOST_RADIX_BUTTERFLIES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_RADIX_BUTTERFLIES_INL_H
#undef TWIDDLE_HOST_RADIX_BUTTERFLIES_INL_H
#else
#define TWIDDLE_HOST_RADIX_BUTTERFLIES_INL_H
#endif
// clang-format on

#include "backend/host/lanes-inl.h"
#include "host_butterflies-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// One row of the radix table: the butterfly that the generator wrote for it, from load(j, re, im) to store(k, re, im)
// or in place on two arrays.
template <unsigned kRadix>
struct Butterfly;
template <>
struct Butterfly<1> {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void apply(D, V*, V*) {}
  template <class D, class Load, class Store>
  static HWY_INLINE void apply(D, const Load& load, const Store& store) {
    hn::Vec<D> re, im;
    load(0, re, im);
    store(0, re, im);
  }
};
#define TWIDDLE_HOST_BUTTERFLY(radix)                         \
  template <>                                                 \
  struct Butterfly<radix> {                                   \
    template <class D, class From, class To>                  \
    static HWY_INLINE void apply(D d, From&& from, To&& to) { \
      twiddle::HWY_NAMESPACE::Butterfly##radix(d, from, to);  \
    }                                                         \
  };
TWIDDLE_HOST_BUTTERFLY(2)
TWIDDLE_HOST_BUTTERFLY(3)
TWIDDLE_HOST_BUTTERFLY(4)
TWIDDLE_HOST_BUTTERFLY(5)
TWIDDLE_HOST_BUTTERFLY(6)
TWIDDLE_HOST_BUTTERFLY(7)
TWIDDLE_HOST_BUTTERFLY(8)
TWIDDLE_HOST_BUTTERFLY(9)
TWIDDLE_HOST_BUTTERFLY(10)
TWIDDLE_HOST_BUTTERFLY(11)
TWIDDLE_HOST_BUTTERFLY(12)
TWIDDLE_HOST_BUTTERFLY(13)
TWIDDLE_HOST_BUTTERFLY(14)
TWIDDLE_HOST_BUTTERFLY(15)
TWIDDLE_HOST_BUTTERFLY(16)
TWIDDLE_HOST_BUTTERFLY(18)
TWIDDLE_HOST_BUTTERFLY(20)
TWIDDLE_HOST_BUTTERFLY(24)
TWIDDLE_HOST_BUTTERFLY(25)
TWIDDLE_HOST_BUTTERFLY(30)
TWIDDLE_HOST_BUTTERFLY(32)
#undef TWIDDLE_HOST_BUTTERFLY

// Whether a butterfly fills all registers, of which long vectors have many.
template <class T, unsigned kRadix>
inline constexpr bool kFillsRegisters = kFewRegisters || (kLongVectors<T> && kRadix > 12);

// From load(j, re, im) to store(k, re, im). Where registers are filled, inputs are loaded as they are needed, and results
// stored as they come; elsewhere all are loaded first, and stored in their order.
template <unsigned kRadix, class D, class Load, class Store>
HWY_INLINE void Transform(D d, const Load& load, const Store& store) {
  if constexpr (kFillsRegisters<hn::TFromD<D>, kRadix>) {
    Butterfly<kRadix>::apply(d, load, store);
  } else {
    hn::Vec<D> re[kRadix], im[kRadix];
    for (unsigned j = 0; j < kRadix; ++j) load(j, re[j], im[j]);
    Butterfly<kRadix>::apply(d, re, im);
    for (unsigned k = 0; k < kRadix; ++k) store(k, re[k], im[k]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
