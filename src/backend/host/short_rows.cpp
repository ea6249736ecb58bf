// Short complex lines in plain code, for one precision.
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

#if HWY_TARGET == HWY_SCALAR
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
#endif

namespace {  // one for each precision
#if HWY_TARGET == HWY_SCALAR
template <unsigned... kLengths>
ShortRowsKernels<Scalar> FindLength(std::size_t length) {
  ShortRowsKernels<Scalar> found;
  static_cast<void>(((length == kLengths && (found = SelectShortRows<Scalar, ComplexLine<kLengths>>(), true)) || ...));
  return found;
}
ShortRowsKernels<Scalar> FindShortRows(std::size_t length) {
  return FindLength<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 24, 30, 32>(length);
}
#else  // packed_rows.cpp has them
ShortRowsKernels<Scalar> FindShortRows(std::size_t) { return {}; }
#endif
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
