// Butterflies on packed numbers by their radix. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_PACKED_TRANSFORMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_PACKED_TRANSFORMS_INL_H
#undef TWIDDLE_HOST_PACKED_TRANSFORMS_INL_H
#else
#define TWIDDLE_HOST_PACKED_TRANSFORMS_INL_H
#endif
// clang-format on

#include "host_packed_butterflies-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
template <unsigned kRadix>
struct PackedTransform;
#define TWIDDLE_HOST_PACKED(radix)                                               \
  template <>                                                                    \
  struct PackedTransform<radix> {                                                \
    template <class D, class V, class Load, class Store>                         \
    static HWY_INLINE void apply(D d, V alternate, Load load, Store store) {     \
      twiddle::HWY_NAMESPACE::PackedButterfly##radix(d, alternate, load, store); \
    }                                                                            \
  };
TWIDDLE_HOST_PACKED(2)
TWIDDLE_HOST_PACKED(3)
TWIDDLE_HOST_PACKED(4)
TWIDDLE_HOST_PACKED(5)
TWIDDLE_HOST_PACKED(6)
TWIDDLE_HOST_PACKED(7)
TWIDDLE_HOST_PACKED(8)
TWIDDLE_HOST_PACKED(9)
TWIDDLE_HOST_PACKED(10)
TWIDDLE_HOST_PACKED(11)
TWIDDLE_HOST_PACKED(12)
TWIDDLE_HOST_PACKED(13)
TWIDDLE_HOST_PACKED(14)
TWIDDLE_HOST_PACKED(15)
TWIDDLE_HOST_PACKED(16)
TWIDDLE_HOST_PACKED(18)
TWIDDLE_HOST_PACKED(20)
TWIDDLE_HOST_PACKED(21)
TWIDDLE_HOST_PACKED(22)
TWIDDLE_HOST_PACKED(24)
TWIDDLE_HOST_PACKED(25)
TWIDDLE_HOST_PACKED(26)
TWIDDLE_HOST_PACKED(27)
TWIDDLE_HOST_PACKED(28)
TWIDDLE_HOST_PACKED(30)
TWIDDLE_HOST_PACKED(32)
TWIDDLE_HOST_PACKED(36)
TWIDDLE_HOST_PACKED(40)
TWIDDLE_HOST_PACKED(48)
TWIDDLE_HOST_PACKED(50)
TWIDDLE_HOST_PACKED(64)
#undef TWIDDLE_HOST_PACKED
#endif

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
