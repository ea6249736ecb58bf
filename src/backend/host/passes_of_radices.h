// The passes of TWIDDLE_HOST_RADICES, for every SIMD target and one precision: what the files passes_A_to_B.cpp are
// made of, of which there are several to compile in parallel. TWIDDLE_HOST_FILE is the name of the file that includes
// this one, and is itself included for each target, so that nothing here guards against being included again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE TWIDDLE_HOST_FILE
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/dispatch.hpp"
#include "backend/host/select_pass-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {
namespace {  // one for each file and precision

// Large radices have kernels where vectors are long, and registers many, alone.
template <unsigned kRadix>
PassFunction<Scalar> FindPassOf(PassKind kind) {
  if constexpr (kRadix <= plan::host_largest_common_radix || kLongVectors<Scalar>) {
    return SelectPass<Scalar, kRadix>(kind);
  }
  return nullptr;
}

template <unsigned... kRadices>
PassFunction<Scalar> FindPassAmong(PassKind kind, unsigned radix) {
  PassFunction<Scalar> found = nullptr;
  ((radix == kRadices ? void(found = FindPassOf<kRadices>(kind)) : void()), ...);
  return found;
}

PassFunction<Scalar> FindPass(PassKind kind, unsigned radix) {
  return FindPassAmong<TWIDDLE_HOST_RADICES>(kind, radix);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindPass);
template <>
PassFunction<Scalar> find_pass_among<Scalar, TWIDDLE_HOST_RADICES>(PassKind kind, unsigned radix,
                                                                   std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindPass, targets)(kind, radix);
}
}  // namespace twiddle::backend::host
#endif
