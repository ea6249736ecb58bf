// Short columns on packed numbers, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/packed_columns.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/packed_columns.hpp"

#include <algorithm>

#include "backend/host/dispatch.hpp"
#include "backend/host/packed_transforms-inl.h"
#include "backend/host/some_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// `scalars` of each element, at most a vector of them; all are read before any is written.
template <unsigned kLength, class D, class T = hn::TFromD<D>>
HWY_INLINE void PackedColumnsBy(D d, const PackedColumnsCall<T>& call, std::size_t scalars, const T* from, T* to) {
  using V = hn::Vec<D>;
  const V alternate = hn::OddEven(hn::Set(d, call.inverse ? T{1} : T{-1}), hn::Set(d, call.inverse ? T{-1} : T{1}));
  const V scale = hn::Set(d, call.scale);
  V elements[kLength];
  for (unsigned n = 0; n < kLength; ++n) {
    elements[n] = LoadSome(d, from + static_cast<std::ptrdiff_t>(n) * call.from_step, scalars);
  }
  V results[kLength];
  PackedTransform<kLength>::apply(
      d, alternate, [&](unsigned n) HWY_ATTR { return elements[n]; },
      [&](unsigned n, V value) HWY_ATTR { results[n] = hn::Mul(value, scale); });
  for (unsigned n = 0; n < kLength; ++n) {
    StoreSome(d, results[n], scalars, to + static_cast<std::ptrdiff_t>(n) * call.to_step);
  }
}

// By half of a vector where that holds them.
template <unsigned kLength, class D, class T = hn::TFromD<D>>
HWY_INLINE void PackedColumnsByFitting(D d, const PackedColumnsCall<T>& call, std::size_t scalars, const T* from,
                                       T* to) {
  if constexpr (lanes_of<D> * sizeof(T) > 16) {
    if (2 * scalars <= lanes_of<D>) return PackedColumnsBy<kLength>(hn::Half<D>(), call, scalars, from, to);
  }
  PackedColumnsBy<kLength>(d, call, scalars, from, to);
}

template <class T, unsigned kLength>
void PackedColumns(const PackedColumnsCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const T* from = call.from;
  T* to = call.to;
  for (std::size_t array = 0; array < call.arrays; ++array, from += call.from_apart, to += call.to_apart) {
    for (std::size_t at = 0; at < 2 * call.columns; at += kLanes) {
      PackedColumnsByFitting<kLength>(d, call, std::min(kLanes, 2 * call.columns - at), from + at, to + at);
    }
  }
}
#endif

namespace {  // one for each precision
#if HWY_TARGET != HWY_SCALAR
template <unsigned... kLengths>
PackedColumnsFunction<Scalar> FindColumns(std::size_t length) {
  PackedColumnsFunction<Scalar> found = nullptr;
  static_cast<void>(((length == kLengths && (found = PackedColumns<Scalar, kLengths>, true)) || ...));
  return found;
}
PackedColumnsFunction<Scalar> FindPackedColumns(std::size_t length) {
#if HWY_TARGET == HWY_AVX3  // with 16 registers longer ones take 1.0 to 1.7 times as long as planes
  if (length > 16) return FindColumns<18, 20, 21, 22, 24, 25, 26, 27, 28, 30, 32>(length);
#endif
  return FindColumns<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(length);
}
#else
PackedColumnsFunction<Scalar> FindPackedColumns(std::size_t) { return nullptr; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPackedColumns);
template <>
PackedColumnsFunction<Scalar> find_packed_columns<Scalar>(std::size_t length, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPackedColumns, targets)(length);
}
}  // namespace twiddle::backend::host
#endif
