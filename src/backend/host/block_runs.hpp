// The elements of a block that are there, as runs at regular places in memory and in planes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "backend/host/memory_access.hpp"

namespace twiddle::backend::host {

// One of the two dimensions of a block.
struct Dimension {
  std::size_t count;
  std::int64_t memory_stride;
  std::size_t plane_stride;
  std::array<std::int64_t, 2> extent_strides;
};

// Narrows begin..end to the indices i with 0 <= base + i * stride < count.
inline void narrow(std::uint64_t count, std::int64_t base, std::int64_t stride, std::int64_t& begin,
                   std::int64_t& end) {
  if (count > static_cast<std::uint64_t>(INT64_MAX)) return;
  const auto limit = static_cast<std::int64_t>(count);
  const auto ceiling = [](std::int64_t a, std::int64_t b) {
    if (b == 1) return a;  // most often, and divisions take long
    return a > 0 ? (a + b - 1) / b : -(-a / b);
  };
  if (stride == 0) {
    if (base < 0 || base >= limit) end = begin;
  } else if (stride > 0) {
    begin = std::max(begin, ceiling(-base, stride));
    end = std::min(end, ceiling(limit - base, stride));
  } else {
    begin = std::max(begin, ceiling(base - limit + 1, -stride));
    end = std::min(end, ceiling(base + 1, -stride));
  }
}

// Whether elements of one line are nearer to each other than lines.
inline bool by_elements(const Block& block) {
  return block.active == 1 || (std::abs(block.element_stride) < std::abs(block.lane_stride) && block.length > 1);
}

// Elements at regular places in memory and in the planes.
struct Run {
  std::int64_t memory;  // scalar
  std::size_t plane;
  std::size_t count;
  std::int64_t step;
  std::size_t plane_step;
};

// Calls visit(run) for each run of elements that are there.
template <class Visit>
void for_each_run(const Block& block, std::size_t lanes, const Visit& visit) {
  Dimension inner{block.active, block.lane_stride, 1, {block.extents[0].lane_stride, block.extents[1].lane_stride}};
  Dimension outer{
      block.length, block.element_stride, lanes, {block.extents[0].element_stride, block.extents[1].element_stride}};
  if (by_elements(block)) std::swap(inner, outer);
  for (std::size_t i = 0; i < outer.count; ++i) {
    const auto index = static_cast<std::int64_t>(i);
    std::int64_t begin = 0;
    auto end = static_cast<std::int64_t>(inner.count);
    for (std::size_t e = 0; e < block.extents.size(); ++e) {
      narrow(block.extents[e].count, block.extents[e].base + index * outer.extent_strides[e], inner.extent_strides[e],
             begin, end);
    }
    if (begin >= end) continue;
    visit(Run{block.first + index * outer.memory_stride + begin * inner.memory_stride,
              i * outer.plane_stride + static_cast<std::size_t>(begin) * inner.plane_stride,
              static_cast<std::size_t>(end - begin), inner.memory_stride, inner.plane_stride});
  }
}

inline bool all_there(const Block& block) {
  return std::all_of(block.extents.begin(), block.extents.end(),
                     [](const Extent& extent) { return extent.count == Extent{}.count; });
}

}  // namespace twiddle::backend::host
