// Tiles of short lines, as many as a vector has lanes, between memory and vectors that hold one scalar of every line
// each. Lines any distance apart are transposed by 128-bit blocks; where instructions permute two vectors, those without
// gaps are sorted by a network (tile_network.hpp). Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_TILES_INL_H
#undef TWIDDLE_HOST_TILES_INL_H
#else
#define TWIDDLE_HOST_TILES_INL_H
#endif
// clang-format on

#include <algorithm>
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

template <class T, class Network, std::size_t kUnit, unsigned kStage>
inline constexpr auto exchange_places = Network::template exchange<hwy::MakeUnsigned<T>>(kUnit, kStage);

// One stage of the exchange on the vectors of one unit in all sets.
template <class Network, bool kBack, std::size_t kUnit, unsigned kStage, class D, class V = hn::Vec<D>>
HWY_INLINE void Exchange(D, V* HWY_RESTRICT v) {
  constexpr std::size_t kBit = std::size_t{1} << kStage;
  V old[Network::sets];
  ForEachConstant<Network::sets>([&](auto set) TWIDDLE_HOST_INLINE { old[set] = v[set]; });
  ForEachConstant<Network::sets>([&](auto set) TWIDDLE_HOST_INLINE {
    constexpr std::size_t kSet = decltype(set)::value;
    constexpr auto& kExchange = exchange_places<hn::TFromD<D>, Network, kUnit, kStage>;
    constexpr auto& kPlaces = kBack ? kExchange.back[kSet] : kExchange.there[kSet];
    v[kSet] = V{PermuteTwo(old[kSet & ~kBit].raw, kPlaces.data(), old[(kSet | kBit) % Network::sets].raw)};
  });
}

// Rotations of the vectors of a set, by selections; back: the other way round.
template <class Network, bool kBack, class V>
HWY_INLINE void Rotate(V* HWY_RESTRICT v) {
  ForEachConstant<Network::rotations>([&](auto bit) TWIDDLE_HOST_INLINE {
    constexpr std::size_t kStep = (std::size_t{1} << bit) % Network::vectors;
    V old[Network::vectors];
    ForEachConstant<Network::vectors>([&](auto k) TWIDDLE_HOST_INLINE { old[k] = v[k]; });
    ForEachConstant<Network::vectors>([&](auto k) TWIDDLE_HOST_INLINE {
      constexpr std::size_t kFrom = (k + (kBack ? kStep : Network::vectors - kStep)) % Network::vectors;
      v[k] = V{Blend(Network::mask(bit), old[k].raw, old[kFrom].raw)};
    });
  });
}

// v[kParts * k + part] = that part of element k of every line, which follow each other.
template <std::size_t kLength, std::size_t kParts, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadSorted(D d, const hn::TFromD<D>* from, V* HWY_RESTRICT v) {
  constexpr std::size_t kLanes = lanes_of<D>;
  using Network = TileNetwork<kLanes, kLength, kParts>;
  V sorted[Network::vectors][Network::sets];
  ForEachConstant<Network::sets>([&](auto set) TWIDDLE_HOST_INLINE {
    V turned[Network::vectors];
    ForEachConstant<Network::vectors>([&](auto i) TWIDDLE_HOST_INLINE {
      turned[Network::place(i)] = hn::LoadU(d, from + (set * Network::vectors + i) * kLanes);
    });
    Rotate<Network, false>(turned);
    ForEachConstant<Network::vectors>([&](auto unit) TWIDDLE_HOST_INLINE { sorted[unit][set] = turned[unit]; });
  });
  ForEachConstant<Network::vectors>([&](auto unit) TWIDDLE_HOST_INLINE {
    ForEachConstant<std::max(Network::stages, 1U)>(
        [&](auto stage) TWIDDLE_HOST_INLINE { Exchange<Network, false, unit, stage>(d, sorted[unit]); });
    ForEachConstant<Network::sets>([&](auto set)
                                       TWIDDLE_HOST_INLINE { v[Network::sets * unit + set] = sorted[unit][set]; });
  });
}

// The way back, past the cache if `streamed`: then `to` is aligned to a vector.
template <std::size_t kLength, std::size_t kParts, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreSorted(D d, const V* HWY_RESTRICT v, bool streamed, hn::TFromD<D>* to) {
  constexpr std::size_t kLanes = lanes_of<D>;
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
    Rotate<Network, true>(turned);
    ForEachConstant<Network::vectors>([&](auto i) TWIDDLE_HOST_INLINE {
      hn::TFromD<D>* const place = to + (set * Network::vectors + i) * kLanes;
      streamed ? hn::Stream(turned[Network::place(i)], d, place) : hn::StoreU(turned[Network::place(i)], d, place);
    });
  });
}
#endif

#if HWY_TARGET != HWY_SCALAR
// The first kCount scalars of 128-bit blocks from places `step` apart.
template <std::size_t kCount, class D>
HWY_INLINE hn::Vec<D> LoadPieces(D d, const hn::TFromD<D>* from, std::size_t step) {
  const hn::Half<D> half;
  if constexpr (kCount == block_of<D>) {
    return LoadBlocks(d, from, step);
  } else if constexpr (lanes_of<D> == block_of<D>) {
    const auto low = hn::LoadU(half, from);
    return hn::Combine(d, kCount == 3 ? hn::Set(half, from[2]) : low, low);
  } else {
    const auto low = LoadPieces<kCount>(half, from, step);
    return hn::Combine(d, LoadPieces<kCount>(half, from + step * (lanes_of<D> / block_of<D> / 2), step), low);
  }
}

// Whole ones past the cache if `streamed`: then they are aligned.
template <std::size_t kCount, class D, class V = hn::Vec<D>>
HWY_INLINE void StorePieces(D d, V blocks, bool streamed, hn::TFromD<D>* to, std::size_t step) {
  const hn::Half<D> half;
  if constexpr (lanes_of<D> != block_of<D>) {
    StorePieces<kCount>(half, hn::LowerHalf(half, blocks), streamed, to, step);
    StorePieces<kCount>(half, hn::UpperHalf(half, blocks), streamed, to + step * (lanes_of<D> / block_of<D> / 2), step);
  } else if constexpr (kCount == block_of<D>) {
    streamed ? hn::Stream(blocks, d, to) : hn::StoreU(blocks, d, to);
  } else {
    hn::StoreU(hn::LowerHalf(half, blocks), half, to);
    if constexpr (kCount == 3) to[2] = hn::GetLane(hn::UpperHalf(half, blocks));
  }
}

// Calls with the number of the first scalar of each block of a line; the last one overlaps the one before it.
template <std::size_t kScalars, std::size_t kBlock, class Function>
HWY_INLINE void ForEachBlock(const Function& function) {
  ForEachConstant<(kScalars + kBlock - 1) / kBlock>([&](auto number) TWIDDLE_HOST_INLINE {
    constexpr std::size_t kLast = kScalars - std::min(kScalars, kBlock);
    function(std::integral_constant<std::size_t, std::min(number * kBlock, kLast)>());
  });
}
#endif

// v[k] = scalar k of every line, which lie `step` scalars apart. Nothing beyond the lines is read. v has room for
// kScalars, and for four.
template <std::size_t kScalars, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadLines(D d, const hn::TFromD<D>* from, [[maybe_unused]] std::size_t step, V* HWY_RESTRICT v) {
#if HWY_TARGET == HWY_SCALAR
  ForEachConstant<kScalars>([&](auto k) TWIDDLE_HOST_INLINE { v[k] = hn::LoadU(d, from + k); });
#else
  constexpr std::size_t kBlock = block_of<D>;
  ForEachBlock<kScalars, kBlock>([&](auto first) TWIDDLE_HOST_INLINE {
    V block[kBlock];
    ForEachConstant<kBlock>([&](auto i) TWIDDLE_HOST_INLINE {
      block[i] = LoadPieces<std::min(kScalars, kBlock)>(d, from + step * i + first, step * kBlock);
    });
    TransposeInBlocks(d, block);
    ForEachConstant<kBlock>([&](auto i) TWIDDLE_HOST_INLINE { v[first + i] = block[i]; });
  });
#endif
}

// Whether lines of so many scalars are whole 128-bit blocks, so that StoreLines can store past the cache.
template <std::size_t kScalars, class D>
inline constexpr bool has_whole_blocks = HWY_TARGET != HWY_SCALAR && kScalars % block_of<D> == 0;

// The way back, past the cache if `streamed`: then lines have whole blocks, and `to` and `step` are such.
template <std::size_t kScalars, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreLines(D d, const V* HWY_RESTRICT v, [[maybe_unused]] bool streamed, hn::TFromD<D>* to,
                           [[maybe_unused]] std::size_t step) {
#if HWY_TARGET == HWY_SCALAR
  ForEachConstant<kScalars>([&](auto k) TWIDDLE_HOST_INLINE { hn::StoreU(v[k], d, to + k); });
#else
  constexpr std::size_t kBlock = block_of<D>;
  ForEachBlock<kScalars, kBlock>([&](auto first) TWIDDLE_HOST_INLINE {
    V block[kBlock];
    ForEachConstant<kBlock>([&](auto i) TWIDDLE_HOST_INLINE { block[i] = v[std::min(first + i, kScalars - 1)]; });
    TransposeInBlocks(d, block);
    ForEachConstant<kBlock>([&](auto i) TWIDDLE_HOST_INLINE {
      const bool past_cache = has_whole_blocks<kScalars, D> && streamed;
      StorePieces<std::min(kScalars, kBlock)>(d, block[i], past_cache, to + step * i + first, step * kBlock);
    });
  });
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
