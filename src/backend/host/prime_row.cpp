// The discrete Fourier transform of one line of prime length by the definition, for every SIMD target and one
// precision. Pairs of inputs share a cosine and a sine, as in passes_prime.cpp; here the lanes are results of the same
// line.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/prime_row.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/prime_row.hpp"

#include <algorithm>

#include "backend/host/dispatch.hpp"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Sums and differences of the inputs j and length - j, and the results' mirror images.
template <class T>
struct PrimeParts {
  static constexpr std::size_t kHalf = largest_direct_radix / 2 + 64 / sizeof(float);  // in whole vectors
  alignas(64) T sum_re[kHalf];
  alignas(64) T sum_im[kHalf];
  alignas(64) T difference_re[kHalf];
  alignas(64) T difference_im[kHalf];
  alignas(64) T mirror_re[kHalf];
  alignas(64) T mirror_im[kHalf];
};

// Results k + 1... of kCount vectors. Sums are made in short parts, so that rounding errors stay small.
template <std::size_t kCount, bool kSwapped, class T>
HWY_INLINE void PrimeVectors(const PrimeRowCall<T>& call, PrimeParts<T>& parts, T first_re, T first_im, std::size_t k) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kPart = 8;
  const std::size_t half = call.length / 2;
  V total[kCount][4];
  for (std::size_t i = 0; i < kCount; ++i) {
    total[i][0] = hn::Set(d, first_re);
    total[i][1] = hn::Set(d, first_im);
    total[i][2] = hn::Zero(d);
    total[i][3] = hn::Zero(d);
  }
  for (std::size_t begin = 0; begin < half; begin += kPart) {
    V part[kCount][4];
    for (std::size_t i = 0; i < kCount; ++i) {
      for (V& value : part[i]) value = hn::Zero(d);
    }
    for (std::size_t j = begin; j < std::min(begin + kPart, half); ++j) {
      const V sum_re = hn::Set(d, parts.sum_re[j]);
      const V sum_im = hn::Set(d, parts.sum_im[j]);
      const V difference_re = hn::Set(d, parts.difference_re[j]);
      const V difference_im = hn::Set(d, parts.difference_im[j]);
      for (std::size_t i = 0; i < kCount; ++i) {
        const V cosine = hn::LoadU(d, call.real_roots + j * call.pitch + k + i * kLanes);
        const V sine = hn::LoadU(d, call.imaginary_roots + j * call.pitch + k + i * kLanes);
        part[i][0] = hn::MulAdd(sum_re, cosine, part[i][0]);
        part[i][1] = hn::MulAdd(sum_im, cosine, part[i][1]);
        part[i][2] = hn::MulAdd(difference_re, sine, part[i][2]);
        part[i][3] = hn::MulAdd(difference_im, sine, part[i][3]);
      }
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      for (std::size_t p = 0; p < 4; ++p) total[i][p] = hn::Add(total[i][p], part[i][p]);
    }
  }
  // The roots are cos and -sin: x_j w^(jk) + x_(length-j) w^(-jk) = sum cos + i difference (-sin).
  const V scale = hn::Set(d, call.scale);
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::size_t at = k + i * kLanes;
    hn::StoreU(hn::Mul(scale, hn::Add(total[i][0], total[i][3])), d, parts.mirror_re + at);
    hn::StoreU(hn::Mul(scale, hn::Sub(total[i][1], total[i][2])), d, parts.mirror_im + at);
    StoreComplex<kSwapped, false>(d, hn::Mul(scale, hn::Sub(total[i][0], total[i][3])),
                                  hn::Mul(scale, hn::Add(total[i][1], total[i][2])), call.output + 2 * (at + 1));
  }
}

template <class T, bool kSwapped>
void PrimeRow(const PrimeRowCall<T>& call) {
  constexpr std::size_t kLanes = lanes_of<hn::ScalableTag<T>>;
  constexpr std::size_t kReal = kSwapped ? 1 : 0;
  constexpr std::size_t kImaginary = 1 - kReal;
  const std::size_t half = call.length / 2;
  PrimeParts<T> parts;
  const T first_re = call.input[kReal];
  const T first_im = call.input[kImaginary];
  T total_re = 0;
  T total_im = 0;
  for (std::size_t j = 0; j < half; ++j) {
    const T* const low = call.input + 2 * (j + 1);
    const T* const high = call.input + 2 * (call.length - j - 1);
    parts.sum_re[j] = low[kReal] + high[kReal];
    parts.sum_im[j] = low[kImaginary] + high[kImaginary];
    parts.difference_re[j] = low[kReal] - high[kReal];
    parts.difference_im[j] = low[kImaginary] - high[kImaginary];
    total_re += parts.sum_re[j];
    total_im += parts.sum_im[j];
  }
  std::size_t k = 0;
  for (; k + 2 * kLanes <= call.pitch; k += 2 * kLanes) PrimeVectors<2, kSwapped>(call, parts, first_re, first_im, k);
  for (; k < call.pitch; k += kLanes) PrimeVectors<1, kSwapped>(call, parts, first_re, first_im, k);
  // Vectors of results may have gone beyond the middle, where the mirror images belong.
  for (k = 0; k < half; ++k) {
    call.output[2 * (call.length - k - 1) + kReal] = parts.mirror_re[k];
    call.output[2 * (call.length - k - 1) + kImaginary] = parts.mirror_im[k];
  }
  call.output[kReal] = (first_re + total_re) * call.scale;
  call.output[kImaginary] = (first_im + total_im) * call.scale;
}

// cosines[k] = first + sum_j sum[j] cos(2 pi (j + 1) (k + 1) / length), sines[k] = -sum_j difference[j] sin(...) for
// kCount vectors of k, times the scale.
template <std::size_t kCount, class T>
HWY_INLINE void RealPrimeVectors(const PrimeRowCall<T>& call, PrimeParts<T>& parts, T first, std::size_t k) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kPart = 8;
  const std::size_t half = call.length / 2;
  V total[kCount][2];
  for (std::size_t i = 0; i < kCount; ++i) {
    total[i][0] = hn::Set(d, first);
    total[i][1] = hn::Zero(d);
  }
  for (std::size_t begin = 0; begin < half; begin += kPart) {
    V part[kCount][2];
    for (std::size_t i = 0; i < kCount; ++i) part[i][0] = part[i][1] = hn::Zero(d);
    for (std::size_t j = begin; j < std::min(begin + kPart, half); ++j) {
      const V sum = hn::Set(d, parts.sum_re[j]);
      const V difference = hn::Set(d, parts.difference_re[j]);
      for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t at = j * call.pitch + k + i * kLanes;
        part[i][0] = hn::MulAdd(sum, hn::LoadU(d, call.real_roots + at), part[i][0]);
        part[i][1] = hn::MulAdd(difference, hn::LoadU(d, call.imaginary_roots + at), part[i][1]);
      }
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      for (std::size_t p = 0; p < 2; ++p) total[i][p] = hn::Add(total[i][p], part[i][p]);
    }
  }
  const V scale = hn::Set(d, call.scale);
  for (std::size_t i = 0; i < kCount; ++i) {
    hn::StoreU(hn::Mul(scale, total[i][0]), d, parts.mirror_re + k + i * kLanes);
    hn::StoreU(hn::Mul(scale, total[i][1]), d, parts.mirror_im + k + i * kLanes);
  }
}

// Reals to their spectrum, or back: half of the sums of a complex line.
template <class T, bool kBack>
void RealPrimeRow(const PrimeRowCall<T>& call) {
  constexpr std::size_t kLanes = lanes_of<hn::ScalableTag<T>>;
  const std::size_t half = call.length / 2;
  PrimeParts<T> parts;
  const T first = call.input[0];
  T total = 0;
  for (std::size_t j = 0; j < half; ++j) {
    if constexpr (kBack) {
      parts.sum_re[j] = 2 * call.input[2 * (j + 1)];
      parts.difference_re[j] = 2 * call.input[2 * (j + 1) + 1];
    } else {
      parts.sum_re[j] = call.input[j + 1] + call.input[call.length - j - 1];
      parts.difference_re[j] = call.input[j + 1] - call.input[call.length - j - 1];
    }
    total += parts.sum_re[j];
  }
  std::size_t k = 0;
  for (; k + 2 * kLanes <= call.pitch; k += 2 * kLanes) RealPrimeVectors<2>(call, parts, first, k);
  for (; k < call.pitch; k += kLanes) RealPrimeVectors<1>(call, parts, first, k);
  call.output[0] = (first + total) * call.scale;
  if constexpr (!kBack) call.output[1] = 0;
  for (k = 0; k < half; ++k) {
    if constexpr (kBack) {
      call.output[k + 1] = parts.mirror_re[k] + parts.mirror_im[k];
      call.output[call.length - k - 1] = parts.mirror_re[k] - parts.mirror_im[k];
    } else {
      call.output[2 * (k + 1)] = parts.mirror_re[k];
      call.output[2 * (k + 1) + 1] = parts.mirror_im[k];
    }
  }
}

namespace {  // one for each precision
PrimeRowFunction<Scalar> FindPrimeRow(ShortRowsKind kind, bool swapped) {
  if (kind == ShortRowsKind::reals) return RealPrimeRow<Scalar, false>;
  if (kind == ShortRowsKind::reals_back) return RealPrimeRow<Scalar, true>;
  if (kind != ShortRowsKind::complex) return nullptr;
  return swapped ? PrimeRow<Scalar, true> : PrimeRow<Scalar, false>;
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPrimeRow);
template <>
PrimeRowFunction<Scalar> find_prime_row<Scalar>(ShortRowsKind kind, bool swapped, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPrimeRow, targets)(kind, swapped);
}
}  // namespace twiddle::backend::host
#endif
