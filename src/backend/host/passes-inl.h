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
#include <type_traits>

#include "backend/host/butterflies-inl.h"
#include "backend/host/complex_products-inl.h"
#include "backend/host/pass.hpp"
#include "backend/host/row_addresses-inl.h"
#include "backend/host/vectors-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
#if HWY_TARGET == HWY_AVX2 && HWY_COMPILER_GCC_ACTUAL
// A butterfly's differences are made where it makes them, not where they are needed: their two operands would stay in
// registers. Addresses are made of their base, not of each other. HWY_AFTER_NAMESPACE ends this.
#pragma GCC optimize("no-tree-sink", "no-tree-slsr")
#endif
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

template <class T>
HWY_INLINE const char* PrefetchAhead(const PassCall<T>& call, const char* next) {
  for (std::size_t pieces = call.prefetch_count; pieces > 0; --pieces, next += call.prefetch_stride) {
    hwy::Prefetch(next);  // most pieces are one line
    for (std::size_t line = 1; line < call.prefetch_lines; ++line) hwy::Prefetch(next + 64 * line);
  }
  return next;
}

// Rows that are `apart` scalars from each other: addresses as RowDistances makes them where registers are few,
// elsewhere as the compiler does.
template <class T>
struct PlainRows {
  template <class Scalar>
  struct Rows {
    HWY_INLINE Scalar* operator[](unsigned n) const { return first + static_cast<std::ptrdiff_t>(apart * n); }
    Scalar* first;
    std::size_t apart;
  };
  template <class Scalar>
  [[nodiscard]] HWY_INLINE Rows<Scalar> from(Scalar* first) const {
    return {first, apart};
  }
  std::size_t apart;
};
template <class T, unsigned kRows>
using PassRows = std::conditional_t<kFewRegisters, RowDistances<T, kRows>, PlainRows<T>>;

// Where the last vector of a run begins: it overlaps the one before it.
template <std::size_t kLanes>
HWY_INLINE std::size_t LastVector(std::size_t run) {
  return run < kLanes ? 0 : run - kLanes;
}

// Inputs of a butterfly from planes.
template <class D, class Rows>
struct LoadPlanar {
  D d;
  const Rows& real;
  const Rows& imaginary;
  template <class V>
  HWY_INLINE void operator()(unsigned j, V& re, V& im) const {
    re = hn::LoadU(d, real[j]);
    im = hn::LoadU(d, imaginary[j]);
  }
};
template <class D, class Rows>
LoadPlanar(D, const Rows&, const Rows&) -> LoadPlanar<D, Rows>;

enum class RowInput { interleaved, swapped, planar };
enum class ResultVectors { planar, paired };

// Vectors hold the columns p..p+W-1 of one transform (run 1); the last vector overlaps the one before it.
// Interleaved columns are in the lanes as LoadComplex finds them in blocks, but where nothing is transposed. Results
// may be in their places in blocks as well, kResults, for a last pass that puts them together so, where they are whole
// vectors.
template <class T, unsigned kRadix, RowInput kInput, LaneOrder kResults, ResultVectors kVectors, bool kParted>
HWY_INLINE void FirstRowBy(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  constexpr bool kPlanar = kInput == RowInput::planar;
  constexpr LaneOrder kColumns = kPlanar || kRadix == 1 ? LaneOrder::natural : LaneOrder::in_blocks;
  constexpr std::size_t kApart = kVectors == ResultVectors::paired ? 2 : 1;
  static_assert((kResults == LaneOrder::natural && kApart == 1) || kRadix % kLanes == 0);
  const std::size_t columns = call.columns;
  const PassRows<T, kRadix> distances{kPlanar ? columns : 2 * columns};
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  const std::size_t last = LastVector<kLanes>(columns);
  for (std::size_t begin = 0; begin < columns; begin += kLanes) {
    const std::size_t p = std::min(begin, last);
    prefetch = PrefetchAhead(call, prefetch);
    const auto rows = distances.from(call.input + (kPlanar ? p : 2 * p));
    const auto imaginary_rows = distances.from(kPlanar ? call.input_imaginary + p : nullptr);
    V re[transpose_room<kRadix>];
    V im[transpose_room<kRadix>];
    Transform<kRadix>(
        d,
        [&](unsigned j, V& r, V& i) TWIDDLE_HOST_INLINE {
          if constexpr (kPlanar) {
            r = hn::LoadU(d, rows[j]);
            i = hn::LoadU(d, imaginary_rows[j]);
          } else {
            LoadComplex<kInput == RowInput::swapped, kColumns>(d, rows[j], r, i);
          }
        },
        [&](unsigned k, V r, V i) TWIDDLE_HOST_INLINE {
          if (kParted && k > 0) {
            V wr = hn::Set(d, twiddles[2 * k - 2]);
            V wi = hn::Set(d, twiddles[2 * k - 1]);
            const T* const difference = call.lane_twiddles + 2 * kLanes * (k - 1);
            AddDifference(wr, wi, hn::LoadU(d, difference), hn::LoadU(d, difference + kLanes));
            MultiplyComplex(r, i, wr, wi);
          } else if (k > 0) {
            const T* const twiddle = twiddles + 2 * kLanes * (k - 1);
            MultiplyComplex(r, i, hn::LoadU(d, twiddle), hn::LoadU(d, twiddle + kLanes));
          }
          const std::size_t place = k / kLanes * kLanes + lane_of_element<kResults, decltype(d)>(k % kLanes);
          re[place] = r;
          im[place] = i;
        });
    twiddles += 2 * (kRadix - 1) * (kParted ? 1 : kLanes);
    StoreTransposed<kRadix, kColumns, kApart>(d, re, call.output + kApart * kRadix * p);
    StoreTransposed<kRadix, kColumns, kApart>(d, im, call.output_imaginary + kApart * kRadix * p);
  }
}

template <class T, unsigned kRadix, RowInput kInput, LaneOrder kResults, ResultVectors kVectors = ResultVectors::planar>
void FirstRow(const PassCall<T>& call) {
#if HWY_TARGET == HWY_AVX3
  if constexpr (kInput != RowInput::planar && kVectors == ResultVectors::planar) {
    if (call.lane_twiddles != nullptr) return FirstRowBy<T, kRadix, kInput, kResults, kVectors, true>(call);
  }
#endif
  FirstRowBy<T, kRadix, kInput, kResults, kVectors, false>(call);
}

// Vectors hold neighbouring transforms; the run that leaves this pass is the bundle's width.
template <class T, unsigned kRadix, bool kSwapped>
void FirstBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t lanes = call.lanes;
  const PassRows<T, kRadix> distances{call.columns * static_cast<std::size_t>(call.input_step)};
  const PassRows<T, kRadix> result_distances{lanes};
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  const T* column = call.input;
  T* result = call.output;
  T* imaginary_result = call.output_imaginary;
  for (std::size_t p = 0; p < call.columns; ++p) {
    for (std::size_t lane = 0; lane < lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      const auto rows = distances.from(column + 2 * lane);
      const auto real = result_distances.from(result + lane);
      const auto imaginary = result_distances.from(imaginary_result + lane);
      Transform<kRadix>(
          d,
          [&](unsigned j, V& re, V& im)
              TWIDDLE_HOST_INLINE { LoadComplex<kSwapped, LaneOrder::in_blocks>(d, rows[j], re, im); },
          [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE {
            if (k > 0) MultiplyComplex(re, im, hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
            hn::StoreU(re, d, real[k]);
            hn::StoreU(im, d, imaginary[k]);
          });
    }
    twiddles += 2 * (kRadix - 1);
    column += call.input_step;
    result += lanes * kRadix;
    imaginary_result += lanes * kRadix;
  }
}

// Rows of kVectors vectors that are next to each other in `from`, to places `apart` in their order: what one writes
// beyond its run, the next one overwrites.
template <unsigned kVectors, class D, class T = hn::TFromD<D>>
HWY_NOINLINE void CopyInOrder(D d, const T* HWY_RESTRICT from, unsigned rows, T* HWY_RESTRICT to, std::size_t apart) {
  for (; rows > 0; --rows, to += apart) {
    for (unsigned i = 0; i < kVectors; ++i, from += lanes_of<D>) {
      hn::StoreU(hn::LoadU(d, from), d, to + i * lanes_of<D>);
    }
  }
}

// Planar to planar: the runs of `columns` columns, from rows and columns and to rows of runs so far apart.
template <class T, unsigned kRadix, bool kTwiddled>
HWY_NOINLINE void MiddleColumns(const PassCall<T>& given, std::size_t apart, std::size_t columns_apart,
                                std::size_t results_apart) {
  const PassCall<T> call = given;  // a copy of its own: vectors that are stored may alias the caller's
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t run = call.run;
  const std::size_t last = LastVector<kLanes>(run);
  const PassRows<T, kRadix> distances{apart};
  const PassRows<T, kRadix> result_distances{results_apart};
  const T* HWY_RESTRICT twiddles = call.twiddles;
  const char* prefetch = call.prefetch;
  const T* column = call.input;
  const T* imaginary_column = call.input_imaginary;
  T* result = call.output;
  T* imaginary_result = call.output_imaginary;
  for (std::size_t p = 0; p < call.columns; ++p) {
    for (std::size_t begin = 0; begin < run; begin += kLanes) {
      const std::size_t q = std::min(begin, last);
      prefetch = PrefetchAhead(call, prefetch);
      const auto from = distances.from(column + q);
      const auto from_imaginary = distances.from(imaginary_column + q);
      const auto to = result_distances.from(result + q);
      const auto to_imaginary = result_distances.from(imaginary_result + q);
      Transform<kRadix>(d, LoadPlanar{d, from, from_imaginary}, [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE {
        if constexpr (kTwiddled) {
          if (k > 0) MultiplyComplex(re, im, hn::Set(d, twiddles[2 * k - 2]), hn::Set(d, twiddles[2 * k - 1]));
        }
        hn::StoreU(re, d, to[k]);
        hn::StoreU(im, d, to_imaginary[k]);
      });
    }
    if constexpr (kTwiddled) twiddles += 2 * (kRadix - 1);
    column += columns_apart;
    imaginary_column += columns_apart;
    result += kRadix * run;
    imaginary_result += kRadix * run;
  }
}

// Runs shorter than a vector work by the order of the stores; where results come in another order, they are put in
// theirs, a column at a time.
template <class T, unsigned kRadix, bool kTwiddled>
void Middle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t apart = call.run * call.columns;
  if (!kFillsRegisters<T, kRadix> || call.run >= kLanes) {
    return MiddleColumns<T, kRadix, kTwiddled>(call, apart, call.run, call.run);
  }
  T real[kRadix * kLanes];
  T imaginary[kRadix * kLanes];
  PassCall<T> column = call;
  column.columns = 1;
  column.output = real;
  column.output_imaginary = imaginary;
  for (std::size_t p = 0; p < call.columns; ++p) {
    MiddleColumns<T, kRadix, kTwiddled>(column, apart, call.run, Opaque(kLanes));
    CopyInOrder<1>(d, real, kRadix, call.output + kRadix * call.run * p, call.run);
    CopyInOrder<1>(d, imaginary, kRadix, call.output_imaginary + kRadix * call.run * p, call.run);
    column.input += call.run;
    column.input_imaginary += call.run;
    if constexpr (kTwiddled) column.twiddles += 2 * (kRadix - 1);
    column.prefetch += static_cast<std::ptrdiff_t>(call.prefetch_count) * call.prefetch_stride;
  }
}

template <class T, unsigned kRadix, bool kSwapped, bool kStreamed, LaneOrder kOrder>
HWY_NOINLINE void LastRowVectors(const PassCall<T>& given, std::size_t results_apart, std::size_t vectors_apart) {
  const PassCall<T> call = given;  // likewise
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t run = call.run;
  const std::size_t last = LastVector<kLanes>(run);
  const PassRows<T, kRadix> distances{run};
  const PassRows<T, kRadix> result_distances{2 * results_apart};
  const V scale = hn::Set(d, call.scale);
  const char* prefetch = call.prefetch;
  for (std::size_t begin = 0; begin < run; begin += kLanes) {
    const std::size_t q = std::min(begin, last);
    prefetch = PrefetchAhead(call, prefetch);
    const auto from = distances.from(call.input + q);
    const auto from_imaginary = distances.from(call.input_imaginary + q);
    const auto to = result_distances.from(call.output + q / kLanes * vectors_apart + 2 * (q % kLanes));
    Transform<kRadix>(d, LoadPlanar{d, from, from_imaginary}, [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE {
      StoreComplex<kSwapped, kStreamed, kOrder>(d, hn::Mul(re, scale), hn::Mul(im, scale), to[k]);
    });
  }
}

template <class T, unsigned kRadix, bool kSwapped, bool kStreamed, LaneOrder kOrder = LaneOrder::natural>
void LastRow(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const auto vectors = LastRowVectors<T, kRadix, kSwapped, kStreamed, kOrder>;
  // Results that are streamed are whole vectors, as are those in blocks.
  if (!kFillsRegisters<T, kRadix> || kStreamed || kOrder != LaneOrder::natural || call.run >= kLanes) {
    return vectors(call, call.run, 2 * kLanes);
  }
  T results[2 * kRadix * kLanes];
  PassCall<T> line = call;
  line.output = results;
  vectors(line, Opaque(kLanes), 2 * kLanes);
  CopyInOrder<2>(d, results, kRadix, call.output, 2 * call.run);
}

template <class T, unsigned kRadix>
void MiddleBlock(const PassCall<T>& call) {
  MiddleColumns<T, kRadix, true>(call, call.rows_apart, call.columns_apart, lanes_of<hn::ScalableTag<T>>);
}

template <class T, unsigned kRadix, bool kSwapped>
void LastBlock(const PassCall<T>& call) {
  LastRowVectors<T, kRadix, kSwapped, false, LaneOrder::natural>(call, call.rows_apart / 2, call.columns_apart);
}

template <class T, unsigned kRadix, bool kSwapped, bool kStreamed, bool kStageTwiddle>
void LastBundle(const PassCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const std::size_t run = call.run;
  const std::size_t elements = run / call.lanes;
  const PassRows<T, kRadix> distances{run};
  const PassRows<T, kRadix> result_distances{elements * static_cast<std::size_t>(call.output_step)};
  const V scale = hn::Set(d, call.scale);
  const char* prefetch = call.prefetch;
  for (std::size_t element = 0; element < elements; ++element) {
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      prefetch = PrefetchAhead(call, prefetch);
      const std::size_t q = element * call.lanes + lane;
      const T* HWY_RESTRICT block_twiddles = call.block_twiddles + lane / kLanes * call.block_step;
      const auto from = distances.from(call.input + q);
      const auto from_imaginary = distances.from(call.input_imaginary + q);
      const auto to =
          result_distances.from(call.output + static_cast<std::ptrdiff_t>(element) * call.output_step + 2 * lane);
      Transform<kRadix>(d, LoadPlanar{d, from, from_imaginary}, [&](unsigned k, V re, V im) TWIDDLE_HOST_INLINE {
        if constexpr (kStageTwiddle) {
          const std::size_t index = element + elements * k;
          const T* HWY_RESTRICT block_twiddle = block_twiddles + 2 * index;
          V wr = hn::Set(d, block_twiddle[0]);
          V wi = hn::Set(d, block_twiddle[1]);
          if (call.lane_twiddles != nullptr) {
            const T* HWY_RESTRICT lane_twiddle = call.lane_twiddles + 2 * index * kLanes;
            AddDifference(wr, wi, hn::LoadU(d, lane_twiddle), hn::LoadU(d, lane_twiddle + kLanes));
          }
          MultiplyComplex(re, im, wr, wi);
        } else {
          re = hn::Mul(re, scale);
          im = hn::Mul(im, scale);
        }
        StoreComplex<kSwapped, kStreamed, LaneOrder::in_blocks>(d, re, im, to[k]);
      });
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
