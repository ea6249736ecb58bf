// A few short columns of reals side by side, to and from their spectra, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/short_real_columns.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include <algorithm>

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
#endif

namespace {  // one for each precision
#if HWY_TARGET != HWY_SCALAR
template <template <unsigned> class Line, unsigned... kLengths>
PackedColumnsFunction<Scalar> FindLength(std::size_t length) {
  PackedColumnsFunction<Scalar> found = nullptr;
  static_cast<void>(((length == kLengths && (found = RealColumns<Scalar, Line<kLengths>>, true)) || ...));
  return found;
}
PackedColumnsFunction<Scalar> FindRealColumns(bool back, std::size_t length) {
  return back ? FindLength<ShortRealsBack, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(length)
              : FindLength<ShortReals, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(length);
}
#else
PackedColumnsFunction<Scalar> FindRealColumns(bool, std::size_t) { return nullptr; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindRealColumns);
template <>
PackedColumnsFunction<Scalar> find_short_real_columns<Scalar>(bool back, std::size_t length, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindRealColumns, targets)(back, length);
}
}  // namespace twiddle::backend::host
#endif
