// Products of spectra for every SIMD target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/spectrum_products.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/spectrum_products.hpp"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void AddProductsOf(const T* HWY_RESTRICT left, const T* HWY_RESTRICT right, T* HWY_RESTRICT sums, std::size_t count) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; 2 * (count - i) >= lanes; i += lanes / 2) {
    const auto a = hn::LoadU(d, left + 2 * i);
    const auto b = hn::LoadU(d, right + 2 * i);
    const auto sum = hn::MulAdd(hn::DupEven(a), b, hn::LoadU(d, sums + 2 * i));
    // The imaginary part of a takes b's parts the other way round, and the real part of the product loses.
    const auto turned = hn::OddEven(hn::Reverse2(d, b), hn::Neg(hn::Reverse2(d, b)));
    hn::StoreU(hn::MulAdd(hn::DupOdd(a), turned, sum), d, sums + 2 * i);
  }
#endif
  for (; i < count; ++i) {
    const T re = left[2 * i] * right[2 * i] - left[2 * i + 1] * right[2 * i + 1];
    sums[2 * i + 1] += left[2 * i] * right[2 * i + 1] + left[2 * i + 1] * right[2 * i];
    sums[2 * i] += re;
  }
}

AddProducts<float> Floats() { return AddProductsOf<float>; }
AddProducts<double> Doubles() { return AddProductsOf<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backend/host/dispatch.hpp"

namespace twiddle::backend::host {

HWY_EXPORT(Floats);
HWY_EXPORT(Doubles);

template <>
AddProducts<float> find_add_products(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(Floats, targets)();
}
template <>
AddProducts<double> find_add_products(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(Doubles, targets)();
}

}  // namespace twiddle::backend::host
#endif
