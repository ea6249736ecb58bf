// Passes of transforms in double-double arithmetic for every SIMD target that fuses products and sums. Sums and
// products are those of unnormalized pairs (M. Lange, S. M. Rump, Faithfully rounded floating-point computations,
// 2020): what rounding left over is added up beside, exactly enough for a few dozen operations.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/double_double.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/double_double.hpp"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D());

struct Real {
  V high;
  V low;
};

struct Complex {
  Real re;
  Real im;
};

HWY_INLINE Real Add(const Real& a, const Real& b) {
  const V sum = hn::Add(a.high, b.high);
  const V other = hn::Sub(sum, a.high);
  const V rest = hn::Add(hn::Sub(a.high, hn::Sub(sum, other)), hn::Sub(b.high, other));
  return {sum, hn::Add(rest, hn::Add(a.low, b.low))};
}

HWY_INLINE Real Negative(const Real& a) { return {hn::Neg(a.high), hn::Neg(a.low)}; }
HWY_INLINE Real Subtract(const Real& a, const Real& b) { return Add(a, Negative(b)); }

HWY_INLINE Real Multiply(const Real& a, const Real& b) {
  const V product = hn::Mul(a.high, b.high);
  const V rest = hn::MulSub(a.high, b.high, product);
  return {product, hn::MulAdd(a.high, b.low, hn::MulAdd(a.low, b.high, rest))};
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

// Vectors of neighbouring results of the passes before, which share their root; the last one of a run overlaps the one
// before it.
template <std::size_t radix>
HWY_INLINE void RunsPass(const DoubleDoublePass& call, const Complex* HWY_RESTRICT constants) {
  const std::size_t step = call.done * call.rest;
  Complex roots[radix];
  Complex x[radix];
  for (std::size_t p = 0; p < call.rest; ++p) {
    for (std::size_t j = 1; j < radix; ++j) roots[j] = Broadcast(call.roots, j * p * call.done);
    for (std::size_t i = 0; i < call.done; i += lanes) {
      const std::size_t q = i + lanes <= call.done ? i : call.done - lanes;
      for (std::size_t r = 0; r < radix; ++r) x[r] = Load(call.from, q + call.done * p + r * step);
      Butterfly<radix>(constants, x);
      Store(x[0], call.to, q + call.done * radix * p);
      for (std::size_t j = 1; j < radix; ++j) {
        Store(Multiply(x[j], roots[j]), call.to, q + call.done * (radix * p + j));
      }
    }
  }
}

// One of the planes' scalars.
HWY_INLINE V PartOf(const Complex& value, std::size_t part) {
  return part == 0 ? value.re.high : part == 1 ? value.re.low : part == 2 ? value.im.high : value.im.low;
}

// Stores the results of columns begin, begin + 1, ... where runs are single elements, or half a vector; false
// elsewhere.
template <std::size_t radix>
HWY_INLINE bool StoreShortRuns(const DoubleDoublePass& call, std::size_t begin, const Complex* HWY_RESTRICT x) {
  const D d;
  if (radix <= 4 && call.done == 1) {
    for (std::size_t part = 0; part < 4; ++part) {
      double* const to = call.to[part] + radix * begin;
      const V first = PartOf(x[0], part);
      const V second = PartOf(x[1], part);
      if constexpr (radix == 2) hn::StoreInterleaved2(first, second, d, to);
      if constexpr (radix == 3) hn::StoreInterleaved3(first, second, PartOf(x[2], part), d, to);
      if constexpr (radix == 4) hn::StoreInterleaved4(first, second, PartOf(x[2], part), PartOf(x[3], part), d, to);
    }
    return true;
  }
  if (2 * call.done != lanes) return false;
  const hn::Half<D> half;
  for (std::size_t j = 0; j < radix; ++j) {
    for (std::size_t part = 0; part < 4; ++part) {
      double* const to = call.to[part] + radix * begin + j * call.done;
      hn::StoreU(hn::LowerHalf(half, PartOf(x[j], part)), half, to);
      hn::StoreU(hn::UpperHalf(half, PartOf(x[j], part)), half, to + radix * call.done);
    }
  }
  return true;
}

// The same where runs are shorter than a vector: each lane has its own root, and its own place.
template <std::size_t radix>
HWY_INLINE void LanesPass(const DoubleDoublePass& call, const Complex* HWY_RESTRICT constants) {
  const std::size_t step = call.done * call.rest;
  HWY_ALIGN double few[4 * lanes];
  const DoubleDoublePlanes lane_planes{few, few + lanes, few + 2 * lanes, few + 3 * lanes};
  std::size_t places[lanes];
  Complex x[radix];
  for (std::size_t i = 0; i < step; i += lanes) {
    const std::size_t begin = i + lanes <= step ? i : step - lanes;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t p = (begin + lane) / call.done;
      places[lane] = begin + lane + call.done * (radix - 1) * p;
      for (std::size_t part = 0; part < 4; ++part) lane_planes[part][lane] = call.roots[part][p * call.done];
    }
    const Complex root = Load(lane_planes, 0);
    for (std::size_t r = 0; r < radix; ++r) x[r] = Load(call.from, begin + r * step);
    Butterfly<radix>(constants, x);
    Complex power = root;
    for (std::size_t j = 1; j < radix; ++j) {
      x[j] = Multiply(x[j], power);
      if (j + 1 < radix) power = Multiply(power, root);
    }
    if (StoreShortRuns<radix>(call, begin, x)) continue;
    for (std::size_t j = 0; j < radix; ++j) {
      Store(x[j], lane_planes, 0);
      for (std::size_t part = 0; part < 4; ++part) {
        double* const to = call.to[part] + j * call.done;
        for (std::size_t lane = 0; lane < lanes; ++lane) to[places[lane]] = lane_planes[part][lane];
      }
    }
  }
}

template <std::size_t radix>
void PassOf(const DoubleDoublePass& call) {
  Complex constants[radix];
  const std::size_t turn = call.done * call.rest;
  for (std::size_t j = 0; j <= radix / 2; ++j) constants[j] = Broadcast(call.roots, j * turn);
  call.done >= lanes ? RunsPass<radix>(call, constants) : LanesPass<radix>(call, constants);
}

void Pass(const DoubleDoublePass& call) {
  switch (call.radix) {
    case 2:
      return PassOf<2>(call);
    case 3:
      return PassOf<3>(call);
    case 4:
      return PassOf<4>(call);
    case 5:
      return PassOf<5>(call);
    case 7:
      return PassOf<7>(call);
    case 11:
      return PassOf<11>(call);
    default:
      return PassOf<13>(call);
  }
}

void Turn(const DoubleDoublePlanes& from, const std::array<double, 4>& factor, std::size_t count,
          const DoubleDoublePlanes& to) {
  const Complex times = Broadcast(factor[0], factor[1], factor[2], factor[3]);
  if (factor[2] == 0 && factor[3] == 0) {
    for (std::size_t i = 0; i < count; i += lanes) Store(Multiply(Load(from, i), times.re), to, i);
    return;
  }
  for (std::size_t i = 0; i < count; i += lanes) Store(Multiply(Load(from, i), times), to, i);
}

const DoubleDoubleKernels* Find() {
  static constexpr DoubleDoubleKernels kernels{lanes, Pass, Turn};
  return &kernels;
}

#else

const DoubleDoubleKernels* Find() { return nullptr; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backend/host/dispatch.hpp"

namespace twiddle::backend::host {

HWY_EXPORT(Find);

const DoubleDoubleKernels* find_double_double(std::int64_t targets) { return TWIDDLE_HOST_DISPATCH(Find, targets)(); }

}  // namespace twiddle::backend::host
#endif
