// Stockham passes of radix 8, 9, 10, for every SIMD target and one precision. (Several such files: to
// compile in parallel.)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/passes_8_to_10.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/dispatch.hpp"
#include "backend/host/passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

namespace {  // one for each precision
PassFunction<Scalar> FindPass_8_to_10(PassKind kind, unsigned radix) {
  switch (radix) {
    case 8:
      return SelectPass<Scalar, 8>(kind);
    case 9:
      return SelectPass<Scalar, 9>(kind);
    case 10:
      return SelectPass<Scalar, 10>(kind);
    default:
      return nullptr;
  }
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPass_8_to_10);
template <>
PassFunction<Scalar> find_pass_8_to_10<Scalar>(PassKind kind, unsigned radix, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPass_8_to_10, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
