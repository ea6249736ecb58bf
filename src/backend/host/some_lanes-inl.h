// Vectors of which only the first lanes are there in memory: nothing beyond them is read or written. Neighbouring
// transforms that may be fewer than the lanes of whole vectors, between adjacent numbers in memory and planar lines
// [element][lane]. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_SOME_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_SOME_LANES_INL_H
#undef TWIDDLE_HOST_SOME_LANES_INL_H
#else
#define TWIDDLE_HOST_SOME_LANES_INL_H
#endif
// clang-format on

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "backend/host/combination.hpp"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// The first `count` lanes alone.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadSome(D d, const T* HWY_RESTRICT from, std::size_t count) {
  if (count >= lanes_of<D>) return hn::LoadU(d, from);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  return hn::MaskedLoad(hn::FirstN(d, count), d, from);
#else
  T numbers[lanes_of<D>] = {};
  std::memcpy(numbers, from, count * sizeof(T));
  return hn::LoadU(d, numbers);
#endif
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreSome(D d, hn::Vec<D> v, std::size_t count, T* HWY_RESTRICT to) {
  if (count >= lanes_of<D>) return hn::StoreU(v, d, to);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(d, count), d, to);
#else
  T numbers[lanes_of<D>];
  hn::StoreU(v, d, numbers);
  std::memcpy(to, numbers, count * sizeof(T));
#endif
}

// The first `count` complex numbers of a vector of them; others are zero.
template <class D, class T = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE void LoadSomeComplex(D d, const T* HWY_RESTRICT from, std::size_t count, V& re, V& im) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(count);  // there is one number
  LoadComplex<false>(d, from, re, im);
#else
  const std::size_t low_count = std::min(2 * count, lanes_of<D>);
  const V low = LoadSome(d, from, low_count);
  const V high = LoadSome(d, from + low_count, 2 * count - low_count);
  re = hn::ConcatEven(d, high, low);
  im = hn::ConcatOdd(d, high, low);
#endif
}

template <class D, class T = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE void StoreSomeComplex(D d, V re, V im, std::size_t count, T* HWY_RESTRICT to) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(count);
  StoreComplex<false, false>(d, re, im, to);
#else
  Interleave(d, re, im);
  const std::size_t low_count = std::min(2 * count, lanes_of<D>);
  StoreSome(d, re, low_count, to);
  StoreSome(d, im, 2 * count - low_count, to + low_count);
#endif
}

template <class T>
void LanesIn(const T* from, const SomeLanes& some, const Planes<T>& to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  for (std::size_t k = 0; k < some.length; ++k, from += some.step) {
    for (std::size_t lane = 0; lane < some.lanes; lane += kLanes) {
      hn::Vec<decltype(d)> re = hn::Zero(d);
      hn::Vec<decltype(d)> im = hn::Zero(d);
      if (lane + kLanes <= some.active) {
        LoadComplex<false>(d, from + 2 * lane, re, im);
      } else if (lane < some.active) {
        LoadSomeComplex(d, from + 2 * lane, some.active - lane, re, im);
      }
      hn::StoreU(re, d, to.real + k * some.lanes + lane);
      hn::StoreU(im, d, to.imaginary + k * some.lanes + lane);
    }
  }
}

template <class T>
void LanesOut(const Planes<T>& from, const SomeLanes& some, T scale, T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const auto factor = hn::Set(d, scale);
  for (std::size_t k = 0; k < some.length; ++k, to += some.step) {
    for (std::size_t lane = 0; lane < some.active; lane += kLanes) {
      const auto re = hn::Mul(factor, hn::LoadU(d, from.real + k * some.lanes + lane));
      const auto im = hn::Mul(factor, hn::LoadU(d, from.imaginary + k * some.lanes + lane));
      if (lane + kLanes <= some.active) {
        StoreComplex<false, false>(d, re, im, to + 2 * lane);
      } else {
        StoreSomeComplex(d, re, im, some.active - lane, to + 2 * lane);
      }
    }
  }
}

template <class T>
void RealLanesIn(const T* from, const SomeLanes& some, T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  for (std::size_t k = 0; k < some.length; ++k, from += some.step, to += some.lanes) {
    for (std::size_t lane = 0; lane < some.lanes; lane += kLanes) {
      const std::size_t count = some.active > lane ? some.active - lane : 0;
      hn::StoreU(count > 0 ? LoadSome(d, from + lane, count) : hn::Zero(d), d, to + lane);
    }
  }
}

template <class T>
void RealLanesOut(const T* from, const SomeLanes& some, T scale, T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const auto factor = hn::Set(d, scale);
  for (std::size_t k = 0; k < some.length; ++k, from += some.lanes, to += some.step) {
    for (std::size_t lane = 0; lane < some.active; lane += kLanes) {
      StoreSome(d, hn::Mul(factor, hn::LoadU(d, from + lane)), some.active - lane, to + lane);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // TWIDDLE_HOST_SOME_LANES_INL_H
