// The first pass of double-double lines that are their own mirror images, for every SIMD target that fuses products and
// sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/double_double_mirrored.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/double_double-inl.h"

#ifdef TWIDDLE_HOST_FUSES

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

HWY_INLINE Real Reversed(const Real& a) {
  const D d;
  return {hn::Reverse(d, a.high), hn::Reverse(d, a.low)};
}
HWY_INLINE Complex Reversed(const Complex& a) { return {Reversed(a.re), Reversed(a.im)}; }
HWY_INLINE Complex Conjugate(const Complex& a) { return {a.re, Negative(a.im)}; }

// The butterfly of column p makes result radix - k of column rest - p as well, but for the twiddle's sign.
template <std::size_t radix>
void MirroredPassOf(const DoubleDoubleMirroredPass& call) {
  Complex constants[radix];
  for (std::size_t j = 0; j <= radix / 2; ++j) constants[j] = Broadcast(call.constants, j);
  Complex x[radix];
  for (std::size_t i = 0; i <= call.rest / 2; i += lanes) {
    const std::size_t p = HWY_MIN(i, call.rest / 2 + 1 - lanes);
    const std::size_t mirrored = call.rest - p - (lanes - 1);
    x[0] = Load(call.from, p);
    for (std::size_t m = 1; m <= radix / 2; ++m) {
      if (2 * m != radix) x[m] = Load(call.from, p + m * call.rest);
      x[radix - m] = Reversed(Load(call.from, mirrored + (m - 1) * call.rest));
    }
    Butterfly<radix>(constants, x);
    Store(x[0], call.to, p);
    Store(Reversed(x[0]), call.to, mirrored);
    const Complex root = Load(call.roots, p);
    Complex power = root;
    for (std::size_t k = 1; k <= radix / 2; ++k) {
      if (k > 1) power = Normalized(Multiply(power, root));
      Store(Multiply(x[k], power), call.to, k * call.pitch + p);
      Store(Reversed(Multiply(x[radix - k], Conjugate(power))), call.to, k * call.pitch + mirrored);
    }
  }
}

void MirroredPass(const DoubleDoubleMirroredPass& call) {
  switch (call.radix) {
    case 3:
      return MirroredPassOf<3>(call);
    case 4:
      return MirroredPassOf<4>(call);
    case 5:
      return MirroredPassOf<5>(call);
    default:
      return MirroredPassOf<7>(call);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif
