// A table of what was measured to be faster.
#include "plan/shape/padded_lines.hpp"

#include <utility>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/choice/measured_choices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/measured_device.hpp"

namespace twiddle::plan {
namespace {

struct Row {
  PaddedChoice choice;
  Precision precision;
  bool through_opencl;  // else up to 1.37 of the time there
};

// Through CUDA, batches of 512 MiB (docs/cuda-shapes.md).
const std::vector<Row>& measured() {
  constexpr auto f32 = Precision::float32;
  constexpr auto f64 = Precision::float64;
  static const std::vector<Row> table{
      {{{{16, 32}, 16, 16}, {{16, 16}, 16, 4}, 128, 4}, f32, true},
      {{{{8, 16, 16}, 128, 8}, {{32, 32}, 32, 2}, 0, 0}, f32, false},
      {{{{8, 8, 8}, 64, 8}, {{16, 16}, 16, 4}, 0, 0}, f64, false},
      {{{{8, 16, 16}, 128, 4}, {{16, 16, 4}, 64, 1}, 0, 0}, f64, true},
  };
  return table;
}

bool serves(const Row& row, const DeviceLimits& limits) {
  return row.through_opencl ? is_like_measured_card(limits) : is_like_measured(limits);
}

// Tiles of columns that each compute unit has at least: what was measured had dozens.
constexpr std::uint64_t turns = 4;

bool has_points(const PaddedChoice& choice, std::uint64_t points) {
  return product(choice.columns.radices) * product(choice.rows.radices) == points;
}

// The padded points of the line that the stage is a part of; 0: of none.
std::uint64_t padded_points(const Stage& stage) {
  using Sequence = Factor::Sequence;
  if (stage.returns) return stage.store_factor->padded;
  for (const auto* factor : {&stage.load_factor, &stage.store_factor}) {
    if (*factor && stage.twiddle && (*factor)->sequence == Sequence::chirp) return (*factor)->padded;
  }
  return 0;
}

}  // namespace

std::optional<PaddedChoice> padded_choice(std::uint64_t points, std::uint64_t lines, const DeviceLimits& limits) {
  for (const Row& row : measured()) {
    if (!serves(row, limits) || row.precision != limits.arithmetic || !has_points(row.choice, points)) continue;
    const std::uint64_t columns = product(row.choice.columns.radices);
    const std::uint64_t rows = product(row.choice.rows.radices);
    const bool tuned = tuned_choice(columns, LineUse::columns, limits) != nullptr ||
                       tuned_choice(rows, LineUse::rows, limits) != nullptr;
    const bool few = lines * rows < turns * limits.compute_units * row.choice.columns.transforms;
    return tuned || few ? std::nullopt : std::optional(row.choice);
  }
  return std::nullopt;
}

std::optional<PaddedPart> padded_part(const Stage& stage, const DeviceLimits& limits) {
  const std::uint64_t points = padded_points(stage);
  if (points == 0 || is_tuned(stage, limits)) return std::nullopt;
  for (const Row& row : measured()) {
    if (!serves(row, limits) || row.precision != stage.precision || !has_points(row.choice, points)) continue;
    const JoinedPart& part = stage.returns ? row.choice.rows : row.choice.columns;
    const bool few = launch_transforms(stage) < limits.compute_units * part.transforms;
    if (part.radices != stage.radices || few) return std::nullopt;
    return PaddedPart{part, row.choice.registers, row.choice.root_step};
  }
  return std::nullopt;
}

}  // namespace twiddle::plan
