// Moves between memory and planar bundles, for every SIMD target and one precision, and the choice of kernels by
// target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/moves.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include <vector>

#include "backend/host/complex_products-inl.h"
#include "backend/host/dispatch.hpp"
#include "backend/host/vectors-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

template <class T, LaneOrder kOrder, bool kSwapped>
void LanesToBundle(const MoveCall<T>& call) {
  const hn::ScalableTag<T> d;
  for (std::size_t element = 0; element < call.length; ++element) {
    const T* from = call.input + static_cast<std::ptrdiff_t>(element) * call.memory_step;
    for (std::size_t lane = 0; lane < call.lanes; lane += lanes_of<decltype(d)>) {
      hn::Vec<decltype(d)> re, im;
      LoadComplex<kSwapped, kOrder>(d, from + 2 * lane, re, im);
      hn::StoreU(re, d, call.output + element * call.lanes + lane);
      hn::StoreU(im, d, call.output_imaginary + element * call.lanes + lane);
    }
  }
}

// Square tiles through registers; the last tile of a row overlaps the one before it. Lanes beyond `active` hold copies
// of the first transform.
template <class T, LaneOrder kOrder, bool kSwapped>
void RowsToBundle(const MoveCall<T>& call) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = lanes_of<decltype(d)>;
  for (std::size_t lane = 0; lane < call.lanes; lane += kLanes) {
    for (std::size_t begin = 0; begin < call.length; begin += kLanes) {
      const std::size_t element = begin + kLanes <= call.length ? begin : call.length - kLanes;
      hn::Vec<decltype(d)> v[2 * kLanes];
      for (std::size_t row = 0; row < kLanes; ++row) {
        const std::size_t transform = lane + row < call.active ? lane + row : 0;
        const T* from = call.input + static_cast<std::ptrdiff_t>(transform) * call.memory_step + 2 * element;
        const std::size_t held = lane_of_element<kOrder, decltype(d)>(row);
        LoadHalves(d, from, v[held], v[kLanes + held]);
      }
      TransposeComplex(d, v);
      for (std::size_t i = 0; i < kLanes; ++i) {
        hn::StoreU(v[2 * i + kSwapped], d, call.output + (element + i) * call.lanes + lane);
        hn::StoreU(v[2 * i + !kSwapped], d, call.output_imaginary + (element + i) * call.lanes + lane);
      }
    }
  }
}

template <class T, LaneOrder kOrder, bool kSwapped, bool kStreamed>
void BundleToRows(const MoveCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  StoreRows<kSwapped, kStreamed, kOrder>(d, call.active, call.length, call.output, call.memory_step,
                                         [&](std::size_t lane, std::size_t element, V& re, V& im) TWIDDLE_HOST_INLINE {
                                           const std::size_t at = element * call.lanes + lane;
                                           re = hn::Mul(scale, hn::LoadU(d, call.input + at));
                                           im = hn::Mul(scale, hn::LoadU(d, call.input_imaginary + at));
                                         });
}

// Each element's numbers and values are a page of their own where lines are long, which nothing fetches ahead.
inline constexpr std::ptrdiff_t elements_ahead = 8;

template <class T, LaneOrder kOrder, bool kReals>
void LanesToBundleTimes(const MoveCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const T* from = call.input;
  const T* values = call.values;
  T* real = call.output;
  T* imaginary = call.output_imaginary;
  for (std::size_t element = 0; element < call.length; ++element) {
    for (std::size_t lane = 0; lane < call.lanes; lane += lanes_of<decltype(d)>) {
      hwy::Prefetch(values + elements_ahead * call.values_step + 2 * lane);
      V factor_re, factor_im;
      LoadComplex<false, kOrder>(d, values + 2 * lane, factor_re, factor_im);
      V re, im;
      if constexpr (kReals) {
        const V value = hn::LoadU(d, from + lane);
        re = hn::Mul(value, factor_re);
        im = hn::Mul(value, factor_im);
      } else {
        LoadComplex<false, kOrder>(d, from + 2 * lane, re, im);
        MultiplyComplex(re, im, factor_re, factor_im);
      }
      hn::StoreU(re, d, real + lane);
      hn::StoreU(im, d, imaginary + lane);
    }
    from += call.memory_step;
    values += call.values_step;
    real += call.lanes;
    imaginary += call.lanes;
  }
}

template <class T, LaneOrder kOrder, bool kReals>
void BundleToLanesTimes(const MoveCall<T>& call) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V scale = hn::Set(d, call.scale);
  const T* real = call.input;
  const T* imaginary = call.input_imaginary;
  const T* values = call.values;
  T* to = call.output;
  for (std::size_t element = 0; element < call.length; ++element) {
    for (std::size_t lane = 0; lane < call.lanes; lane += lanes_of<decltype(d)>) {
      hwy::Prefetch(values + elements_ahead * call.values_step + 2 * lane);
      V factor_re, factor_im;
      LoadComplex<false, kOrder>(d, values + 2 * lane, factor_re, factor_im);
      V re = hn::Mul(scale, hn::LoadU(d, real + lane));
      V im = hn::Mul(scale, hn::LoadU(d, imaginary + lane));
      MultiplyComplex(re, im, factor_re, factor_im);
      if constexpr (kReals) {
        hn::StoreU(re, d, to + lane);
      } else {
        StoreComplex<false, false, kOrder>(d, re, im, to + 2 * lane);
      }
    }
    real += call.lanes;
    imaginary += call.lanes;
    values += call.values_step;
    to += call.memory_step;
  }
}

#if HWY_TARGET == HWY_AVX2
template <class T>
void ReorderLanes(const MoveCall<T>& call) {
  const hn::ScalableTag<T> d;
  for (std::size_t i = 0; i < call.length * call.lanes; i += lanes_of<decltype(d)>) {
    hn::StoreU(OtherOrder(d, hn::LoadU(d, call.output + i)), d, call.output + i);
    hn::StoreU(OtherOrder(d, hn::LoadU(d, call.output_imaginary + i)), d, call.output_imaginary + i);
  }
}
#endif

namespace {  // one for each precision

template <LaneOrder kOrder>
MoveFunction<Scalar> SelectMove(MoveKind kind) {
  switch (kind) {
    case MoveKind::lanes_to_bundle:
      return LanesToBundle<Scalar, kOrder, false>;
    case MoveKind::lanes_to_bundle_swapped:
      return LanesToBundle<Scalar, kOrder, true>;
    case MoveKind::rows_to_bundle:
      return RowsToBundle<Scalar, kOrder, false>;
    case MoveKind::rows_to_bundle_swapped:
      return RowsToBundle<Scalar, kOrder, true>;
    case MoveKind::bundle_to_rows:
      return BundleToRows<Scalar, kOrder, false, false>;
    case MoveKind::bundle_to_rows_swapped:
      return BundleToRows<Scalar, kOrder, true, false>;
    case MoveKind::bundle_to_rows_streamed:
      return BundleToRows<Scalar, kOrder, false, true>;
    case MoveKind::bundle_to_rows_streamed_swapped:
      return BundleToRows<Scalar, kOrder, true, true>;
    case MoveKind::lanes_to_bundle_times:
      return LanesToBundleTimes<Scalar, kOrder, false>;
    case MoveKind::bundle_to_lanes_times:
      return BundleToLanesTimes<Scalar, kOrder, false>;
    case MoveKind::reals_to_bundle_times:
      return LanesToBundleTimes<Scalar, kOrder, true>;
    case MoveKind::bundle_to_reals_times:
      return BundleToLanesTimes<Scalar, kOrder, true>;
    case MoveKind::reorder_lanes:
      break;
  }
  return nullptr;
}

MoveFunction<Scalar> FindMove(MoveKind kind, [[maybe_unused]] LaneOrder order) {
#if HWY_TARGET == HWY_AVX2
  if (kind == MoveKind::reorder_lanes) return ReorderLanes<Scalar>;
  if (order == LaneOrder::in_blocks) return SelectMove<LaneOrder::in_blocks>(kind);
#endif
  return SelectMove<LaneOrder::natural>(kind);
}

std::size_t VectorLanes() { return lanes_of<hn::ScalableTag<Scalar>>; }

std::size_t LaneInBlocks(std::size_t element) {
  return lane_of_element<LaneOrder::in_blocks, hn::ScalableTag<Scalar>>(element);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace twiddle::backend::host {

HWY_EXPORT(FindMove);
HWY_EXPORT(VectorLanes);
HWY_EXPORT(LaneInBlocks);

template <>
MoveFunction<Scalar> find_move<Scalar>(MoveKind kind, LaneOrder order, std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(FindMove, targets)(kind, order);
}

template <>
std::size_t vector_lanes<Scalar>(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(VectorLanes, targets)();
}

template <>
std::vector<std::size_t> elements_in_blocks<Scalar>(std::int64_t targets) {
  std::vector<std::size_t> elements(vector_lanes<Scalar>(targets));
  for (std::size_t element = 0; element < elements.size(); ++element) {
    elements[TWIDDLE_HOST_DISPATCH(LaneInBlocks, targets)(element)] = element;
  }
  return elements;
}

template <>
PassFunction<Scalar> find_pass<Scalar>(PassKind kind, unsigned radix, std::int64_t targets) {
  if (radix <= 7) return find_pass_among<Scalar, 1, 2, 3, 4, 5, 6, 7>(kind, radix, targets);
  if (radix <= 10) return find_pass_among<Scalar, 8, 9, 10>(kind, radix, targets);
  if (radix <= 13) return find_pass_among<Scalar, 11, 12, 13>(kind, radix, targets);
  if (radix <= 16) return find_pass_among<Scalar, 15, 16>(kind, radix, targets);
  if (radix == 20 || radix == 24 || radix == 25 || radix == 32) {
    return find_pass_among<Scalar, 20, 24, 25, 32>(kind, radix, targets);
  }
  return find_pass_prime<Scalar>(kind, radix, targets);
}

}  // namespace twiddle::backend::host
#endif
