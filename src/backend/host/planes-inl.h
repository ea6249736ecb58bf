// Runs of complex numbers between interleaved memory and planes. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_PLANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_PLANES_INL_H
#undef TWIDDLE_HOST_PLANES_INL_H
#else
#define TWIDDLE_HOST_PLANES_INL_H
#endif
// clang-format on

#include <cstddef>

#include "backend/host/pass.hpp"
#include "backend/host/some_lanes-inl.h"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Whole vectors of numbers: returns how many these are.
template <class T, bool kMirrored, bool kStreamed>
std::size_t TakeVectorsApart(const T* from, std::size_t count, const Planes<T>& to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    hn::Vec<decltype(d)> re, im;
    if constexpr (kMirrored) {
      LoadComplexReversed(d, from - 2 * (i + kLanes - 1), re, im);
      im = hn::Neg(im);
    } else {
      LoadComplex<false>(d, from + 2 * i, re, im);
    }
    if constexpr (kStreamed) {
      hn::Stream(re, d, to.real + i);
      hn::Stream(im, d, to.imaginary + i);
    } else {
      hn::StoreU(re, d, to.real + i);
      hn::StoreU(im, d, to.imaginary + i);
    }
  }
  return i;
}

template <class T, bool kMirrored>
std::size_t PutVectorsTogether(const Planes<const T>& from, std::size_t count, T scale, T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const hn::Vec<decltype(d)> factor = hn::Set(d, scale);
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto re = hn::Mul(factor, hn::LoadU(d, from.real + i));
    const auto im = hn::Mul(factor, hn::LoadU(d, from.imaginary + i));
    if constexpr (kMirrored) {
      StoreComplexReversed(d, re, hn::Neg(im), to - 2 * (i + kLanes - 1));
    } else {
      StoreComplex<false, false>(d, re, im, to + 2 * i);
    }
  }
  return i;
}

// All numbers.
template <class T>
void TakeApart(const T* from, std::size_t count, const Planes<T>& to) {
  const std::size_t done = TakeVectorsApart<T, false, false>(from, count, to);
  if (done == count) return;
  const hn::ScalableTag<T> d;
  hn::Vec<decltype(d)> re, im;
  LoadSomeComplex(d, from + 2 * done, count - done, re, im);
  StoreSome(d, re, count - done, to.real + done);
  StoreSome(d, im, count - done, to.imaginary + done);
}

template <class T>
void PutTogether(const Planes<const T>& from, std::size_t count, T scale, T* to) {
  const std::size_t done = PutVectorsTogether<T, false>(from, count, scale, to);
  if (done == count) return;
  const hn::ScalableTag<T> d;
  const hn::Vec<decltype(d)> factor = hn::Set(d, scale);
  const auto re = hn::Mul(factor, LoadSome(d, from.real + done, count - done));
  const auto im = hn::Mul(factor, LoadSome(d, from.imaginary + done, count - done));
  StoreSomeComplex(d, re, im, count - done, to + 2 * done);
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // TWIDDLE_HOST_PLANES_INL_H
