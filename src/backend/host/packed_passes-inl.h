// Passes of short lines on packed numbers, from and to memory that an access knows. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_PACKED_PASSES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_PACKED_PASSES_INL_H
#undef TWIDDLE_HOST_PACKED_PASSES_INL_H
#else
#define TWIDDLE_HOST_PACKED_PASSES_INL_H
#endif
// clang-format on

#include <algorithm>
#include <cstddef>

#include "backend/host/packed_passes.hpp"
#include "backend/host/packed_transforms-inl.h"
#include "backend/host/row_addresses-inl.h"
#include "backend/host/tiles-inl.h"

// Narrower vectors hold too few numbers for passes.
#undef TWIDDLE_HOST_PACKED_PASSES
#define TWIDDLE_HOST_PACKED_PASSES (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)

#if TWIDDLE_HOST_PACKED_PASSES
HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// The first `count` numbers, at most a vector.
template <class D, class V, class T>
HWY_INLINE void StoreNumbers(D d, V value, std::size_t count, T* to) {
  if (2 * count >= lanes_of<D>) return hn::StoreU(value, d, to);
#if HWY_TARGET == HWY_AVX3
  hn::BlendedStore(value, hn::FirstN(d, 2 * count), d, to);
#else  // masked stores take long on some processors
  const hn::Half<D> half;
  auto rest = hn::LowerHalf(half, value);
  if constexpr (lanes_of<D> == 8) {
    if (count >= 2) {
      hn::StoreU(rest, half, to);
      rest = hn::UpperHalf(half, value);
      to += 4;
    }
    const hn::Half<decltype(half)> quarter;
    if (count % 2 == 1) hn::StoreU(hn::LowerHalf(quarter, rest), quarter, to);
  } else {
    hn::StoreU(rest, half, to);
  }
#endif
}

// Transposes the square matrix of as many vectors as a vector holds numbers.
template <class V>
HWY_INLINE void TransposeNumbers(hn::ScalableTag<float>, V* v) {
  const hn::ScalableTag<double> pairs;
  hn::Vec<decltype(pairs)> wide[lanes_of<decltype(pairs)>];
  for (std::size_t i = 0; i < lanes_of<decltype(pairs)>; ++i) wide[i] = hn::BitCast(pairs, v[i]);
  TransposeSquare(pairs, wide);
  for (std::size_t i = 0; i < lanes_of<decltype(pairs)>; ++i) v[i] = hn::BitCast(hn::ScalableTag<float>(), wide[i]);
}
template <class V>
HWY_INLINE void TransposeNumbers(hn::ScalableTag<double> d, V* v) {
#if HWY_TARGET == HWY_AVX3
  static_cast<void>(d);
  TransposeBlocks(v[0], v[1], v[2], v[3]);
#else
  const V low = hn::ConcatLowerLower(d, v[1], v[0]);
  v[1] = hn::ConcatUpperUpper(d, v[1], v[0]);
  v[0] = low;
#endif
}

// value * factor, of which memory holds the real parts, each twice, and then the imaginary ones with their signs.
template <class D, class V, class T>
HWY_INLINE V Turn(D d, V value, const T* factor) {
  return hn::MulAdd(hn::Reverse2(d, value), hn::Load(d, factor + lanes_of<D>), hn::Mul(value, hn::Load(d, factor)));
}

// Numbers as std::complex has them.
struct PairsAccess {
  static constexpr std::size_t kScalars = 2;  // from one to the next
  // As many numbers as a vector has, or the first `count` if that is fewer and they are not `whole`.
  template <class D, class T = hn::TFromD<D>>
  static HWY_INLINE hn::Vec<D> load(D d, const PackedCall<T>&, const T* from, bool whole, std::size_t count) {
    if (whole) return hn::LoadU(d, from);
    return hn::MaskedLoad(hn::FirstN(d, 2 * std::min(count, lanes_of<D> / 2)), d, from);
  }
  // The first `count`, if that is fewer than a vector has.
  template <class D, class V, class T>
  static HWY_INLINE void store(D d, const PackedCall<T>&, V value, std::size_t count, T* to) {
    StoreNumbers(d, value, count, to);
  }
  static HWY_INLINE void before_store(Ahead*, std::size_t) {}
};

// The same, stored past the cache as whole vectors, which are cache lines; with each of them one of those that lie ahead
// is fetched.
struct StreamedAccess : PairsAccess {
  template <class D, class V, class T>
  static HWY_INLINE void store(D d, const PackedCall<T>&, V value, std::size_t, T* to) {
    hn::Stream(value, d, to);
  }
  static HWY_INLINE void before_store(Ahead* ahead, std::size_t i) { hwy::Prefetch(ahead->next + i * cache_line); }
};

template <class T, unsigned kRadix, class Access>
void FirstPacked(const PackedCall<T>& call, Ahead* ahead, const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kNumbers = kLanes / 2;
  constexpr std::size_t kVectors = (kRadix + kNumbers - 1) / kNumbers;
  constexpr std::size_t kPitch = kVectors * kLanes;
  // AVX2 has an instruction of its own for loads by a mask, so that vectors reach beyond their row into the next ones
  // there, but for the last rows, behind which the line may end. With AVX-512 a mask costs nothing.
  constexpr bool kBeyond = HWY_TARGET != HWY_AVX3;
  constexpr unsigned kMasked = kBeyond ? kNumbers / 2 : kRadix;  // of two columns at least
  constexpr std::uint64_t kWhole = (std::uint64_t{1} << kNumbers) - 1;
  const V alternate = hn::Load(d, call.alternate.data());
  const V scale = hn::Set(d, call.scale);
  const std::size_t columns = call.columns;
  const T* HWY_RESTRICT factors = call.factors;
  const RowDistances<T, kRadix> distances(Access::kScalars * columns);
  for (std::size_t p = 0; p < columns; p += kNumbers) {
    if (ahead != nullptr) ahead->fetch_piece();
    const auto rows = distances.from(from + Access::kScalars * p);
    const std::size_t left = columns - p;
    V v[kVectors * kNumbers];
    for (std::size_t k = kRadix; k < kVectors * kNumbers; ++k) v[k] = alternate;  // anything but denormal numbers
    std::uint64_t ready = kRadix < 64 ? ~std::uint64_t{0} << (kRadix % 64) : 0;
    const auto keep = [&](unsigned k, V value) TWIDDLE_HOST_INLINE {
      v[k] = value;
      ready |= std::uint64_t{1} << k;
      const unsigned set = k / kNumbers;
      if ((ready >> (set * kNumbers) & kWhole) != kWhole) return;
      TransposeNumbers(d, v + set * kNumbers);
      for (std::size_t i = 0; i < kNumbers; ++i) {
        if (i < left) hn::Store(v[set * kNumbers + i], d, to + i * kPitch + set * kLanes);
      }
    };
    PackedTransform<kRadix>::apply(
        d, alternate,
        [&](unsigned n) TWIDDLE_HOST_INLINE {
          const bool whole = n + kMasked < kRadix || (kBeyond && left >= kNumbers);
          return Access::load(d, call, rows[n], whole, left);
        },
        [&](unsigned k, V value) TWIDDLE_HOST_INLINE {
          keep(k, k == 0 ? hn::Mul(value, scale) : Turn(d, value, factors + 2 * (k - 1) * kLanes));
        });
    factors += 2 * (kRadix - 1) * kLanes;
    to += kNumbers * kPitch;
  }
}

template <class T, unsigned kRadix, class Access>
void LastPacked(const PackedCall<T>& call, Ahead* ahead, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kNumbers = kLanes / 2;
  const V alternate = hn::Load(d, call.alternate.data());
  const std::size_t columns = call.columns;
  const RowDistances<T, kRadix> between_rows((columns + kNumbers - 1) / kNumbers * kLanes);
  const RowDistances<T, kRadix> between_results(Access::kScalars * columns);
  for (std::size_t q = 0; q < columns; q += kNumbers) {
    if (ahead != nullptr) ahead->fetch_piece();
    const auto rows = between_rows.from(from + 2 * q);
    const auto results = between_results.from(to + Access::kScalars * q);
    PackedTransform<kRadix>::apply(
        d, alternate, [&](unsigned n) TWIDDLE_HOST_INLINE { return hn::Load(d, rows[n]); },
        [&](unsigned k, V value) TWIDDLE_HOST_INLINE {
          Access::store(d, call, value, columns - q, results[k]);
        });
  }
}

// Both passes of a line with as many columns as a vector has numbers, or one less: nothing leaves the registers in
// between. All is read before anything is written. What is fetched meanwhile comes one cache line with each that is
// stored past the caches, as both wait for the same buffers: by halves, as beside other lines, 96 to 128 doubles
// take 1.4 times as long on an EPYC of Zen 4.
template <class T, unsigned kRadix, std::size_t kColumns, class Access>
void BothPacked(const PackedCall<T>& call, Ahead* ahead, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kNumbers = kLanes / 2;
  constexpr std::size_t kVectors = (kRadix + kNumbers - 1) / kNumbers;
  const V alternate = hn::Load(d, call.alternate.data());
  const V scale = hn::Set(d, call.scale);
  const T* HWY_RESTRICT factors = call.factors;
  V v[kVectors * kNumbers];
  PackedTransform<kRadix>::apply(
      d, alternate,
      [&](unsigned n) HWY_ATTR {
        return Access::load(d, call, from + Access::kScalars * kColumns * n, kColumns == kNumbers, kColumns);
      },
      [&](unsigned k, V value)
          HWY_ATTR { v[k] = k == 0 ? hn::Mul(value, scale) : Turn(d, value, factors + 2 * (k - 1) * kLanes); });
  for (std::size_t k = kRadix; k < kVectors * kNumbers; ++k) v[k] = v[0];
  ForEachConstant<kVectors>([&](auto set) TWIDDLE_HOST_INLINE {
    V* const rows = v + set * kNumbers;
    TransposeNumbers(d, rows);
    PackedTransform<kColumns>::apply(
        d, alternate, [&](unsigned n) HWY_ATTR { return rows[n]; },
        [&](unsigned k, V value) HWY_ATTR {
          const std::size_t q = set * kNumbers;
          Access::before_store(ahead, q + k);
          Access::store(d, call, value, std::min<std::size_t>(kRadix - q, kNumbers),
                        to + Access::kScalars * (q + kRadix * k));
        });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();
#endif

#endif  // TWIDDLE_HOST_PACKED_PASSES_INL_H
