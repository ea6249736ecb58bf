// Lines of 18 to 32 complex numbers by tiles, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/longer_rows.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/longer_rows.hpp"

#include "backend/host/dispatch.hpp"
#include "backend/host/short_rows-inl.h"
#include "host_butterflies-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

template <unsigned kLength>
struct LongerLine;
#define TWIDDLE_HOST_LONGER_LINE(length)                                                   \
  template <>                                                                              \
  struct LongerLine<length> {                                                              \
    static constexpr std::size_t kRead = length;                                           \
    static constexpr std::size_t kWritten = length;                                        \
    static constexpr std::size_t kReadParts = 2;                                           \
    static constexpr std::size_t kWrittenParts = 2;                                        \
    template <class D, class Call, class V = hn::Vec<D>>                                   \
    static HWY_INLINE void transform(D d, const Call&, V* HWY_RESTRICT v) {                \
      V to[2 * length];                                                                    \
      twiddle::HWY_NAMESPACE::Butterfly##length(                                           \
          d, [&](unsigned n, V& re, V& im) HWY_ATTR { re = v[2 * n], im = v[2 * n + 1]; }, \
          [&](unsigned n, V re, V im) HWY_ATTR { to[2 * n] = re, to[2 * n + 1] = im; });   \
      ForEachConstant<2 * length>([&](auto i) TWIDDLE_HOST_INLINE { v[i] = to[i]; });      \
    }                                                                                      \
  };
TWIDDLE_HOST_LONGER_LINE(18)
TWIDDLE_HOST_LONGER_LINE(20)
TWIDDLE_HOST_LONGER_LINE(24)
TWIDDLE_HOST_LONGER_LINE(30)
TWIDDLE_HOST_LONGER_LINE(32)
#undef TWIDDLE_HOST_LONGER_LINE

namespace {  // one for each precision
template <unsigned... kLengths>
ShortRowsFunction<Scalar> FindLength(std::size_t length) {
  ShortRowsFunction<Scalar> found = nullptr;
  static_cast<void>(((length == kLengths && (found = ShortRows<Scalar, LongerLine<kLengths>>, true)) || ...));
  return found;
}
ShortRowsFunction<Scalar> FindLongerRows(std::size_t length) { return FindLength<18, 20, 24, 30, 32>(length); }
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindLongerRows);
template <>
ShortRowsFunction<Scalar> find_longer_rows<Scalar>(std::size_t length, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindLongerRows, targets)(length);
}
}  // namespace twiddle::backend::host
#endif
