// Roots of unity by vectors of sums of two doubles, for tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "backend/host/double_double.hpp"
#include "plan/map_entries.hpp"

namespace twiddle::backend::host {

// exp(-2 pi i k / n), k = 0, 1, ..., a block at a time: each the product of one of the first block and of the block's
// first one, which takes a quarter of the time that roots anywhere take.
class RootBlocks {
 public:
  static constexpr std::size_t size = 64;

  RootBlocks(std::uint64_t n, const DoubleDoubleKernels& kernels);

  // Writes the next roots, `count` of them, to where there is room for another vector behind them; all but the last
  // call take a block.
  void next(std::size_t count, const DoubleDoublePlanes& to);

 private:
  using Planes = std::array<std::array<double, size>, 4>;
  static DoubleDoublePlanes places(Planes& planes);

  const DoubleDoubleKernels& kernels_;
  RootSteps steps_;
  std::uint64_t n_;
  std::uint64_t block_ = 0;
  Planes first_;
  Planes turns_;  // from the first block to those that follow
};

// For maps. Makes none where no SIMD target in the mask fuses products and sums.
[[nodiscard]] plan::MakeManyRoots vector_roots(std::int64_t targets);

}  // namespace twiddle::backend::host
