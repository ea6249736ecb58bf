// Stockham passes of radix 2, 3, 4, 5, 6, 7, for every SIMD target and one precision. (Several such files: to
// compile in parallel.)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/passes_to_7.cpp"
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
PassFunction<Scalar> FindPass_to_7(PassKind kind, unsigned radix) {
  switch (radix) {
    case 1:
      return SelectPass<Scalar, 1>(kind);
    case 2:
      return SelectPass<Scalar, 2>(kind);
    case 3:
      return SelectPass<Scalar, 3>(kind);
    case 4:
      return SelectPass<Scalar, 4>(kind);
    case 5:
      return SelectPass<Scalar, 5>(kind);
    case 6:
      return SelectPass<Scalar, 6>(kind);
    case 7:
      return SelectPass<Scalar, 7>(kind);
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
HWY_EXPORT(FindPass_to_7);
template <>
PassFunction<Scalar> find_pass_to_7<Scalar>(PassKind kind, unsigned radix, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPass_to_7, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
