// Short columns side by side, of complex numbers in planes, and a few of reals to and from their spectra, for every
// SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/short_columns.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include <algorithm>

#include "backend/host/butterflies-inl.h"
#include "backend/host/dispatch.hpp"
#include "backend/host/packed_columns.hpp"
#include "backend/host/short_reals-inl.h"
#include "backend/host/some_lanes-inl.h"
#include "backend/host/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// At most as many columns as a vector has lanes: those of an array are read before any is written.
template <class T, class Line>
void RealColumns(const PackedColumnsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  const T* from = call.from;
  T* to = call.to;
  for (std::size_t array = 0; array < call.arrays; ++array, from += call.from_apart, to += call.to_apart) {
    V v[2 * std::max(Line::kRead, Line::kWritten)];
    ForEachConstant<Line::kRead>([&](auto k) TWIDDLE_HOST_INLINE {
      const T* const element = from + static_cast<std::ptrdiff_t>(k) * call.from_step;
      if constexpr (Line::kReadParts == 1) {
        v[k] = LoadSome(d, element, call.columns);
      } else {
        LoadSomeComplex(d, element, call.columns, v[2 * k], v[2 * k + 1]);
      }
    });
    Line::transform(d, call, v);
    ForEachConstant<Line::kWritten>([&](auto k) TWIDDLE_HOST_INLINE {
      T* const element = to + static_cast<std::ptrdiff_t>(k) * call.to_step;
      if constexpr (Line::kWrittenParts == 1) {
        StoreSome(d, hn::Mul(v[k], scale), call.columns, element);
      } else {
        StoreSomeComplex(d, hn::Mul(v[2 * k], scale), hn::Mul(v[2 * k + 1], scale), call.columns, element);
      }
    });
  }
}

template <class T, unsigned kLength>
void PlanarColumns(const PackedColumnsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  // The inverse is the forward transform with the parts swapped.
  const T* from = call.from + (call.inverse ? call.from_imaginary : 0);
  T* to = call.to + (call.inverse ? call.to_imaginary : 0);
  const std::ptrdiff_t from_other = call.inverse ? -call.from_imaginary : call.from_imaginary;
  const std::ptrdiff_t to_other = call.inverse ? -call.to_imaginary : call.to_imaginary;
  for (std::size_t array = 0; array < call.arrays; ++array, from += call.from_apart, to += call.to_apart) {
    for (std::size_t at = 0; at < call.columns; at += lanes_of<decltype(d)>) {
      V re[kLength], im[kLength];
      ForEachConstant<kLength>([&](auto k) TWIDDLE_HOST_INLINE {
        const T* const element = from + static_cast<std::ptrdiff_t>(k) * call.from_step + at;
        re[k] = LoadSome(d, element, call.columns - at);
        im[k] = LoadSome(d, element + from_other, call.columns - at);
      });
      Butterfly<kLength>::apply(d, re, im);
      ForEachConstant<kLength>([&](auto k) TWIDDLE_HOST_INLINE {
        T* const element = to + static_cast<std::ptrdiff_t>(k) * call.to_step + at;
        StoreSome(d, hn::Mul(re[k], scale), call.columns - at, element);
        StoreSome(d, hn::Mul(im[k], scale), call.columns - at, element + to_other);
      });
    }
  }
}
#endif

namespace {  // one for each precision
#if HWY_TARGET != HWY_SCALAR
constexpr unsigned longest_reals = 16;

template <unsigned kLength>
PackedColumnsFunction<Scalar> FindKind(ShortColumnsKind kind) {
  if (kind == ShortColumnsKind::planar) return PlanarColumns<Scalar, kLength>;
  if constexpr (kLength <= longest_reals) {
    return kind == ShortColumnsKind::reals ? RealColumns<Scalar, ShortReals<kLength>>
                                           : RealColumns<Scalar, ShortRealsBack<kLength>>;
  }
  return nullptr;
}

template <unsigned... kLengths>
PackedColumnsFunction<Scalar> FindAmong(ShortColumnsKind kind, std::size_t length) {
  PackedColumnsFunction<Scalar> found = nullptr;
  static_cast<void>(((length == kLengths && (found = FindKind<kLengths>(kind), true)) || ...));
  return found;
}

PackedColumnsFunction<Scalar> FindShortColumns(ShortColumnsKind kind, std::size_t length) {
  return FindAmong<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 24, 25, 30, 32>(kind, length);
}
#else
PackedColumnsFunction<Scalar> FindShortColumns(ShortColumnsKind, std::size_t) { return nullptr; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindShortColumns);
template <>
PackedColumnsFunction<Scalar> find_short_columns<Scalar>(ShortColumnsKind kind, std::size_t length,
                                                         std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindShortColumns, targets)(kind, length);
}
}  // namespace twiddle::backend::host
#endif
