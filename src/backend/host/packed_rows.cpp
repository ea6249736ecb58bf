// Rows of short complex lines on packed numbers, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/packed_rows.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/packed_rows.hpp"

#include <algorithm>
#include <type_traits>

#include "backend/host/dispatch.hpp"
#include "backend/host/packed_passes.hpp"
#include "backend/host/packed_transforms-inl.h"
#include "backend/host/tiles-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// Of four numbers for floats and two for doubles: wider ones would need more exchanges for each number.
inline constexpr std::size_t row_vector_bytes = 32;

// Half kFirst of a, then half kSecond of b.
template <std::size_t kFirst, std::size_t kSecond, class D, class V = hn::Vec<D>>
HWY_INLINE V Halves(D d, V a, V b) {
  if constexpr (kFirst == 0) {
    return kSecond == 0 ? hn::ConcatLowerLower(d, b, a) : hn::ConcatUpperLower(d, b, a);
  } else {
    return kSecond == 0 ? hn::ConcatLowerUpper(d, b, a) : hn::ConcatUpperUpper(d, b, a);
  }
}

// Number kFirst of a and number kSecond of b, of the two in each 128-bit block of floats.
template <std::size_t kFirst, std::size_t kSecond, class D, class V = hn::Vec<D>>
HWY_INLINE V PairNumbers(D d, V a, V b) {
  const hn::RepartitionToWide<D> wide;
  const auto first = hn::BitCast(wide, a);
  const auto second = hn::BitCast(wide, b);
  if constexpr (kFirst == 0) {
    return hn::BitCast(d, kSecond == 0 ? hn::InterleaveLower(wide, first, second) : hn::OddEven(second, first));
  } else {
    return hn::BitCast(d, kSecond == 0 ? hn::CombineShiftRightBytes<8>(wide, second, first)
                                       : hn::InterleaveUpper(wide, first, second));
  }
}

// Whether loads and stores put the halves of two lines of doubles together rather than shuffles, of which Intel's
// processors do one at a time; but for very short lines, and stores, which are twice as many then, where registers hold
// most of a long one.
template <class D, std::size_t kLength>
inline constexpr bool gathers_halves = sizeof(hn::TFromD<D>) == 8 && lanes_of<D> == 4 && kLength > 4;
template <class D, std::size_t kLength>
inline constexpr bool scatters_halves = gathers_halves<D, kLength> && (HWY_TARGET != HWY_AVX3 || kLength < 20);

// v[k] = numbers k of as many adjacent lines as a vector holds: of one as they are, of two by halves of what stands in
// memory, of four by such halves first, then within them.
template <std::size_t kLength, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadNumbers(D d, const hn::TFromD<D>* from, V* HWY_RESTRICT v) {
  constexpr std::size_t kNumbers = lanes_of<D> / 2;
  static_assert(kNumbers <= 4);
  if constexpr (gathers_halves<D, kLength>) {
    const hn::Half<D> half;
    ForEachConstant<kLength>([&](auto k) TWIDDLE_HOST_INLINE {
      v[k] = hn::Combine(d, hn::LoadU(half, from + 2 * (kLength + k)), hn::LoadU(half, from + 2 * k));
    });
    return;
  }
  V raw[kLength];
  ForEachConstant<kLength>([&](auto i) TWIDDLE_HOST_INLINE { raw[i] = hn::LoadU(d, from + i * lanes_of<D>); });
  ForEachConstant<kLength>([&](auto number) TWIDDLE_HOST_INLINE {
    constexpr std::size_t k = decltype(number)::value;
    if constexpr (kNumbers == 1) {
      v[k] = raw[k];
    } else if constexpr (kNumbers == 2) {
      v[k] = Halves<k % 2, (kLength + k) % 2>(d, raw[k / 2], raw[(kLength + k) / 2]);
    } else {
      constexpr std::size_t at[] = {k, kLength + k, 2 * kLength + k, 3 * kLength + k};
      const V even = Halves<at[0] / 2 % 2, at[2] / 2 % 2>(d, raw[at[0] / 4], raw[at[2] / 4]);
      const V odd = Halves<at[1] / 2 % 2, at[3] / 2 % 2>(d, raw[at[1] / 4], raw[at[3] / 4]);
      v[k] = PairNumbers<at[0] % 2, at[1] % 2>(d, even, odd);
    }
  });
}

// The way back, past the cache if kStreamed: then `to` is aligned to a vector.
template <std::size_t kLength, bool kStreamed, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreNumbers(D d, const V* HWY_RESTRICT v, hn::TFromD<D>* to) {
  constexpr std::size_t kNumbers = lanes_of<D> / 2;
  if constexpr (scatters_halves<D, kLength> && !kStreamed) {
    const hn::Half<D> half;
    ForEachConstant<kLength>([&](auto k) TWIDDLE_HOST_INLINE {
      hn::StoreU(hn::LowerHalf(half, v[k]), half, to + 2 * k);
      hn::StoreU(hn::UpperHalf(half, v[k]), half, to + 2 * (kLength + k));
    });
    return;
  }
  const auto store = [&](V vector, std::size_t i) TWIDDLE_HOST_INLINE {
    kStreamed ? hn::Stream(vector, d, to + i) : hn::StoreU(vector, d, to + i);
  };
  // Numbers 2 pair and 2 pair + 1 of what is stored: a half of this vector, the second one for lines 2 and 3.
  const auto pair_in = [&](auto pair) TWIDDLE_HOST_INLINE {
    constexpr std::size_t line = 2 * decltype(pair)::value / kLength;
    constexpr std::size_t k = 2 * decltype(pair)::value % kLength;
    if constexpr (k + 1 == kLength) {
      return PairNumbers<line % 2, (line + 1) % 2>(d, v[k], v[0]);
    } else {
      return PairNumbers<line % 2, line % 2>(d, v[k], v[k + 1]);
    }
  };
  ForEachConstant<kLength>([&](auto place) TWIDDLE_HOST_INLINE {
    constexpr std::size_t i = decltype(place)::value;
    if constexpr (kNumbers == 1) {
      store(v[i], i * lanes_of<D>);
    } else if constexpr (kNumbers == 2) {
      store(Halves<2 * i / kLength, (2 * i + 1) / kLength>(d, v[2 * i % kLength], v[(2 * i + 1) % kLength]),
            i * lanes_of<D>);
    } else {
      const V first = pair_in(std::integral_constant<std::size_t, 2 * i>());
      const V second = pair_in(std::integral_constant<std::size_t, 2 * i + 1>());
      store(Halves<4 * i / kLength / 2, (4 * i + 2) / kLength / 2>(d, first, second), i * lanes_of<D>);
    }
  });
}

// Tiles of as many lines as a vector holds numbers; all of one is read before anything of it is written.
template <unsigned kLength, bool kScaled, bool kStreamed, class D, class T = hn::TFromD<D>>
HWY_INLINE void PackedTiles(D d, const ShortTilesCall<T>& call) {
  using V = hn::Vec<D>;
  const V alternate = hn::OddEven(hn::Set(d, call.inverse ? T{1} : T{-1}), hn::Set(d, call.inverse ? T{-1} : T{1}));
  [[maybe_unused]] const V scale = hn::Set(d, call.scale);
  constexpr std::size_t kBytes = kLength * lanes_of<D> * sizeof(T);  // of a tile, which may end within a cache line
  // Of much at once a core waits for more than it has buffers for: rows of 28 and 30 doubles take 0.89 of the time by
  // halves on an EPYC of Zen 4, of 30 and 32 floats 0.95; shorter ones 0.97 to 1.05.
  constexpr std::size_t kFetchedFirst = kBytes > Ahead::fetched_at_once ? kBytes / 2 : kBytes;
  const char* fetched = call.prefetch;
  const char* fetch_to = call.prefetch;
  const T* from = call.input;
  T* to = call.output;
  for (std::size_t tile = 0; tile < call.tiles; ++tile, from += kLength * lanes_of<D>, to += kLength * lanes_of<D>) {
    const auto fetch = [&](std::size_t bytes) TWIDDLE_HOST_INLINE {
      if (call.prefetch == nullptr) return;
      for (fetch_to += bytes; fetched < fetch_to; fetched += 64) hwy::Prefetch(fetched);
    };
    fetch(kFetchedFirst);
    V v[kLength];
    LoadNumbers<kLength>(d, from, v);
    V results[kLength];
    PackedTransform<kLength>::apply(
        d, alternate, [&](unsigned n) HWY_ATTR { return v[n]; },
        [&](unsigned n, V value) HWY_ATTR {
          if constexpr (kScaled) value = hn::Mul(value, scale);
          results[n] = value;
        });
    fetch(kBytes - kFetchedFirst);
    StoreNumbers<kLength, kStreamed>(d, results, to);
  }
}

template <class T>
inline constexpr std::size_t row_lanes = std::min(row_vector_bytes / sizeof(T), lanes_of<hn::ScalableTag<T>>);

template <class T, unsigned kLength>
void PackedRows(const ShortTilesCall<T>& call) {
  const hn::CappedTag<T, row_lanes<T>> d;
  if (call.streamed) return PackedTiles<kLength, true, true>(d, call);
  call.scale != 1 ? PackedTiles<kLength, true, false>(d, call) : PackedTiles<kLength, false, false>(d, call);
}
#endif

namespace {  // one for each precision
#if HWY_TARGET != HWY_SCALAR
template <unsigned... kLengths>
PackedRowsKernel<Scalar> FindLength(std::size_t length) {
  PackedRowsKernel<Scalar> found;
  static_cast<void>(
      ((length == kLengths && (found = {PackedRows<Scalar, kLengths>, row_lanes<Scalar> / 2}, true)) || ...));
  return found;
}
PackedRowsKernel<Scalar> FindPackedRows(std::size_t length) {
  return FindLength<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 22, 24, 25, 26, 27, 28, 30, 32>(
      length);
}
#else
PackedRowsKernel<Scalar> FindPackedRows(std::size_t) { return {}; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPackedRows);
template <>
PackedRowsKernel<Scalar> find_packed_rows<Scalar>(std::size_t length, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPackedRows, targets)(length);
}
}  // namespace twiddle::backend::host
#endif
