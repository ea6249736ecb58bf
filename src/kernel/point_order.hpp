// In what order the passes of a stage kernel take and leave the points of a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/stage_layout.hpp"

namespace twiddle::kernel {

// Which element is where the passes begin, and which frequency where they end. Both are the position itself, but where
// passes are coprime parts (I. J. Good, The interaction algorithm and practical Fourier analysis, 1958): of points
// radix * groups the element at p + k groups is radix p + groups k, and frequency f is that of radix f % radix and of
// the groups' f % groups, modulo the points.
struct PointOrder {
  std::vector<std::uint32_t> elements;
  std::vector<std::uint32_t> frequencies;
};

// Of passes in one direction, the last of them the stage's.
[[nodiscard]] PointOrder point_order(std::span<const Pass> passes);

// Makes those passes coprime parts that can be. Rader's algorithm orders its points by tables anyway; a way back that
// does not mirror the passes would need a second order.
void leave_out_twiddles(const plan::Stage& stage, std::vector<Pass>& passes);

}  // namespace twiddle::kernel
