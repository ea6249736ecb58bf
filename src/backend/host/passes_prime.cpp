// Planar passes of primes above 16, for every SIMD target and one precision: by a butterfly up to 31, beyond that, for
// any odd radix, by the definition of the DFT. There pairs of inputs that share a cosine and a sine are added and
// subtracted first, which halves the products twice (the even-odd separation of real and imaginary parts, as in Van
// Loan 1992, section 1.1).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/passes_prime.cpp"
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

// One column of vectors: inputs first, then their sums and differences, and the results.
template <class D, class T = hn::TFromD<D>>
struct PrimeColumn {
  static constexpr std::size_t kLanes = lanes_of<D>;
  static constexpr std::size_t kRadix = largest_direct_radix;
  alignas(64) T re[kRadix * kLanes];
  alignas(64) T im[kRadix * kLanes];
  alignas(64) T sum_re[kRadix / 2 * kLanes];
  alignas(64) T sum_im[kRadix / 2 * kLanes];
  alignas(64) T difference_re[kRadix / 2 * kLanes];
  alignas(64) T difference_im[kRadix / 2 * kLanes];
};

// Results k..k+kCount-1 and their mirror images. Sums are made in short parts, so that rounding errors stay small.
template <std::size_t kCount, class D, class T>
HWY_INLINE void PrimeResults(D d, PrimeColumn<D>& column, std::size_t radix, const T* HWY_RESTRICT roots,
                             std::size_t k) {
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = lanes_of<D>;
  constexpr std::size_t kPart = 8;
  const std::size_t half = radix / 2;
  V even_re[kCount], even_im[kCount], odd_re[kCount], odd_im[kCount];
  for (std::size_t i = 0; i < kCount; ++i) {
    even_re[i] = hn::Load(d, column.re);
    even_im[i] = hn::Load(d, column.im);
    odd_re[i] = hn::Zero(d);
    odd_im[i] = hn::Zero(d);
  }
  const T* HWY_RESTRICT rows[kCount];
  for (std::size_t i = 0; i < kCount; ++i) rows[i] = roots + 2 * half * (k - 1 + i);
  for (std::size_t begin = 0; begin < half; begin += kPart) {
    V part[kCount][4];
    for (std::size_t i = 0; i < kCount; ++i) {
      for (V& value : part[i]) value = hn::Zero(d);
    }
    const std::size_t end = std::min(begin + kPart, half);
    for (std::size_t j = begin; j < end; ++j) {
      const V sum_re = hn::Load(d, column.sum_re + j * kLanes);
      const V sum_im = hn::Load(d, column.sum_im + j * kLanes);
      const V difference_re = hn::Load(d, column.difference_re + j * kLanes);
      const V difference_im = hn::Load(d, column.difference_im + j * kLanes);
      for (std::size_t i = 0; i < kCount; ++i) {
        const V cosine = hn::Set(d, rows[i][2 * j]);
        const V sine = hn::Set(d, rows[i][2 * j + 1]);
        part[i][0] = hn::MulAdd(sum_re, cosine, part[i][0]);
        part[i][1] = hn::MulAdd(sum_im, cosine, part[i][1]);
        part[i][2] = hn::MulAdd(difference_re, sine, part[i][2]);
        part[i][3] = hn::MulAdd(difference_im, sine, part[i][3]);
      }
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      even_re[i] = hn::Add(even_re[i], part[i][0]);
      even_im[i] = hn::Add(even_im[i], part[i][1]);
      odd_re[i] = hn::Add(odd_re[i], part[i][2]);
      odd_im[i] = hn::Add(odd_im[i], part[i][3]);
    }
  }
  // The roots are cos and -sin: x_j w^(jk) + x_(radix-j) w^(-jk) = sum cos + i difference (-sin).
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t mirror = radix - k - i;
    hn::Store(hn::Sub(even_re[i], odd_im[i]), d, column.re + (k + i) * kLanes);
    hn::Store(hn::Add(even_im[i], odd_re[i]), d, column.im + (k + i) * kLanes);
    hn::Store(hn::Add(even_re[i], odd_im[i]), d, column.re + mirror * kLanes);
    hn::Store(hn::Sub(even_im[i], odd_re[i]), d, column.im + mirror * kLanes);
  }
}

template <class T, bool kTwiddled>
void PrimeMiddle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using D = decltype(d);
  using V = hn::Vec<D>;
  constexpr std::size_t kLanes = lanes_of<D>;
  constexpr std::size_t kBlock = kLanes * sizeof(T) >= 64 ? 3 : 1;  // results at once, as registers allow
  const std::size_t run = call.run;
  const std::size_t step = run * call.columns;
  const std::size_t radix = call.radix;
  const std::size_t half = radix / 2;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  PrimeColumn<std::remove_const_t<D>> column;
  for (std::size_t p = 0; p < call.columns; ++p) {
    for (std::size_t begin = 0; begin < run; begin += kLanes) {
      const std::size_t q = begin + kLanes <= run || run < kLanes ? begin : run - kLanes;
      prefetch = PrefetchAhead(call, prefetch);
      const T* from = call.input + q + run * p;
      const T* from_imaginary = call.input_imaginary + q + run * p;
      const V first_re = hn::LoadU(d, from);
      const V first_im = hn::LoadU(d, from_imaginary);
      V total_re = hn::Zero(d);
      V total_im = hn::Zero(d);
      for (std::size_t j = 1; j <= half; ++j) {
        const V low_re = hn::LoadU(d, from + step * j);
        const V low_im = hn::LoadU(d, from_imaginary + step * j);
        const V high_re = hn::LoadU(d, from + step * (radix - j));
        const V high_im = hn::LoadU(d, from_imaginary + step * (radix - j));
        const V sum_re = hn::Add(low_re, high_re);
        const V sum_im = hn::Add(low_im, high_im);
        hn::Store(sum_re, d, column.sum_re + (j - 1) * kLanes);
        hn::Store(sum_im, d, column.sum_im + (j - 1) * kLanes);
        hn::Store(hn::Sub(low_re, high_re), d, column.difference_re + (j - 1) * kLanes);
        hn::Store(hn::Sub(low_im, high_im), d, column.difference_im + (j - 1) * kLanes);
        total_re = hn::Add(total_re, sum_re);
        total_im = hn::Add(total_im, sum_im);
      }
      hn::Store(first_re, d, column.re);
      hn::Store(first_im, d, column.im);
      std::size_t k = 1;
      for (; k + kBlock <= half + 1; k += kBlock) PrimeResults<kBlock>(d, column, radix, call.roots, k);
      for (; k <= half; ++k) PrimeResults<1>(d, column, radix, call.roots, k);
      hn::Store(hn::Add(first_re, total_re), d, column.re);
      hn::Store(hn::Add(first_im, total_im), d, column.im);
      T* to = call.output + q + run * radix * p;
      T* to_imaginary = call.output_imaginary + q + run * radix * p;
      for (k = 0; k < radix; ++k) {  // in ascending order, as runs shorter than a vector need
        V re = hn::Load(d, column.re + k * kLanes);
        V im = hn::Load(d, column.im + k * kLanes);
        if constexpr (kTwiddled) {
          if (k > 0) MultiplyComplex(re, im, hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
        }
        hn::StoreU(re, d, to + run * k);
        hn::StoreU(im, d, to_imaginary + run * k);
      }
    }
    if constexpr (kTwiddled) twiddles += 2 * (radix - 1);
  }
}

// Of more elements than there are registers: each is loaded when it is first needed, each result stored at once.
template <unsigned kRadix>
struct LargeButterfly;
#define TWIDDLE_HOST_LARGE_BUTTERFLY(radix)                     \
  template <>                                                   \
  struct LargeButterfly<radix> {                                \
    template <class D, class Load, class Store>                 \
    static HWY_INLINE void apply(D d, Load load, Store store) { \
      twiddle::HWY_NAMESPACE::Butterfly##radix(d, load, store); \
    }                                                           \
  };
TWIDDLE_HOST_LARGE_BUTTERFLY(17)
TWIDDLE_HOST_LARGE_BUTTERFLY(19)
TWIDDLE_HOST_LARGE_BUTTERFLY(23)
TWIDDLE_HOST_LARGE_BUTTERFLY(29)
TWIDDLE_HOST_LARGE_BUTTERFLY(31)
#undef TWIDDLE_HOST_LARGE_BUTTERFLY

template <class T, unsigned kRadix, bool kTwiddled>
void LargeMiddle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t run = call.run;
  if (run < kLanes) return PrimeMiddle<T, kTwiddled>(call);  // whose results come in order
  const std::size_t step = run * call.columns;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  for (std::size_t p = 0; p < call.columns; ++p) {
    for (std::size_t begin = 0; begin < run; begin += kLanes) {
      const std::size_t q = begin + kLanes <= run ? begin : run - kLanes;
      prefetch = PrefetchAhead(call, prefetch);
      const T* HWY_RESTRICT from = call.input + q + run * p;
      const T* HWY_RESTRICT from_imaginary = call.input_imaginary + q + run * p;
      T* HWY_RESTRICT to = call.output + q + run * kRadix * p;
      T* HWY_RESTRICT to_imaginary = call.output_imaginary + q + run * kRadix * p;
      const auto load = [&](unsigned n, V& re, V& im) HWY_ATTR {
        re = hn::LoadU(d, from + step * n);
        im = hn::LoadU(d, from_imaginary + step * n);
      };
      const auto store = [&](unsigned k, V re, V im) HWY_ATTR {
        if constexpr (kTwiddled) {
          if (k > 0) MultiplyComplex(re, im, hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
        }
        hn::StoreU(re, d, to + run * k);
        hn::StoreU(im, d, to_imaginary + run * k);
      };
      LargeButterfly<kRadix>::apply(d, load, store);
    }
    if constexpr (kTwiddled) twiddles += 2 * (kRadix - 1);
  }
}

namespace {  // one for each precision
template <unsigned kRadix>
PassFunction<Scalar> FindLarge(PassKind kind) {
  if (kind == PassKind::middle) return LargeMiddle<Scalar, kRadix, true>;
  if (kind == PassKind::last_planar) return LargeMiddle<Scalar, kRadix, false>;
  return nullptr;
}
PassFunction<Scalar> FindPass_prime(PassKind kind, unsigned radix) {
  switch (radix) {
    case 17:
      return FindLarge<17>(kind);
    case 19:
      return FindLarge<19>(kind);
    case 23:
      return FindLarge<23>(kind);
    case 29:
      return FindLarge<29>(kind);
    case 31:
      return FindLarge<31>(kind);
    default:
      break;
  }
  if (kind == PassKind::middle) return PrimeMiddle<Scalar, true>;
  if (kind == PassKind::last_planar) return PrimeMiddle<Scalar, false>;
  return nullptr;
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPass_prime);
template <>
PassFunction<Scalar> find_pass_prime<Scalar>(PassKind kind, unsigned radix, std::int64_t targets) {
  if (radix % 2 == 0 || radix < 3 || radix > largest_direct_radix) return nullptr;
  return TWIDDLE_HOST_DISPATCH(FindPass_prime, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
