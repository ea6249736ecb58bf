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
#include "backend/host/packed_passes-inl.h"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if TWIDDLE_HOST_PACKED_PASSES
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
// Where results are stored past the cache, a vector is a cache line, and `to` is aligned to one.
constexpr bool streams_packed = lanes_of<hn::ScalableTag<Scalar>> * sizeof(Scalar) == 64;

template <class T>
void Product(const PackedCall<T>& call, Ahead*, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  for (std::size_t i = 0; i < 2 * call.columns; i += lanes_of<decltype(d)>) {
    hn::StoreU(Turn(d, hn::LoadU(d, from + i), call.factors + 2 * i), d, to + i);
  }
}

template <unsigned kRadix>
PackedFunction<Scalar> FindRadix(PackedKind kind) {
  if (kind == PackedKind::first) return FirstPacked<Scalar, kRadix, PairsAccess>;
  if (kind == PackedKind::last) return LastPacked<Scalar, kRadix, PairsAccess>;
  constexpr std::size_t kNumbers = lanes_of<hn::ScalableTag<Scalar>> / 2;
  if (kind == PackedKind::both) return BothPacked<Scalar, kRadix, kNumbers, PairsAccess>;
  if constexpr (kNumbers > 2 && kRadix <= largest_beside_narrow) {
    if (kind == PackedKind::both_narrow) return BothPacked<Scalar, kRadix, kNumbers - 1, PairsAccess>;
  }
  if constexpr (streams_packed && kRadix * sizeof(Scalar) * 2 % 64 == 0) {
    if (kind == PackedKind::both_streamed) return BothPacked<Scalar, kRadix, kNumbers, StreamedAccess>;
  }
  if constexpr (streams_packed) {
    if (kind == PackedKind::last_streamed) return LastPacked<Scalar, kRadix, StreamedAccess>;
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
