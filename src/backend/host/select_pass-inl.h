// Which kernel a pass of one radix is. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_SELECT_PASS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_SELECT_PASS_INL_H
#undef TWIDDLE_HOST_SELECT_PASS_INL_H
#else
#define TWIDDLE_HOST_SELECT_PASS_INL_H
#endif
// clang-format on

#include "backend/host/mapped_passes-inl.h"
#include "backend/host/passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// Null for kinds that the radix, or the target, has no kernel for.
template <class T, unsigned kRadix>
PassFunction<T> SelectPass(PassKind kind) {
  switch (kind) {
    case PassKind::first_row:
      return FirstRow<T, kRadix, RowInput::interleaved, LaneOrder::natural>;
    case PassKind::first_row_swapped:
      return FirstRow<T, kRadix, RowInput::swapped, LaneOrder::natural>;
    case PassKind::first_row_planar:
      return FirstRow<T, kRadix, RowInput::planar, LaneOrder::natural>;
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
#if HWY_TARGET != HWY_SCALAR
  if constexpr (kRadix > 1) {
    if (kind == PassKind::first_row_mapped) return FirstRowMapped<T, kRadix>;
    if (kind == PassKind::last_row_mapped) return LastRowMapped<T, kRadix>;
  }
  if constexpr (kRadix % lanes_of<hn::ScalableTag<T>> == 0) {
    constexpr auto kPaired = ResultVectors::paired;
    constexpr LaneOrder kNatural = LaneOrder::natural;
    if (kind == PassKind::first_row_paired) return FirstRow<T, kRadix, RowInput::interleaved, kNatural, kPaired>;
    if (kind == PassKind::first_row_paired_swapped) return FirstRow<T, kRadix, RowInput::swapped, kNatural, kPaired>;
  }
  if (kind == PassKind::middle_block) return MiddleBlock<T, kRadix>;
  if (kind == PassKind::last_block) return LastBlock<T, kRadix, false>;
  if (kind == PassKind::last_block_swapped) return LastBlock<T, kRadix, true>;
#endif
#if HWY_TARGET == HWY_AVX2
  constexpr LaneOrder kInBlocks = LaneOrder::in_blocks;
  if constexpr (kRadix % lanes_of<hn::ScalableTag<T>> == 0) {
    if (kind == PassKind::first_row_in_blocks) return FirstRow<T, kRadix, RowInput::interleaved, kInBlocks>;
    if (kind == PassKind::first_row_in_blocks_swapped) return FirstRow<T, kRadix, RowInput::swapped, kInBlocks>;
  }
  switch (kind) {
    case PassKind::last_row_in_blocks:
      return LastRow<T, kRadix, false, false, kInBlocks>;
    case PassKind::last_row_in_blocks_swapped:
      return LastRow<T, kRadix, true, false, kInBlocks>;
    default:
      break;
  }
#endif
#if HWY_TARGET != HWY_SCALAR  // plain code has no stores past the cache
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
#endif
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
