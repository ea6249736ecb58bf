// The passes between reals and half of their spectrum, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/real_passes.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/dispatch.hpp"
#include "backend/host/passes-inl.h"
#include "backend/host/real_butterflies-inl.h"
#include "plan/recipe/host_radices.hpp"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

template <class T, unsigned kRadix>
void FirstRealRow(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr unsigned kHalf = kRadix / 2 + 1;
  const std::size_t columns = call.columns;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  for (std::size_t begin = 0; begin < columns; begin += kLanes) {
    const std::size_t p = begin + kLanes <= columns || columns < kLanes ? begin : columns - kLanes;
    prefetch = PrefetchAhead(call, prefetch);
    V reals[kRadix];
    V half[kRadix];
    V re[transpose_room<kHalf>];
    V im[transpose_room<kHalf>];
    for (unsigned j = 0; j < kRadix; ++j) reals[j] = hn::LoadU(d, call.input + p + columns * j);
    RealButterfly<kRadix>::forward(d, reals, half);
    SpectrumParts<kRadix>(d, half, re, im);
    for (unsigned k = 1; k < kHalf; ++k) {
      MultiplyComplex(re[k], im[k], hn::LoadU(d, twiddles), hn::LoadU(d, twiddles + kLanes));
      twiddles += 2 * kLanes;
    }
    StoreTransposed<kHalf>(d, re, call.output + kHalf * p);
    StoreTransposed<kHalf>(d, im, call.output_imaginary + kHalf * p);
  }
}

template <class T, unsigned kRadix>
void FirstRealBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr unsigned kHalf = kRadix / 2 + 1;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(call.columns) * call.input_step;
  for (std::size_t p = 0; p < call.columns; ++p, twiddles += 2 * (kHalf - 1)) {
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      V reals[kRadix];
      V half[kRadix];
      V re[kHalf];
      V im[kHalf];
      const T* from = call.input + static_cast<std::ptrdiff_t>(p) * call.input_step + lane;
      for (unsigned j = 0; j < kRadix; ++j) reals[j] = hn::LoadU(d, from + j * step);
      RealButterfly<kRadix>::forward(d, reals, half);
      SpectrumParts<kRadix>(d, half, re, im);
      T* HWY_RESTRICT to = call.output + call.lanes * kHalf * p + lane;
      T* HWY_RESTRICT to_imaginary = call.output_imaginary + call.lanes * kHalf * p + lane;
      hn::StoreU(re[0], d, to);
      hn::StoreU(im[0], d, to_imaginary);
      for (unsigned k = 1; k < kHalf; ++k) {
        MultiplyComplex(re[k], im[k], hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
        hn::StoreU(re[k], d, to + call.lanes * k);
        hn::StoreU(im[k], d, to_imaginary + call.lanes * k);
      }
    }
  }
}

// (re + i im) *= wr - i wi
template <class V>
HWY_INLINE void MultiplyConjugate(V& re, V& im, V wr, V wi) {
  const V real = hn::MulAdd(im, wi, hn::Mul(re, wr));
  im = hn::NegMulAdd(re, wi, hn::Mul(im, wr));
  re = real;
}

// Columns fewer than a vector's lanes are written by the order of the stores, as in Middle.
template <class T, unsigned kRadix>
void LastRealRow(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = std::remove_const_t<decltype(d)>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = lanes_of<D>;
  constexpr unsigned kHalf = kRadix / 2 + 1;
  const std::size_t columns = call.columns;
  const V scale = hn::Set(d, call.scale);
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  for (std::size_t begin = 0; begin < columns; begin += kLanes) {
    const std::size_t p = begin + kLanes <= columns || columns < kLanes ? begin : columns - kLanes;
    prefetch = PrefetchAhead(call, prefetch);
    V re[(kHalf + 3) / 4 * 4];
    V im[(kHalf + 3) / 4 * 4];
    V half[kRadix];
    V reals[kRadix];
    LoadTransposed<kHalf>(d, call.input + kHalf * p, re);
    LoadTransposed<kHalf>(d, call.input_imaginary + kHalf * p, im);
    for (unsigned k = 1; k < kHalf; ++k) {
      MultiplyConjugate(re[k], im[k], hn::LoadU(d, twiddles), hn::LoadU(d, twiddles + kLanes));
      twiddles += 2 * kLanes;
    }
    SpectrumNumbers<kRadix, D>(re, im, half);
    RealButterfly<kRadix>::back(d, half, reals);
    for (unsigned j = 0; j < kRadix; ++j) hn::StoreU(hn::Mul(reals[j], scale), d, call.output + p + columns * j);
  }
}

template <class T, unsigned kRadix>
void LastRealBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = std::remove_const_t<decltype(d)>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = lanes_of<D>;
  constexpr unsigned kHalf = kRadix / 2 + 1;
  const V scale = hn::Set(d, call.scale);
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(call.columns) * call.output_step;
  for (std::size_t p = 0; p < call.columns; ++p, twiddles += 2 * (kHalf - 1)) {
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      V re[kHalf];
      V im[kHalf];
      V half[kRadix];
      V reals[kRadix];
      const T* HWY_RESTRICT from = call.input + call.lanes * kHalf * p + lane;
      const T* HWY_RESTRICT from_imaginary = call.input_imaginary + call.lanes * kHalf * p + lane;
      re[0] = hn::LoadU(d, from);
      for (unsigned k = 1; k < kHalf; ++k) {
        re[k] = hn::LoadU(d, from + call.lanes * k);
        im[k] = hn::LoadU(d, from_imaginary + call.lanes * k);
        MultiplyConjugate(re[k], im[k], hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
      }
      SpectrumNumbers<kRadix, D>(re, im, half);
      RealButterfly<kRadix>::back(d, half, reals);
      T* to = call.output + static_cast<std::ptrdiff_t>(p) * call.output_step + lane;
      for (unsigned j = 0; j < kRadix; ++j) hn::StoreU(hn::Mul(reals[j], scale), d, to + j * step);
    }
  }
}

template <class T, unsigned kRadix>
PassFunction<T> SelectRealPass(RealPassKind kind) {
  if (kind == RealPassKind::first_row) return FirstRealRow<T, kRadix>;
  if (kind == RealPassKind::last_row) return LastRealRow<T, kRadix>;
  if constexpr (kRadix <= plan::host_largest_real_bundle) {
    if (kind == RealPassKind::first_bundle) return FirstRealBundle<T, kRadix>;
    if (kind == RealPassKind::last_bundle) return LastRealBundle<T, kRadix>;
  }
  return nullptr;
}

namespace {  // one for each precision
PassFunction<Scalar> FindRealPass(RealPassKind kind, unsigned radix) {
  switch (radix) {
#define TWIDDLE_HOST_REAL_RADIX(number) \
  case number:                          \
    return SelectRealPass<Scalar, number>(kind);
    TWIDDLE_HOST_REAL_RADIX(3)
    TWIDDLE_HOST_REAL_RADIX(5)
    TWIDDLE_HOST_REAL_RADIX(7)
    TWIDDLE_HOST_REAL_RADIX(9)
    TWIDDLE_HOST_REAL_RADIX(11)
    TWIDDLE_HOST_REAL_RADIX(13)
    TWIDDLE_HOST_REAL_RADIX(15)
    TWIDDLE_HOST_REAL_RADIX(16)
    TWIDDLE_HOST_REAL_RADIX(25)
    TWIDDLE_HOST_REAL_RADIX(27)
#undef TWIDDLE_HOST_REAL_RADIX
    default:
      return nullptr;
  }
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindRealPass);
template <>
PassFunction<Scalar> find_real_pass<Scalar>(RealPassKind kind, unsigned radix, std::int64_t targets) {
  const PassFunction<Scalar> pass = TWIDDLE_HOST_DISPATCH(FindRealPass, targets)(kind, radix);
  return pass != nullptr ? pass : find_real_prime_pass<Scalar>(kind, radix, targets);
}
}  // namespace twiddle::backend::host
#endif
