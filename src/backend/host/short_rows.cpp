// Short lines for every SIMD target and one precision: neighbouring lines in the lanes, sorted in registers on the way
// in and out.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/short_rows.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/dispatch.hpp"
#include "backend/host/passes-inl.h"
#include "backend/host/short_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

template <>
struct Butterfly<14> {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void apply(D d, V* re, V* im) {
    twiddle::HWY_NAMESPACE::Butterfly14(d, re, im);
  }
};

// One transform of complex numbers v[0], v[1], ... = re, im, re, ...
template <unsigned kLength>
struct ComplexLine {
  static constexpr std::size_t kRead = kLength;
  static constexpr std::size_t kWritten = kLength;
  static constexpr std::size_t kReadParts = 2;
  static constexpr std::size_t kWrittenParts = 2;

  template <class D, class Call, class V = hn::Vec<D>>
  static HWY_INLINE void transform(D d, const Call&, V* HWY_RESTRICT v) {
    V re[kLength];
    V im[kLength];
    ForEachConstant<kLength>([&](auto k) TWIDDLE_HOST_INLINE {
      re[k] = v[2 * k];
      im[k] = v[2 * k + 1];
    });
    Butterfly<kLength>::apply(d, re, im);
    ForEachConstant<kLength>([&](auto k) TWIDDLE_HOST_INLINE {
      v[2 * k] = re[k];
      v[2 * k + 1] = im[k];
    });
  }
};

namespace {  // one for each precision
template <unsigned... kLengths>
ShortRowsKernels<Scalar> FindLength(std::size_t length) {
  ShortRowsKernels<Scalar> found;
  static_cast<void>(((length == kLengths && (found = SelectShortRows<Scalar, ComplexLine<kLengths>>(), true)) || ...));
  return found;
}
ShortRowsKernels<Scalar> FindShortRows(std::size_t length) {
  return FindLength<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>(length);
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindShortRows);
template <>
ShortRowsKernels<Scalar> find_short_rows<Scalar>(ShortRowsKind kind, std::size_t length, std::int64_t targets) {
  if (kind != ShortRowsKind::complex) return find_short_real_rows<Scalar>(kind, length, targets);
  return TWIDDLE_HOST_DISPATCH(FindShortRows, targets)(length);
}
}  // namespace twiddle::backend::host
#endif
