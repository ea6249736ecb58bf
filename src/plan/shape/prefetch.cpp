// Which lines are fetched ahead: a table of what was measured to be faster so.
#include "plan/shape/prefetch.hpp"

#include <algorithm>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {
namespace {

struct Row {
  std::uint64_t length;
  LineUse use;
  Precision precision;
  PrefetchChoice choice;
};

// Measured on an H200 (docs/cuda-shapes.md; the roots of 16384 on an H100) beside a group for each line. Real lines
// have the radices that they have otherwise, since those of a recipe also serve the way back, which is not fetched
// ahead.
const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {10000, LineUse::rows, Precision::float32, {{20, 20, 25}, 500, false, 4}},
      {12000, LineUse::rows, Precision::float32, {{20, 20, 30}, 600, false, 5}},
      {15625, LineUse::rows, Precision::float32, {{25, 25, 25}, 625, true, 5}},
      {16384, LineUse::rows, Precision::float32, {{32, 32, 16}, 512, true, 16}},
      {10000, LineUse::mapped_rows, Precision::float32, {{25, 20, 20}, 500, false, 5}},
      {6000, LineUse::rows, Precision::float64, {{10, 20, 30}, 300, true, 5}},
  };
  return table;
}

// Of each compute unit: measured were 31 and more. Two or three take up to 1.1 times as long as a group for each line.
constexpr std::uint64_t fewest_turns = 16;

bool are_whole_neighbours(const Layout& layout, std::size_t axis) {
  return layout.format == Layout::Format::interleaved && (layout.strides.empty() || layout.strides[axis] == 1);
}

// Whether memory has complex numbers as the arithmetic has them, or pairs of neighbouring reals that stand for such.
bool are_complex_neighbours(const Stage& stage) {
  const Storage& storage = stage.input_storage;
  if (storage.precision != stage.precision) return false;
  if (storage.form == Storage::Form::interleaved) return stage.input_stride == 1;
  const auto is_even = [](const Loop& loop) { return loop.input_stride % 2 == 0; };
  return storage.form == Storage::Form::planar && storage.imaginary_offset == 1 && stage.input_stride == 2 &&
         stage.input_offset % 2 == 0 && std::all_of(stage.loops.begin(), stage.loops.end(), is_even);
}

bool is_plain(const Stage& stage) {
  return !stage.load_map && !stage.shared_map && !stage.convolution && !stage.returns && !stage.bank && !stage.direct &&
         !stage.twiddle && !counts_positions(stage) && !stage.load_hook && !stage.store_hook &&
         stage.launched_loops == 0 && (!stage.store_map || stage.store_map->rule == LineMap::Rule::r2c_store);
}

}  // namespace

std::optional<PrefetchChoice> prefetch_choice(std::uint64_t length, LineUse use, std::uint64_t lines,
                                              const DeviceLimits& limits) {
  if (!limits.bulk_copies || limits.strategy != Strategy{}) return std::nullopt;
  if (lines < fewest_turns * limits.compute_units) return std::nullopt;
  if (limits.local_memory < nvidia_cuda_local_memory / scalar_share(limits)) return std::nullopt;
  if (tuned_choice(length, use, limits) != nullptr) return std::nullopt;
  for (const Row& row : rows()) {
    if (row.length != length || row.use != use || row.precision != limits.arithmetic) continue;
    return row.choice.items <= limits.max_group_size ? std::optional(row.choice) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<PrefetchChoice> prefetch_choice(const Transform& transform, std::size_t axis, std::uint64_t points,
                                              const DeviceLimits& limits) {
  const LineUse use = line_use(transform, axis);
  if (use != LineUse::rows && (transform.kind != Kind::r2c || transform.lengths[axis] != 2 * points))
    return std::nullopt;
  if (!are_whole_neighbours(transform.input, axis) || !are_whole_neighbours(transform.output, axis))
    return std::nullopt;
  if (!transform.input_extents.empty() || !transform.output_extents.empty()) return std::nullopt;
  if (transform.load_hook || transform.store_hook || transform.precision != limits.arithmetic) return std::nullopt;
  return prefetch_choice(points, use, total_elements(transform) / transform.lengths[axis], limits);
}

std::optional<PrefetchChoice> prefetch_choice(const Stage& stage, const DeviceLimits& limits) {
  if (!is_plain(stage) || !are_complex_neighbours(stage) || stage.output_stride != 1) return std::nullopt;
  const LineUse use = stage.store_map ? LineUse::mapped_rows : LineUse::rows;
  auto choice = prefetch_choice(stage.length, use, transform_count(stage), limits);
  if (!choice || choice->radices != stage.radices) return std::nullopt;
  return choice;
}

std::uint64_t prefetched_elements(std::uint64_t length, Precision precision) {
  if (precision == Precision::float64) return length;
  return (length + 2) / 2 * 2;
}

}  // namespace twiddle::plan
