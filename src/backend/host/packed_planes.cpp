// Passes on packed numbers of lines in planes, real parts in one and imaginary ones in the other, for every SIMD target
// and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/packed_planes.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/dispatch.hpp"
#include "backend/host/packed_passes-inl.h"
#include "backend/host/some_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if TWIDDLE_HOST_PACKED_PASSES
#if HWY_TARGET == HWY_AVX3
// The numbers of a vector from its halves, and back: one permutation, where halves of 32 bytes have two blocks each.
HWY_INLINE hn::Vec<hn::ScalableTag<double>> JoinParts(hn::ScalableTag<double>, __m256d re, __m256d im) {
  return hn::Vec<hn::ScalableTag<double>>{_mm512_permutex2var_pd(
      _mm512_castpd256_pd512(re), _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), _mm512_castpd256_pd512(im))};
}
HWY_INLINE hn::Vec<hn::ScalableTag<float>> JoinParts(hn::ScalableTag<float>, __m256 re, __m256 im) {
  return hn::Vec<hn::ScalableTag<float>>{_mm512_permutex2var_ps(
      _mm512_castps256_ps512(re), _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
      _mm512_castps256_ps512(im))};
}
HWY_INLINE auto PartBehindPart(hn::Vec<hn::ScalableTag<double>> v) {
  return hn::Vec<hn::ScalableTag<double>>{_mm512_permutexvar_pd(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v.raw)};
}
HWY_INLINE auto PartBehindPart(hn::Vec<hn::ScalableTag<float>> v) {
  return hn::Vec<hn::ScalableTag<float>>{
      _mm512_permutexvar_ps(_mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15), v.raw)};
}
#endif

// Numbers whose parts are in planes, a vector's numbers at a time.
struct PlanesAccess {
  static constexpr std::size_t kScalars = 1;
  template <class D, class T = hn::TFromD<D>>
  static HWY_INLINE hn::Vec<D> load(D d, const PackedCall<T>& call, const T* from, bool whole, std::size_t count) {
    const hn::Half<D> parts;
    const std::size_t some = whole ? lanes_of<decltype(parts)> : count;
    const auto re = LoadSome(parts, from, some);
    const auto im = LoadSome(parts, from + call.from_imaginary, some);
#if HWY_TARGET == HWY_AVX3
    return JoinParts(d, re.raw, im.raw);
#else
    return hn::Combine(d, hn::InterleaveUpper(parts, re, im), hn::InterleaveLower(parts, re, im));
#endif
  }
  template <class D, class V, class T>
  static HWY_INLINE void store(D d, const PackedCall<T>& call, V value, std::size_t count, T* to) {
    const hn::Half<D> parts;
#if HWY_TARGET == HWY_AVX3
    const V apart = PartBehindPart(value);
    const auto re = hn::LowerHalf(parts, apart);
    const auto im = hn::UpperHalf(parts, apart);
#else
    const auto low = hn::LowerHalf(parts, value);
    const auto high = hn::UpperHalf(parts, value);
    const auto re = hn::ConcatEven(parts, high, low);
    const auto im = hn::ConcatOdd(parts, high, low);
#endif
    StoreSome(parts, re, count, to);
    StoreSome(parts, im, count, to + call.to_imaginary);
  }
  static HWY_INLINE void before_store(Ahead*, std::size_t) {}
};
#endif

namespace {  // one for each precision
#if TWIDDLE_HOST_PACKED_PASSES
template <unsigned kRadix>
PackedFunction<Scalar> FindRadix(PackedKind kind) {
  constexpr std::size_t kNumbers = lanes_of<hn::ScalableTag<Scalar>> / 2;
  if (kind == PackedKind::both) return BothPacked<Scalar, kRadix, kNumbers, PlanesAccess>;
  if (kind == PackedKind::first) return FirstPacked<Scalar, kRadix, PlanesAccess>;
  return kind == PackedKind::last ? LastPacked<Scalar, kRadix, PlanesAccess> : nullptr;
}

template <unsigned... kRadices>
PackedFunction<Scalar> FindAmong(PackedKind kind, unsigned radix) {
  PackedFunction<Scalar> found = nullptr;
  static_cast<void>(((radix == kRadices && (found = FindRadix<kRadices>(kind), true)) || ...));
  return found;
}

PackedFunction<Scalar> FindPackedPlanes(PackedKind kind, unsigned radix) {
  return FindAmong<5, 6, 7, 8, 9, 10, 12, 15, 16, 18, 20, 24, 25, 30, 32, 64>(kind, radix);
}
#else
PackedFunction<Scalar> FindPackedPlanes(PackedKind, unsigned) { return nullptr; }
#endif
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPackedPlanes);
template <>
PackedFunction<Scalar> find_packed_planes<Scalar>(PackedKind kind, unsigned radix, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPackedPlanes, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
