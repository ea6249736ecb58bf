// Moves between interleaved and planar complex vectors, and transposes in registers. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_VECTORS_INL_H
#undef TWIDDLE_HOST_VECTORS_INL_H
#else
#define TWIDDLE_HOST_VECTORS_INL_H
#endif
// clang-format on

#include <cstddef>
#include <utility>

#include "backend/host/lanes-inl.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_SCALAR
// What Highway's plain vectors lack for long double.
HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {
HWY_INLINE Vec1<long double> operator+(Vec1<long double> a, Vec1<long double> b) {
  return Vec1<long double>(a.raw + b.raw);
}
HWY_INLINE Vec1<long double> operator-(Vec1<long double> a, Vec1<long double> b) {
  return Vec1<long double>(a.raw - b.raw);
}
HWY_INLINE Vec1<long double> operator*(Vec1<long double> a, Vec1<long double> b) {
  return Vec1<long double>(a.raw * b.raw);
}
}  // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// re, im = one vector of complex elements from interleaved memory; swapped: im, re.
template <bool kSwapped, LaneOrder kOrder = LaneOrder::natural, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadComplex(D d, const hn::TFromD<D>* HWY_RESTRICT from, V& re, V& im) {
#if HWY_TARGET == HWY_SCALAR
  re = hn::LoadU(d, from);
  im = hn::LoadU(d, from + 1);
#else
  const V low = hn::LoadU(d, from);
  const V high = hn::LoadU(d, from + lanes_of<D>);
#if HWY_TARGET == HWY_AVX2
  if constexpr (kOrder == LaneOrder::in_blocks && block_of<D> == 2) {
    re = hn::InterleaveLower(d, low, high);
    im = hn::InterleaveUpper(d, low, high);
  } else if constexpr (kOrder == LaneOrder::in_blocks) {
    re = V{_mm256_shuffle_ps(low.raw, high.raw, _MM_SHUFFLE(2, 0, 2, 0))};
    im = V{_mm256_shuffle_ps(low.raw, high.raw, _MM_SHUFFLE(3, 1, 3, 1))};
  } else
#endif
  {
    re = hn::ConcatEven(d, high, low);
    im = hn::ConcatOdd(d, high, low);
  }
#endif
  if constexpr (kSwapped) std::swap(re, im);
}

// Two vectors that hold re and im interleaved.
template <LaneOrder kOrder = LaneOrder::natural, class D, class V = hn::Vec<D>>
HWY_INLINE void Interleave(D d, V& re, V& im) {
#if HWY_TARGET == HWY_AVX3
  // One two-source permutation each, where the portable way needs two shuffles.
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    const __m512i low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const __m512i high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    const V first{_mm512_permutex2var_pd(re.raw, low, im.raw)};
    im = V{_mm512_permutex2var_pd(re.raw, high, im.raw)};
    re = first;
    return;
  } else {
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    const V first{_mm512_permutex2var_ps(re.raw, low, im.raw)};
    im = V{_mm512_permutex2var_ps(re.raw, high, im.raw)};
    re = first;
    return;
  }
#endif
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(d);
  static_cast<void>(re);
  static_cast<void>(im);
#else
  const V lower = hn::InterleaveLower(d, re, im);
  const V upper = hn::InterleaveUpper(d, re, im);
  if constexpr (kOrder == LaneOrder::natural && lanes_of<D> * sizeof(hn::TFromD<D>) > 16) {
    re = hn::ConcatLowerLower(d, upper, lower);
    im = hn::ConcatUpperUpper(d, upper, lower);
  } else {
    re = lower;
    im = upper;
  }
#endif
}

// Streaming bypasses the cache and needs `to` aligned to a vector.
template <bool kSwapped, bool kStreamed, LaneOrder kOrder = LaneOrder::natural, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreComplex(D d, V re, V im, hn::TFromD<D>* HWY_RESTRICT to) {
  if constexpr (kSwapped) std::swap(re, im);
  Interleave<kOrder>(d, re, im);
  if constexpr (kStreamed) {
    hn::Stream(re, d, to);
    hn::Stream(im, d, to + lanes_of<D>);
  } else {
    hn::StoreU(re, d, to);
    hn::StoreU(im, d, to + lanes_of<D>);
  }
}

#if HWY_TARGET != HWY_SCALAR
// Transposes the square matrix in each 128-bit block of v[0], v[1], ...: 4 x 4 floats or 2 x 2 doubles.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void TransposeInBlocks(D d, V* HWY_RESTRICT v) {
  if constexpr (block_of<D> == 2) {
    const V low = hn::InterleaveLower(d, v[0], v[1]);
    v[1] = hn::InterleaveUpper(d, v[0], v[1]);
    v[0] = low;
  } else {
    const hn::RepartitionToWide<D> wide;
    const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(d, v[0], v[1]));
    const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(d, v[0], v[1]));
    const auto ce_low = hn::BitCast(wide, hn::InterleaveLower(d, v[2], v[3]));
    const auto ce_high = hn::BitCast(wide, hn::InterleaveUpper(d, v[2], v[3]));
    v[0] = hn::BitCast(d, hn::InterleaveLower(wide, ab_low, ce_low));
    v[1] = hn::BitCast(d, hn::InterleaveUpper(wide, ab_low, ce_low));
    v[2] = hn::BitCast(d, hn::InterleaveLower(wide, ab_high, ce_high));
    v[3] = hn::BitCast(d, hn::InterleaveUpper(wide, ab_high, ce_high));
  }
}
#endif

#if HWY_TARGET == HWY_AVX3
template <int kBlocks>
HWY_INLINE __m512 ShuffleBlocks(__m512 a, __m512 b) {
  return _mm512_shuffle_f32x4(a, b, kBlocks);
}
template <int kBlocks>
HWY_INLINE __m512d ShuffleBlocks(__m512d a, __m512d b) {
  return _mm512_shuffle_f64x2(a, b, kBlocks);
}

// Transposes a, b, c, e as a 4 x 4 matrix of 128-bit blocks.
template <class V>
HWY_INLINE void TransposeBlocks(V& a, V& b, V& c, V& e) {
  const auto ab_low = ShuffleBlocks<0x44>(a.raw, b.raw);
  const auto ab_high = ShuffleBlocks<0xEE>(a.raw, b.raw);
  const auto ce_low = ShuffleBlocks<0x44>(c.raw, e.raw);
  const auto ce_high = ShuffleBlocks<0xEE>(c.raw, e.raw);
  a = V{ShuffleBlocks<0x88>(ab_low, ce_low)};
  b = V{ShuffleBlocks<0xDD>(ab_low, ce_low)};
  c = V{ShuffleBlocks<0x88>(ab_high, ce_high)};
  e = V{ShuffleBlocks<0xDD>(ab_high, ce_high)};
}
#endif

// Transposes the square matrix of as many vectors as a vector has lanes.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void TransposeSquare(D d, V* HWY_RESTRICT v) {
#if HWY_TARGET == HWY_SCALAR
  static_cast<void>(d);
  static_cast<void>(v);
#else
  constexpr std::size_t kBlock = block_of<D>;
  constexpr std::size_t kGroups = lanes_of<D> / kBlock;
  for (std::size_t g = 0; g < kGroups; ++g) TransposeInBlocks(d, v + kBlock * g);
    // v[kBlock g + i] now holds, in block b, elements kBlock g... of row kBlock b + i.
#if HWY_TARGET == HWY_AVX3
  for (std::size_t i = 0; i < kBlock; ++i) {
    TransposeBlocks(v[i], v[kBlock + i], v[2 * kBlock + i], v[3 * kBlock + i]);
  }
#else
  if constexpr (kGroups == 2) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const V low = hn::ConcatLowerLower(d, v[kBlock + i], v[i]);
      v[kBlock + i] = hn::ConcatUpperUpper(d, v[kBlock + i], v[i]);
      v[i] = low;
    }
  }
#endif
#endif
}

// Between as many complex rows as a vector has lanes, of as many elements, and lanes: of rows, v holds first halves as
// in memory and then second ones; of lanes, real and imaginary parts of each element in turn. The same there and back.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void TransposeComplex(D d, V* HWY_RESTRICT v) {
  TransposeSquare(d, v);
  TransposeSquare(d, v + lanes_of<D>);
}

// A vector's lanes of complex elements, as first and second halves.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void LoadHalves(D d, const hn::TFromD<D>* HWY_RESTRICT from, V& first, V& second) {
  first = hn::LoadU(d, from);
  second = hn::LoadU(d, from + lanes_of<D>);
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE void StoreHalves(D d, V first, V second, hn::TFromD<D>* HWY_RESTRICT to) {
  hn::StoreU(first, d, to);
  hn::StoreU(second, d, to + lanes_of<D>);
}

// Lanes as rows of complex numbers, `step` scalars apart: square tiles through registers, of which the last of a row
// overlaps the one before it. load(lane, element, re, im) gives an element of a vector of lanes; `count` is at least a
// vector's lanes.
template <bool kSwapped, bool kStreamed, LaneOrder kOrder = LaneOrder::natural, class D, class Load>
HWY_INLINE void StoreRows(D d, std::size_t active, std::size_t count, hn::TFromD<D>* to, std::ptrdiff_t step,
                          const Load& load) {
  constexpr std::size_t kLanes = lanes_of<D>;
  for (std::size_t lane = 0; lane < active; lane += kLanes) {
    for (std::size_t begin = 0; begin < count; begin += kLanes) {
      const std::size_t element = begin + kLanes <= count ? begin : count - kLanes;
      hn::Vec<D> v[2 * kLanes];
      for (std::size_t i = 0; i < kLanes; ++i) load(lane, element + i, v[2 * i + kSwapped], v[2 * i + !kSwapped]);
      TransposeComplex(d, v);
      for (std::size_t row = 0; row < kLanes && lane + row < active; ++row) {
        hn::TFromD<D>* const place = to + static_cast<std::ptrdiff_t>(lane + row) * step + 2 * element;
        const std::size_t held = lane_of_element<kOrder, D>(row);
        if constexpr (kStreamed) {
          hn::Stream(v[held], d, place);
          hn::Stream(v[kLanes + held], d, place + kLanes);
        } else {
          StoreHalves(d, v[held], v[kLanes + held], place);
        }
      }
    }
  }
}

// Vectors that StoreTransposed needs for so many rows: it transposes up to sixteen at a time.
template <std::size_t kRows>
inline constexpr std::size_t transpose_room = kRows > 16 ? (kRows + 15) / 16 * 16 : (kRows + 3) / 4 * 4 + 4;

// to[kRows * p + k] = element p of v[k]: a tile written transposed. Writes up to a vector beyond the tile's end, in
// ascending order, so that the next tile overwrites the excess. v has transpose_room. Whole vectors may be kApart of
// them from each other.
template <std::size_t kRows, LaneOrder kOrder = LaneOrder::natural, std::size_t kApart = 1, class D, class V = hn::Vec<D>>
HWY_INLINE void StoreTransposed(D d, V* HWY_RESTRICT v, hn::TFromD<D>* HWY_RESTRICT to) {
  constexpr std::size_t kLanes = lanes_of<D>;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < kRows; ++k) hn::StoreU(v[k], d, to + k);
  static_cast<void>(kLanes);
#else
  constexpr std::size_t kBlock = block_of<D>;
  constexpr std::size_t kGroups = (kRows + kBlock - 1) / kBlock;
  if constexpr (kRows == 1) {
    hn::StoreU(v[0], d, to);
    return;
  }
  for (std::size_t k = kRows; k < kBlock * kGroups; ++k) v[k] = v[0];
  for (std::size_t g = 0; g < kGroups; ++g) TransposeInBlocks(d, v + kBlock * g);
#if HWY_TARGET == HWY_AVX3
  const hn::Half<D> half;
  const hn::Half<decltype(half)> quarter;
  if constexpr (kBlock == 2) {  // doubles: eight rows at a time
    constexpr std::size_t kSets = (kGroups + 3) / 4;
    for (std::size_t k = kBlock * kGroups; k < 8 * kSets; ++k) v[k] = v[0];
    for (std::size_t set = 0; set < 8 * kSets; set += 8) {
      for (std::size_t i = set; i < set + 2; ++i) TransposeBlocks(v[i], v[i + 2], v[i + 4], v[i + 6]);
    }
    for (std::size_t p = 0; p < 8; ++p) {
      for (std::size_t set = 0; set < 8 * kSets; set += 8) hn::StoreU(v[set + p], d, to + kApart * (kRows * p + set));
    }
  } else if constexpr (kGroups == 1) {  // four rows a vector
    TransposeBlocks(v[0], v[1], v[2], v[3]);
    for (std::size_t b = 0; b < 4; ++b) {
      if constexpr (kRows == 4) {
        hn::StoreU(v[b], d, to + 16 * b);
      } else {
        const auto low = hn::LowerHalf(half, v[b]);
        const auto high = hn::UpperHalf(half, v[b]);
        hn::StoreU(hn::LowerHalf(quarter, low), quarter, to + kRows * (4 * b));
        hn::StoreU(hn::UpperHalf(quarter, low), quarter, to + kRows * (4 * b + 1));
        hn::StoreU(hn::LowerHalf(quarter, high), quarter, to + kRows * (4 * b + 2));
        hn::StoreU(hn::UpperHalf(quarter, high), quarter, to + kRows * (4 * b + 3));
      }
    }
  } else if constexpr (kGroups == 2) {  // two rows a vector
    TransposeBlocks(v[0], v[4], v[1], v[5]);
    TransposeBlocks(v[2], v[6], v[3], v[7]);
    constexpr std::size_t kPlaces[8] = {0, 2, 4, 6, 1, 3, 5, 7};  // where rows 2 i and 2 i + 1 now stand
    for (std::size_t b = 0; b < 4; ++b) {
      for (std::size_t i = 0; i < 2; ++i) {
        const V rows = v[kPlaces[2 * b + i]];
        const std::size_t p = 4 * b + 2 * i;
        if constexpr (kRows == 8) {
          hn::StoreU(rows, d, to + kRows * p);
        } else {
          hn::StoreU(hn::LowerHalf(half, rows), half, to + kRows * p);
          hn::StoreU(hn::UpperHalf(half, rows), half, to + kRows * (p + 1));
        }
      }
    }
  } else {
    constexpr std::size_t kSets = (kGroups + 3) / 4;  // of sixteen rows
    for (std::size_t k = kBlock * kGroups; k < 16 * kSets; ++k) v[k] = v[0];
    for (std::size_t set = 0; set < 16 * kSets; set += 16) {
      for (std::size_t i = set; i < set + 4; ++i) TransposeBlocks(v[i], v[4 + i], v[8 + i], v[12 + i]);
    }
    for (std::size_t p = 0; p < 16; ++p) {
      for (std::size_t set = 0; set < 16 * kSets; set += 16) hn::StoreU(v[set + p], d, to + kApart * (kRows * p + set));
    }
  }
#else
  if constexpr (kLanes == 2 * kBlock) {
    const hn::Half<D> half;
    if constexpr (kGroups == 1) {
      for (std::size_t p = 0; p < kLanes; ++p) {
        const std::size_t lane = lane_of_element<kOrder, D>(p);
        const V rows = v[lane % kBlock];
        hn::StoreU(lane < kBlock ? hn::LowerHalf(half, rows) : hn::UpperHalf(half, rows), half, to + kRows * p);
      }
    } else {
      for (std::size_t p = 0; p < kLanes; ++p) {
        const std::size_t lane = lane_of_element<kOrder, D>(p);
        for (std::size_t g = 0; g < kGroups; g += 2) {
          const V first = v[kBlock * g + lane % kBlock];
          const V second = g + 1 < kGroups ? v[kBlock * (g + 1) + lane % kBlock] : first;
          hn::StoreU(lane < kBlock ? hn::ConcatLowerLower(d, second, first) : hn::ConcatUpperUpper(d, second, first), d,
                     to + kApart * (kRows * p + kBlock * g));
        }
      }
    }
  } else {
    static_assert(kLanes == kBlock);
    for (std::size_t p = 0; p < kBlock; ++p) {
      for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(v[kBlock * g + p], d, to + kApart * (kRows * p + kBlock * g));
    }
  }
#endif
#endif
}

#if HWY_TARGET != HWY_SCALAR
// The 128-bit blocks of a vector from places `step` apart.
template <class D>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const hn::TFromD<D>* HWY_RESTRICT from, std::size_t step) {
  if constexpr (lanes_of<D> == block_of<D>) {
    static_cast<void>(step);
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    const auto low = LoadBlocks(half, from, step);
    return hn::Combine(d, LoadBlocks(half, from + step * (lanes_of<D> / block_of<D> / 2), step), low);
  }
}
#endif

// Lane p of v[k] = from[kRows * p + k], the way back from StoreTransposed. Reads up to three scalars beyond the tile's
// end. v has room for kRows rounded up to a multiple of 4.
template <std::size_t kRows, class D, class V = hn::Vec<D>>
HWY_INLINE void LoadTransposed(D d, const hn::TFromD<D>* HWY_RESTRICT from, V* HWY_RESTRICT v) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < kRows; ++k) v[k] = hn::LoadU(d, from + k);
#else
  constexpr std::size_t kBlock = block_of<D>;
  for (std::size_t k = 0; k < kRows; k += kBlock) {
    for (std::size_t i = 0; i < kBlock; ++i) v[k + i] = LoadBlocks(d, from + kRows * i + k, kRows * kBlock);
    TransposeInBlocks(d, v + k);
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
