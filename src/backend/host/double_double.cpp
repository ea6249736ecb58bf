// Passes of transforms in double-double arithmetic, and roots, for every SIMD target that fuses products and sums.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/double_double.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/double_double.hpp"

#include "backend/host/double_double-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#ifdef TWIDDLE_HOST_FUSES

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
      if (j + 1 < radix) power = Normalized(Multiply(power, root));
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
    for (std::size_t i = 0; i < count; i += lanes) Store(Normalized(Multiply(Load(from, i), times.re)), to, i);
    return;
  }
  for (std::size_t i = 0; i < count; i += lanes) Store(Normalized(Multiply(Load(from, i), times)), to, i);
}

void MultiplyAll(const DoubleDoublePlanes& from, const DoubleDoublePlanes& factors, std::size_t count,
                 const DoubleDoublePlanes& to) {
  for (std::size_t i = 0; i < count; i += lanes) Store(Multiply(Load(from, i), Load(factors, i)), to, i);
}

// Cosine and sine of `beyond` steps from the table's angle: by the angle sum, as the rest is so small that but for its
// first term its series are in double. `entries`: the table's.
HWY_INLINE void AngleSum(const RootSteps& steps, const V beyond, const double* HWY_RESTRICT entries, Real& cosine,
                         Real& sine) {
  const D d;
  const V step = hn::Set(d, steps.angle);
  const V angle = hn::Mul(beyond, step);
  const V angle_low = hn::MulAdd(beyond, hn::Set(d, steps.angle_low), hn::MulSub(beyond, step, angle));
  const V square = hn::Mul(angle, angle);
  const V fifth = hn::MulAdd(square, hn::Set(d, -1.0 / 5040), hn::Set(d, 1.0 / 120));
  const V third = hn::MulAdd(square, fifth, hn::Set(d, -1.0 / 6));
  const V sine_rest = hn::MulAdd(hn::Mul(angle, square), third, angle_low);
  const V fourth = hn::MulAdd(square, hn::Set(d, -1.0 / 720), hn::Set(d, 1.0 / 24));
  const V cosine_rest = hn::Mul(square, hn::MulAdd(square, fourth, hn::Set(d, -0.5)));

  V c, c_low, s, s_low;
  hn::LoadInterleaved4(d, entries, c, c_low, s, s_low);
  const V down = hn::Mul(s, angle);
  const V down_low = hn::MulSub(s, angle, down);
  const V cosine_high = hn::Sub(c, down);
  V low = hn::Add(hn::Sub(hn::Sub(c, cosine_high), down), hn::Sub(c_low, down_low));
  low = hn::NegMulAdd(s_low, angle, hn::NegMulAdd(s, sine_rest, hn::MulAdd(c, cosine_rest, low)));
  cosine = Normalized(cosine_high, low);
  const V up = hn::Mul(c, angle);
  const V up_low = hn::MulSub(c, angle, up);
  const V sine_high = hn::Add(s, up);
  low = hn::Add(hn::Sub(up, hn::Sub(sine_high, s)), hn::Add(s_low, up_low));
  low = hn::MulAdd(c_low, angle, hn::MulAdd(c, sine_rest, hn::MulAdd(s, cosine_rest, low)));
  sine = Normalized(sine_high, low);
}

HWY_INLINE Real Select(const hn::Mask<D> mask, const Real& yes, const Real& no) {
  return {hn::IfThenElse(mask, yes.high, no.high), hn::IfThenElse(mask, yes.low, no.low)};
}

HWY_INLINE hn::Mask<D> IsOdd(const V integer) {
  const D d;
  const V half = hn::Mul(integer, hn::Set(d, 0.5));
  return hn::Ne(hn::Floor(half), half);
}

constexpr std::size_t block = 64;  // a multiple of all vectors

struct Angles {
  HWY_ALIGN double octants[block];
  HWY_ALIGN double nearest[block];  // of the table, measured from one end of the octant or the other
  HWY_ALIGN double beyond[block];   // in steps
};

// All numbers are whole and below 2^53, so that nothing is rounded.
HWY_INLINE void Reduce(const RootSteps& steps, const V power, std::size_t at, Angles& angles) {
  const D d;
  const V n = hn::Set(d, steps.count);
  const V one = hn::Set(d, 1.0);
  const V zero = hn::Zero(d);
  const V parts = hn::Set(d, RootSteps::parts);
  const V eighths = hn::Mul(power, hn::Set(d, 8.0));
  V octant = hn::Floor(hn::Mul(eighths, hn::Set(d, 1 / steps.count)));
  V within = hn::NegMulAdd(octant, n, eighths);
  const auto below = hn::Lt(within, zero);
  octant = hn::Sub(octant, hn::IfThenElseZero(below, one));
  within = hn::Add(within, hn::IfThenElseZero(below, n));
  const auto above = hn::Ge(within, n);
  octant = hn::Add(octant, hn::IfThenElseZero(above, one));
  within = hn::Sub(within, hn::IfThenElseZero(above, n));
  within = hn::IfThenElse(IsOdd(octant), hn::Sub(n, within), within);
  const V nearest = hn::Round(hn::Mul(within, hn::Set(d, RootSteps::parts / steps.count)));
  hn::Store(octant, d, angles.octants + at);
  hn::Store(nearest, d, angles.nearest + at);
  hn::Store(hn::NegMulAdd(nearest, n, hn::Mul(within, parts)), d, angles.beyond + at);
}

// The table's entries come one at a time, which takes less than gathering their parts.
void Roots(const RootSteps& steps, const double* powers, std::size_t count, const DoubleDoublePlanes& to) {
  const D d;
  Angles angles;
  HWY_ALIGN double entries[4 * block];
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t end = HWY_MIN(block, count - begin);
    for (std::size_t i = 0; i < end; i += lanes) Reduce(steps, hn::LoadU(d, powers + begin + i), i, angles);
    for (std::size_t i = 0; i < end; ++i) {
      const double* const entry = steps.table + 4 * static_cast<std::size_t>(angles.nearest[i]);
      for (std::size_t part = 0; part < 4; ++part) entries[4 * i + part] = entry[part];
    }
    for (std::size_t i = 0; i < end; i += lanes) {
      Real cosine;
      Real sine;
      AngleSum(steps, hn::Load(d, angles.beyond + i), entries + 4 * i, cosine, sine);
      const V octant = hn::Load(d, angles.octants + i);
      const auto exchanged = IsOdd(hn::Floor(hn::MulAdd(octant, hn::Set(d, 0.5), hn::Set(d, 0.5))));
      const Real re = Select(exchanged, sine, cosine);
      const Real im = Select(exchanged, cosine, sine);
      const auto left = hn::Lt(hn::Abs(hn::Sub(octant, hn::Set(d, 3.5))), hn::Set(d, 2.0));
      const auto first_half = hn::Lt(octant, hn::Set(d, 4.0));
      Store({Select(left, Negative(re), re), Select(first_half, Negative(im), im)}, to, begin + i);
    }
  }
}

const DoubleDoubleKernels* Find() {
  static constexpr DoubleDoubleKernels kernels{lanes, Pass, MirroredPass, Turn, MultiplyAll, Roots};
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
