// Moves between half a spectrum of a single line as the passes hold it and elements in order. Included once per SIMD
// target.
// clang-format off
#if defined(TWIDDLE_HOST_SPECTRUM_ROW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_SPECTRUM_ROW_INL_H
#undef TWIDDLE_HOST_SPECTRUM_ROW_INL_H
#else
#define TWIDDLE_HOST_SPECTRUM_ROW_INL_H
#endif
// clang-format on

#include <algorithm>
#include <cstddef>

#include "backend/host/half_spectrum.hpp"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// A vector of elements i, i + 1, ... to memory, as far as they are below `count`; of interleaved data only those of its
// halves that hold some of the `wanted` ones.
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE void StoreElements(D d, const SpectrumRowCall<T>& call, std::size_t i, std::size_t wanted, V re, V im) {
  constexpr std::size_t kLanes = lanes_of<D>;
  const std::size_t there = std::min(wanted, call.count - i);
  const bool whole = i + kLanes <= call.count;
  if (call.memory_imaginary != nullptr) {
    if (whole) {
      hn::StoreU(re, d, call.memory + i);
      hn::StoreU(im, d, call.memory_imaginary + i);
      return;
    }
    T part[2 * kLanes];
    hn::StoreU(re, d, part);
    hn::StoreU(im, d, part + kLanes);
    std::copy_n(part, there, call.memory + i);
    std::copy_n(part + kLanes, there, call.memory_imaginary + i);
    return;
  }
  if (whole) {
    Interleave(d, re, im);
    hn::StoreU(re, d, call.memory + 2 * i);
    if (2 * wanted > kLanes) hn::StoreU(im, d, call.memory + 2 * i + kLanes);
    return;
  }
  T part[2 * kLanes];
  StoreComplex<false, false>(d, re, im, part);
  std::copy_n(part, 2 * there, call.memory + 2 * i);
}

// A vector of elements i, i + 1, ... to places, or back to front and conjugated; false where not all of them are there.
template <bool kMirrored, class D, class T>
HWY_INLINE bool FoldElements(D d, const SpectrumRowCall<T>& call, std::ptrdiff_t i, std::size_t to) {
  if (i < 0 || static_cast<std::size_t>(i) + lanes_of < D >> call.count) return false;
  hn::Vec<D> re, im;
  if (call.memory_imaginary != nullptr) {
    re = hn::LoadU(d, call.memory + i);
    im = hn::LoadU(d, call.memory_imaginary + i);
  } else {
    LoadComplex<false>(d, call.memory + 2 * i, re, im);
  }
  if constexpr (kMirrored) {
    re = hn::Reverse(d, re);
    im = hn::Reverse(d, im);
  }
  hn::StoreU(re, d, call.places.real + to);
  hn::StoreU(hn::Mul(im, hn::Set(d, kMirrored ? -call.sign : call.sign)), d, call.places.imaginary + to);
  return true;
}

// Each group of `radix` elements is half a group of places and, backwards, the rest of another. In ascending order, so
// that what a vector writes beyond its elements is overwritten.
template <class T>
void UnfoldRow(const SpectrumRowCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t half = call.radix / 2 + 1;
  const auto scale = hn::Set(d, call.scale);
  const auto imaginary_scale = hn::Set(d, call.scale * call.sign);
  const auto mirrored_scale = hn::Set(d, -call.scale * call.sign);
  for (std::size_t group = 0; call.radix * group < call.count; ++group) {
    const std::size_t base = call.radix * group;
    for (std::size_t k = 0; k < half && base + k < call.count; k += kLanes) {
      const std::size_t from = half * group + k;
      StoreElements(d, call, base + k, half - k, hn::Mul(scale, hn::LoadU(d, call.places.real + from)),
                    hn::Mul(imaginary_scale, hn::LoadU(d, call.places.imaginary + from)));
    }
    const std::size_t end = half * (call.columns - 1 - group) + call.radix + 1;
    for (std::size_t k = half; k < call.radix && base + k < call.count; k += kLanes) {
      const auto from = static_cast<std::ptrdiff_t>(end) - static_cast<std::ptrdiff_t>(k + kLanes);
      const auto re = hn::Reverse(d, hn::LoadU(d, call.places.real + from));
      const auto im = hn::Reverse(d, hn::LoadU(d, call.places.imaginary + from));
      StoreElements(d, call, base + k, call.radix - k, hn::Mul(scale, re), hn::Mul(mirrored_scale, im));
    }
  }
}

// The first half of the groups of places, then the other half, which holds conjugates, backwards.
template <class T>
void FoldRow(const SpectrumRowCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t half = call.radix / 2 + 1;
  const bool planar = call.memory_imaginary != nullptr;
  for (std::size_t group = 0; group < call.columns; ++group) {
    const bool mirrored = 2 * group >= call.columns;
    const std::size_t base = call.radix * (mirrored ? call.columns - group : group);
    for (std::size_t k = 0; k < half; k += kLanes) {
      const std::size_t to = half * group + k;
      const auto last = static_cast<std::ptrdiff_t>(base) - static_cast<std::ptrdiff_t>(k);
      if (mirrored ? FoldElements<true>(d, call, last + 1 - static_cast<std::ptrdiff_t>(kLanes), to)
                   : FoldElements<false>(d, call, static_cast<std::ptrdiff_t>(base + k), to)) {
        continue;
      }
      for (std::size_t i = 0; i < std::min(kLanes, half - k); ++i) {
        const std::size_t element = mirrored ? base - k - i : base + k + i;
        const T imaginary = planar ? call.memory_imaginary[element] : call.memory[2 * element + 1];
        call.places.real[to + i] = planar ? call.memory[element] : call.memory[2 * element];
        call.places.imaginary[to + i] = mirrored ? -call.sign * imaginary : call.sign * imaginary;
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
