// Rows of pictures in SIMD: samples widened to the type that sums are in, weighted sums of neighbours, and back to
// saturated samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twiddle::backend::host {

// Rows that one call of `pairs` makes.
inline constexpr std::size_t rows_of_block = 2;

// Lanes that a kernel may read beyond the last element that it needs.
inline constexpr std::size_t row_slack = 64;

// An element of a window and what it counts for in each row of a block.
template <class Sum>
struct RowTap {
  std::uint32_t row = 0;     // of the window
  std::uint32_t offset = 0;  // elements from the window's left edge
  Sum weight[rows_of_block] = {};
};

// How a sum becomes a sample: floor((sum + before) * factor + after), clamped to the samples' range.
template <class Sum>
struct RowFinish {
  Sum before = 0;
  Sum factor = 1;
  Sum after = 0;
};

// In 16 bits: division by a whole number through the high half of a product, found and checked for every sum that can
// be.
template <>
struct RowFinish<std::int16_t> {
  std::int16_t before = 0;
  bool has_negative_sums = false;  // else sums are unsigned
  std::uint16_t factor = 0;        // 0: no product
  int shift = 0;
};

// output[x] = finish(sum over taps of weight * rows[row][x + offset])
template <class Sum>
struct RowSums {
  const Sum* const* rows = nullptr;
  const RowTap<Sum>* taps = nullptr;
  std::size_t tap_count = 0;
  RowFinish<Sum> finish{};
  std::size_t count = 0;  // elements of the output
};

template <class Sum, class Sample>
struct RowKernels {
  void (*widen)(const Sample* from, Sum* to, std::size_t count);
  void (*single)(const RowSums<Sum>& sums, Sample* const* outputs);  // a vector at a time, one row
  void (*wide)(const RowSums<Sum>& sums, Sample* const* outputs);    // four vectors at a time
  void (*pairs)(const RowSums<Sum>& sums, Sample* const* outputs);   // four vectors, two rows at a time
  void (*partial)(const RowSums<Sum>& sums, Sum* output);            // four vectors at a time, sums as they are
};

// For (std::int16_t, std::uint8_t), and for float and double with std::uint8_t and std::uint16_t. `targets`: the mask
// of SIMD instruction sets to choose from (settings.hpp).
template <class Sum, class Sample>
[[nodiscard]] RowKernels<Sum, Sample> row_kernels(std::int64_t targets);

}  // namespace twiddle::backend::host
