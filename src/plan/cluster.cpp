// Which lines are shared by clusters: a table of what was measured to be faster so.
#include "plan/cluster.hpp"

#include <algorithm>
#include <array>

#include "plan/choice_table.hpp"
#include "plan/radices.hpp"
#include "plan/recipe.hpp"

namespace twiddle::plan {
namespace {

struct Row {
  std::uint64_t length;
  bool only_few;  // one group holds the line, which is faster where there are enough lines
  std::vector<unsigned> radices;
  std::uint32_t groups;
  std::uint32_t items;
};

// Measured on an H200 (docs/cuda-speed.md): beside two launches for 32768 points, and one group for 16384.
const std::array<Row, 2>& rows() {
  static const std::array<Row, 2> table{{
      {16384, true, {16, 8, 16, 8}, 8, 64},
      {32768, false, {16, 8, 16, 16}, 8, 128},
  }};
  return table;
}

// So few that with a group each most of the device would be idle; in clusters, each group has a compute unit of its
// own, and all of its registers.
bool are_few(std::uint64_t lines, const Row& row, const DeviceLimits& limits) {
  return lines * row.groups <= limits.compute_units;
}

constexpr std::uint32_t registers_side_by_side = 128;  // four groups of 128 items on a compute unit

// Whether the elements of an innermost axis are neighbours in memory.
bool are_neighbours(const Layout& layout, std::size_t axis) {
  return layout.strides.empty() || layout.strides[axis] == 1;
}

}  // namespace

std::optional<ClusterChoice> cluster_choice(std::uint64_t length, std::uint64_t lines, const DeviceLimits& limits) {
  if (limits.arithmetic != Precision::float32 || limits.strategy != Strategy{}) return std::nullopt;
  for (const Row& row : rows()) {
    const bool few = are_few(lines, row, limits);
    if (row.length != length || row.groups > limits.largest_cluster || (row.only_few && !few)) continue;
    return ClusterChoice{row.radices, row.groups, row.items, few ? 0 : registers_side_by_side};
  }
  return std::nullopt;
}

std::optional<ClusterChoice> cluster_choice(const Transform& transform, std::size_t axis, const DeviceLimits& limits) {
  if (line_use(transform, axis) != LineUse::rows) return std::nullopt;
  if (!are_neighbours(transform.input, axis) || !are_neighbours(transform.output, axis)) return std::nullopt;
  const std::size_t length = transform.lengths[axis];
  if (tuned_choice(length, LineUse::rows, limits) != nullptr) return std::nullopt;
  return cluster_choice(length, total_elements(transform) / length, limits);
}

std::optional<ClusterChoice> cluster_choice(const Stage& stage, const DeviceLimits& limits) {
  if (stage.load_map || stage.store_map || stage.convolution || stage.bank || stage.direct ||
      stage.launched_loops != 0) {
    return std::nullopt;
  }
  auto choice = cluster_choice(stage.length, transform_count(stage), limits);
  if (!choice || choice->radices != stage.radices) return std::nullopt;
  return choice;
}

std::size_t column_passes(const std::vector<unsigned>& radices, std::uint32_t groups) {
  const std::uint64_t points = product(radices);
  std::size_t best = 0;
  std::uint64_t smaller = 0;
  std::uint64_t columns = 1;
  for (std::size_t passes = 1; passes < radices.size(); ++passes) {
    columns *= radices[passes - 1];
    const std::uint64_t rest = points / columns;
    if (columns % groups != 0 || rest % groups != 0 || std::min(columns, rest) <= smaller) continue;
    smaller = std::min(columns, rest);
    best = passes;
  }
  return best;
}

}  // namespace twiddle::plan
