// Which stages may move vectors.
#include "plan/shape/vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plan/choice/choice_table.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/cluster.hpp"
#include "plan/shape/measured_device.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

using Lanes = KernelShape::Lanes;

// More complex numbers than this leave an item of no device registers for anything else.
constexpr std::uint64_t most_numbers_held = 64;

// A tile of columns.
struct Tile {
  std::uint64_t length;
  std::vector<unsigned> radices;
  std::uint32_t items;
  std::uint32_t transforms;
  std::uint32_t registers;
  std::uint32_t vector;
};

// Beside the tiles of the general tables, in which columns become rows, or are multiplied by twiddles, as well: an H200
// through CUDA, 2026-11-22 (docs/cuda-shapes.md).
const std::vector<Tile>& tiles() {
  static const std::vector<Tile> table{
      {64, {8, 8}, 8, 32, 64, 1},          {128, {16, 8}, 8, 32, 64, 1},     {256, {16, 16}, 16, 32, 64, 1},
      {1000, {10, 10, 10}, 100, 8, 64, 2}, {1080, {15, 8, 9}, 72, 8, 80, 2},
  };
  return table;
}

// One side of a stage: where its elements lie.
struct Side {
  Lanes lanes;
  std::int64_t offset;
  std::int64_t element_stride;
  std::int64_t Loop::*loop_stride;
  const Storage& storage;
  bool hooked;
};

Side loads(const Stage& stage, const KernelShape& shape) {
  return {shape.load,          stage.input_offset,  stage.input_stride,
          &Loop::input_stride, stage.input_storage, stage.load_hook.has_value()};
}

Side stores(const Stage& stage, const KernelShape& shape) {
  return {shape.store,          stage.output_offset,  stage.output_stride,
          &Loop::output_stride, stage.output_storage, stage.store_hook.has_value()};
}

// Whether vectors of that side's neighbours begin at even places.
bool has_vectors(const Stage& stage, const Side& side, std::uint32_t vector) {
  if (side.hooked || side.storage != Storage{} || side.offset % vector != 0) return false;
  const bool across = side.lanes == Lanes::transforms;
  if (across && stage.loops.size() <= stage.launched_loops) return false;
  const std::size_t inner = across ? 1 : 0;
  if (across ? stage.loops.front().*side.loop_stride != 1 : side.element_stride != 1) return false;
  if (across && side.element_stride % vector != 0) return false;
  return std::all_of(stage.loops.begin() + static_cast<std::ptrdiff_t>(inner), stage.loops.end(),
                     [&](const Loop& loop) { return loop.*side.loop_stride % vector == 0; });
}

bool has_only_passes(const Stage& stage) {
  return !stage.radices.empty() && !stage.convolution && !stage.bank && !stage.direct && !stage.returns &&
         !stage.swaps && !stage.on_host && !counts_positions(stage) && !stage.load_map && !stage.store_map;
}

std::uint64_t group_points(const Stage& stage, const KernelShape& shape) {
  return stage.length / shape.groups_per_transform;
}

// Whether each item takes whole vectors of neighbouring butterflies in the passes that load and store; in all of a
// cluster's, of which the last one over columns, not the first, stores vectors to other groups.
bool divides_rows(const Stage& stage, const KernelShape& shape, std::uint32_t vector) {
  const std::uint64_t points = group_points(stage, shape);
  const bool shared = shape.groups_per_transform > 1;
  if (shared && stage.radices.front() % vector != 0) return false;
  if (shared && column_passes(stage.radices, shape.groups_per_transform) < 2) return false;
  return std::all_of(stage.radices.begin(), stage.radices.end(), [&](unsigned radix) {
    const bool outer = shared || radix == stage.radices.front() || radix == stage.radices.back();
    return !outer || points / radix % (std::uint64_t{shape.items_per_transform} * vector) == 0;
  });
}

// Complex numbers that a work-item holds.
std::uint64_t held(const Stage& stage, const KernelShape& shape) {
  const std::uint64_t most = held_elements(stage.radices, group_points(stage, shape), shape.items_per_transform);
  return most * (bundles_transforms(shape) ? shape.vector : 1);
}

// One unused slot of local memory after so many. Where items take neighbouring butterflies, their outputs stand farther
// apart from item to item, and so do the slots.
std::uint32_t padding(const Stage& stage, const KernelShape& shape) {
  const unsigned radix = stage.radices.front();
  const bool rows = !bundles_transforms(shape) && shape.groups_per_transform == 1;
  if (!rows || shape.padding == 0 || (radix & (radix - 1)) != 0) return shape.padding;
  return std::max(shape.padding, radix * shape.vector);
}

}  // namespace

bool may_move_vectors(const Stage& stage, KernelShape shape, std::uint32_t vector) {
  if (!has_only_passes(stage) || stage.precision != Precision::float32 || shape.stage_through_local || shape.prefetch) {
    return false;
  }
  const bool loaded = has_vectors(stage, loads(stage, shape), vector);
  const bool stored = has_vectors(stage, stores(stage, shape), vector);
  shape.vector = vector;
  if (!bundles_transforms(shape)) return loaded && stored && divides_rows(stage, shape, vector);
  const bool along = shape.load == Lanes::transforms ? loaded : stored;
  const bool both = shape.load == shape.store;
  return along && (!both || stored) && shape.transforms_per_group % vector == 0 &&
         stage.loops.front().count % vector == 0;
}

KernelShape with_vectors(const Stage& stage, KernelShape shape, std::uint32_t vector, const DeviceLimits& limits) {
  if (vector <= 1) return shape;
  const std::uint64_t most = limits.strategy.elements == 0 ? most_numbers_held : limits.strategy.elements;
  const bool rows = shape.load == Lanes::elements && shape.store == Lanes::elements;
  for (const std::uint32_t share : {1U, vector}) {
    KernelShape wider = shape;
    if (shape.items_per_transform % share != 0 || (share != 1 && !rows)) break;
    wider.items_per_transform /= share;
    if (!may_move_vectors(stage, wider, vector)) continue;
    wider.vector = vector;
    wider.padding = padding(stage, wider);
    if (held(stage, wider) <= most) return wider;
  }
  return shape;
}

KernelShape with_measured_tile(const Stage& stage, KernelShape shape, const DeviceLimits& limits) {
  const bool columns = shape.load == Lanes::transforms && shape.store == Lanes::transforms;
  const bool like_measured = limits.arithmetic == Precision::float32 && is_recent_gpu(limits);
  if (!columns || !like_measured || stage.twiddle) return shape;
  if (tuned_choice(stage.length, LineUse::columns, limits) != nullptr) return shape;
  // Tiles of vectors take up to 1.16 of the time through OpenCL.
  const bool cuda = !is_like_measured_through_opencl(limits);
  const auto tile = std::find_if(tiles().begin(), tiles().end(), [&](const Tile& each) {
    return each.length == stage.length && each.radices == stage.radices && (cuda || each.vector == 1);
  });
  if (tile == tiles().end() || launch_transforms(stage) < limits.compute_units * tile->transforms) return shape;
  KernelShape wider = shape;
  wider.items_per_transform = tile->items;
  wider.transforms_per_group = tile->transforms;
  wider.registers = tile->registers;
  if (!may_move_vectors(stage, wider, widest_vector)) return shape;
  wider.vector = tile->vector;
  return wider;
}

void require_vectors(const Program& program, const Strategy& strategy) {
  const auto has_vectors = [](const Stage& stage) { return stage.shape.vector > 1; };
  if (strategy.vector <= 1 || std::any_of(program.stages.begin(), program.stages.end(), has_vectors)) return;
  throw Unsupported(
      fmt::format("strategy {}: no stage of the plan moves {} numbers at a time, which asks for interleaved ones in "
                  "single precision at even places and strides, lines in pairs where they lie side by side, and "
                  "nothing but twiddles and the scale on the way; expected vector=1 or 0",
                  describe(strategy), strategy.vector));
}

}  // namespace twiddle::plan
