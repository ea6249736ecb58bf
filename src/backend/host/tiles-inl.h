// Tiles of short lines between memory and vectors that hold one scalar of every line each (tile_network.hpp). Included
// once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_TILES_INL_H
#undef TWIDDLE_HOST_TILES_INL_H
#else
#define TWIDDLE_HOST_TILES_INL_H
#endif
// clang-format on

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "backend/host/tile_network.hpp"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Calls with the numbers below kCount as constants: loops that the compiler might leave as such.
template <std::size_t... kNumbers, class Function>
HWY_INLINE void ForEachConstant(std::index_sequence<kNumbers...>, const Function& function) {
  (function(std::integral_constant<std::size_t, kNumbers>()), ...);
}
template <std::size_t kCount, class Function>
HWY_INLINE void ForEachConstant(const Function& function) {
  ForEachConstant(std::make_index_sequence<kCount>(), function);
}

// Whether lines are sorted by the network. Where no instruction permutes two vectors, those of whole 128-bit blocks are
// sorted faster by way of memory.
template <std::size_t kLength>
inline constexpr bool sorts_in_registers = HWY_TARGET == HWY_AVX3 ||
                                           (HWY_TARGET != HWY_SCALAR && kLength > 2 && kLength % 4 != 0);

#if HWY_TARGET == HWY_AVX3
HWY_INLINE __m512 Blend(std::uint32_t mask, __m512 no, __m512 yes) {
  return _mm512_mask_blend_ps(static_cast<__mmask16>(mask), no, yes);
}
HWY_INLINE __m512d Blend(std::uint32_t mask, __m512d no, __m512d yes) {
  return _mm512_mask_blend_pd(static_cast<__mmask8>(mask), no, yes);
}
HWY_INLINE __m512 PermuteTwo(__m512 a, const std::uint32_t* index, __m512 b) {
  return _mm512_permutex2var_ps(a, _mm512_load_si512(index), b);
}
HWY_INLINE __m512d PermuteTwo(__m512d a, const std::uint64_t* index, __m512d b) {
  return _mm512_permutex2var_pd(a, _mm512_load_si512(index), b);
}
#endif

#if HWY_TARGET != HWY_SCALAR
template <class Index, std::size_t kLanes>
struct LaneNumbers {
  alignas(64) std::array<Index, kLanes> numbers{};
};

// All bits of the lanes that a mask selects.
template <class Index, std::size_t kLanes, std::uint32_t kMask>
inline constexpr LaneNumbers<Index, kLanes> selected_lanes = [] {
  LaneNumbers<Index, kLanes> lanes;
  for (std::size_t i = 0; i < kLanes; ++i) lanes.numbers[i] = (kMask >> i & 1) != 0 ? ~Index{0} : Index{0};
  return lanes;
}();

template <std::uint32_t kMask, class D, class V = hn::Vec<D>>
HWY_INLINE V Select(D d, V no, V yes) {
#if HWY_TARGET == HWY_AVX3
  static_cast<void>(d);
  return V{Blend(kMask, no.raw, yes.raw)};
#else
  const hn::RebindToUnsigned<D> du;
  const auto lanes = hn::Load(du, selected_lanes<hn::TFromD<decltype(du)>, lanes_of<D>, kMask>.numbers.data());
  return hn::IfThenElse(hn::MaskFromVec(hn::BitCast(d, lanes)), yes, no);
#endif
}

template <class T, class Network, std::size_t kUnit, unsigned kStage>
inline constexpr auto exchange_places = Network::template exchange<hwy::MakeUnsigned<T>>(kUnit, kStage);

// One stage of the exchange on the vectors of one unit in all sets.
template <class Network, bool kBack, std::size_t kUnit, unsigned kStage, class D, class V = hn::Vec<D>>
HWY_INLINE void Exchange(D d, V* HWY_RESTRICT v) {
  constexpr std::size_t kBit = std::size_t{1} << kStage;
  V old[Network::sets];
  ForEachConstant<Network::sets>([&](auto set) TWIDDLE_HOST_INLINE { old[set] = v[set]; });
  ForEachConstant<Network::sets>([&](auto set) TWIDDLE_HOST_INLINE {
    constexpr std::size_t kSet = decltype(set)::value;
    constexpr auto& kExchange = exchange_places<hn::TFromD<D>, Network, kUnit, kStage>;
    constexpr auto& kPlaces = kBack ? kExchange.back[kSet] : kExchange.there[kSet];
    const V a = old[kSet & ~kBit];
    const V b = old[(kSet | kBit) % Network::sets];
#if HWY_TARGET == HWY_AVX3
    static_cast<void>(d);
    v[kSet] = V{PermuteTwo(a.raw, kPlaces.data(), b.raw)};
#else
    using Index = typename std::decay_t<decltype(kPlaces)>::value_type;
    static constexpr LaneNumbers<Index, Network::lanes> kLanes = [] {
      LaneNumbers<Index, Network::lanes> lanes;
      for (std::size_t i = 0; i < Network::lanes; ++i) lanes.numbers[i] = kPlaces[i] % Network::lanes;
      return lanes;
    }();
    constexpr std::uint32_t kSecond = [] {
      std::uint32_t mask = 0;
      for (std::size_t i = 0; i < Network::lanes; ++i) mask |= std::uint32_t{kPlaces[i] >= Network::lanes} << i;
      return mask;
    }();
    const auto index = hn::SetTableIndices(d, kLanes.numbers.data());
    v[kSet] = hn::TableLookupLanes(a, index);
    if constexpr (kSecond != 0) v[kSet] = Select<kSecond>(d, v[kSet], hn::TableLookupLanes(b, index));
#endif
  });
}
#endif

// Scalars that memory next to a tile in an array must have beyond it, where there is no network.
inline constexpr std::size_t tile_room = 64;

#if HWY_TARGET != HWY_SCALAR
// Vectors of scalars from lines of kRows, and back.
template <std::size_t kRows, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadLines(D d, const hn::TFromD<D>* HWY_RESTRICT from, V* HWY_RESTRICT v) {
  if constexpr (kRows == 2) {
    LoadComplex<false>(d, from, v[0], v[1]);
  } else {
    LoadTransposed<kRows>(d, from, v);
  }
}

template <std::size_t kRows, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreLines(D d, V* HWY_RESTRICT v, hn::TFromD<D>* HWY_RESTRICT to) {
  if constexpr (kRows == 2) {
    StoreComplex<false, false>(d, v[0], v[1], to);
  } else {
    StoreTransposed<kRows>(d, v, to);
  }
}
#endif

#if HWY_TARGET != HWY_SCALAR
// Rotations of the vectors of a set, by selections; back: the other way round.
template <class Network, bool kBack, class D, class V = hn::Vec<D>>
HWY_INLINE void Rotate(D d, V* HWY_RESTRICT v) {
  ForEachConstant<Network::rotations>([&](auto bit) TWIDDLE_HOST_INLINE {
    constexpr std::size_t kStep = (std::size_t{1} << bit) % Network::vectors;
    V old[Network::vectors];
    ForEachConstant<Network::vectors>([&](auto k) TWIDDLE_HOST_INLINE { old[k] = v[k]; });
    ForEachConstant<Network::vectors>([&](auto k) TWIDDLE_HOST_INLINE {
      constexpr std::size_t kFrom = (k + (kBack ? kStep : Network::vectors - kStep)) % Network::vectors;
      v[k] = Select<Network::mask(bit)>(d, old[k], old[kFrom]);
    });
  });
}

#endif

// v[kParts * k + part] = that part of element k of every line. v has room for kLength * kParts rounded up to a multiple
// of 4 vectors, and 4 more.
template <std::size_t kLength, std::size_t kParts, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadTile(D d, const hn::TFromD<D>* HWY_RESTRICT from, V* HWY_RESTRICT v) {
  constexpr std::size_t kLanes = lanes_of<D>;
  [[maybe_unused]] constexpr std::size_t kScalars = kLength * kLanes;
  if constexpr (HWY_TARGET == HWY_SCALAR) {
    ForEachConstant<kLength * kParts>([&](auto i) TWIDDLE_HOST_INLINE { v[i] = hn::LoadU(d, from + i); });
#if HWY_TARGET != HWY_SCALAR
  } else if constexpr (sorts_in_registers<kLength>) {
    using Network = TileNetwork<kLanes, kLength, kParts>;
    V sorted[Network::vectors][Network::sets];
    ForEachConstant<Network::sets>([&](auto set) TWIDDLE_HOST_INLINE {
      V turned[Network::vectors];
      ForEachConstant<Network::vectors>([&](auto i) TWIDDLE_HOST_INLINE {
        turned[Network::place(i)] = hn::LoadU(d, from + (set * Network::vectors + i) * kLanes);
      });
      Rotate<Network, false>(d, turned);
      ForEachConstant<Network::vectors>([&](auto unit) TWIDDLE_HOST_INLINE { sorted[unit][set] = turned[unit]; });
    });
    ForEachConstant<Network::vectors>([&](auto unit) TWIDDLE_HOST_INLINE {
      ForEachConstant<std::max(Network::stages, 1U)>(
          [&](auto stage) TWIDDLE_HOST_INLINE { Exchange<Network, false, unit, stage>(d, sorted[unit]); });
      ForEachConstant<Network::sets>([&](auto set)
                                         TWIDDLE_HOST_INLINE { v[Network::sets * unit + set] = sorted[unit][set]; });
    });
  } else if constexpr (kParts == 1) {  // through memory, so that nothing beyond the tile is read
    alignas(64) hn::TFromD<D> lines[kScalars + tile_room];
    for (std::size_t i = 0; i < kScalars; i += kLanes) hn::Store(hn::LoadU(d, from + i), d, lines + i);
    LoadLines<kLength>(d, lines, v);
  } else {
    alignas(64) hn::TFromD<D> planes[2][kScalars + tile_room];
    for (std::size_t i = 0; i < kScalars; i += kLanes) {
      V re, im;
      LoadComplex<false>(d, from + 2 * i, re, im);
      hn::Store(re, d, planes[0] + i);
      hn::Store(im, d, planes[1] + i);
    }
    for (std::size_t part = 0; part < 2; ++part) {
      V parts[(kLength + 3) / 4 * 4];
      LoadLines<kLength>(d, planes[part], parts);
      for (std::size_t k = 0; k < kLength; ++k) v[2 * k + part] = parts[k];
    }
#endif
  }
}

// The way back, past the cache if `streamed`: then `to` is aligned to a vector.
template <std::size_t kLength, std::size_t kParts, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreTile(D d, const V* HWY_RESTRICT v, bool streamed, hn::TFromD<D>* HWY_RESTRICT to) {
  constexpr std::size_t kLanes = lanes_of<D>;
  [[maybe_unused]] constexpr std::size_t kScalars = kLength * kLanes;
  const auto store = [&](V vector, std::size_t i) TWIDDLE_HOST_INLINE {
    streamed ? hn::Stream(vector, d, to + i) : hn::StoreU(vector, d, to + i);
  };
  if constexpr (HWY_TARGET == HWY_SCALAR) {
    ForEachConstant<kLength * kParts>([&](auto i) TWIDDLE_HOST_INLINE { store(v[i], i); });
#if HWY_TARGET != HWY_SCALAR
  } else if constexpr (sorts_in_registers<kLength>) {
    using Network = TileNetwork<kLanes, kLength, kParts>;
    constexpr std::size_t kStages = std::max(Network::stages, 1U);
    V sorted[Network::vectors][Network::sets];
    ForEachConstant<Network::vectors>([&](auto unit) TWIDDLE_HOST_INLINE {
      ForEachConstant<Network::sets>([&](auto set)
                                         TWIDDLE_HOST_INLINE { sorted[unit][set] = v[Network::sets * unit + set]; });
      ForEachConstant<kStages>(
          [&](auto stage) TWIDDLE_HOST_INLINE { Exchange<Network, true, unit, kStages - 1 - stage>(d, sorted[unit]); });
    });
    ForEachConstant<Network::sets>([&](auto set) TWIDDLE_HOST_INLINE {
      V turned[Network::vectors];
      ForEachConstant<Network::vectors>([&](auto unit) TWIDDLE_HOST_INLINE { turned[unit] = sorted[unit][set]; });
      Rotate<Network, true>(d, turned);
      ForEachConstant<Network::vectors>(
          [&](auto i) TWIDDLE_HOST_INLINE { store(turned[Network::place(i)], (set * Network::vectors + i) * kLanes); });
    });
  } else {
    alignas(64) hn::TFromD<D> planes[kParts][kScalars + tile_room];
    for (std::size_t part = 0; part < kParts; ++part) {
      V parts[(kLength + 3) / 4 * 4 + 4];
      for (std::size_t k = 0; k < kLength; ++k) parts[k] = v[kParts * k + part];
      StoreLines<kLength>(d, parts, planes[part]);
    }
    for (std::size_t i = 0; i < kScalars; i += kLanes) {
      if constexpr (kParts == 1) {
        store(hn::Load(d, planes[0] + i), i);
      } else {
        V re = hn::Load(d, planes[0] + i);
        V im = hn::Load(d, planes[1] + i);
        Interleave(d, re, im);
        store(re, 2 * i);
        store(im, 2 * i + kLanes);
      }
    }
#endif
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
