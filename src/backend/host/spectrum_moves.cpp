// Moves between half a spectrum as the passes hold it and elements in order, for every SIMD target and one precision:
// of bundles here, of single lines in spectrum_row-inl.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/spectrum_moves.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include <algorithm>

#include "backend/host/dispatch.hpp"
#include "backend/host/half_spectrum.hpp"
#include "backend/host/spectrum_row-inl.h"
#include "backend/host/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// What the imaginary part of an element in its place is multiplied by.
template <class T>
HWY_INLINE T ImaginaryScale(const SpectrumLanesCall<T>& call, const SpectrumElement& element) {
  return element.conjugate ? -call.scale * call.sign : call.scale * call.sign;
}

template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE void UnfoldElement(D d, const SpectrumLanesCall<T>& call, const SpectrumElement& element, std::size_t lane,
                              V scale, V& re, V& im) {
  const std::size_t from = element.place * call.lanes + lane;
  re = hn::Mul(scale, hn::LoadU(d, call.places.real + from));
  im = hn::Mul(hn::Set(d, ImaginaryScale(call, element)), hn::LoadU(d, call.places.imaginary + from));
}

template <class T>
void UnfoldLanes(const SpectrumLanesCall<T>& call) {
  const hn::ScalableTag<T> d;
  const auto scale = hn::Set(d, call.scale);
  for (std::size_t i = 0; i < call.count; ++i) {
    const SpectrumElement& element = call.elements[i];
    const auto imaginary_scale = hn::Set(d, ImaginaryScale(call, element));
    const std::size_t from = element.place * call.lanes;
    for (std::size_t lane = 0; lane < call.lanes; lane += lanes_of<decltype(d)>) {
      const auto re = hn::Mul(scale, hn::LoadU(d, call.places.real + from + lane));
      const auto im = hn::Mul(imaginary_scale, hn::LoadU(d, call.places.imaginary + from + lane));
      if (call.memory_imaginary != nullptr) {
        hn::StoreU(re, d, call.memory + i * call.lanes + lane);
        hn::StoreU(im, d, call.memory_imaginary + i * call.lanes + lane);
      } else {
        T* const to = call.memory + static_cast<std::ptrdiff_t>(i) * call.memory_step + 2 * lane;
        StoreComplex<false, false>(d, re, im, to);
      }
    }
  }
}

template <class T>
void UnfoldLongRows(const SpectrumLanesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  StoreRows<false, false>(d, call.active, call.count, call.memory, call.memory_step,
                          [&](std::size_t lane, std::size_t element, V& re, V& im) TWIDDLE_HOST_INLINE {
                            UnfoldElement(d, call, call.elements[element], lane, scale, re, im);
                          });
}

// Rows shorter than a vector are written as whole vectors too, in ascending order, where what is beyond them is the
// next row.
template <class T>
void UnfoldShortRows(const SpectrumLanesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  const bool adjacent = call.memory_step == static_cast<std::ptrdiff_t>(2 * call.count);
  for (std::size_t lane = 0; lane < call.active; lane += kLanes) {
    V v[2 * kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      UnfoldElement(d, call, call.elements[std::min(i, call.count - 1)], lane, scale, v[2 * i], v[2 * i + 1]);
    }
    TransposeComplex(d, v);
    for (std::size_t row = 0; row < std::min(kLanes, call.active - lane); ++row) {
      T* const to = call.memory + static_cast<std::ptrdiff_t>(lane + row) * call.memory_step;
      if (adjacent && call.count * (call.active - lane - row) >= kLanes) {
        StoreHalves(d, v[row], v[kLanes + row], to);
      } else {
        T part[2 * kLanes];
        StoreHalves(d, v[row], v[kLanes + row], part);
        std::copy_n(part, 2 * call.count, to);
      }
    }
  }
}

template <class T>
void UnfoldRows(const SpectrumLanesCall<T>& call) {
  (call.count < lanes_of<hn::ScalableTag<T>> ? UnfoldShortRows<T> : UnfoldLongRows<T>)(call);
}

// To its place, and to its mirror image's.
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE void FoldElement(D d, const SpectrumLanesCall<T>& call, const SpectrumElement& element, std::size_t lane,
                            V re, V im, V sign) {
  im = hn::Mul(im, sign);
  const std::size_t mirror = element.mirror * call.lanes + lane;
  const std::size_t place = element.place * call.lanes + lane;
  hn::StoreU(re, d, call.places.real + mirror);
  hn::StoreU(hn::Neg(im), d, call.places.imaginary + mirror);
  if (element.conjugate) return;
  hn::StoreU(re, d, call.places.real + place);
  hn::StoreU(im, d, call.places.imaginary + place);
}

template <class T>
void FoldLanes(const SpectrumLanesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V sign = hn::Set(d, call.sign);
  for (std::size_t i = 0; i < call.count; ++i) {
    for (std::size_t lane = 0; lane < call.lanes; lane += lanes_of<decltype(d)>) {
      V re, im;
      if (call.memory_imaginary != nullptr) {
        re = hn::LoadU(d, call.memory + i * call.lanes + lane);
        im = hn::LoadU(d, call.memory_imaginary + i * call.lanes + lane);
      } else {
        LoadComplex<false>(d, call.memory + static_cast<std::ptrdiff_t>(i) * call.memory_step + 2 * lane, re, im);
      }
      FoldElement(d, call, call.elements[i], lane, re, im, sign);
    }
  }
}

// Lanes beyond `active` hold copies of the first line.
template <class T>
void FoldLongRows(const SpectrumLanesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const V sign = hn::Set(d, call.sign);
  for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
    for (std::size_t begin = 0; begin < call.count; begin += kLanes) {
      const std::size_t first = begin + kLanes <= call.count ? begin : call.count - kLanes;
      V v[2 * kLanes];
      for (std::size_t row = 0; row < kLanes; ++row) {
        const std::size_t line = lane + row < call.active ? lane + row : 0;
        const T* const from = call.memory + static_cast<std::ptrdiff_t>(line) * call.memory_step + 2 * first;
        LoadHalves(d, from, v[row], v[kLanes + row]);
      }
      TransposeComplex(d, v);
      for (std::size_t i = 0; i < kLanes; ++i) {
        FoldElement(d, call, call.elements[first + i], lane, v[2 * i], v[2 * i + 1], sign);
      }
    }
  }
}

// Rows shorter than a vector are read as whole vectors too where what is beyond them is the next row. Lanes beyond
// `active` hold copies of another line.
template <class T>
void FoldShortRows(const SpectrumLanesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const V sign = hn::Set(d, call.sign);
  const bool adjacent = call.memory_step == static_cast<std::ptrdiff_t>(2 * call.count);
  for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
    V v[2 * kLanes];
    for (std::size_t row = 0; row < kLanes; ++row) {
      const std::size_t line = lane + row;
      if (line >= call.active) {
        v[row] = v[0];
        v[kLanes + row] = v[kLanes];
        continue;
      }
      const T* const from = call.memory + static_cast<std::ptrdiff_t>(line) * call.memory_step;
      if (adjacent && call.count * (call.active - line) >= kLanes) {
        LoadHalves(d, from, v[row], v[kLanes + row]);
      } else {
        T part[2 * kLanes] = {};
        std::copy_n(from, 2 * call.count, part);
        LoadHalves(d, part, v[row], v[kLanes + row]);
      }
    }
    TransposeComplex(d, v);
    for (std::size_t i = 0; i < call.count; ++i) {
      FoldElement(d, call, call.elements[i], lane, v[2 * i], v[2 * i + 1], sign);
    }
  }
}

template <class T>
void FoldRows(const SpectrumLanesCall<T>& call) {
  (call.count < lanes_of<hn::ScalableTag<T>> ? FoldShortRows<T> : FoldLongRows<T>)(call);
}

// Reals of short rows, the same way.
template <class T>
void RealsFromRows(const ShortRowsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const bool adjacent = call.memory_step == static_cast<std::ptrdiff_t>(call.count);
  for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
    V rows[kLanes];
    for (std::size_t row = 0; row < kLanes; ++row) {
      const std::size_t line = lane + row;
      if (line >= call.active) {
        rows[row] = rows[0];
        continue;
      }
      const T* const from = call.memory + static_cast<std::ptrdiff_t>(line) * call.memory_step;
      if (adjacent && call.count * (call.active - line) >= kLanes) {
        rows[row] = hn::LoadU(d, from);
      } else {
        T part[kLanes] = {};
        std::copy_n(from, call.count, part);
        rows[row] = hn::LoadU(d, part);
      }
    }
    TransposeSquare(d, rows);
    for (std::size_t i = 0; i < call.count; ++i) hn::StoreU(rows[i], d, call.plane + i * call.lanes + lane);
  }
}

template <class T>
void RealsToRows(const ShortRowsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  const bool adjacent = call.memory_step == static_cast<std::ptrdiff_t>(call.count);
  for (std::size_t lane = 0; lane < call.active; lane += kLanes) {
    V rows[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
      rows[i] = hn::Mul(scale, hn::LoadU(d, call.plane + std::min(i, call.count - 1) * call.lanes + lane));
    }
    TransposeSquare(d, rows);
    for (std::size_t row = 0; row < std::min(kLanes, call.active - lane); ++row) {
      T* const to = call.memory + static_cast<std::ptrdiff_t>(lane + row) * call.memory_step;
      if (adjacent && call.count * (call.active - lane - row) >= kLanes) {
        hn::StoreU(rows[row], d, to);
      } else {
        T part[kLanes];
        hn::StoreU(rows[row], d, part);
        std::copy_n(part, call.count, to);
      }
    }
  }
}

// Whole lines of the cache past it, the ends through it.
template <class T>
void CopyStreamed(const T* from, std::size_t count, T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr std::size_t kLine = 64 / sizeof(T);
  std::size_t i = 0;
  for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % 64 != 0; ++i) to[i] = from[i];
  for (; i + kLine <= count; i += kLine) {
    for (std::size_t part = 0; part < kLine; part += kLanes) {
      hn::Stream(hn::LoadU(d, from + i + part), d, to + i + part);
    }
  }
  std::copy(from + i, from + count, to + i);
}

namespace {  // one for each precision
SpectrumKernels<Scalar> FindSpectrumKernels() {
  return {UnfoldLanes<Scalar>,   UnfoldRows<Scalar>,  UnfoldRow<Scalar>,
          FoldLanes<Scalar>,     FoldRows<Scalar>,    FoldRow<Scalar>,
          RealsFromRows<Scalar>, RealsToRows<Scalar>, HWY_TARGET == HWY_SCALAR ? nullptr : CopyStreamed<Scalar>};
}
}  // namespace

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {
HWY_EXPORT(FindSpectrumKernels);
template <>
SpectrumKernels<Scalar> find_spectrum_kernels<Scalar>(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindSpectrumKernels, targets)();
}
}  // namespace twiddle::backend::host
#endif
