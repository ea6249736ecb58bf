// Short lines for every SIMD target and one precision: neighbouring lines in the lanes, elements transposed in
// registers on the way in and out.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/short_rows.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/short_rows.hpp"

#include "backend/host/dispatch.hpp"
#include "backend/host/passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// to = sum * conj(mirror) + a[k] * (element - conj(mirror))
template <class D, class Call, class V = hn::Vec<D>>
HWY_INLINE void Combine(D d, const Call& call, std::size_t k, V re, V im, V mirror_re, V mirror_im, V& to_re,
                        V& to_im) {
  const V a_re = hn::Set(d, call.a_real[k]);
  const V a_im = hn::Set(d, call.a_imaginary[k]);
  const V sum = hn::Set(d, call.sum);
  const V difference_re = hn::Sub(re, mirror_re);
  const V difference_im = hn::Add(im, mirror_im);
  to_re = hn::NegMulAdd(a_im, difference_im, hn::MulAdd(a_re, difference_re, hn::Mul(sum, mirror_re)));
  to_im = hn::MulAdd(a_im, difference_re, hn::NegMulAdd(sum, mirror_im, hn::Mul(a_re, difference_im)));
}

// A line of real data as kLength complex numbers, or half of its spectrum, which has one more, to the other.
template <unsigned kLength, ShortRowsKind kKind, class D, class Call, class V = hn::Vec<D>>
HWY_INLINE void TransformReal(D d, const Call& call, V* HWY_RESTRICT re, V* HWY_RESTRICT im, V* HWY_RESTRICT to_re,
                              V* HWY_RESTRICT to_im) {
  if constexpr (kKind == ShortRowsKind::real_forward) {
    Butterfly<kLength>::apply(d, re, im);
    re[kLength] = re[0];
    im[kLength] = im[0];
  } else {  // the ends count as real
    im[0] = hn::Zero(d);
    im[kLength] = hn::Zero(d);
  }
  for (unsigned k = 0; k < kLength + (kKind == ShortRowsKind::real_forward ? 1 : 0); ++k) {
    Combine(d, call, k, re[k], im[k], re[kLength - k], im[kLength - k], to_re[k], to_im[k]);
  }
  if constexpr (kKind == ShortRowsKind::real_back) Butterfly<kLength>::apply(d, to_im, to_re);
}

// Vectors of elements from lines of kRows, and back.
template <std::size_t kRows, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadLines(D d, const hn::TFromD<D>* HWY_RESTRICT from, V* HWY_RESTRICT v) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kRows == 2) return LoadComplex<false>(d, from, v[0], v[1]);
#endif
  LoadTransposed<kRows>(d, from, v);
}

template <std::size_t kRows, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreLines(D d, V* HWY_RESTRICT v, hn::TFromD<D>* HWY_RESTRICT to) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kRows == 2) return StoreComplex<false, false>(d, v[0], v[1], to);
#endif
  StoreTransposed<kRows>(d, v, to);
}

template <class T, unsigned kLength, ShortRowsKind kKind>
void ShortRows(const ShortRowsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kRead = kLength + (kKind == ShortRowsKind::real_back ? 1 : 0);
  constexpr std::size_t kWritten = kLength + (kKind == ShortRowsKind::real_forward ? 1 : 0);
  constexpr std::size_t kRoom = (kLength + 1 + 3) / 4 * 4 + 4;
  const char* prefetch = call.prefetch;
  for (std::size_t line = 0; line < call.lines; line += kLanes) {
    for (std::size_t i = 0; i < call.prefetch_count; ++i, prefetch += 64) hwy::Prefetch(prefetch);
    V re[kRoom];
    V im[kRoom];
    LoadLines<kRead>(d, call.input.real + kRead * line, re);
    LoadLines<kRead>(d, call.input.imaginary + kRead * line, im);
    if constexpr (kKind == ShortRowsKind::complex) {
      Butterfly<kLength>::apply(d, re, im);
      StoreLines<kWritten>(d, re, call.output.real + kWritten * line);
      StoreLines<kWritten>(d, im, call.output.imaginary + kWritten * line);
    } else {
      V to_re[kRoom];
      V to_im[kRoom];
      TransformReal<kLength, kKind>(d, call, re, im, to_re, to_im);
      StoreLines<kWritten>(d, to_re, call.output.real + kWritten * line);
      StoreLines<kWritten>(d, to_im, call.output.imaginary + kWritten * line);
    }
  }
}

template <class T, unsigned kLength, ShortRowsKind kKind, bool kSwapped>
void LoneRow(const LoneRowCall<T>& call) {
  const hn::CappedTag<T, 1> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kRead = kLength + (kKind == ShortRowsKind::real_back ? 1 : 0);
  constexpr std::size_t kWritten = kLength + (kKind == ShortRowsKind::real_forward ? 1 : 0);
  const V scale = hn::Set(d, call.scale);
  V re[kLength + 1];
  V im[kLength + 1];
  for (std::size_t j = 0; j < kRead; ++j) {
    re[j] = hn::Load(d, call.input + 2 * j + (kSwapped ? 1 : 0));
    im[j] = hn::Load(d, call.input + 2 * j + (kSwapped ? 0 : 1));
  }
  const auto store = [&](const V* to_re, const V* to_im) HWY_ATTR {
    for (std::size_t k = 0; k < kWritten; ++k) {
      hn::Store(hn::Mul(to_re[k], scale), d, call.output + 2 * k + (kSwapped ? 1 : 0));
      hn::Store(hn::Mul(to_im[k], scale), d, call.output + 2 * k + (kSwapped ? 0 : 1));
    }
  };
  if constexpr (kKind == ShortRowsKind::complex) {
    Butterfly<kLength>::apply(d, re, im);
    store(re, im);
  } else {
    V to_re[kLength + 1];
    V to_im[kLength + 1];
    TransformReal<kLength, kKind>(d, call, re, im, to_re, to_im);
    store(to_re, to_im);
  }
}

template <class T, unsigned kLength>
ShortRowsKernels<T> SelectShortRows(ShortRowsKind kind) {
  switch (kind) {
    case ShortRowsKind::complex:
      return {ShortRows<T, kLength, ShortRowsKind::complex>, LoneRow<T, kLength, ShortRowsKind::complex, false>,
              LoneRow<T, kLength, ShortRowsKind::complex, true>};
    case ShortRowsKind::real_forward:
      if constexpr (kLength < 16) {
        return {ShortRows<T, kLength, ShortRowsKind::real_forward>,
                LoneRow<T, kLength, ShortRowsKind::real_forward, false>, nullptr};
      }
      break;
    case ShortRowsKind::real_back:
      if constexpr (kLength < 16) {
        return {ShortRows<T, kLength, ShortRowsKind::real_back>, LoneRow<T, kLength, ShortRowsKind::real_back, false>,
                nullptr};
      }
      break;
  }
  return {};
}

namespace {  // one for each precision
ShortRowsKernels<Scalar> FindShortRows(ShortRowsKind kind, std::size_t length) {
  switch (length) {
    case 2:
      return SelectShortRows<Scalar, 2>(kind);
    case 3:
      return SelectShortRows<Scalar, 3>(kind);
    case 4:
      return SelectShortRows<Scalar, 4>(kind);
    case 5:
      return SelectShortRows<Scalar, 5>(kind);
    case 6:
      return SelectShortRows<Scalar, 6>(kind);
    case 7:
      return SelectShortRows<Scalar, 7>(kind);
    case 8:
      return SelectShortRows<Scalar, 8>(kind);
    case 9:
      return SelectShortRows<Scalar, 9>(kind);
    case 10:
      return SelectShortRows<Scalar, 10>(kind);
    case 11:
      return SelectShortRows<Scalar, 11>(kind);
    case 12:
      return SelectShortRows<Scalar, 12>(kind);
    case 13:
      return SelectShortRows<Scalar, 13>(kind);
    case 15:
      return SelectShortRows<Scalar, 15>(kind);
    case 16:
      return SelectShortRows<Scalar, 16>(kind);
    default:
      return {};
  }
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindShortRows);
template <>
ShortRowsKernels<Scalar> find_short_rows<Scalar>(ShortRowsKind kind, std::size_t length, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindShortRows, targets)(kind, length);
}
}  // namespace twiddle::backend::host
#endif
