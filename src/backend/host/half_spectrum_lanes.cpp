// Kernels of half_spectrum_lanes.hpp, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/half_spectrum_lanes.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/half_spectrum_lanes.hpp"

#include "backend/host/dispatch.hpp"
#include "backend/host/mirrored_pair-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {
namespace {  // one for each precision

template <class D, class T>
HWY_INLINE void MapLanes(D d, const HalfSpectrumCall<T>& call) {
  using V = hn::Vec<D>;
  const V sum = hn::Set(d, call.sum);
  for (std::size_t k = 0; 2 * k <= call.half; ++k) {
    const V a_re = hn::Set(d, call.factors[2 * k]);
    const V a_im = hn::Set(d, call.factors[2 * k + 1]);
    const std::size_t mirror = (call.half - k) * call.lanes;
    const std::size_t mirror_source = k == 0 && !call.load ? 0 : mirror;
    const bool both = k != 0 || !call.load;  // a line has no element `half`
    for (std::size_t lane = 0; lane < call.lanes; lane += lanes_of<D>) {
      const std::size_t at = k * call.lanes + lane;
      V re = hn::LoadU(d, call.source.real + at);
      V im = hn::LoadU(d, call.source.imaginary + at);
      V mirror_re = hn::LoadU(d, call.source.real + mirror_source + lane);
      V mirror_im = hn::LoadU(d, call.source.imaginary + mirror_source + lane);
      CombinePair(sum, a_re, a_im, re, im, mirror_re, mirror_im);
      hn::StoreU(re, d, call.to.real + at);
      hn::StoreU(im, d, call.to.imaginary + at);
      if (!both) continue;
      hn::StoreU(mirror_re, d, call.to.real + mirror + lane);
      hn::StoreU(mirror_im, d, call.to.imaginary + mirror + lane);
    }
  }
}

void HalfSpectrum(const HalfSpectrumCall<Scalar>& call) {
  const hn::ScalableTag<Scalar> d;
  if (call.lanes % lanes_of<decltype(d)> == 0) return MapLanes(d, call);
  MapLanes(hn::CappedTag<Scalar, 1>(), call);
}

HalfSpectrumFunction<Scalar> FindHalfSpectrum() { return HalfSpectrum; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {

HWY_EXPORT(FindHalfSpectrum);

template <>
HalfSpectrumFunction<Scalar> find_half_spectrum<Scalar>(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindHalfSpectrum, targets)();
}

}  // namespace twiddle::backend::host
#endif
