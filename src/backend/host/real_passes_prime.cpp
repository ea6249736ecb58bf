// The passes between reals and half of their spectrum for odd radices without a butterfly, by the definition, for every
// SIMD target and one precision: pairs of reals, or pairs of results, share a cosine and a sine, as in
// passes_prime.cpp.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/real_passes_prime.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include <algorithm>

#include "backend/host/dispatch.hpp"
#include "backend/host/passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Two rows of vectors, one element a pair.
template <class D, class T = hn::TFromD<D>>
struct RealPrimeColumn {
  static constexpr std::size_t kPairs = largest_direct_radix / 2;
  alignas(64) T first[kPairs * lanes_of<D>];
  alignas(64) T second[kPairs * lanes_of<D>];
};

// cosine[i] = start + sum over the pairs of first times the real parts of row k + i of the roots, sine[i] = the sum of
// second times the imaginary ones. Sums are made in short parts, so that rounding errors stay small.
template <std::size_t kCount, class D, class T, class V = hn::Vec<D>>
HWY_INLINE void RealPrimeSums(D d, const RealPrimeColumn<D>& column, std::size_t half, const T* HWY_RESTRICT roots,
                              std::size_t k, V start, V* HWY_RESTRICT cosine, V* HWY_RESTRICT sine) {
  constexpr std::size_t kPart = 8;
  const T* HWY_RESTRICT rows[kCount];
  for (std::size_t i = 0; i < kCount; ++i) {
    cosine[i] = start;
    sine[i] = hn::Zero(d);
    rows[i] = roots + 2 * half * (k - 1 + i);
  }
  for (std::size_t begin = 0; begin < half; begin += kPart) {
    V cosine_part[kCount], sine_part[kCount];
    for (std::size_t i = 0; i < kCount; ++i) cosine_part[i] = sine_part[i] = hn::Zero(d);
    const std::size_t end = std::min(begin + kPart, half);
    for (std::size_t j = begin; j < end; ++j) {
      const V first = hn::Load(d, column.first + j * lanes_of<D>);
      const V second = hn::Load(d, column.second + j * lanes_of<D>);
      for (std::size_t i = 0; i < kCount; ++i) {
        cosine_part[i] = hn::MulAdd(first, hn::Set(d, rows[i][2 * j]), cosine_part[i]);
        sine_part[i] = hn::MulAdd(second, hn::Set(d, rows[i][2 * j + 1]), sine_part[i]);
      }
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      cosine[i] = hn::Add(cosine[i], cosine_part[i]);
      sine[i] = hn::Add(sine[i], sine_part[i]);
    }
  }
}

// Calls visit(k, cosine, sine) for k = 1..half, as many at once as registers allow.
template <class D, class T, class V = hn::Vec<D>, class Visit>
HWY_INLINE void RealPrimeRows(D d, const RealPrimeColumn<D>& column, std::size_t half, const T* HWY_RESTRICT roots,
                              V start, const Visit& visit) {
  constexpr std::size_t kBlock = lanes_of<D> * sizeof(T) >= 64 ? 6 : 2;
  V cosine[kBlock], sine[kBlock];
  std::size_t k = 1;
  for (; k + kBlock <= half + 1; k += kBlock) {
    RealPrimeSums<kBlock>(d, column, half, roots, k, start, cosine, sine);
    for (std::size_t i = 0; i < kBlock; ++i) visit(k + i, cosine[i], sine[i]);
  }
  for (; k <= half; ++k) {
    RealPrimeSums<1>(d, column, half, roots, k, start, cosine, sine);
    visit(k, cosine[0], sine[0]);
  }
}

template <class T>
void FirstRealPrimeBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = std::remove_const_t<decltype(d)>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = lanes_of<D>;
  const std::size_t half = call.radix / 2;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(call.columns) * call.input_step;
  RealPrimeColumn<D> column;
  for (std::size_t p = 0; p < call.columns; ++p, twiddles += 2 * half) {
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      const T* from = call.input + static_cast<std::ptrdiff_t>(p) * call.input_step + lane;
      const V first = hn::LoadU(d, from);
      V total = hn::Zero(d);
      for (std::size_t j = 1; j <= half; ++j) {
        const V low = hn::LoadU(d, from + static_cast<std::ptrdiff_t>(j) * step);
        const V high = hn::LoadU(d, from + static_cast<std::ptrdiff_t>(call.radix - j) * step);
        const V sum = hn::Add(low, high);
        hn::Store(sum, d, column.first + (j - 1) * kLanes);
        hn::Store(hn::Sub(low, high), d, column.second + (j - 1) * kLanes);
        total = hn::Add(total, sum);
      }
      T* HWY_RESTRICT to = call.output + call.lanes * (half + 1) * p + lane;
      T* HWY_RESTRICT to_imaginary = call.output_imaginary + call.lanes * (half + 1) * p + lane;
      hn::StoreU(hn::Add(first, total), d, to);
      hn::StoreU(hn::Zero(d), d, to_imaginary);
      RealPrimeRows(d, column, half, call.roots, first, [&](std::size_t k, V re, V im) HWY_ATTR {
        MultiplyComplex(re, im, hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
        hn::StoreU(re, d, to + call.lanes * k);
        hn::StoreU(im, d, to_imaginary + call.lanes * k);
      });
    }
  }
}

// x[n] = z[0] + sum over k of 2 Re(z[k] w^(-k n)), where the sines of n and radix - n differ by their sign.
template <class T>
void LastRealPrimeBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = std::remove_const_t<decltype(d)>;
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = lanes_of<D>;
  const std::size_t half = call.radix / 2;
  const V scale = hn::Set(d, call.scale);
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(call.columns) * call.output_step;
  RealPrimeColumn<D> column;
  for (std::size_t p = 0; p < call.columns; ++p, twiddles += 2 * half) {
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      const T* HWY_RESTRICT from = call.input + call.lanes * (half + 1) * p + lane;
      const T* HWY_RESTRICT from_imaginary = call.input_imaginary + call.lanes * (half + 1) * p + lane;
      const V first = hn::LoadU(d, from);
      V total = hn::Zero(d);
      for (std::size_t k = 1; k <= half; ++k) {
        V re = hn::LoadU(d, from + call.lanes * k);
        V im = hn::LoadU(d, from_imaginary + call.lanes * k);
        re = hn::Add(re, re);
        im = hn::Add(im, im);
        MultiplyComplex(re, im, hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, -twiddles[2 * k - 1]));
        hn::Store(re, d, column.first + (k - 1) * kLanes);
        hn::Store(im, d, column.second + (k - 1) * kLanes);
        total = hn::Add(total, re);
      }
      T* to = call.output + static_cast<std::ptrdiff_t>(p) * call.output_step + lane;
      hn::StoreU(hn::Mul(hn::Add(first, total), scale), d, to);
      RealPrimeRows(d, column, half, call.roots, first, [&](std::size_t n, V cosine, V sine) HWY_ATTR {
        hn::StoreU(hn::Mul(hn::Add(cosine, sine), scale), d, to + static_cast<std::ptrdiff_t>(n) * step);
        hn::StoreU(hn::Mul(hn::Sub(cosine, sine), scale), d, to + static_cast<std::ptrdiff_t>(call.radix - n) * step);
      });
    }
  }
}

namespace {  // one for each precision
PassFunction<Scalar> FindRealPrimePass(RealPassKind kind) {
  if (kind == RealPassKind::first_bundle) return FirstRealPrimeBundle<Scalar>;
  if (kind == RealPassKind::last_bundle) return LastRealPrimeBundle<Scalar>;
  return nullptr;
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindRealPrimePass);
template <>
PassFunction<Scalar> find_real_prime_pass<Scalar>(RealPassKind kind, unsigned radix, std::int64_t targets) {
  if (radix % 2 == 0 || radix < 3 || radix > largest_direct_radix) return nullptr;
  return TWIDDLE_HOST_DISPATCH(FindRealPrimePass, targets)(kind);
}
}  // namespace twiddle::backend::host
#endif
