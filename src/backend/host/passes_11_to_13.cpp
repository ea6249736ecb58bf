// Stockham passes of radix 11, 12, 13, for every SIMD target and one precision. (Several such files: to
// compile in parallel.)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/passes_11_to_13.cpp"
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
PassFunction<Scalar> FindPass_11_to_13(PassKind kind, unsigned radix) {
  switch (radix) {
    case 11:
      return SelectPass<Scalar, 11>(kind);
    case 12:
      return SelectPass<Scalar, 12>(kind);
    case 13:
      return SelectPass<Scalar, 13>(kind);
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
HWY_EXPORT(FindPass_11_to_13);
template <>
PassFunction<Scalar> find_pass_11_to_13<Scalar>(PassKind kind, unsigned radix, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPass_11_to_13, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
