// Blocks of lines of which memory holds the lower half (plan::Bound::period): an element at or below the middle stands
// at its own place, one above it, the *upper* part, at that of its mirror image.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "backend/host/memory_access.hpp"
#include "plan/lower/stage.hpp"

namespace twiddle::backend::host {

// Lane 0 of the block is lane `lane` of the planes.
struct BlockPart {
  Block block;
  std::size_t lane = 0;
  bool upper = false;
};

// Whether the bound says that each line is complex numbers of which memory holds the lower half, and nothing else.
[[nodiscard]] inline bool mirrors_each_line(const plan::Stage& stage) {
  const std::optional<plan::Bound>& bound = stage.load_bound;
  const auto stays = [](std::int64_t stride) { return stride == 0; };
  return bound && bound->period == stage.length && bound->count == stage.length / 2 + 1 && bound->element_stride == 1 &&
         std::ranges::all_of(bound->loop_strides, stays) && bound->offset == 0 && bound->first == 0 && !bound->odd &&
         bound->end_weight == 1 && stage.input_storage.form != plan::Storage::Form::real && !stage.load_hook;
}

// The upper part of a block whose element 0 of lane 0 is at position `base`.
[[nodiscard]] inline Block upper_block(const plan::Bound& bound, Block block, std::int64_t base,
                                       std::int64_t lane_step) {
  const auto period = static_cast<std::int64_t>(bound.period);
  const auto first = static_cast<std::int64_t>(bound.first);
  const std::int64_t stride = block.element_stride / bound.element_stride;  // of positions
  block.first += (period - 2 * base) * stride;
  block.element_stride -= 2 * bound.element_stride * stride;
  block.lane_stride -= 2 * lane_step * stride;
  const std::uint64_t end = std::min(bound.count, (bound.period + 1) / 2);
  block.extents[0] = {end - bound.first, period - base - first, -bound.element_stride, -lane_step};
  return block;
}

// Calls visit(part) for each part of `block`, whose extents[1] is set. Of lanes that have both halves of a line, no
// upper part is stored.
template <class Visit>
void for_each_part(const plan::Bound& bound, Block block, std::int64_t base, std::int64_t lane_step, bool storing,
                   const Visit& visit) {
  const std::uint64_t end = std::min(bound.count, bound.period / 2 + 1);
  block.extents[0] = {end - bound.first, base - static_cast<std::int64_t>(bound.first), bound.element_stride,
                      lane_step};
  visit(BlockPart{block});
  const auto lane_base = [&](std::size_t lane) { return base + static_cast<std::int64_t>(lane) * lane_step; };
  const auto left_out = [&](std::size_t lane) {
    return storing && bound.both_halves != 0 && lane_base(lane) % static_cast<std::int64_t>(bound.both_halves) == 0;
  };
  for (std::size_t begin = 0; begin < block.active;) {
    std::size_t next = begin;
    while (next < block.active && !left_out(next)) ++next;
    if (next > begin) {
      Block lanes = block;
      lanes.active = next - begin;
      lanes.first += static_cast<std::int64_t>(begin) * block.lane_stride;
      lanes.extents[1].base += static_cast<std::int64_t>(begin) * block.extents[1].lane_stride;
      visit(BlockPart{upper_block(bound, lanes, lane_base(begin), lane_step), begin, true});
    }
    begin = next + 1;
  }
}

// Multiplies the elements at the ends of the lines, at positions 0 and half of the period, by their weight.
template <class T>
void weigh_ends(const plan::Bound& bound, const Block& block, std::int64_t base, std::int64_t lane_step,
                std::size_t lanes, const Planes<T>& planes) {
  if (bound.end_weight == 1) return;
  const auto weight = static_cast<T>(bound.end_weight);
  for (std::size_t lane = 0; lane < block.active; ++lane) {
    const std::int64_t first = base + static_cast<std::int64_t>(lane) * lane_step;
    for (const std::int64_t end : {std::int64_t{0}, static_cast<std::int64_t>(bound.period / 2)}) {
      const std::int64_t distance = end - first;
      if (distance < 0 || distance % bound.element_stride != 0) continue;
      const auto k = static_cast<std::size_t>(distance / bound.element_stride);
      if (k >= block.length) continue;
      planes.real[k * lanes + lane] *= weight;
      planes.imaginary[k * lanes + lane] *= weight;
    }
  }
}

}  // namespace twiddle::backend::host
