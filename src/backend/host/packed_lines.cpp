// Lines that one butterfly on packed complex numbers transforms, one number a vector, for every SIMD target and one
// precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/packed_lines.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/dispatch.hpp"
#include "backend/host/packed_passes.hpp"
#include "backend/host/packed_transforms-inl.h"
#include "backend/host/tiles-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// All is read before anything is written: `from` may be `to`.
template <class T, unsigned kRadix, bool kScaled>
void ComplexLine(const PackedCall<T>& call, Ahead*, const T* from, T* to) {
  const hn::CappedTag<T, 2> d;
  using V = hn::Vec<decltype(d)>;
  [[maybe_unused]] const V scale = hn::Set(d, call.scale);
  V results[kRadix];
  PackedTransform<kRadix>::apply(
      d, hn::Load(d, call.alternate.data()), [&](unsigned n) HWY_ATTR { return hn::LoadU(d, from + 2 * n); },
      [&](unsigned n, V value) HWY_ATTR {
        if constexpr (kScaled) value = hn::Mul(value, scale);
        results[n] = value;
      });
  ForEachConstant<kRadix>([&](auto n) TWIDDLE_HOST_INLINE { hn::StoreU(results[n], d, to + 2 * n); });
}
#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
// The maps of real transforms as in packed_passes.cpp, from v[0] to v[kPoints] and back to them.
template <unsigned kPoints, class D, class V, class T>
HWY_INLINE void MapNumbers(D d, const PackedCall<T>& call, V* v) {
  const V sum = hn::Set(d, call.sum);
  const V conjugate = hn::OddEven(hn::Set(d, T{-0.0}), hn::Zero(d));
  const T* HWY_RESTRICT real = call.factors;
  const T* HWY_RESTRICT imaginary = call.factors + 2 * (kPoints + 1);
  for (unsigned k = 0; k <= kPoints / 2; ++k) {
    const V element = v[k];
    const V mirror = hn::Xor(v[kPoints - k], conjugate);
    const V difference = hn::Sub(element, mirror);
    const V product = hn::MulAdd(hn::Reverse2(d, difference), hn::LoadU(d, imaginary + 2 * k),
                                 hn::Mul(difference, hn::LoadU(d, real + 2 * k)));
    v[k] = hn::MulAdd(sum, mirror, product);
    if (2 * k != kPoints) v[kPoints - k] = hn::Xor(hn::MulSub(sum, element, product), conjugate);
  }
}

// Twice as many reals, to their spectrum.
template <class T, unsigned kRadix>
void RealLine(const PackedCall<T>& call, Ahead*, const T* from, T* to) {
  const hn::CappedTag<T, 2> d;
  using V = hn::Vec<decltype(d)>;
  V v[kRadix + 1];
  PackedTransform<kRadix>::apply(
      d, hn::Load(d, call.alternate.data()), [&](unsigned n) HWY_ATTR { return hn::LoadU(d, from + 2 * n); },
      [&](unsigned n, V value) HWY_ATTR { v[n] = value; });
  v[kRadix] = v[0];
  MapNumbers<kRadix>(d, call, v);
  ForEachConstant<kRadix + 1>([&](auto n) TWIDDLE_HOST_INLINE { hn::StoreU(v[n], d, to + 2 * n); });
}

template <class T, unsigned kRadix>
void RealLineBack(const PackedCall<T>& call, Ahead*, const T* from, T* to) {
  const hn::CappedTag<T, 2> d;
  using V = hn::Vec<decltype(d)>;
  V v[kRadix + 1];
  ForEachConstant<kRadix + 1>([&](auto n) TWIDDLE_HOST_INLINE { v[n] = hn::LoadU(d, from + 2 * n); });
  v[0] = hn::OddEven(hn::Zero(d), v[0]);  // the ends count as real
  v[kRadix] = hn::OddEven(hn::Zero(d), v[kRadix]);
  MapNumbers<kRadix>(d, call, v);
  V results[kRadix];
  PackedTransform<kRadix>::apply(
      d, hn::Load(d, call.alternate.data()), [&](unsigned n) HWY_ATTR { return v[n]; },
      [&](unsigned n, V value) HWY_ATTR { results[n] = value; });
  ForEachConstant<kRadix>([&](auto n) TWIDDLE_HOST_INLINE { hn::StoreU(results[n], d, to + 2 * n); });
}
#endif

namespace {  // one for each precision
#if HWY_TARGET != HWY_SCALAR
template <unsigned kRadix>
PackedFunction<Scalar> FindRadix(PackedLineKind kind) {
  if (kind == PackedLineKind::complex) return ComplexLine<Scalar, kRadix, false>;
  if (kind == PackedLineKind::complex_scaled) return ComplexLine<Scalar, kRadix, true>;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  if constexpr (kRadix >= shortest_packed_reals) {
    return kind == PackedLineKind::reals ? RealLine<Scalar, kRadix> : RealLineBack<Scalar, kRadix>;
  }
#endif
  return nullptr;
}

template <unsigned... kRadices>
PackedFunction<Scalar> FindAmong(PackedLineKind kind, unsigned radix) {
  PackedFunction<Scalar> found = nullptr;
  static_cast<void>(((radix == kRadices && (found = FindRadix<kRadices>(kind), true)) || ...));
  return found;
}
PackedFunction<Scalar> FindPackedLine(PackedLineKind kind, unsigned radix) {
  return FindAmong<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20>(kind, radix);
}
#else
PackedFunction<Scalar> FindPackedLine(PackedLineKind, unsigned) { return nullptr; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPackedLine);
template <>
PackedFunction<Scalar> find_packed_line<Scalar>(PackedLineKind kind, unsigned radix, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPackedLine, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
