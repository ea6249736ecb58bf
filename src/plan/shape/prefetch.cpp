// Which lines and tiles are fetched ahead: tables of what was measured to be faster so.
#include "plan/shape/prefetch.hpp"

#include <algorithm>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"
#include "plan/shape/exchange_shape.hpp"

namespace twiddle::plan {
namespace {

using Lanes = KernelShape::Lanes;

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
      {15625, LineUse::rows, Precision::float32, {{25, 25, 25}, 625, true, 4}},
      {16384, LineUse::rows, Precision::float32, {{32, 32, 16}, 512, true, 16}},
      {16807, LineUse::rows, Precision::float32, {{49, 49, 7}, 343, true, 7}},
      {10000, LineUse::mapped_rows, Precision::float32, {{25, 20, 20}, 500, false, 5}},
      {5000, LineUse::rows, Precision::float64, {{25, 10, 20}, 250, true, 4}},
      {6000, LineUse::rows, Precision::float64, {{10, 20, 30}, 300, true, 5}},
      {6561, LineUse::rows, Precision::float64, {{27, 9, 27}, 243, true, 4}},
      {8192, LineUse::rows, Precision::float64, {{32, 16, 16}, 256, true, 8}},
  };
  return table;
}

struct Tile {
  std::uint64_t length;
  LineUse use;
  Precision precision;
  std::vector<unsigned> radices;
  std::uint32_t items;
  std::uint32_t transforms;
  std::uint32_t root_step = 0;  // as in KernelShape
};

// Measured on an H200 (docs/cuda-shapes.md) beside a group for each tile, in passes that the model or another table
// chooses. Parts are exchanged apart, which leaves room for the next tile.
const std::vector<Tile>& tiles() {
  static const std::vector<Tile> table{
      {1024, LineUse::twiddled_columns, Precision::float32, {32, 32}, 32, 16, 16},
      {2160, LineUse::columns, Precision::float32, {20, 18, 6}, 120, 4},
      {1000, LineUse::columns, Precision::float64, {10, 10, 10}, 100, 8},
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

// Local memory has to hold the line or tile at hand beside the next.
bool may_fetch(const DeviceLimits& limits) {
  return limits.bulk_copies && limits.strategy == Strategy{} &&
         limits.local_memory >= nvidia_cuda_local_memory / scalar_share(limits);
}

}  // namespace

std::optional<PrefetchChoice> prefetch_choice(std::uint64_t length, LineUse use, std::uint64_t lines,
                                              const DeviceLimits& limits) {
  if (!may_fetch(limits) || lines < fewest_turns * limits.compute_units) return std::nullopt;
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

KernelShape with_fetched_tiles(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits) {
  const bool columns = shape.load == Lanes::transforms && shape.store == Lanes::transforms;
  const bool twiddled = stage.twiddle && !stage.twiddle->on_load;
  if (!may_fetch(limits) || !columns || twiddled != stage.twiddle.has_value() || !is_plain_complex(stage) ||
      tuned_choice(stage.length, LineUse::columns, limits) != nullptr) {
    return shape;
  }
  const auto tile = std::find_if(tiles().begin(), tiles().end(), [&](const Tile& each) {
    return each.length == stage.length && each.radices == stage.radices && each.precision == stage.precision &&
           (each.use == LineUse::twiddled_columns) == twiddled;
  });
  if (tile == tiles().end() || !are_whole_tiles(stage, tile->transforms)) return shape;
  if (transform_count(stage) < fewest_turns * limits.compute_units * tile->transforms ||
      tile->items * tile->transforms > limits.max_group_size) {
    return shape;
  }
  KernelShape ahead = shape;
  ahead.items_per_transform = tile->items;
  ahead.transforms_per_group = tile->transforms;
  ahead.vector = 1;
  ahead.registers = 0;
  ahead.exchange = KernelShape::Exchange::split;
  ahead.padding = preferred_padding(stage, ahead);
  ahead.root_step = tile->root_step;
  ahead.prefetch = true;
  ahead.groups = static_cast<std::uint32_t>(limits.compute_units);
  return ahead;
}

bool fetches_tiles(const KernelShape& shape) { return shape.prefetch && shape.transforms_per_group > 1; }

bool are_whole_tiles(const Stage& stage, std::uint32_t transforms) {
  if (stage.loops.empty() || stage.loops.front().input_stride != 1 || stage.loops.front().count % transforms != 0) {
    return false;
  }
  const std::uint32_t unit = copied_elements(stage.precision);
  const auto is_whole = [&](std::int64_t stride) { return stride % unit == 0; };
  return transforms % unit == 0 && is_whole(stage.input_offset) && is_whole(stage.input_stride) &&
         std::all_of(stage.loops.begin() + 1, stage.loops.end(),
                     [&](const Loop& loop) { return is_whole(loop.input_stride); });
}

std::uint32_t copied_elements(Precision precision) { return precision == Precision::float64 ? 1 : 2; }

std::uint64_t prefetched_elements(std::uint64_t length, Precision precision) {
  if (precision == Precision::float64) return length;
  return (length + 2) / 2 * 2;
}

}  // namespace twiddle::plan
