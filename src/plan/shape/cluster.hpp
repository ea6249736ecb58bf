// Lines that several work-groups share through each other's local memory: thread-block clusters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/lower/stage.hpp"
#include "twiddle/device.hpp"
#include "twiddle/transform.hpp"

namespace twiddle::plan {

// A line of columns * rows points in one launch: each group transforms an equal share of the columns by the first
// passes, sends each other group what lies in its rows, and transforms its share of these by the others. (The division
// is Gentleman and Sande's of 1966, the passes remain Stockham's.)
struct ClusterChoice {
  std::vector<unsigned> radices;
  std::uint32_t groups = 1;     // that share a line
  std::uint32_t items = 1;      // of each group
  std::uint32_t registers = 0;  // as in KernelShape
  bool operator==(const ClusterChoice&) const = default;
};

// How `lines` neighbouring lines of complex numbers in single precision are shared by groups; nothing where a group a
// line or two launches are at least as fast, or where the device or its strategy has no clusters.
[[nodiscard]] std::optional<ClusterChoice> cluster_choice(std::uint64_t length, std::uint64_t lines,
                                                          const DeviceLimits& limits);

// The same for the lines of an axis of a transform: nothing where they are not neighbours in memory, are made from
// others or into others, or were tuned.
[[nodiscard]] std::optional<ClusterChoice> cluster_choice(const Transform& transform, std::size_t axis,
                                                          const DeviceLimits& limits);

// The same for a stage: nothing where its radices are others, or where it has something that groups cannot share (a
// map, a convolution or a bank of filters, launches for each line).
[[nodiscard]] std::optional<ClusterChoice> cluster_choice(const Stage& stage, const DeviceLimits& limits);

// How many of the radices are the columns': the most even division in which each group has as many whole columns, and
// whole rows, as every other. 0: there is none.
[[nodiscard]] std::size_t column_passes(const std::vector<unsigned>& radices, std::uint32_t groups);

}  // namespace twiddle::plan
