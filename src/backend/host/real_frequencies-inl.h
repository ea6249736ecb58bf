// Frequencies of long real lines and what cosine, sine and Hartley transforms make of them (RealFrequenciesCall in
// combination.hpp). Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_REAL_FREQUENCIES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_REAL_FREQUENCIES_INL_H
#undef TWIDDLE_HOST_REAL_FREQUENCIES_INL_H
#else
#define TWIDDLE_HOST_REAL_FREQUENCIES_INL_H
#endif
// clang-format on

#include <cstddef>

#include "backend/host/combination.hpp"
#include "backend/host/complex_products-inl.h"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// The real part of a complex product, and minus the imaginary one.
template <class V>
HWY_INLINE void TurnToReals(V& re, V& im, V factor_re, V factor_im) {
  const V real = hn::NegMulAdd(im, factor_im, hn::Mul(re, factor_re));
  im = hn::NegMulAdd(im, factor_re, hn::Neg(hn::Mul(re, factor_im)));
  re = real;
}

template <class T, bool kFactors, bool kBackwards>
void RealFrequenciesOf(const RealFrequenciesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t half = call.half;
  const std::size_t n = 2 * half;
  T* const to = call.to;
  // Results from one on, upwards or downwards.
  const auto store_up = [&](V values, std::size_t first) HWY_ATTR {
    if constexpr (kBackwards) {
      hn::StoreU(hn::Reverse(d, values), d, to + (n - first - kLanes));
    } else {
      hn::StoreU(values, d, to + first);
    }
  };
  const auto store_down = [&](V values, std::size_t first) HWY_ATTR {
    if constexpr (kBackwards) {
      hn::StoreU(values, d, to + (n - 1 - first));
    } else {
      hn::StoreU(hn::Reverse(d, values), d, to + (first + 1 - kLanes));
    }
  };
  for (std::size_t begin = call.begin; begin < call.end; begin += kLanes) {
    const std::size_t k = begin + kLanes <= call.end ? begin : call.end - kLanes;
    V re, im, mirror_re, mirror_im;
    LoadComplex<false>(d, call.source + 2 * k, re, im);
    LoadComplex<false>(d, call.source + 2 * (half - k - kLanes + 1), mirror_re, mirror_im);
    mirror_re = hn::Reverse(d, mirror_re);
    mirror_im = hn::Reverse(d, mirror_im);
    const V even_re = hn::Add(re, mirror_re);
    const V even_im = hn::Sub(im, mirror_im);
    V turned_re = hn::Sub(re, mirror_re);
    V turned_im = hn::Add(im, mirror_im);
    MultiplyComplex(turned_re, turned_im, hn::LoadU(d, call.root_real + k), hn::LoadU(d, call.root_imaginary + k));
    re = hn::Add(even_re, turned_re);
    im = hn::Add(even_im, turned_im);
    mirror_re = hn::Sub(even_re, turned_re);
    mirror_im = hn::Sub(turned_im, even_im);
    if constexpr (kFactors) {
      TurnToReals(re, im, hn::LoadU(d, call.factor_real + k), hn::LoadU(d, call.factor_imaginary + k));
      TurnToReals(mirror_re, mirror_im, hn::LoadU(d, call.mirror_factor_real + k),
                  hn::LoadU(d, call.mirror_factor_imaginary + k));
    } else {
      const V scale = hn::Set(d, call.scale);
      const auto turn = [&](V& real, V& imaginary) HWY_ATTR {
        const V difference = hn::Mul(scale, hn::Sub(real, imaginary));
        imaginary = hn::Mul(scale, hn::Add(real, imaginary));
        real = difference;
      };
      turn(re, im);
      turn(mirror_re, mirror_im);
    }
    store_up(re, k);
    store_down(im, n - k);
    store_down(mirror_re, half - k);
    store_up(mirror_im, half + k);
  }
}

template <class T>
void RealFrequencies(const RealFrequenciesCall<T>& call) {
  if (call.factor_real == nullptr) return RealFrequenciesOf<T, false, false>(call);
  if (call.backwards) return RealFrequenciesOf<T, true, true>(call);
  RealFrequenciesOf<T, true, false>(call);
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
