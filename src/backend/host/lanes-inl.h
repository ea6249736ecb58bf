// The lanes of a vector, and the orders that elements may have there. Included once per SIMD target.
// clang-format off
#if defined(TWIDDLE_HOST_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TWIDDLE_HOST_LANES_INL_H
#undef TWIDDLE_HOST_LANES_INL_H
#else
#define TWIDDLE_HOST_LANES_INL_H
#endif
// clang-format on

#include <cstddef>

#include "backend/host/lane_order.hpp"
#include "hwy/highway.h"
#include "plan/recipe/host_vectors.hpp"

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

// For lambdas.
#define TWIDDLE_HOST_INLINE HWY_ATTR __attribute__((always_inline))

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
inline constexpr std::size_t lanes_of = hn::MaxLanes(D());

// There are 16 registers of long vectors, not 32.
inline constexpr bool kFewRegisters = HWY_TARGET == HWY_AVX2;

// Vectors are a cache line long, AVX-512's.
template <class T>
inline constexpr bool kLongVectors = lanes_of<hn::ScalableTag<T>> * sizeof(T) == plan::long_vector_bytes;

template <class D>
inline constexpr std::size_t block_of = 16 / sizeof(hn::TFromD<D>);

template <LaneOrder kOrder, class D>
constexpr std::size_t lane_of_element([[maybe_unused]] std::size_t element) {
#if HWY_TARGET == HWY_AVX2
  constexpr std::size_t kNumbers = block_of<D> / 2;  // complex ones, of a block
  if constexpr (kOrder == LaneOrder::in_blocks) {
    return element / kNumbers % 2 * block_of<D> + element / (2 * kNumbers) * kNumbers + element % kNumbers;
  }
#endif
  return element;
}

// A vector's elements in the other order, either way.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V OtherOrder([[maybe_unused]] D d, V v) {
#if HWY_TARGET == HWY_AVX2
  const hn::Repartition<double, D> pairs;
  return hn::BitCast(d, hn::Vec<decltype(pairs)>{_mm256_permute4x64_pd(hn::BitCast(pairs, v).raw, 0b11011000)});
#else
  return v;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#endif  // include once per target
