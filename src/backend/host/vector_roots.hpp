// Roots of unity by vectors of sums of two doubles, for tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/host/double_double.hpp"
#include "plan/lower/map_entries.hpp"

namespace twiddle::backend::host {

// exp(-2 pi i (first + k step) / n), k = 0, 1, ..., `count` of them, a block at a time: each the product of one of the
// first block and of the block's turn from there, which takes a quarter of the time that roots anywhere take. first,
// step < n <= RootSteps::most.
class RootBlocks {
 public:
  static constexpr std::size_t size = 64;

  RootBlocks(std::uint64_t n, std::uint64_t step, std::uint64_t count, const DoubleDoubleKernels& kernels,
             std::uint64_t first = 0);

  // Writes the next roots, `count` of them, to where there is room for another vector behind them; all but the last
  // call take a block.
  void next(std::size_t count, const DoubleDoublePlanes& to);

 private:
  using Planes = std::array<std::array<double, size>, 4>;
  static DoubleDoublePlanes places(Planes& planes);
  // For `count` of the powers in turn, `step` apart.
  void make(std::uint64_t step, std::size_t count, Planes& to);

  const DoubleDoubleKernels& kernels_;
  RootSteps steps_;
  std::uint64_t n_;
  std::uint64_t step_;    // from a block to the next
  std::uint64_t blocks_;  // for which there is no factor yet
  std::uint64_t power_;   // of the next factor
  std::size_t turn_ = size;
  Planes first_;
  Planes turns_;  // from the first block to those that follow
};

// For maps. Makes none where no SIMD target in the mask fuses products and sums.
[[nodiscard]] plan::MakeManyRoots vector_roots(std::int64_t targets);

}  // namespace twiddle::backend::host
