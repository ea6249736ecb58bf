// The passes of a line of pairs of reals that its map to the reals' spectrum, or back, is part of (mapped_pass.hpp).
// Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_MAPPED_PASSES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_MAPPED_PASSES_INL_H
#undef TWIDDLE_HOST_MAPPED_PASSES_INL_H
#else
#define TWIDDLE_HOST_MAPPED_PASSES_INL_H
#endif
// clang-format on

#include <algorithm>
#include <cstddef>
#include <utility>

#include "backend/host/mirrored_pair-inl.h"
#include "backend/host/passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
// Of a vector of columns: a number for each input of a butterfly, or each of its results.
template <class T, unsigned kRadix>
struct ColumnVectors {
  static constexpr std::size_t kLanes = lanes_of<hn::ScalableTag<T>>;
  alignas(64) T real[kRadix * kLanes];
  alignas(64) T imaginary[kRadix * kLanes];

  template <class D, class V>
  HWY_INLINE void load(D d, unsigned k, V& re, V& im) const {
    re = hn::Load(d, real + k * kLanes);
    im = hn::Load(d, imaginary + k * kLanes);
  }
  template <class D, class V>
  HWY_INLINE void store(D d, unsigned k, V re, V im) {
    hn::Store(re, d, real + k * kLanes);
    hn::Store(im, d, imaginary + k * kLanes);
  }
};

// The vectors of columns from 1 to the middle, of which the last overlaps the one before it, each with that of its
// mirror images: in rows of `columns` elements, that of element q of row k is element columns - q of row radix - 1 - k.
template <std::size_t kLanes, class Visit>
HWY_INLINE void ForEachMirroredPair(std::size_t columns, const Visit& visit) {
  const std::size_t last = columns / 2 + 1 - kLanes;
  for (std::size_t begin = 1; begin <= columns / 2; begin += kLanes) {
    const std::size_t q = std::min(begin, last);
    visit(q, columns - q - kLanes + 1);
  }
}

// Column 0, which mirrors itself: the results of a butterfly to element 0 of each row, and to that behind the last one.
template <class T, unsigned kRadix>
HWY_INLINE void StoreFirstColumn(const PassCall<T>& call, const ColumnVectors<T, kRadix>& column) {
  const hn::CappedTag<T, 1> one;
  constexpr std::size_t kLanes = lanes_of<hn::ScalableTag<T>>;
  for (std::size_t k = 0; k <= kRadix / 2; ++k) {
    const std::size_t mirror = (kRadix - k) % kRadix * kLanes;
    auto re = hn::LoadU(one, column.real + k * kLanes);
    auto im = hn::LoadU(one, column.imaginary + k * kLanes);
    auto mirror_re = hn::LoadU(one, column.real + mirror);
    auto mirror_im = hn::LoadU(one, column.imaginary + mirror);
    CombinePair(hn::Set(one, call.scale), hn::LoadU(one, call.roots + 2 * k), hn::LoadU(one, call.roots + 2 * k + 1),
                re, im, mirror_re, mirror_im);
    T* const to = call.output + 2 * call.run * k;
    T* const mirror_to = call.output + 2 * call.run * (kRadix - k);
    hn::StoreU(mirror_re, one, mirror_to);
    hn::StoreU(mirror_im, one, mirror_to + 1);
    hn::StoreU(re, one, to);
    hn::StoreU(im, one, to + 1);
  }
}

template <class T, unsigned kRadix>
HWY_NOINLINE void LastRowMapped(const PassCall<T>& given) {
  const PassCall<T> call = given;  // a copy of its own: vectors that are stored may alias the caller's
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const PassRows<T, kRadix> distances{call.run};
  const PassRows<T, kRadix> result_distances{2 * call.run};
  const V sum = hn::Set(d, call.scale);
  const T* HWY_RESTRICT factors = call.twiddles;
  const char* prefetch = call.prefetch;
  ColumnVectors<T, kRadix> results;
  const auto transform = [&](std::size_t q, const auto& store) TWIDDLE_HOST_INLINE {
    const auto from = distances.from(call.input + q);
    const auto from_imaginary = distances.from(call.input_imaginary + q);
    Transform<kRadix>(d, LoadPlanar{d, from, from_imaginary}, store);
  };
  const auto keep = [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE { results.store(d, k, re, im); };
  transform(0, keep);
  StoreFirstColumn<T, kRadix>(call, results);
  ForEachMirroredPair<kLanes>(call.run, [&](std::size_t q, std::size_t mirrored) TWIDDLE_HOST_INLINE {
    prefetch = PrefetchAhead(call, PrefetchAhead(call, prefetch));  // a step for each vector
    transform(q, keep);
    const auto to = result_distances.from(call.output + 2 * q);
    const auto mirror_to = result_distances.from(call.output + 2 * mirrored);
    const auto combine = [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE {
      // The one whose elements are in the first half of the line is combined with the other one's mirror image.
      const unsigned other = kRadix - 1 - k;
      const bool first_half = k < kRadix / 2;
      V other_re, other_im;
      results.load(d, other, other_re, other_im);
      if (!first_half) {
        std::swap(re, other_re);
        std::swap(im, other_im);
      }
      other_re = hn::Reverse(d, other_re);
      other_im = hn::Reverse(d, other_im);
      const T* HWY_RESTRICT factor = factors + 2 * kLanes * k;
      CombinePair(sum, hn::Load(d, factor), hn::Load(d, factor + kLanes), re, im, other_re, other_im);
      StoreComplex<false, false>(d, re, im, first_half ? mirror_to[k] : to[other]);
      StoreComplexReversed(d, other_re, other_im, first_half ? to[other] : mirror_to[k]);
    };
    if constexpr (!kFewRegisters && kFillsRegisters<T, kRadix>) {  // combinations follow the butterfly
      ColumnVectors<T, kRadix> mirrored_results;
      transform(mirrored, [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE { mirrored_results.store(d, k, re, im); });
      for (unsigned k = 0; k < kRadix; ++k) {
        V re, im;
        mirrored_results.load(d, k, re, im);
        combine(k, re, im);
      }
    } else {
      transform(mirrored, combine);
    }
    factors += 2 * kLanes * kRadix;
  });
}

// Column 0, mapped, with room for one number more; the ends of the spectrum count as real.
template <class T, unsigned kRadix>
HWY_INLINE void LoadFirstColumn(const PassCall<T>& call, T* real, T* imaginary) {
  const hn::CappedTag<T, 1> one;
  for (std::size_t k = 0; k <= kRadix / 2; ++k) {
    const T* const from = call.input + 2 * call.columns * k;
    const T* const mirror_from = call.input + 2 * call.columns * (kRadix - k);
    auto re = hn::LoadU(one, from);
    auto im = k == 0 ? hn::Zero(one) : hn::LoadU(one, from + 1);
    auto mirror_re = hn::LoadU(one, mirror_from);
    auto mirror_im = k == 0 ? hn::Zero(one) : hn::LoadU(one, mirror_from + 1);
    CombinePair(hn::Set(one, call.scale), hn::LoadU(one, call.roots + 2 * k), hn::LoadU(one, call.roots + 2 * k + 1),
                re, im, mirror_re, mirror_im);
    hn::StoreU(mirror_re, one, real + kRadix - k);
    hn::StoreU(mirror_im, one, imaginary + kRadix - k);
    hn::StoreU(re, one, real + k);
    hn::StoreU(im, one, imaginary + k);
  }
}

template <class T, unsigned kRadix>
HWY_NOINLINE void FirstRowMapped(const PassCall<T>& given) {
  const PassCall<T> call = given;  // likewise
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const PassRows<T, kRadix> distances{2 * call.columns};
  const V sum = hn::Set(d, call.scale);
  const T* HWY_RESTRICT factors = call.twiddles;
  const char* prefetch = call.prefetch;
  {
    T real[kRadix + 1];
    T imaginary[kRadix + 1];
    LoadFirstColumn<T, kRadix>(call, real, imaginary);
    ColumnVectors<T, kRadix> results;
    Transform<kRadix>(
        d,
        [&](unsigned j, V& re, V& im) TWIDDLE_HOST_INLINE {  // the inverse: parts are swapped
          re = hn::Set(d, imaginary[j]);
          im = hn::Set(d, real[j]);
        },
        [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE { results.store(d, k, re, im); });
    for (std::size_t k = 0; k < kRadix; ++k) {
      call.output[k] = results.real[k * kLanes];
      call.output_imaginary[k] = results.imaginary[k * kLanes];
    }
  }
  ColumnVectors<T, kRadix> mirrors;
  V re[transpose_room<kRadix>];
  V im[transpose_room<kRadix>];
  const T* HWY_RESTRICT twiddles = nullptr;
  const auto turn = [&](unsigned k, V r, V i) TWIDDLE_HOST_INLINE {
    if (k > 0) {
      const T* const twiddle = twiddles + 2 * kLanes * (k - 1);
      MultiplyComplex(r, i, hn::Load(d, twiddle), hn::Load(d, twiddle + kLanes));
    }
    re[k] = r;
    im[k] = i;
  };
  ForEachMirroredPair<kLanes>(call.columns, [&](std::size_t q, std::size_t mirrored) TWIDDLE_HOST_INLINE {
    prefetch = PrefetchAhead(call, PrefetchAhead(call, prefetch));
    const auto rows = distances.from(call.input + 2 * q);
    const auto mirrored_rows = distances.from(call.input + 2 * mirrored);
    twiddles = factors + 2 * kLanes * kRadix;
    Transform<kRadix>(
        d,
        [&](unsigned j, V& r, V& i) TWIDDLE_HOST_INLINE {
          const unsigned other = kRadix - 1 - j;
          const bool first_half = j < (kRadix + 1) / 2;
          V mirror_re, mirror_im;
          LoadComplex<false>(d, first_half ? rows[j] : mirrored_rows[other], r, i);
          LoadComplexReversed(d, first_half ? mirrored_rows[other] : rows[j], mirror_re, mirror_im);
          const T* HWY_RESTRICT factor = factors + 2 * kLanes * j;
          CombinePair(sum, hn::Load(d, factor), hn::Load(d, factor + kLanes), r, i, mirror_re, mirror_im);
          mirror_re = hn::Reverse(d, mirror_re);
          mirror_im = hn::Reverse(d, mirror_im);
          if (!first_half) {
            std::swap(r, mirror_re);
            std::swap(i, mirror_im);
          }
          mirrors.store(d, other, mirror_re, mirror_im);
          std::swap(r, i);
        },
        turn);
    StoreTransposed<kRadix>(d, re, call.output + kRadix * q);
    StoreTransposed<kRadix>(d, im, call.output_imaginary + kRadix * q);
    twiddles += 2 * kLanes * (kRadix - 1);
    Transform<kRadix>(
        d, [&](unsigned j, V& r, V& i) TWIDDLE_HOST_INLINE { mirrors.load(d, j, i, r); }, turn);
    T* const to = call.output + kRadix * mirrored;
    T* const to_imaginary = call.output_imaginary + kRadix * mirrored;
    if constexpr (kRadix % kLanes == 0) {
      StoreTransposed<kRadix>(d, re, to);
      StoreTransposed<kRadix>(d, im, to_imaginary);
    } else {  // what follows is there already
      T tile[(kRadix + 1) * kLanes];
      StoreTransposed<kRadix>(d, re, tile);
      CopyInOrder<1>(d, tile, kRadix, to, kLanes);
      StoreTransposed<kRadix>(d, im, tile);
      CopyInOrder<1>(d, tile, kRadix, to_imaginary, kLanes);
    }
    factors = twiddles + 2 * kLanes * (kRadix - 1);
  });
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
