// Kernels of spectrum_pairs.hpp, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/spectrum_pairs.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/spectrum_pairs.hpp"

#include <algorithm>

#include "backend/host/dispatch.hpp"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {
namespace {  // one for each precision

// Z = X + i Y, of which X[-k] = conj(X[k]) and likewise Y:
//   X[k] = (Z[k] + conj(Z[n - k])) / 2,  Y[k] = (Z[k] - conj(Z[n - k])) / 2i
template <class D, class V = hn::Vec<D>, class T = hn::TFromD<D>>
HWY_INLINE void SeparateAt(D d, V re, V im, V mirror_re, V mirror_im, const Planes<T>& first, const Planes<T>& second) {
  const V half = hn::Set(d, T(0.5));
  hn::StoreU(hn::Mul(half, hn::Add(re, mirror_re)), d, first.real);
  hn::StoreU(hn::Mul(half, hn::Sub(im, mirror_im)), d, first.imaginary);
  hn::StoreU(hn::Mul(half, hn::Add(im, mirror_im)), d, second.real);
  hn::StoreU(hn::Mul(half, hn::Sub(mirror_re, re)), d, second.imaginary);
}

template <class T>
HWY_INLINE Planes<T> At(const Planes<T>& planes, std::size_t place) {
  return {planes.real + place, planes.imaginary + place};
}

// Calls visit(d, k, mirrored) so that vectors from k on cover the elements of one line that have mirror images, which
// begin at `mirrored` and are the other way round; scalars where there are fewer than a vector holds.
template <class T, class Visit>
HWY_INLINE void ForElements(std::size_t length, const Visit& visit) {
  const std::size_t half = (length - 1) / 2;
  const auto each = [&](auto d) TWIDDLE_HOST_INLINE {
    constexpr std::size_t kLanes = lanes_of<decltype(d)>;
    for (std::size_t begin = 1; begin <= half; begin += kLanes) {
      const std::size_t k = std::min(begin, half + 1 - kLanes);
      visit(d, k, length - k - kLanes + 1);
    }
  };
  const hn::ScalableTag<T> d;
  if (half >= lanes_of<decltype(d)>) return each(d);
  each(hn::CappedTag<T, 1>());
}

template <class T>
void Separate(const SpectrumPairCall<T>& call) {
  const std::size_t lanes = call.lanes;
  const std::size_t half = call.length / 2;
  const Planes<T> second = At(call.spectra, (half + 1) * lanes);
  std::copy_n(call.line.real, lanes, call.spectra.real);
  std::copy_n(call.line.imaginary, lanes, second.real);
  std::fill_n(call.spectra.imaginary, lanes, T{0});
  std::fill_n(second.imaginary, lanes, T{0});
  if (lanes == 1) {
    ForElements<T>(call.length, [&](auto d, std::size_t k, std::size_t mirrored) TWIDDLE_HOST_INLINE {
      SeparateAt(d, hn::LoadU(d, call.line.real + k), hn::LoadU(d, call.line.imaginary + k),
                 hn::Reverse(d, hn::LoadU(d, call.line.real + mirrored)),
                 hn::Reverse(d, hn::LoadU(d, call.line.imaginary + mirrored)), At(call.spectra, k), At(second, k));
    });
    return;
  }
  const hn::ScalableTag<T> d;
  for (std::size_t k = 1; k <= half; ++k) {
    for (std::size_t lane = 0; lane < lanes; lane += lanes_of<decltype(d)>) {
      const std::size_t at = k * lanes + lane;
      const Planes<T> mirror = At(call.line, (call.length - k) * lanes + lane);
      SeparateAt(d, hn::LoadU(d, call.line.real + at), hn::LoadU(d, call.line.imaginary + at),
                 hn::LoadU(d, mirror.real), hn::LoadU(d, mirror.imaginary), At(call.spectra, at), At(second, at));
    }
  }
}

// Z[k] = X[k] + i Y[k], Z[n - k] = conj(X[k]) + i conj(Y[k])
template <bool kReversed, class D, class T = hn::TFromD<D>>
HWY_INLINE void JoinAt(D d, const Planes<T>& first, const Planes<T>& second, const Planes<T>& to,
                       const Planes<T>& mirror) {
  using V = hn::Vec<D>;
  const V first_re = hn::LoadU(d, first.real);
  const V first_im = hn::LoadU(d, first.imaginary);
  const V second_re = hn::LoadU(d, second.real);
  const V second_im = hn::LoadU(d, second.imaginary);
  hn::StoreU(hn::Sub(first_re, second_im), d, to.real);
  hn::StoreU(hn::Add(first_im, second_re), d, to.imaginary);
  V mirror_re = hn::Add(first_re, second_im);
  V mirror_im = hn::Sub(second_re, first_im);
  if constexpr (kReversed) {
    mirror_re = hn::Reverse(d, mirror_re);
    mirror_im = hn::Reverse(d, mirror_im);
  }
  hn::StoreU(mirror_re, d, mirror.real);
  hn::StoreU(mirror_im, d, mirror.imaginary);
}

template <class T>
void Join(const SpectrumPairCall<T>& call) {
  const std::size_t lanes = call.lanes;
  const std::size_t half = call.length / 2;
  const Planes<T> second = At(call.spectra, (half + 1) * lanes);
  std::copy_n(call.spectra.real, lanes, call.line.real);
  std::copy_n(second.real, lanes, call.line.imaginary);
  if (lanes == 1) {
    ForElements<T>(call.length, [&](auto d, std::size_t k, std::size_t mirrored) TWIDDLE_HOST_INLINE {
      JoinAt<true>(d, At(call.spectra, k), At(second, k), At(call.line, k), At(call.line, mirrored));
    });
    return;
  }
  const hn::ScalableTag<T> d;
  for (std::size_t k = 1; k <= half; ++k) {
    for (std::size_t lane = 0; lane < lanes; lane += lanes_of<decltype(d)>) {
      const std::size_t at = k * lanes + lane;
      JoinAt<false>(d, At(call.spectra, at), At(second, at), At(call.line, at),
                    At(call.line, (call.length - k) * lanes + lane));
    }
  }
}

// Z[k] = X[k], Z[n - k] = conj(X[k])
template <class T>
void Mirror(const SpectrumPairCall<T>& call) {
  const std::size_t lanes = call.lanes;
  const std::size_t count = (call.length / 2 + 1) * lanes;
  std::copy_n(call.spectra.real, count, call.line.real);
  std::copy_n(call.spectra.imaginary, count, call.line.imaginary);
  std::fill_n(call.line.imaginary, lanes, T{0});
  if (call.length % 2 == 0) std::fill_n(call.line.imaginary + count - lanes, lanes, T{0});
  if (lanes == 1) {
    ForElements<T>(call.length, [&](auto d, std::size_t k, std::size_t mirrored) TWIDDLE_HOST_INLINE {
      hn::StoreU(hn::Reverse(d, hn::LoadU(d, call.spectra.real + k)), d, call.line.real + mirrored);
      hn::StoreU(hn::Reverse(d, hn::Neg(hn::LoadU(d, call.spectra.imaginary + k))), d, call.line.imaginary + mirrored);
    });
    return;
  }
  const hn::ScalableTag<T> d;
  for (std::size_t k = 1; k <= (call.length - 1) / 2; ++k) {
    const Planes<T> from = At(call.spectra, k * lanes);
    const Planes<T> to = At(call.line, (call.length - k) * lanes);
    for (std::size_t lane = 0; lane < lanes; lane += lanes_of<decltype(d)>) {
      hn::StoreU(hn::LoadU(d, from.real + lane), d, to.real + lane);
      hn::StoreU(hn::Neg(hn::LoadU(d, from.imaginary + lane)), d, to.imaginary + lane);
    }
  }
}

SpectrumPairKernels<Scalar> FindSpectrumPairs() { return {Separate<Scalar>, Join<Scalar>, Mirror<Scalar>}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {

HWY_EXPORT(FindSpectrumPairs);

template <>
SpectrumPairKernels<Scalar> find_spectrum_pairs<Scalar>(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindSpectrumPairs, targets)();
}

}  // namespace twiddle::backend::host
#endif
