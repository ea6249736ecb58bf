// Short lines of reals, to and from their spectra, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/short_real_rows.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/dispatch.hpp"
#include "backend/host/passes-inl.h"
#include "backend/host/short_reals-inl.h"
#include "backend/host/short_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3
// Reals with room behind them for their spectrum: what is in the gap is carried along. Longer lines are sooner
// transposed by blocks.
template <class Line>
struct PaddedLine : Line {
  static constexpr std::size_t kRead =
      std::max(Line::kRead * Line::kReadParts, Line::kWritten* Line::kWrittenParts) / 2;
  static constexpr std::size_t kWritten = kRead;
  static constexpr std::size_t kReadParts = 2;
  static constexpr std::size_t kWrittenParts = 2;
};

template <class Line>
constexpr std::size_t made_by<PaddedLine<Line>> = made_by<Line>;
#endif

// to = sum * conj(mirror) + a[k] * (element - conj(mirror))
template <class D, class Call, class V = hn::Vec<D>>
HWY_INLINE void Combine(D d, const Call& call, std::size_t k, const V* element, const V* mirror, V* to) {
  const V a_re = hn::Set(d, call.a_real[k]);
  const V a_im = hn::Set(d, call.a_imaginary[k]);
  const V sum = hn::Set(d, call.sum);
  const V difference_re = hn::Sub(element[0], mirror[0]);
  const V difference_im = hn::Add(element[1], mirror[1]);
  to[0] = hn::NegMulAdd(a_im, difference_im, hn::MulAdd(a_re, difference_re, hn::Mul(sum, mirror[0])));
  to[1] = hn::MulAdd(a_im, difference_re, hn::NegMulAdd(sum, mirror[1], hn::Mul(a_re, difference_im)));
}

// Reals as kPoints complex numbers, whose spectrum has one more.
template <unsigned kPoints>
struct PackedLine {
  static constexpr std::size_t kRead = kPoints;
  static constexpr std::size_t kWritten = kPoints + 1;
  static constexpr std::size_t kReadParts = 2;
  static constexpr std::size_t kWrittenParts = 2;

  template <class D, class Call, class V = hn::Vec<D>>
  static HWY_INLINE void transform(D d, const Call& call, V* HWY_RESTRICT v) {
    V re[kPoints];
    V im[kPoints];
    for (unsigned k = 0; k < kPoints; ++k) {
      re[k] = v[2 * k];
      im[k] = v[2 * k + 1];
    }
    Butterfly<kPoints>::apply(d, re, im);
    for (unsigned k = 0; k <= kPoints; ++k) {
      const unsigned mirror = (kPoints - k) % kPoints;
      const V element_parts[2] = {re[k % kPoints], im[k % kPoints]};
      const V mirror_parts[2] = {re[mirror], im[mirror]};
      Combine(d, call, k, element_parts, mirror_parts, v + 2 * k);
    }
  }
};

template <unsigned kPoints>
struct PackedLineBack {
  static constexpr std::size_t kRead = kPoints + 1;
  static constexpr std::size_t kWritten = kPoints;
  static constexpr std::size_t kReadParts = 2;
  static constexpr std::size_t kWrittenParts = 2;

  template <class D, class Call, class V = hn::Vec<D>>
  static HWY_INLINE void transform(D d, const Call& call, V* HWY_RESTRICT v) {
    V re[kPoints];
    V im[kPoints];
    v[1] = hn::Zero(d);  // the ends count as real
    v[2 * kPoints + 1] = hn::Zero(d);
    for (unsigned k = 0; k < kPoints; ++k) {
      V to[2];
      Combine(d, call, k, v + 2 * k, v + 2 * (kPoints - k), to);
      re[k] = to[0];
      im[k] = to[1];
    }
    Butterfly<kPoints>::apply(d, im, re);
    for (unsigned k = 0; k < kPoints; ++k) {
      v[2 * k] = re[k];
      v[2 * k + 1] = im[k];
    }
  }
};

namespace {  // one for each precision
template <template <unsigned> class Line, unsigned... kLengths>
ShortRowsKernels<Scalar> FindLength(std::size_t length) {
  ShortRowsKernels<Scalar> found;
  static_cast<void>(((length == kLengths && (found = SelectShortRows<Scalar, Line<kLengths>>(), true)) || ...));
  return found;
}

template <template <unsigned> class Line>
ShortRowsKernels<Scalar> FindReals(std::size_t length) {
  ShortRowsKernels<Scalar> found = FindLength<Line, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(length);
#if HWY_TARGET == HWY_AVX3
  if (length == 2) found.padded_tiles = ShortRows<Scalar, PaddedLine<Line<2>>, true>;
  if (length == 3) found.padded_tiles = ShortRows<Scalar, PaddedLine<Line<3>>, true>;
  if (length == 4) found.padded_tiles = ShortRows<Scalar, PaddedLine<Line<4>>, true>;
#endif
  // Alone, as odd ones cannot be taken two at a time; tiles would need more registers than there are.
  if (length == 25) found.lone = LoneRow<Scalar, Line<25>, false>;
  if (length == 27) found.lone = LoneRow<Scalar, Line<27>, false>;
  return found;
}

template <template <unsigned> class Line>
ShortRowsKernels<Scalar> FindPacked(std::size_t points) {
  return FindLength<Line, 9, 10, 11, 12, 13, 15, 16>(points);
}

ShortRowsKernels<Scalar> FindShortRealRows(ShortRowsKind kind, std::size_t length) {
  switch (kind) {
    case ShortRowsKind::reals:
      return FindReals<ShortReals>(length);
    case ShortRowsKind::reals_back:
      return FindReals<ShortRealsBack>(length);
    case ShortRowsKind::packed:
      return FindPacked<PackedLine>(length);
    case ShortRowsKind::packed_back:
      return FindPacked<PackedLineBack>(length);
    case ShortRowsKind::complex:
      break;
  }
  return {};
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindShortRealRows);
template <>
ShortRowsKernels<Scalar> find_short_real_rows<Scalar>(ShortRowsKind kind, std::size_t length, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindShortRealRows, targets)(kind, length);
}
}  // namespace twiddle::backend::host
#endif
