// Complex double-double numbers in vectors, and their butterflies, where a SIMD target fuses products and sums. The high
// parts of all numbers that are added are multiples of one unit, so that their sums are exact (as the high parts of S. M.
// Rump, T. Ogita, S. Oishi, Accurate floating-point summation, 2008); the low parts, far below, are rounded. Included
// once per SIMD target, by files that are compiled without contracted operations.
// clang-format off
#if defined(TWIDDLE_HOST_DOUBLE_DOUBLE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_DOUBLE_DOUBLE_INL_H
#undef TWIDDLE_HOST_DOUBLE_DOUBLE_INL_H
#else
#define TWIDDLE_HOST_DOUBLE_DOUBLE_INL_H
#endif
// clang-format on

#include <cstddef>

#include "backend/host/double_double.hpp"

// Whether this target does.
#undef TWIDDLE_HOST_FUSES
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON
#define TWIDDLE_HOST_FUSES

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());

// Constructors are written out, as GCC compiles implicit ones without the target's instructions, which those of NEON's
// vectors need.
struct Real {
  HWY_INLINE Real() {}
  HWY_INLINE Real(V high_part, V low_part) : high(high_part), low(low_part) {}
  V high;
  V low;
};

struct Complex {
  HWY_INLINE Complex() {}
  HWY_INLINE Complex(const Real& real_part, const Real& imaginary_part) : re(real_part), im(imaginary_part) {}
  Real re;
  Real im;
};

HWY_INLINE Real Add(const Real& a, const Real& b) { return {hn::Add(a.high, b.high), hn::Add(a.low, b.low)}; }
HWY_INLINE Real Subtract(const Real& a, const Real& b) { return {hn::Sub(a.high, b.high), hn::Sub(a.low, b.low)}; }
HWY_INLINE Real Negative(const Real& a) { return {hn::Neg(a.high), hn::Neg(a.low)}; }

// The high part is the nearest multiple of the unit: what is added to this number is rounded to one.
HWY_INLINE Real Multiply(const Real& a, const Real& b) {
  const V shift = hn::Set(D(), double_double_unit * 0x1.8p52);
  const V high = hn::Sub(hn::MulAdd(a.high, b.high, shift), shift);
  const V rest = hn::MulSub(a.high, b.high, high);
  return {high, hn::MulAdd(a.high, b.low, hn::MulAdd(a.low, b.high, rest))};
}

// The larger of two numbers first, which then is the nearest double. Roots have to be: of two numbers whose low parts
// are as large as sums' may be, the product of these is left out of theirs.
HWY_INLINE Real Normalized(const V high, const V low) {
  const V sum = hn::Add(high, low);
  return {sum, hn::Sub(low, hn::Sub(sum, high))};
}
HWY_INLINE Complex Normalized(const Complex& a) {
  return {Normalized(a.re.high, a.re.low), Normalized(a.im.high, a.im.low)};
}

HWY_INLINE Complex Add(const Complex& a, const Complex& b) { return {Add(a.re, b.re), Add(a.im, b.im)}; }
HWY_INLINE Complex Subtract(const Complex& a, const Complex& b) { return {Subtract(a.re, b.re), Subtract(a.im, b.im)}; }
HWY_INLINE Complex Multiply(const Complex& a, const Complex& b) {
  return {Subtract(Multiply(a.re, b.re), Multiply(a.im, b.im)), Add(Multiply(a.re, b.im), Multiply(a.im, b.re))};
}
HWY_INLINE Complex Multiply(const Complex& a, const Real& b) { return {Multiply(a.re, b), Multiply(a.im, b)}; }
HWY_INLINE Complex TimesMinusI(const Complex& a) { return {a.im, Negative(a.re)}; }

HWY_INLINE Complex Load(const DoubleDoublePlanes& from, std::size_t at) {
  const D d;
  return {{hn::LoadU(d, from[0] + at), hn::LoadU(d, from[1] + at)},
          {hn::LoadU(d, from[2] + at), hn::LoadU(d, from[3] + at)}};
}

HWY_INLINE void Store(const Complex& value, const DoubleDoublePlanes& to, std::size_t at) {
  const D d;
  hn::StoreU(value.re.high, d, to[0] + at);
  hn::StoreU(value.re.low, d, to[1] + at);
  hn::StoreU(value.im.high, d, to[2] + at);
  hn::StoreU(value.im.low, d, to[3] + at);
}

HWY_INLINE Complex Broadcast(double re_high, double re_low, double im_high, double im_low) {
  const D d;
  return {{hn::Set(d, re_high), hn::Set(d, re_low)}, {hn::Set(d, im_high), hn::Set(d, im_low)}};
}

HWY_INLINE Complex Broadcast(const DoubleDoublePlanes& from, std::size_t at) {
  return Broadcast(from[0][at], from[1][at], from[2][at], from[3][at]);
}

// The transform of `radix` elements in place. Terms j and radix - j share the real and the imaginary part of a root,
// roots[j], as do the results.
template <std::size_t radix>
HWY_INLINE void Butterfly(const Complex* HWY_RESTRICT roots, Complex* HWY_RESTRICT x) {
  if constexpr (radix == 2) {
    const Complex sum = Add(x[0], x[1]);
    x[1] = Subtract(x[0], x[1]);
    x[0] = sum;
  } else if constexpr (radix == 4) {
    const Complex even = Add(x[0], x[2]);
    const Complex even_difference = Subtract(x[0], x[2]);
    const Complex odd = Add(x[1], x[3]);
    const Complex turned = TimesMinusI(Subtract(x[1], x[3]));
    x[0] = Add(even, odd);
    x[1] = Add(even_difference, turned);
    x[2] = Subtract(even, odd);
    x[3] = Subtract(even_difference, turned);
  } else {
    const Complex first = x[0];
    Complex terms[radix];
    for (std::size_t r = 1; r <= radix / 2; ++r) {
      terms[r] = Add(x[r], x[radix - r]);
      terms[radix - r] = Subtract(x[r], x[radix - r]);
      x[0] = Add(x[0], terms[r]);
    }
    for (std::size_t j = 1; j <= radix / 2; ++j) {
      Complex even = first;
      Complex odd = Multiply(terms[radix - 1], roots[j].im);
      for (std::size_t r = 1; r <= radix / 2; ++r) {
        const std::size_t power = j * r % radix;
        const bool conjugate = power > radix / 2;
        const Complex& root = roots[conjugate ? radix - power : power];
        even = Add(even, Multiply(terms[r], root.re));
        if (r == 1) continue;
        const Complex term = Multiply(terms[radix - r], root.im);
        odd = conjugate ? Subtract(odd, term) : Add(odd, term);
      }
      const Complex turned = TimesMinusI(odd);
      x[j] = Subtract(even, turned);
      x[radix - j] = Add(even, turned);
    }
  }
}

// In double_double_mirrored.cpp.
void MirroredPass(const DoubleDoubleMirroredPass& call);

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif
#endif  // include once per target
