// Passes on packed complex numbers for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/packed_passes.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/packed_passes.hpp"

#include <algorithm>

#include "backend/host/dispatch.hpp"
#include "backend/host/packed_transforms-inl.h"
#include "backend/host/row_addresses-inl.h"
#include "backend/host/tiles-inl.h"
#include "backend/host/vectors-inl.h"

// Narrower vectors hold too few numbers for passes.
#undef TWIDDLE_HOST_PACKED_PASSES
#define TWIDDLE_HOST_PACKED_PASSES (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2)

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if TWIDDLE_HOST_PACKED_PASSES
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

template <class T, unsigned kRadix>
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
  const RowDistances<T, kRadix> distances(2 * columns);
  for (std::size_t p = 0; p < columns; p += kNumbers) {
    if (ahead != nullptr) ahead->fetch_piece();
    const auto rows = distances.from(from + 2 * p);
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
          return whole ? hn::LoadU(d, rows[n])
                       : hn::MaskedLoad(hn::FirstN(d, 2 * std::min(left, kNumbers)), d, rows[n]);
        },
        [&](unsigned k, V value) TWIDDLE_HOST_INLINE {
          keep(k, k == 0 ? hn::Mul(value, scale) : Turn(d, value, factors + 2 * (k - 1) * kLanes));
        });
    factors += 2 * (kRadix - 1) * kLanes;
    to += kNumbers * kPitch;
  }
}

// Where results are stored past the cache, a vector is a cache line, and `to` is aligned to one.
template <class T>
inline constexpr bool streams_packed = lanes_of<hn::ScalableTag<T>> * sizeof(T) == 64;

template <class T, unsigned kRadix, bool kStreamed>
void LastPacked(const PackedCall<T>& call, Ahead* ahead, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kNumbers = kLanes / 2;
  const V alternate = hn::Load(d, call.alternate.data());
  const std::size_t columns = call.columns;
  const RowDistances<T, kRadix> between_rows((columns + kNumbers - 1) / kNumbers * kLanes);
  const RowDistances<T, kRadix> between_results(2 * columns);
  for (std::size_t q = 0; q < columns; q += kNumbers) {
    if (ahead != nullptr) ahead->fetch_piece();
    const auto rows = between_rows.from(from + 2 * q);
    const auto results = between_results.from(to + 2 * q);
    PackedTransform<kRadix>::apply(
        d, alternate, [&](unsigned n) TWIDDLE_HOST_INLINE { return hn::Load(d, rows[n]); },
        [&](unsigned k, V value) TWIDDLE_HOST_INLINE {
          kStreamed ? hn::Stream(value, d, results[k]) : StoreNumbers(d, value, columns - q, results[k]);
        });
  }
}

// Both passes of a line with as many columns as a vector has numbers, or one less: nothing leaves the registers in
// between. All is read before anything is written. What is fetched meanwhile comes one cache line with each that is
// stored past the caches, as both wait for the same buffers: by halves, as beside other lines, 96 to 128 doubles
// take 1.4 times as long on an EPYC of Zen 4.
template <class T, unsigned kRadix, std::size_t kColumns, bool kStreamed>
void BothPacked(const PackedCall<T>& call, [[maybe_unused]] Ahead* ahead, const T* from, T* to) {
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
        if constexpr (kColumns == kNumbers) return hn::LoadU(d, from + kLanes * n);
        return hn::MaskedLoad(hn::FirstN(d, 2 * kColumns), d, from + 2 * kColumns * n);
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
          T* const place = to + 2 * (q + kRadix * k);
          if constexpr (kStreamed) hwy::Prefetch(ahead->next + (q + k) * cache_line);
          kStreamed ? hn::Stream(value, d, place)
                    : StoreNumbers(d, value, std::min<std::size_t>(kRadix - q, kNumbers), place);
        });
  });
}

// The numbers of a vector in reverse order.
template <class V>
HWY_INLINE V ReverseNumbers(hn::ScalableTag<float> d, V v) {
  const hn::ScalableTag<double> pairs;
  return hn::BitCast(d, hn::Reverse(pairs, hn::BitCast(pairs, v)));
}
template <class V>
HWY_INLINE V ReverseNumbers(hn::ScalableTag<double> d, V v) {
  return hn::ReverseBlocks(d, v);
}

// Elements k and n - k together. With t = a[k] * (from[k] - conj(from[n - k])), the latter is
// conj(sum * from[k] - t), since a[n - k] = conj(a[k]). The last vector of the first half overlaps the one before it.
template <class T, bool kLoad>
void RealMap(const PackedCall<T>& call, Ahead*, const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kNumbers = lanes_of<decltype(d)> / 2;
  const auto conjugate = hn::OddEven(hn::Set(d, T{-1}), hn::Set(d, T{1}));
  const auto sum = hn::Set(d, call.sum);
  const std::size_t half = call.columns / 2 + 1;
  const T* HWY_RESTRICT real = call.factors;
  const T* HWY_RESTRICT imaginary = call.factors + 2 * (call.columns + 1);
  for (std::size_t k = 0;; k = std::min(k + kNumbers, half - kNumbers)) {
    const std::size_t mirrored = 2 * (call.columns + 1 - k - kNumbers);
    auto element = hn::LoadU(d, from + 2 * k);
    auto mirror = ReverseNumbers(d, hn::LoadU(d, from + mirrored));
    if (kLoad && k == 0) {  // the ends count as real
      const auto parts = hn::Ne(hn::Iota(d, T{0}), hn::Set(d, T{1}));
      element = hn::IfThenElseZero(parts, element);
      mirror = hn::IfThenElseZero(parts, mirror);
    }
    mirror = hn::Mul(mirror, conjugate);
    const auto difference = hn::Sub(element, mirror);
    const auto product = hn::MulAdd(hn::Reverse2(d, difference), hn::LoadU(d, imaginary + 2 * k),
                                    hn::Mul(difference, hn::LoadU(d, real + 2 * k)));
    hn::StoreU(hn::MulAdd(sum, mirror, product), d, to + 2 * k);
    hn::StoreU(ReverseNumbers(d, hn::Mul(hn::MulSub(sum, element, product), conjugate)), d, to + mirrored);
    if (k + kNumbers >= half) break;
  }
}
#endif

namespace {  // one for each precision
#if TWIDDLE_HOST_PACKED_PASSES
template <class T>
void Product(const PackedCall<T>& call, Ahead*, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  for (std::size_t i = 0; i < 2 * call.columns; i += lanes_of<decltype(d)>) {
    hn::StoreU(Turn(d, hn::LoadU(d, from + i), call.factors + 2 * i), d, to + i);
  }
}

template <unsigned kRadix>
PackedFunction<Scalar> FindRadix(PackedKind kind) {
  if (kind == PackedKind::first) return FirstPacked<Scalar, kRadix>;
  if (kind == PackedKind::last) return LastPacked<Scalar, kRadix, false>;
  constexpr std::size_t kNumbers = lanes_of<hn::ScalableTag<Scalar>> / 2;
  if (kind == PackedKind::both) return BothPacked<Scalar, kRadix, kNumbers, false>;
  if constexpr (kNumbers > 2 && kRadix <= largest_beside_narrow) {
    if (kind == PackedKind::both_narrow) return BothPacked<Scalar, kRadix, kNumbers - 1, false>;
  }
  if constexpr (streams_packed<Scalar> && kRadix * sizeof(Scalar) * 2 % 64 == 0) {
    if (kind == PackedKind::both_streamed) return BothPacked<Scalar, kRadix, kNumbers, true>;
  }
  if constexpr (streams_packed<Scalar>) {
    if (kind == PackedKind::last_streamed) return LastPacked<Scalar, kRadix, true>;
  }
  return nullptr;
}

template <unsigned... kRadices>
PackedFunction<Scalar> FindAmong(PackedKind kind, unsigned radix) {
  PackedFunction<Scalar> found = nullptr;
  static_cast<void>(((radix == kRadices && (found = FindRadix<kRadices>(kind), true)) || ...));
  return found;
}

PackedFunction<Scalar> FindPacked(PackedKind kind, unsigned radix) {
  if (kind == PackedKind::real_store) return RealMap<Scalar, false>;
  if (kind == PackedKind::real_load) return RealMap<Scalar, true>;
  if (kind == PackedKind::product) return Product<Scalar>;
  return FindAmong<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 22, 24, 25, 26, 27, 28, 30, 32, 36,
                   40, 48, 50, 64>(kind, radix);
}
#else
PackedFunction<Scalar> FindPacked(PackedKind, unsigned) { return nullptr; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPacked);
template <>
PackedFunction<Scalar> find_packed<Scalar>(PackedKind kind, unsigned radix, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPacked, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
