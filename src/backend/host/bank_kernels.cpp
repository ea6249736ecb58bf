// Kernels of bank_kernels.hpp, for every SIMD target and one precision. Loops without vectors in them are left to the
// compiler, which makes vectors of them for the target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/bank_kernels.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/bank_kernels.hpp"

#include <cmath>
#include <numbers>

#include "backend/host/dispatch.hpp"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {
namespace {  // one for each precision

// Products instead of what is there, or added to it.
template <bool kAdd, class T>
void Product(const ProductCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  // a * b, or to[0] + a * b.
  const auto first = [](auto a, auto b, [[maybe_unused]] const T* to) {
    if constexpr (kAdd) return hn::MulAdd(a, b, hn::LoadU(hn::ScalableTag<T>(), to));
    return hn::Mul(a, b);
  };
  std::size_t k = 0;
  for (; k + kLanes <= call.count; k += kLanes) {
    const auto a_re = hn::LoadU(d, call.a.real + k);
    const auto a_im = hn::LoadU(d, call.a.imaginary + k);
    const auto b_re = hn::LoadU(d, call.b.real + k);
    const auto b_im = hn::LoadU(d, call.b.imaginary + k);
    hn::StoreU(hn::NegMulAdd(a_im, b_im, first(a_re, b_re, call.to.real + k)), d, call.to.real + k);
    hn::StoreU(hn::MulAdd(a_im, b_re, first(a_re, b_im, call.to.imaginary + k)), d, call.to.imaginary + k);
  }
  for (; k < call.count; ++k) {
    const T re = call.a.real[k] * call.b.real[k] - call.a.imaginary[k] * call.b.imaginary[k];
    const T im = call.a.real[k] * call.b.imaginary[k] + call.a.imaginary[k] * call.b.real[k];
    call.to.real[k] = kAdd ? call.to.real[k] + re : re;
    call.to.imaginary[k] = kAdd ? call.to.imaginary[k] + im : im;
  }
}

// `kVectors` vectors of outputs at a time stay in registers while the taps of all lines go by.
template <std::size_t kVectors, class T>
HWY_INLINE void SumReals(const DirectCall<T>& call, std::size_t k) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  hn::Vec<decltype(d)> sum[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) sum[i] = hn::Zero(d);
  for (std::size_t line = 0; line < call.line_count; ++line) {
    const T* from = call.lines[line].from + k;
    const T* const taps = call.taps + call.lines[line].taps;
    for (std::size_t m = 0; m < call.tap_count; ++m, --from) {
      const auto tap = hn::Set(d, taps[m]);
      for (std::size_t i = 0; i < kVectors; ++i) sum[i] = hn::MulAdd(tap, hn::LoadU(d, from + i * kLanes), sum[i]);
    }
  }
  for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(sum[i], d, call.to.real + k + i * kLanes);
}

#if HWY_TARGET != HWY_SCALAR
// Interleaved samples times the taps' real parts, and times their imaginary parts, are summed apart; the first sums'
// real parts less the second sums' imaginary parts are the results' real parts.
template <std::size_t kVectors, class T>
HWY_INLINE void SumComplex(const DirectCall<T>& call, std::size_t k) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  hn::Vec<decltype(d)> by_real[2 * kVectors], by_imaginary[2 * kVectors];
  for (std::size_t i = 0; i < 2 * kVectors; ++i) by_real[i] = by_imaginary[i] = hn::Zero(d);
  for (std::size_t line = 0; line < call.line_count; ++line) {
    const T* from = call.lines[line].from + 2 * k;
    const T* const taps = call.taps + call.lines[line].taps;
    for (std::size_t m = 0; m < call.tap_count; ++m, from -= 2) {
      const auto tap_re = hn::Set(d, taps[2 * m]);
      const auto tap_im = hn::Set(d, taps[2 * m + 1]);
      for (std::size_t i = 0; i < 2 * kVectors; ++i) {
        const auto x = hn::LoadU(d, from + i * kLanes);
        by_real[i] = hn::MulAdd(tap_re, x, by_real[i]);
        by_imaginary[i] = hn::MulAdd(tap_im, x, by_imaginary[i]);
      }
    }
  }
  for (std::size_t i = 0; i < kVectors; ++i) {
    const auto re = hn::Sub(hn::ConcatEven(d, by_real[2 * i + 1], by_real[2 * i]),
                            hn::ConcatOdd(d, by_imaginary[2 * i + 1], by_imaginary[2 * i]));
    const auto im = hn::Add(hn::ConcatOdd(d, by_real[2 * i + 1], by_real[2 * i]),
                            hn::ConcatEven(d, by_imaginary[2 * i + 1], by_imaginary[2 * i]));
    hn::StoreU(re, d, call.to.real + k + i * kLanes);
    hn::StoreU(im, d, call.to.imaginary + k + i * kLanes);
  }
}
#endif

template <class T>
void SumOne(const DirectCall<T>& call, std::size_t k) {
  T re = 0;
  T im = 0;
  for (std::size_t line = 0; line < call.line_count; ++line) {
    const T* const taps = call.taps + call.lines[line].taps;
    if (call.to.imaginary == nullptr) {
      const T* const from = call.lines[line].from + k;
      for (std::size_t m = 0; m < call.tap_count; ++m) re += taps[m] * *(from - m);
      continue;
    }
    const T* const from = call.lines[line].from + 2 * k;
    for (std::size_t m = 0; m < call.tap_count; ++m) {
      const T* const x = from - 2 * m;
      re += taps[2 * m] * x[0] - taps[2 * m + 1] * x[1];
      im += taps[2 * m] * x[1] + taps[2 * m + 1] * x[0];
    }
  }
  call.to.real[k] = re;
  if (call.to.imaginary != nullptr) call.to.imaginary[k] = im;
}

#if HWY_TARGET != HWY_SCALAR
template <std::size_t kVectors, class T>
HWY_INLINE void Sum(const DirectCall<T>& call, std::size_t k) {
  call.to.imaginary == nullptr ? SumReals<kVectors>(call, k) : SumComplex<kVectors>(call, k);
}
#endif

// The last vector overlaps the one before it.
template <class T>
void Direct(const DirectCall<T>& call) {
  std::size_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr std::size_t kLanes = lanes_of<hn::ScalableTag<T>>;
  if (call.to.imaginary == nullptr) {
    for (; k + 8 * kLanes <= call.count; k += 8 * kLanes) SumReals<8>(call, k);
  }
  for (; k + 4 * kLanes <= call.count; k += 4 * kLanes) Sum<4>(call, k);
  for (; k + kLanes <= call.count; k += kLanes) Sum<1>(call, k);
  if (k < call.count && call.count >= kLanes) return Sum<1>(call, call.count - kLanes);
#endif
  for (; k < call.count; ++k) SumOne(call, k);
}

// to[i] = value(i * decimation).
template <class T, class Value>
HWY_INLINE void Store(const PostCall<T>& call, const Value& value) {
  T* const to = call.to;
  if (call.decimation == 1) {
    for (std::size_t k = 0; k < call.count; ++k) to[k] = value(k);
  } else {
    for (std::size_t k = 0, i = 0; k < call.count; k += call.decimation, ++i) to[i] = value(k);
  }
}

template <class T, class Real, class Imaginary>
HWY_INLINE void StoreComplexValues(const PostCall<T>& call, const Real& real, const Imaginary& imaginary) {
  T* const to = call.to;
  for (std::size_t k = 0, i = 0; k < call.count; k += call.decimation, ++i) {
    to[2 * i] = real(k);
    to[2 * i + 1] = imaginary(k);
  }
}

template <class T>
void Process(const PostCall<T>& call) {
  using Function = PostProcessing::Function;
  const T* const re = call.y.real;
  const T* const im = call.y.imaginary;
  const auto slope = [](const T* y) { return [y](std::size_t k) { return (y[k + 1] - (y + k)[-1]) * T(0.5); }; };
  const auto copy = [](const T* y) { return [y](std::size_t k) { return y[k]; }; };
  switch (call.function) {
    case Function::none:
      return im == nullptr ? Store(call, copy(re)) : StoreComplexValues(call, copy(re), copy(im));
    case Function::power:
      if (im == nullptr) return Store(call, [re](std::size_t k) { return re[k] * re[k]; });
      return Store(call, [re, im](std::size_t k) { return re[k] * re[k] + im[k] * im[k]; });
    case Function::magnitude:
      if (im == nullptr) return Store(call, [re](std::size_t k) { return std::abs(re[k]); });
      return Store(call, [re, im](std::size_t k) { return std::sqrt(re[k] * re[k] + im[k] * im[k]); });
    case Function::derivative:
      return im == nullptr ? Store(call, slope(re)) : StoreComplexValues(call, slope(re), slope(im));
    case Function::interbin_pi_4:
    case Function::interbin_2_pi: {
      constexpr T pi = std::numbers::pi_v<T>;
      const T factor = call.function == Function::interbin_pi_4 ? pi * pi / 16 : 4 / (pi * pi);
      for (std::size_t k = 0; k < call.count; ++k) {
        const T step_re = re[k] - re[k + 1];
        const T step_im = im == nullptr ? T{0} : im[k] - im[k + 1];
        call.to[2 * k] = re[k] * re[k] + (im == nullptr ? T{0} : im[k] * im[k]);
        call.to[2 * k + 1] = factor * (step_re * step_re + step_im * step_im);
      }
      return;
    }
  }
}

template <class T>
void KeepLarger(const T* values, std::size_t count, T index, T* largest, T* winners) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool larger = values[i] > largest[i];
    largest[i] = larger ? values[i] : largest[i];
    winners[i] = larger ? index : winners[i];
  }
}

BankKernels<Scalar> FindBankKernels() {
  return {Product<false, Scalar>, Product<true, Scalar>, Direct<Scalar>, Process<Scalar>, KeepLarger<Scalar>};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {

HWY_EXPORT(FindBankKernels);

template <>
BankKernels<Scalar> find_bank_kernels<Scalar>(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindBankKernels, targets)();
}

}  // namespace twiddle::backend::host
#endif
