// The row kernels for every SIMD target, and the choice among them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/host/image_rows.cpp"
// clang-format off
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
// clang-format on
#include "backend/host/image_rows.hpp"

#include <algorithm>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace twiddle::backend::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Sum>
using Tag = hn::ScalableTag<Sum>;

// Samples as numbers of the sums' type.
template <class Sum, class Sample>
HWY_INLINE hn::Vec<Tag<Sum>> LoadWide(const Sample* from) {
  const Tag<Sum> d;
  const hn::Rebind<Sample, Tag<Sum>> samples;
  const hn::Rebind<std::int32_t, Tag<Sum>> integers;
  if constexpr (std::is_same_v<Sum, std::int16_t>) {
    return hn::PromoteTo(d, hn::LoadU(samples, from));
  } else if constexpr (std::is_same_v<Sum, float>) {
    return hn::ConvertTo(d, hn::PromoteTo(integers, hn::LoadU(samples, from)));
  } else {
    return hn::PromoteTo(d, hn::PromoteTo(integers, hn::LoadU(samples, from)));
  }
}

template <class V>
HWY_INLINE V AddProduct(V sum, V weight, V value) {
  if constexpr (std::is_floating_point_v<hn::TFromV<V>>) {
    return hn::MulAdd(weight, value, sum);
  } else {
    return hn::Add(sum, hn::Mul(weight, value));
  }
}

template <class Sample>
HWY_INLINE void StoreFinished(const RowFinish<std::int16_t>& finish, hn::Vec<Tag<std::int16_t>> sum, Sample* to) {
  const Tag<std::int16_t> d;
  const hn::RebindToUnsigned<Tag<std::int16_t>> u;
  sum = hn::Add(sum, hn::Set(d, finish.before));
  if (finish.has_negative_sums) sum = hn::Max(sum, hn::Zero(d));
  auto quotient = hn::BitCast(u, sum);
  if (finish.factor != 0) quotient = hn::MulHigh(quotient, hn::Set(u, finish.factor));
  quotient = hn::Min(hn::ShiftRightSame(quotient, finish.shift), hn::Set(u, 255));
  const hn::Rebind<Sample, Tag<std::int16_t>> samples;
  hn::StoreU(hn::DemoteTo(samples, hn::BitCast(d, quotient)), samples, to);
}

template <class Sum, class Sample>
HWY_INLINE void StoreFinished(const RowFinish<Sum>& finish, hn::Vec<Tag<Sum>> sum, Sample* to) {
  const Tag<Sum> d;
  sum = hn::MulAdd(hn::Add(sum, hn::Set(d, finish.before)), hn::Set(d, finish.factor), hn::Set(d, finish.after));
  // Clamped below at 0, truncation is the floor.
  sum = hn::Min(hn::Max(sum, hn::Zero(d)), hn::Set(d, static_cast<Sum>(hwy::LimitsMax<Sample>())));
  const hn::Rebind<Sample, Tag<Sum>> samples;
  const hn::Rebind<std::int32_t, Tag<Sum>> integers;
  if constexpr (std::is_same_v<Sum, float>) {
    hn::StoreU(hn::DemoteTo(samples, hn::ConvertTo(integers, sum)), samples, to);
  } else {
    hn::StoreU(hn::DemoteTo(samples, hn::DemoteTo(integers, sum)), samples, to);
  }
}

// kRows rows of kVectors vectors from element x on, in registers; the output at `to`.
template <std::size_t kRows, std::size_t kVectors, bool kFinished, class Sum, class Output>
HWY_INLINE void Block(const RowSums<Sum>& sums, std::size_t x, Output* const* to, std::size_t to_offset) {
  const Tag<Sum> d;
  const std::size_t lanes = hn::Lanes(d);
  using V = hn::Vec<Tag<Sum>>;
  V total[kRows][kVectors];
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t vector = 0; vector < kVectors; ++vector) total[row][vector] = hn::Zero(d);
  }
  for (const RowTap<Sum>* tap = sums.taps; tap != sums.taps + sums.tap_count; ++tap) {
    const Sum* from = sums.rows[tap->row] + tap->offset + x;
    V value[kVectors];
    for (std::size_t vector = 0; vector < kVectors; ++vector) value[vector] = hn::LoadU(d, from + vector * lanes);
    for (std::size_t row = 0; row < kRows; ++row) {
      const V weight = hn::Set(d, tap->weight[row]);
      for (std::size_t vector = 0; vector < kVectors; ++vector) {
        total[row][vector] = AddProduct(total[row][vector], weight, value[vector]);
      }
    }
  }
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t vector = 0; vector < kVectors; ++vector) {
      if constexpr (kFinished) {
        StoreFinished(sums.finish, total[row][vector], to[row] + to_offset + vector * lanes);
      } else {
        hn::StoreU(total[row][vector], d, to[row] + to_offset + vector * lanes);
      }
    }
  }
}

template <std::size_t kRows, std::size_t kVectors, bool kFinished, class Sum, class Output>
HWY_INLINE void Rows(const RowSums<Sum>& sums, Output* const* outputs) {
  const std::size_t lanes = hn::Lanes(Tag<Sum>());
  std::size_t x = 0;
  for (; x + kVectors * lanes <= sums.count; x += kVectors * lanes) {
    Block<kRows, kVectors, kFinished>(sums, x, outputs, x);
  }
  for (; x + lanes <= sums.count; x += lanes) Block<kRows, 1, kFinished>(sums, x, outputs, x);
  if (x == sums.count) return;
  Output last[kRows][hn::MaxLanes(Tag<Sum>())];
  Output* to[kRows];
  for (std::size_t row = 0; row < kRows; ++row) to[row] = last[row];
  Block<kRows, 1, kFinished>(sums, x, to, 0);
  for (std::size_t row = 0; row < kRows; ++row) std::copy_n(last[row], sums.count - x, outputs[row] + x);
}

template <class Sum, class Sample>
void Widen(const Sample* from, Sum* to, std::size_t count) {
  const Tag<Sum> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t x = 0;
  for (; x + lanes <= count; x += lanes) hn::StoreU(LoadWide<Sum>(from + x), d, to + x);
  for (; x < count; ++x) to[x] = static_cast<Sum>(from[x]);
}

template <class Sum, class Sample>
void Single(const RowSums<Sum>& sums, Sample* const* outputs) {
  Rows<1, 1, true>(sums, outputs);
}
template <class Sum, class Sample>
void Wide(const RowSums<Sum>& sums, Sample* const* outputs) {
  Rows<1, 4, true>(sums, outputs);
}
template <class Sum, class Sample>
void Pairs(const RowSums<Sum>& sums, Sample* const* outputs) {
  Rows<rows_of_block, 4, true>(sums, outputs);
}
template <class Sum>
void Partial(const RowSums<Sum>& sums, Sum* output) {
  Rows<1, 4, false>(sums, &output);
}

template <class Sum, class Sample>
RowKernels<Sum, Sample> Kernels() {
  return {Widen<Sum, Sample>, Single<Sum, Sample>, Wide<Sum, Sample>, Pairs<Sum, Sample>, Partial<Sum>};
}
// Names without commas, as tables of targets need them.
RowKernels<std::int16_t, std::uint8_t> Short8() { return Kernels<std::int16_t, std::uint8_t>(); }
RowKernels<float, std::uint8_t> Float8() { return Kernels<float, std::uint8_t>(); }
RowKernels<float, std::uint16_t> Float16() { return Kernels<float, std::uint16_t>(); }
RowKernels<double, std::uint8_t> Double8() { return Kernels<double, std::uint8_t>(); }
RowKernels<double, std::uint16_t> Double16() { return Kernels<double, std::uint16_t>(); }

}  // namespace HWY_NAMESPACE
}  // namespace twiddle::backend::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backend/host/dispatch.hpp"

namespace twiddle::backend::host {

HWY_EXPORT(Short8);
HWY_EXPORT(Float8);
HWY_EXPORT(Float16);
HWY_EXPORT(Double8);
HWY_EXPORT(Double16);

template <>
RowKernels<std::int16_t, std::uint8_t> row_kernels(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(Short8, targets)();
}
template <>
RowKernels<float, std::uint8_t> row_kernels(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(Float8, targets)();
}
template <>
RowKernels<float, std::uint16_t> row_kernels(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(Float16, targets)();
}
template <>
RowKernels<double, std::uint8_t> row_kernels(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(Double8, targets)();
}
template <>
RowKernels<double, std::uint16_t> row_kernels(std::int64_t targets) {
  return TWIDDLE_HOST_DISPATCH(Double16, targets)();
}

}  // namespace twiddle::backend::host
#endif
