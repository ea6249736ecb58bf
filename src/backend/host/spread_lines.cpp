// Short lines whose numbers lie apart, for every SIMD target and one precision: complex ones one number a vector, reals
// in one lane.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/spread_lines.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/spread_lines.hpp"

#include <algorithm>

#include "backend/host/dispatch.hpp"
#include "backend/host/packed_transforms-inl.h"
#include "backend/host/short_reals-inl.h"
#include "backend/host/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
template <class T, unsigned kLength, bool kPairs>
void SpreadComplex(const SpreadLineCall<T>& call, const T* from, T* to) {
  const hn::CappedTag<T, 2> d;
  const hn::Half<decltype(d)> part;
  using V = hn::Vec<decltype(d)>;
  const V alternate = hn::OddEven(hn::Set(d, call.inverse ? T{1} : T{-1}), hn::Set(d, call.inverse ? T{-1} : T{1}));
  const V scale = hn::Set(d, call.scale);
  V results[kLength];
  PackedTransform<kLength>::apply(
      d, alternate,
      [&](unsigned n) HWY_ATTR {
        const T* const number = from + static_cast<std::ptrdiff_t>(n) * call.from.step;
        if constexpr (kPairs) return hn::LoadU(d, number);
        return hn::Combine(d, hn::LoadU(part, number + call.from.imaginary), hn::LoadU(part, number));
      },
      [&](unsigned n, V value) HWY_ATTR { results[n] = hn::Mul(value, scale); });
  ForEachConstant<kLength>([&](auto n) TWIDDLE_HOST_INLINE {
    T* const number = to + static_cast<std::ptrdiff_t>(n) * call.to.step;
    if constexpr (kPairs) return hn::StoreU(results[n], d, number);
    hn::StoreU(hn::LowerHalf(part, results[n]), part, number);
    hn::StoreU(hn::UpperHalf(part, results[n]), part, number + call.to.imaginary);
  });
}

// Where scalar i of a line is, of numbers that have so many parts.
template <std::size_t kParts>
constexpr std::ptrdiff_t PlaceOf(const SpreadSide& side, std::size_t i) {
  return static_cast<std::ptrdiff_t>(i / kParts) * side.step + (i % kParts == 1 ? side.imaginary : 0);
}

template <class T, class Line>
void SpreadReals(const SpreadLineCall<T>& call, const T* from, T* to) {
  const hn::CappedTag<T, 1> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kRead = Line::kRead * Line::kReadParts;
  constexpr std::size_t kWritten = Line::kWritten * Line::kWrittenParts;
  const V scale = hn::Set(d, call.scale);
  V v[std::max(kRead, kWritten)];
  ForEachConstant<kRead>(
      [&](auto i) TWIDDLE_HOST_INLINE { v[i] = hn::LoadU(d, from + PlaceOf<Line::kReadParts>(call.from, i)); });
  Line::transform(d, call, v);
  ForEachConstant<kWritten>([&](auto i) TWIDDLE_HOST_INLINE {
    hn::StoreU(hn::Mul(v[i], scale), d, to + PlaceOf<Line::kWrittenParts>(call.to, i));
  });
}
#endif

namespace {  // one for each precision
#if HWY_TARGET != HWY_SCALAR
template <bool kPairs, unsigned... kLengths>
SpreadLineFunction<Scalar> FindComplex(std::size_t length) {
  SpreadLineFunction<Scalar> found = nullptr;
  static_cast<void>(((length == kLengths && (found = SpreadComplex<Scalar, kLengths, kPairs>, true)) || ...));
  return found;
}

template <template <unsigned> class Line, unsigned... kLengths>
SpreadLineFunction<Scalar> FindReals(std::size_t length) {
  SpreadLineFunction<Scalar> found = nullptr;
  static_cast<void>(((length == kLengths && (found = SpreadReals<Scalar, Line<kLengths>>, true)) || ...));
  return found;
}

SpreadLineFunction<Scalar> FindSpreadLine(SpreadLineKind kind, std::size_t length) {
  switch (kind) {
    case SpreadLineKind::complex:
      return FindComplex<false, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20>(length);
    case SpreadLineKind::pairs:
      return FindComplex<true, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20>(length);
    case SpreadLineKind::reals:
      return FindReals<ShortReals, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(length);
    case SpreadLineKind::reals_back:
      return FindReals<ShortRealsBack, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(length);
  }
  return nullptr;
}
#else
SpreadLineFunction<Scalar> FindSpreadLine(SpreadLineKind, std::size_t) { return nullptr; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindSpreadLine);
template <>
SpreadLineFunction<Scalar> find_spread_line<Scalar>(SpreadLineKind kind, std::size_t length, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindSpreadLine, targets)(kind, length);
}
}  // namespace twiddle::backend::host
#endif
