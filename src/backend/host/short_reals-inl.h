// Lines of reals as short as a butterfly, to and from their spectra: what short_rows-inl.h takes for a line. Included
// once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_SHORT_REALS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_SHORT_REALS_INL_H
#undef TWIDDLE_HOST_SHORT_REALS_INL_H
#else
#define TWIDDLE_HOST_SHORT_REALS_INL_H
#endif
// clang-format on

#include <cstddef>

#include "backend/host/real_butterflies-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

template <unsigned kLength>
struct ShortReals {
  static constexpr std::size_t kRead = kLength;
  static constexpr std::size_t kWritten = kLength / 2 + 1;
  static constexpr std::size_t kReadParts = 1;
  static constexpr std::size_t kWrittenParts = 2;

  template <class D, class Call, class V = hn::Vec<D>>
  static HWY_INLINE void transform(D d, const Call&, V* HWY_RESTRICT v) {
    V half[kLength];
    V re[kWritten];
    V im[kWritten];
    RealButterfly<kLength>::forward(d, v, half);
    SpectrumParts<kLength>(d, half, re, im);
    for (std::size_t k = 0; k < kWritten; ++k) {
      v[2 * k] = re[k];
      v[2 * k + 1] = im[k];
    }
  }
};

template <unsigned kLength>
struct ShortRealsBack {
  static constexpr std::size_t kRead = kLength / 2 + 1;
  static constexpr std::size_t kWritten = kLength;
  static constexpr std::size_t kReadParts = 2;
  static constexpr std::size_t kWrittenParts = 1;

  template <class D, class Call, class V = hn::Vec<D>>
  static HWY_INLINE void transform(D d, const Call&, V* HWY_RESTRICT v) {
    V half[kLength];
    half[0] = v[0];
    for (unsigned n = 1; n < kLength; ++n) half[n] = v[n + 1];
    RealButterfly<kLength>::back(d, half, v);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
