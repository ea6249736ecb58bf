// The maps of lines of reals that move them, and multiply pairs of them by a root: TurnedRealsCall and
// ReorderedRealsCall in combination.hpp. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_MOVED_REALS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_MOVED_REALS_INL_H
#undef TWIDDLE_HOST_MOVED_REALS_INL_H
#else
#define TWIDDLE_HOST_MOVED_REALS_INL_H
#endif
// clang-format on

#include <cstddef>

#include "backend/host/combination.hpp"
#include "backend/host/complex_products-inl.h"
#include "backend/host/mirrored_pair-inl.h"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Calls visit(k) for each vector of items; the last one overlaps the one before it.
template <std::size_t kLanes, class Visit>
HWY_INLINE void ForEachVectorOf(std::size_t begin, std::size_t end, const Visit& visit) {
  for (; begin < end; begin += kLanes) visit(begin + kLanes <= end ? begin : end - kLanes);
}

// Reals kStep apart, from the one at `first` on, each in its lane. Of two apart those in between are read as well: on
// the same side as the first one's neighbour in its pair.
template <int kStep, class D, class V = hn::Vec<D>>
HWY_INLINE V LoadReals(D d, const hn::TFromD<D>* HWY_RESTRICT first) {
  constexpr std::ptrdiff_t kLanes = lanes_of<D>;
  if constexpr (kStep == 1) {
    return hn::LoadU(d, first);
  } else if constexpr (kStep == -1) {
    return hn::Reverse(d, hn::LoadU(d, first - (kLanes - 1)));
  } else {
    V even, odd;
    if constexpr (kStep == 2) {
      LoadComplex<false>(d, first, even, odd);
      return even;
    }
    LoadComplexReversed(d, first - (2 * kLanes - 1), even, odd);
    return odd;
  }
}

template <class T, int kStep>
void TurnRealsBy(const TurnedRealsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V sign = hn::Set(d, call.sign);
  const T* const first = call.source + call.first;
  const T* const second = call.source + call.second;
  ForEachVectorOf<lanes_of<decltype(d)>>(call.begin, call.end, [&](std::size_t k) HWY_ATTR {
    const std::ptrdiff_t moved = kStep * static_cast<std::ptrdiff_t>(k);
    V re = LoadReals<kStep>(d, first + moved);
    V im = LoadReals<-kStep>(d, second - moved);
    V root_re, root_im;
    LoadComplex<false>(d, call.roots + 2 * k, root_re, root_im);
    MultiplyComplex(re, im, root_re, root_im);
    StoreComplex<false, false>(d, re, hn::Mul(sign, im), call.to + 2 * k);
  });
}

template <class T>
void TurnReals(const TurnedRealsCall<T>& call) {
  switch (call.step) {
    case 1:
      return TurnRealsBy<T, 1>(call);
    case -1:
      return TurnRealsBy<T, -1>(call);
    case 2:
      return TurnRealsBy<T, 2>(call);
    default:
      return TurnRealsBy<T, -2>(call);
  }
}

template <class T>
void TurnToRealPairs(const TurnedRealsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const V sign = hn::Set(d, call.sign);
  ForEachVectorOf<kLanes>(call.begin, call.end, [&](std::size_t k) HWY_ATTR {
    V re, im, root_re, root_im;
    LoadComplex<false>(d, call.source + 2 * k, re, im);
    LoadComplex<false>(d, call.roots + 2 * k, root_re, root_im);
    const V real = hn::NegMulAdd(im, root_im, hn::Mul(re, root_re));
    const std::size_t mirrored = 2 * (call.items - k - kLanes);
    LoadComplexReversed(d, call.source + mirrored, re, im);
    LoadComplexReversed(d, call.roots + mirrored, root_re, root_im);
    const V imaginary = hn::MulAdd(im, root_re, hn::Mul(re, root_im));
    StoreComplex<false, false>(d, real, hn::Mul(sign, imaginary), call.to + 2 * k);
  });
}

// Stored one behind the other, or one before the other, from the place of the first one on.
template <int kStep, class D>
HWY_INLINE void StoreReals(D d, hn::Vec<D> v, hn::TFromD<D>* HWY_RESTRICT first) {
  constexpr std::ptrdiff_t kLanes = lanes_of<D>;
  if constexpr (kStep == 1) {
    hn::StoreU(v, d, first);
  } else {
    hn::StoreU(hn::Reverse(d, v), d, first - (kLanes - 1));
  }
}

template <class T, int kStep>
void SpectrumToRealsBy(const TurnedRealsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V sign = hn::Set(d, call.sign);
  ForEachVectorOf<lanes_of<decltype(d)>>(call.begin, call.end, [&](std::size_t k) HWY_ATTR {
    const std::ptrdiff_t moved = kStep * static_cast<std::ptrdiff_t>(k);
    V re, im, root_re, root_im;
    LoadComplex<false>(d, call.source + 2 * k, re, im);
    LoadComplex<false>(d, call.roots + 2 * k, root_re, root_im);
    MultiplyComplex(re, im, root_re, root_im);
    StoreReals<kStep>(d, re, call.to + call.first + moved);
    StoreReals<-kStep>(d, hn::Mul(sign, im), call.to + call.second - moved);
  });
}

template <class T>
void SpectrumToReals(const TurnedRealsCall<T>& call) {
  call.step == 1 ? SpectrumToRealsBy<T, 1>(call) : SpectrumToRealsBy<T, -1>(call);
}

template <class T>
void ReorderReals(const ReorderedRealsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  const V odd_scale = hn::Set(d, call.odd_scale);
  ForEachVectorOf<kLanes>(call.begin, call.end, [&](std::size_t i) HWY_ATTR {
    const std::size_t back = call.length - i - kLanes;
    V even, odd;
    if (call.load) {
      LoadComplex<false>(d, call.source + 2 * i, even, odd);
      hn::StoreU(hn::Mul(scale, even), d, call.to + i);
      hn::StoreU(hn::Reverse(d, hn::Mul(odd_scale, odd)), d, call.to + back);
    } else {
      even = hn::Mul(scale, hn::LoadU(d, call.source + i));
      odd = hn::Mul(odd_scale, hn::Reverse(d, hn::LoadU(d, call.source + back)));
      StoreComplex<false, false>(d, even, odd, call.to + 2 * i);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
