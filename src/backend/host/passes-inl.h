// The Stockham passes of pass.hpp for any radix and any SIMD target. Included once per target.
// clang-format off
#if defined(TWIDDLE_HOST_PASSES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_PASSES_INL_H
#undef TWIDDLE_HOST_PASSES_INL_H
#else
#define TWIDDLE_HOST_PASSES_INL_H
#endif
// clang-format on

#include <algorithm>
#include <cstddef>

#include "backend/host/pass.hpp"
#include "backend/host/vectors-inl.h"
#include "host_butterflies-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// One row of the radix table: the butterfly that the generator wrote for it.
template <unsigned kRadix>
struct Butterfly;
template <>
struct Butterfly<1> {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE void apply(D, V*, V*) {}
};
#define TWIDDLE_HOST_BUTTERFLY(radix)                      \
  template <>                                              \
  struct Butterfly<radix> {                                \
    template <class D, class V = hn::Vec<D>>               \
    static HWY_INLINE void apply(D d, V* re, V* im) {      \
      twiddle::HWY_NAMESPACE::Butterfly##radix(d, re, im); \
    }                                                      \
  };
TWIDDLE_HOST_BUTTERFLY(2)
TWIDDLE_HOST_BUTTERFLY(3)
TWIDDLE_HOST_BUTTERFLY(4)
TWIDDLE_HOST_BUTTERFLY(5)
TWIDDLE_HOST_BUTTERFLY(6)
TWIDDLE_HOST_BUTTERFLY(7)
TWIDDLE_HOST_BUTTERFLY(8)
TWIDDLE_HOST_BUTTERFLY(9)
TWIDDLE_HOST_BUTTERFLY(10)
TWIDDLE_HOST_BUTTERFLY(11)
TWIDDLE_HOST_BUTTERFLY(12)
TWIDDLE_HOST_BUTTERFLY(13)
TWIDDLE_HOST_BUTTERFLY(15)
TWIDDLE_HOST_BUTTERFLY(16)
#undef TWIDDLE_HOST_BUTTERFLY

// (re + i im) *= (wr + i wi)
template <class V>
HWY_INLINE void MultiplyComplex(V& re, V& im, V wr, V wi) {
  const V real = hn::NegMulAdd(im, wi, hn::Mul(re, wr));
  im = hn::MulAdd(re, wi, hn::Mul(im, wr));
  re = real;
}

template <class T>
HWY_INLINE const char* PrefetchAhead(const PassCall<T>& call, const char* next) {
  for (std::size_t piece = 0; piece < call.prefetch_count; ++piece, next += call.prefetch_stride) {
    for (std::size_t line = 0; line < call.prefetch_lines; ++line) hwy::Prefetch(next + 64 * line);
  }
  return next;
}

enum class RowInput { interleaved, swapped, planar };

// Vectors hold the columns p..p+W-1 of one transform (run 1); the last vector overlaps the one before it.
template <class T, unsigned kRadix, RowInput kInput>
void FirstRow(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t columns = call.columns;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  for (std::size_t begin = 0; begin < columns; begin += kLanes) {
    const std::size_t p = begin + kLanes <= columns || columns < kLanes ? begin : columns - kLanes;
    prefetch = PrefetchAhead(call, prefetch);
    V re[(kRadix + 3) / 4 * 4 + 4];
    V im[(kRadix + 3) / 4 * 4 + 4];
    for (unsigned j = 0; j < kRadix; ++j) {
      if constexpr (kInput == RowInput::planar) {
        re[j] = hn::LoadU(d, call.input + p + columns * j);
        im[j] = hn::LoadU(d, call.input_imaginary + p + columns * j);
      } else {
        LoadComplex<kInput == RowInput::swapped>(d, call.input + 2 * (p + columns * j), re[j], im[j]);
      }
    }
    Butterfly<kRadix>::apply(d, re, im);
    for (unsigned k = 1; k < kRadix; ++k) {
      MultiplyComplex(re[k], im[k], hn::LoadU(d, twiddles), hn::LoadU(d, twiddles + kLanes));
      twiddles += 2 * kLanes;
    }
    StoreTransposed<kRadix>(d, re, call.output + kRadix * p);
    StoreTransposed<kRadix>(d, im, call.output_imaginary + kRadix * p);
  }
}

// Vectors hold neighbouring transforms; the run that leaves this pass is the bundle's width.
template <class T, unsigned kRadix, bool kSwapped>
void FirstBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t columns = call.columns;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  for (std::size_t p = 0; p < columns; ++p, twiddles += 2 * (kRadix - 1)) {
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      V re[kRadix];
      V im[kRadix];
      const T* from = call.input + static_cast<std::ptrdiff_t>(p) * call.input_step + 2 * lane;
      const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(columns) * call.input_step;
      for (unsigned j = 0; j < kRadix; ++j) LoadComplex<kSwapped>(d, from + j * step, re[j], im[j]);
      Butterfly<kRadix>::apply(d, re, im);
      const std::size_t to = call.lanes * kRadix * p + lane;
      hn::StoreU(re[0], d, call.output + to);
      hn::StoreU(im[0], d, call.output_imaginary + to);
      for (unsigned k = 1; k < kRadix; ++k) {
        MultiplyComplex(re[k], im[k], hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
        hn::StoreU(re[k], d, call.output + to + call.lanes * k);
        hn::StoreU(im[k], d, call.output_imaginary + to + call.lanes * k);
      }
    }
  }
}

// Planar to planar. Runs shorter than a vector work by the order of the stores: what one writes beyond its run, the
// next one overwrites.
template <class T, unsigned kRadix, bool kTwiddled>
void Middle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t run = call.run;
  const std::size_t step = run * call.columns;
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  for (std::size_t p = 0; p < call.columns; ++p) {
    for (std::size_t begin = 0; begin < run; begin += kLanes) {
      const std::size_t q = begin + kLanes <= run || run < kLanes ? begin : run - kLanes;
      prefetch = PrefetchAhead(call, prefetch);
      V re[kRadix];
      V im[kRadix];
      const T* HWY_RESTRICT from = call.input + q + run * p;
      const T* HWY_RESTRICT from_imaginary = call.input_imaginary + q + run * p;
      for (unsigned j = 0; j < kRadix; ++j) {
        re[j] = hn::LoadU(d, from + step * j);
        im[j] = hn::LoadU(d, from_imaginary + step * j);
      }
      Butterfly<kRadix>::apply(d, re, im);
      T* HWY_RESTRICT to = call.output + q + run * kRadix * p;
      T* HWY_RESTRICT to_imaginary = call.output_imaginary + q + run * kRadix * p;
      hn::StoreU(re[0], d, to);
      hn::StoreU(im[0], d, to_imaginary);
      for (unsigned k = 1; k < kRadix; ++k) {
        if constexpr (kTwiddled) {
          MultiplyComplex(re[k], im[k], hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
        }
        hn::StoreU(re[k], d, to + run * k);
        hn::StoreU(im[k], d, to_imaginary + run * k);
      }
    }
    if constexpr (kTwiddled) twiddles += 2 * (kRadix - 1);
  }
}

template <class T, unsigned kRadix, bool kSwapped, bool kStreamed>
void LastRow(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t run = call.run;
  const V scale = hn::Set(d, call.scale);
  const char* prefetch = call.prefetch;
  for (std::size_t begin = 0; begin < run; begin += kLanes) {
    const std::size_t q = begin + kLanes <= run || run < kLanes ? begin : run - kLanes;
    prefetch = PrefetchAhead(call, prefetch);
    V re[kRadix];
    V im[kRadix];
    for (unsigned j = 0; j < kRadix; ++j) {
      re[j] = hn::LoadU(d, call.input + q + run * j);
      im[j] = hn::LoadU(d, call.input_imaginary + q + run * j);
    }
    Butterfly<kRadix>::apply(d, re, im);
    for (unsigned k = 0; k < kRadix; ++k) {
      StoreComplex<kSwapped, kStreamed>(d, hn::Mul(re[k], scale), hn::Mul(im[k], scale),
                                        call.output + 2 * (q + run * k));
    }
  }
}

template <class T, unsigned kRadix, bool kSwapped, bool kStreamed, bool kStageTwiddle>
void LastBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t run = call.run;
  const std::size_t elements = run / call.lanes;
  const V scale = hn::Set(d, call.scale);
  const char* prefetch = call.prefetch;
  for (std::size_t element = 0; element < elements; ++element) {
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      const std::size_t q = element * call.lanes + lane;
      const T* HWY_RESTRICT block_twiddles = call.block_twiddles + lane / kLanes * call.block_step;
      V re[kRadix];
      V im[kRadix];
      for (unsigned j = 0; j < kRadix; ++j) {
        re[j] = hn::LoadU(d, call.input + q + run * j);
        im[j] = hn::LoadU(d, call.input_imaginary + q + run * j);
      }
      Butterfly<kRadix>::apply(d, re, im);
      for (unsigned k = 0; k < kRadix; ++k) {
        const std::size_t index = element + elements * k;
        if constexpr (kStageTwiddle) {
          const T* HWY_RESTRICT block_twiddle = block_twiddles + 2 * index;
          V wr = hn::Set(d, block_twiddle[0]);
          V wi = hn::Set(d, block_twiddle[1]);
          if (call.lane_twiddles != nullptr) {
            const T* HWY_RESTRICT lane_twiddle = call.lane_twiddles + 2 * index * kLanes;
            V difference_re = wr;
            V difference_im = wi;
            MultiplyComplex(difference_re, difference_im, hn::LoadU(d, lane_twiddle),
                            hn::LoadU(d, lane_twiddle + kLanes));
            wr = hn::Add(wr, difference_re);
            wi = hn::Add(wi, difference_im);
          }
          MultiplyComplex(re[k], im[k], wr, wi);
        }
        T* to = call.output + static_cast<std::ptrdiff_t>(index) * call.output_step + 2 * lane;
        StoreComplex<kSwapped, kStreamed>(d, hn::Mul(re[k], scale), hn::Mul(im[k], scale), to);
      }
    }
  }
}

template <class T, unsigned kRadix>
PassFunction<T> SelectPass(PassKind kind) {
  switch (kind) {
    case PassKind::first_row:
      return FirstRow<T, kRadix, RowInput::interleaved>;
    case PassKind::first_row_swapped:
      return FirstRow<T, kRadix, RowInput::swapped>;
    case PassKind::first_row_planar:
      return FirstRow<T, kRadix, RowInput::planar>;
    case PassKind::first_bundle:
      return FirstBundle<T, kRadix, false>;
    case PassKind::first_bundle_swapped:
      return FirstBundle<T, kRadix, true>;
    case PassKind::middle:
      return Middle<T, kRadix, true>;
    case PassKind::last_planar:
      return Middle<T, kRadix, false>;
    case PassKind::last_row:
      return LastRow<T, kRadix, false, false>;
    case PassKind::last_row_swapped:
      return LastRow<T, kRadix, true, false>;
    case PassKind::last_bundle:
      return LastBundle<T, kRadix, false, false, false>;
    case PassKind::last_bundle_swapped:
      return LastBundle<T, kRadix, true, false, false>;
    case PassKind::last_bundle_twiddled:
      return LastBundle<T, kRadix, false, false, true>;
    case PassKind::last_bundle_twiddled_swapped:
      return LastBundle<T, kRadix, true, false, true>;
    default:
      break;
  }
  // Where there is no SIMD, storing past the cache is nothing of its own: fewer kernels to compile.
  if constexpr (sizeof(T) <= sizeof(double)) {
    switch (kind) {
      case PassKind::last_row_streamed:
        return LastRow<T, kRadix, false, true>;
      case PassKind::last_row_streamed_swapped:
        return LastRow<T, kRadix, true, true>;
      case PassKind::last_bundle_streamed:
        return LastBundle<T, kRadix, false, true, false>;
      case PassKind::last_bundle_streamed_swapped:
        return LastBundle<T, kRadix, true, true, false>;
      case PassKind::last_bundle_twiddled_streamed:
        return LastBundle<T, kRadix, false, true, true>;
      case PassKind::last_bundle_twiddled_streamed_swapped:
        return LastBundle<T, kRadix, true, true, true>;
      default:
        break;
    }
  }
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
