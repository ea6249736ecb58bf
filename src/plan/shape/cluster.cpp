// Which lines are shared by clusters: a table of what was measured to be faster so.
#include "plan/shape/cluster.hpp"

#include <algorithm>
#include <array>

#include "plan/choice/choice_table.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {
namespace {

struct Row {
  std::uint64_t length;
  std::uint64_t groups_at_least;  // of all lines, on each compute unit
  std::uint64_t groups_below;
  std::vector<unsigned> radices;
  std::uint32_t groups;
  std::uint32_t items;
  std::uint32_t registers;
};

constexpr std::uint64_t most_groups = 8;  // of a cluster
constexpr std::uint64_t any_number = ~std::uint64_t{0};

// Measured on an H200 (docs/cuda-shapes.md): beside two launches for 32768 points, and for 65536, where these are
// faster for fewer lines; and beside one group for 16384, which is faster where there are enough lines to fill the
// device. Of each length the first row that admits the lines: more registers serve few groups, and more groups side by
// side many.
const std::array<Row, 5>& rows() {
  static const std::array<Row, 5> table{{
      {16384, 0, 2, {16, 8, 16, 8}, 8, 128, 128},
      {16384, 0, 5, {16, 8, 16, 8}, 8, 128, 80},
      {32768, 0, 16, {16, 8, 16, 16}, 8, 256, 80},
      {32768, 0, any_number, {16, 8, 16, 16}, 8, 256, 64},
      {65536, 15, any_number, {16, 16, 32, 8}, 8, 256, 128},
  }};
  return table;
}

// Whether the elements of an innermost axis are neighbours in memory.
bool are_neighbours(const Layout& layout, std::size_t axis) {
  return layout.strides.empty() || layout.strides[axis] == 1;
}

}  // namespace

std::optional<ClusterChoice> cluster_choice(std::uint64_t length, std::uint64_t lines, const DeviceLimits& limits) {
  Strategy others = limits.strategy;
  others.vector = 0;  // which clusters follow
  if (limits.arithmetic != Precision::float32 || others != Strategy{}) return std::nullopt;
  if (tuned_choice(length, LineUse::rows, limits) != nullptr) return std::nullopt;
  for (const Row& row : rows()) {
    if (row.length != length || row.groups > limits.largest_cluster) continue;
    const std::uint64_t groups = lines * row.groups / limits.compute_units;
    if (groups < row.groups_at_least || groups >= row.groups_below) continue;
    return ClusterChoice{row.radices, row.groups, row.items, row.registers};
  }
  return std::nullopt;
}

std::optional<ClusterChoice> cluster_choice(const Transform& transform, std::size_t axis, const DeviceLimits& limits) {
  if (line_use(transform, axis) != LineUse::rows) return std::nullopt;
  if (!are_neighbours(transform.input, axis) || !are_neighbours(transform.output, axis)) return std::nullopt;
  const std::size_t length = transform.lengths[axis];
  return cluster_choice(length, total_elements(transform) / length, limits);
}

std::optional<ClusterChoice> cluster_choice(const Stage& stage, const DeviceLimits& limits) {
  if (stage.load_map || stage.store_map || stage.convolution || stage.returns || stage.bank || stage.direct ||
      stage.launched_loops != 0) {
    return std::nullopt;
  }
  auto choice = cluster_choice(stage.length, transform_count(stage), limits);
  // Of lines that no single group holds, the recipe decided by their number, pruned ones included.
  if (!choice) choice = cluster_choice(stage.length, ~std::uint64_t{0} / most_groups, limits);
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
