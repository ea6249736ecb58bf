// Stockham passes of radix 8, 9, 10, for every SIMD target. (Several such files: to compile in parallel.)
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

PassFunction<float> FindPass_8_to_10(PassKind kind, unsigned radix) {
  switch (radix) {
    case 8:
      return SelectPass<float, 8>(kind);
    case 9:
      return SelectPass<float, 9>(kind);
    case 10:
      return SelectPass<float, 10>(kind);
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPass_8_to_10);
PassFunction<float> find_pass_8_to_10(PassKind kind, unsigned radix, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPass_8_to_10, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
