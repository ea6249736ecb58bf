// Kernels of combination.hpp, for every SIMD target and one precision.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/combinations.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "backend/host/aligned_array.hpp"
#include "backend/host/apart_numbers-inl.h"
#include "backend/host/combination.hpp"
#include "backend/host/complex_products-inl.h"
#include "backend/host/dispatch.hpp"
#include "backend/host/matrix_lines-inl.h"
#include "backend/host/mirrored_combinations-inl.h"
#include "backend/host/moved_reals-inl.h"
#include "backend/host/planes-inl.h"
#include "backend/host/real_frequencies-inl.h"
#include "backend/host/some_lanes-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {
namespace {  // one for each precision

template <class T>
void CombineLanes(const CombineLanesCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  for (std::size_t k = 0; k < call.count; ++k) {
    const CombinationTerm<T>& term = call.terms[k];
    const V first_real = hn::Set(d, term.first_real);
    const V first_imaginary = hn::Set(d, term.first_imaginary);
    const V second_real = hn::Set(d, term.second_real);
    const V second_imaginary = hn::Set(d, term.second_imaginary);
    const V sign = hn::Set(d, call.sign);
    const std::size_t first = term.first * call.lanes;
    const std::size_t second = term.second * call.lanes;
    const std::size_t to = k * call.lanes;
    for (std::size_t lane = 0; lane < call.lanes; lane += lanes_of<decltype(d)>) {
      const V a_re = hn::LoadU(d, call.source.real + first + lane);
      const V a_im = hn::LoadU(d, call.source.imaginary + first + lane);
      const V b_re = hn::LoadU(d, call.source.real + second + lane);
      const V b_im = hn::Mul(sign, hn::LoadU(d, call.source.imaginary + second + lane));
      const V re = hn::NegMulAdd(first_imaginary, a_im, hn::Mul(first_real, a_re));
      const V im = hn::MulAdd(first_imaginary, a_re, hn::Mul(first_real, a_im));
      hn::StoreU(hn::NegMulAdd(second_imaginary, b_im, hn::MulAdd(second_real, b_re, re)), d, call.to.real + to + lane);
      hn::StoreU(hn::MulAdd(second_imaginary, b_re, hn::MulAdd(second_real, b_im, im)), d,
                 call.to.imaginary + to + lane);
    }
  }
}

template <class V>
void MultiplyPlaces(const hn::DFromV<V> d, const V factor_re, const V factor_im, hn::TFromV<V>* real,
                    hn::TFromV<V>* imaginary) {
  V re = hn::LoadU(d, real);
  V im = hn::LoadU(d, imaginary);
  MultiplyComplex(re, im, factor_re, factor_im);
  hn::StoreU(re, d, real);
  hn::StoreU(im, d, imaginary);
}

template <class T>
void Multiply(const MultiplyCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  if (call.lanes == 1) {
    for (std::size_t k = 0; k < call.count; k += kLanes) {
      MultiplyPlaces(d, hn::LoadU(d, call.real + k), hn::LoadU(d, call.imaginary + k), call.line.real + k,
                     call.line.imaginary + k);
    }
    return;
  }
  for (std::size_t k = 0; k < call.count; ++k) {
    const auto re = hn::Set(d, call.real[k]);
    const auto im = hn::Set(d, call.imaginary[k]);
    for (std::size_t at = k * call.lanes; at < (k + 1) * call.lanes; at += kLanes) {
      MultiplyPlaces(d, re, im, call.line.real + at, call.line.imaginary + at);
    }
  }
}

template <class T>
void MultiplyRuns(const MultiplyRunsCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const T* values = call.values;
  for (std::size_t k = 0; k < call.count; ++k, values += 2 * call.element_stride) {
    auto re = hn::Set(d, values[0]);
    auto im = hn::Set(d, values[1]);
    for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
      if (!call.shared) LoadComplex<false>(d, values + 2 * lane, re, im);
      const std::size_t at = k * call.lanes + lane;
      MultiplyPlaces(d, re, im, call.line.real + at, call.line.imaginary + at);
    }
  }
}

template <class T>
void MultiplyInterleaved(const T* HWY_RESTRICT values, std::size_t count, T* HWY_RESTRICT line) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const auto multiply = [&](const T* value, T* numbers) HWY_ATTR {
    hn::Vec<decltype(d)> re, im, factor_re, factor_im;
    LoadComplex<false, LaneOrder::in_blocks>(d, numbers, re, im);
    LoadComplex<false, LaneOrder::in_blocks>(d, value, factor_re, factor_im);
    MultiplyComplex(re, im, factor_re, factor_im);
    StoreComplex<false, false, LaneOrder::in_blocks>(d, re, im, numbers);
  };
  const std::size_t whole = count / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) multiply(values + 2 * i, line + 2 * i);
  if (whole == count) return;
  T rest_values[2 * kLanes] = {};
  T rest[2 * kLanes] = {};
  std::copy_n(values + 2 * whole, 2 * (count - whole), rest_values);
  std::copy_n(line + 2 * whole, 2 * (count - whole), rest);
  multiply(rest_values, rest);
  std::copy_n(rest, 2 * (count - whole), line + 2 * whole);
}

template <class T>
void Turn(const TurnCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  for (std::size_t k = 0; k < call.count; ++k) {
    auto re = hn::Set(d, call.roots[2 * k]);
    auto im = hn::Set(d, call.roots[2 * k + 1]);
    AddDifference(re, im, hn::Load(d, call.differences + 2 * k * kLanes),
                  hn::Load(d, call.differences + (2 * k + 1) * kLanes));
    MultiplyPlaces(d, re, im, call.line.real + k * call.lanes, call.line.imaginary + k * call.lanes);
  }
}

template <class T, bool kSwapped, bool kStreamed>
void TurnedRowsBy(const TurnedRowsCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const TurnCall<T> turn = call.turn;  // a copy of its own: vectors that are stored may alias the caller's
  StoreRows<kSwapped, kStreamed, LaneOrder::in_blocks>(
      d, call.active, turn.count, call.to, call.step,
      [=](std::size_t lane, std::size_t k, V& re, V& im) TWIDDLE_HOST_INLINE {
        const T* const root = turn.roots + 2 * (turn.count * (lane / kLanes) + k);
        V factor_re = hn::Set(d, root[0]);
        V factor_im = hn::Set(d, root[1]);
        AddDifference(factor_re, factor_im, hn::Load(d, turn.differences + 2 * k * kLanes),
                      hn::Load(d, turn.differences + (2 * k + 1) * kLanes));
        re = hn::LoadU(d, turn.line.real + k * turn.lanes + lane);
        im = hn::LoadU(d, turn.line.imaginary + k * turn.lanes + lane);
        MultiplyComplex(re, im, factor_re, factor_im);
      });
}

template <class T>
void TurnedRows(const TurnedRowsCall<T>& call) {
  if (call.streamed) return call.swapped ? TurnedRowsBy<T, true, true>(call) : TurnedRowsBy<T, false, true>(call);
  return call.swapped ? TurnedRowsBy<T, true, false>(call) : TurnedRowsBy<T, false, false>(call);
}

template <class T>
void Gather(const Planes<T>& from, const std::uint32_t* places, std::size_t count, const Planes<T>& to) {
  std::size_t q = 0;
#if HWY_TARGET == HWY_AVX3  // others have no load of a vector of places, or one that is no faster
  const hn::ScalableTag<T> d;
  const hn::Rebind<std::int32_t, decltype(d)> place_d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  for (; q + kLanes <= count; q += kLanes) {
    const auto loaded = hn::LoadU(place_d, reinterpret_cast<const std::int32_t*>(places + q));
    const auto indices = [&] {
      if constexpr (sizeof(T) == sizeof(float)) {
        return loaded;
      } else {
        return hn::PromoteTo(hn::RebindToSigned<decltype(d)>(), loaded);
      }
    }();
    hn::StoreU(hn::GatherIndex(d, from.real, indices), d, to.real + q);
    hn::StoreU(hn::GatherIndex(d, from.imaginary, indices), d, to.imaginary + q);
  }
#endif
  for (; q < count; ++q) {
    to.real[q] = from.real[places[q]];
    to.imaginary[q] = from.imaginary[places[q]];
  }
}

template <class T>
void CopyPastCache(const T* from, std::size_t count, T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kBytes = lanes_of<decltype(d)> * sizeof(T);
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(to) % kBytes;
  const std::size_t head = beyond == 0 ? 0 : std::min(count, (kBytes - beyond) / sizeof(T));
  std::size_t i = 0;
  // The cache line that results end within is stored through the cache: later stores would wait until memory sent it. A
  // whole one behind them would be fetched for nothing.
  if (reinterpret_cast<std::uintptr_t>(to + count) % cache_line != 0) hwy::Prefetch(to + count);
  if (beyond % sizeof(T) == 0) {
    std::memcpy(to, from, head * sizeof(T));
    for (i = head; i + lanes_of<decltype(d)> <= count; i += lanes_of<decltype(d)>) {
      hn::Stream(hn::LoadU(d, from + i), d, to + i);
    }
  }
  std::memcpy(to + i, from + i, (count - i) * sizeof(T));
}

template <class T>
void RowsToLanes(const T* from, std::ptrdiff_t from_step, std::size_t rows, std::size_t columns, T* to,
                 std::size_t to_step) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  for (std::size_t row = 0; row < rows; row += kLanes) {
    for (std::size_t begin = 0; begin < columns; begin += kLanes) {
      const std::size_t column = begin + kLanes <= columns ? begin : columns - kLanes;
      hn::Vec<decltype(d)> v[kLanes];
      for (std::size_t i = 0; i < kLanes; ++i) {
        const std::size_t at = row + i < rows ? row + i : 0;
        v[i] = hn::LoadU(d, from + static_cast<std::ptrdiff_t>(at) * from_step + column);
      }
      TransposeSquare(d, v);
      for (std::size_t i = 0; i < kLanes; ++i) hn::StoreU(v[i], d, to + (column + i) * to_step + row);
    }
  }
}

template <class T>
void LanesToRows(const T* from, std::size_t from_step, std::size_t rows, std::size_t columns, T scale, T* to,
                 std::ptrdiff_t to_step) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  const hn::Vec<decltype(d)> factor = hn::Set(d, scale);
  for (std::size_t row = 0; row < rows; row += kLanes) {
    for (std::size_t begin = 0; begin < columns; begin += kLanes) {
      const std::size_t column = begin + kLanes <= columns ? begin : columns - kLanes;
      hn::Vec<decltype(d)> v[kLanes];
      for (std::size_t i = 0; i < kLanes; ++i) {
        v[i] = hn::Mul(factor, hn::LoadU(d, from + (column + i) * from_step + row));
      }
      TransposeSquare(d, v);
      for (std::size_t i = 0; i < kLanes; ++i) {
        if (row + i >= rows) break;
        hn::StoreU(v[i], d, to + static_cast<std::ptrdiff_t>(row + i) * to_step + column);
      }
    }
  }
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
constexpr bool kConvertsHalves = std::is_same_v<Scalar, float>;
#else
constexpr bool kConvertsHalves = false;
#endif

template <class T>
std::size_t FromHalves(const std::uint16_t* from, std::size_t count, T* to) {
  std::size_t i = 0;
  if constexpr (kConvertsHalves) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<hwy::float16_t, decltype(d)> half;
    const hn::Rebind<std::uint16_t, decltype(d)> bits;
    constexpr std::size_t kLanes = lanes_of<decltype(d)>;
    for (; i + kLanes <= count; i += kLanes) {
      hn::StoreU(hn::PromoteTo(d, hn::BitCast(half, hn::LoadU(bits, from + i))), d, to + i);
    }
  }
  return i;
}

template <class T>
std::size_t ToHalves(const T* from, std::size_t count, std::uint16_t* to) {
  std::size_t i = 0;
  if constexpr (kConvertsHalves) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<hwy::float16_t, decltype(d)> half;
    const hn::Rebind<std::uint16_t, decltype(d)> bits;
    constexpr std::size_t kLanes = lanes_of<decltype(d)>;
    for (; i + kLanes <= count; i += kLanes) {
      hn::StoreU(hn::BitCast(bits, hn::DemoteTo(half, hn::LoadU(d, from + i))), bits, to + i);
    }
  }
  return i;
}

CombinationKernels<Scalar> FindCombinations() {
  CombinationKernels<Scalar> kernels;
  kernels.vector = lanes_of<hn::ScalableTag<Scalar>>;
  kernels.combine_lanes = CombineLanes<Scalar>;
  kernels.combine_mirrored = CombineMirrored<Scalar>;
  kernels.combine_blocks = CombineBlocks<Scalar>;
  kernels.real_frequencies = RealFrequencies<Scalar>;
  kernels.turn_reals = TurnReals<Scalar>;
  kernels.turn_to_reals = TurnToRealPairs<Scalar>;
  kernels.spectrum_to_reals = SpectrumToReals<Scalar>;
  kernels.reorder_reals = ReorderReals<Scalar>;
  kernels.multiply = Multiply<Scalar>;
  kernels.multiply_runs = MultiplyRuns<Scalar>;
  kernels.multiply_interleaved = MultiplyInterleaved<Scalar>;
  kernels.turn = Turn<Scalar>;
  kernels.turned_rows = TurnedRows<Scalar>;
  kernels.take_apart = TakeApart<Scalar>;
  kernels.put_together = PutTogether<Scalar>;
  kernels.take_apart_past_cache = TakeVectorsApart<Scalar, false, true>;
  kernels.take_apart_mirrored = TakeVectorsApart<Scalar, true, false>;
  kernels.put_together_mirrored = PutVectorsTogether<Scalar, true>;
  kernels.lanes_in = LanesIn<Scalar>;
  kernels.lanes_out = LanesOut<Scalar>;
  kernels.real_lanes_in = RealLanesIn<Scalar>;
  kernels.real_lanes_out = RealLanesOut<Scalar>;
  kernels.gather = Gather<Scalar>;
  kernels.copy_past_cache = CopyPastCache<Scalar>;
  kernels.move_reals = MoveNumbers<Scalar, 1>;
  kernels.move_pairs = MoveNumbers<Scalar, 2>;
  kernels.matrix_rows = MatrixRows<Scalar>;
  kernels.matrix_columns = MatrixColumns<Scalar>;
  kernels.find_matrix_line = FindMatrixLine<Scalar>;
  kernels.from_halves = kConvertsHalves ? FromHalves<Scalar> : nullptr;
  kernels.to_halves = kConvertsHalves ? ToHalves<Scalar> : nullptr;
  kernels.rows_to_lanes = RowsToLanes<Scalar>;
  kernels.lanes_to_rows = LanesToRows<Scalar>;
  return kernels;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {

HWY_EXPORT(FindCombinations);

template <>
CombinationKernels<Scalar> find_combinations<Scalar>(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindCombinations, targets)();
}

}  // namespace twiddle::backend::host
#endif
