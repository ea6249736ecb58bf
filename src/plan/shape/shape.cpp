// Kernel shapes from device limits.
#include "plan/shape/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "plan/choice/choice_table.hpp"
#include "plan/choice/measured_choices.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/recipe/few_lines.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/cluster.hpp"
#include "plan/shape/exchange_shape.hpp"
#include "plan/shape/padded_lines.hpp"
#include "plan/shape/past_cache.hpp"
#include "plan/shape/prefetch.hpp"
#include "plan/shape/real_rows.hpp"
#include "plan/shape/register_limit.hpp"
#include "plan/shape/root_steps.hpp"
#include "plan/shape/rows_together.hpp"
#include "plan/shape/store_together.hpp"
#include "plan/shape/summed_rows.hpp"
#include "plan/shape/vectors.hpp"
#include "plan/shape/way_back.hpp"
#include "twiddle/error.hpp"

namespace twiddle::plan {
namespace {

using Lanes = KernelShape::Lanes;
using Exchange = KernelShape::Exchange;

// A group of this many items keeps a compute unit's schedulers busy while several groups still fit beside each other.
constexpr std::uint32_t preferred_group = 256;
constexpr std::uint32_t preferred_small_group = 128;  // where a transform needs no more than a sub-group
constexpr std::uint64_t preferred_tile_elements = 8192;

// Transforms that all read the same elements are not neighbours in memory.
Lanes lanes(const Stage& stage, std::int64_t element_stride, std::int64_t Loop::*loop_stride) {
  const std::vector<Loop>& loops = stage.loops;
  const bool loops_are_closer = loops.size() > stage.launched_loops && loops.front().*loop_stride != 0 &&
                                loops.front().count > 1 &&
                                std::abs(loops.front().*loop_stride) < std::abs(element_stride);
  return loops_are_closer ? Lanes::transforms : Lanes::elements;
}

// What a measured choice must have been measured for.
LineUse use_of(const Stage& stage, const KernelShape& shape, const DeviceLimits& limits) {
  const bool rows = shape.load == Lanes::elements && shape.store == Lanes::elements;
  if (stage.convolution) return convolved_use(!rows);
  if (rows && (stage.load_map || stage.store_map)) return LineUse::mapped_rows;
  if (rows) return LineUse::rows;
  const bool is_part = stage.twiddle || shape.load != shape.store;
  if (is_part && part_use(transform_count(stage), limits) == LineUse::few_columns) return LineUse::few_columns;
  return stage.twiddle ? LineUse::twiddled_columns : LineUse::columns;
}

RowMaps maps_of(const Stage& stage) {
  using enum LineMap::Rule;
  const auto is_real = [](const Storage& storage) { return storage.form == Storage::Form::real; };
  const bool plain =
      !stage.load_map && !stage.store_map && !is_real(stage.input_storage) && !is_real(stage.output_storage);
  if (plain) return RowMaps::none;
  constexpr std::array heavy{dct4_load, dct4_odd_load, dct4_half_load, dst4_load, dst4_odd_load, dst4_half_load};
  return stage.load_map && std::ranges::find(heavy, stage.load_map->rule) != heavy.end() ? RowMaps::heavy
                                                                                         : RowMaps::light;
}

std::optional<MeasuredChoice> measured_for(const Stage& stage, LineUse use, const DeviceLimits& limits) {
  if (auto one_way = real_row_choice(stage, limits)) return one_way;
  return measured_choice(chip_points(stage), use, transform_count(stage), limits);
}

// How many lines a group takes by a measured choice; 0: as the rules say.
std::uint32_t measured_transforms(const MeasuredChoice& choice, const Stage& stage) {
  return choice.beyond_cache && !is_beyond_cache(stage) ? 0 : choice.transforms;
}

// Whether nothing is folded into the stage's loads and stores but what its use says.
bool is_as_measured(const Stage& stage, LineUse use) {
  if (counts_positions(stage) || stage.load_hook || stage.store_hook) return false;
  const bool two_spectra = stage.store_map && stage.store_map->rule == LineMap::Rule::two_spectra_store;
  const bool with_map = use == LineUse::mapped_rows || (use == LineUse::convolved_rows && two_spectra);
  return (use == LineUse::twiddled_columns || !stage.twiddle) && (with_map || (!stage.load_map && !stage.store_map));
}

// Whether the stage only moves elements, and those that are neighbours in memory are not the same on both sides.
bool moves_blocks(const Stage& stage, const KernelShape& shape) {
  return stage.radices.empty() && !stage.load_map && stage.length > 1 && shape.load == Lanes::elements &&
         shape.store == Lanes::transforms;
}

// Whether nothing but hooks is folded into the stage's loads and stores.
bool is_bare(const Stage& stage) {
  return !counts_positions(stage) && !stage.twiddle && !stage.load_map && !stage.store_map;
}

// Tiles so few that half of the compute units would have none are made narrower, down to whole sectors of memory. They
// do not stand side by side, so each may take all registers.
void narrow_tiles(const Stage& stage, std::uint64_t count, const DeviceLimits& limits, KernelShape& shape) {
  const std::uint32_t narrowest = std::max(2U, tile_width(limits) / 2);
  const std::uint32_t divisor = keeps_pairs(stage) ? 4 : 2;
  while (shape.transforms_per_group / 2 >= narrowest && shape.transforms_per_group % divisor == 0 &&
         2 * count < limits.compute_units * shape.transforms_per_group) {
    shape.transforms_per_group /= 2;
    shape.registers = 0;
  }
}

// Rows that single work-items transform pass through local memory, so that neighbours move neighbouring elements.
void choose_rows_in_local(const Stage& stage, const DeviceLimits& limits, KernelShape& shape) {
  shape.load = shape.store = Lanes::elements;
  shape.stage_through_local = true;
  const bool one_run = is_one_run(stage);
  const std::uint64_t length = one_run ? stage.length : stage.length | 1;  // an odd pitch spreads lines over the banks
  while (exchange_bytes(length, shape.transforms_per_group, one_run ? 1 : 2, 1, 0) > limits.local_memory) {
    shape.transforms_per_group /= 2;
  }
  if (!one_run) shape.exchange = Exchange::complex;
}

// Two blocks in local memory at a time.
void choose_swap(const DeviceLimits& limits, KernelShape& shape) {
  shape.block = limits.strategy.block == 0 ? usual_block : limits.strategy.block;
  shape.transforms_per_group =
      static_cast<std::uint32_t>(std::min<std::size_t>(shape.block * shape.block, limits.max_group_size));
  const std::uint64_t bytes = std::uint64_t{4} * shape.block * (shape.block + 1) * sizeof(float);
  if (bytes <= limits.local_memory) return;
  throw Unsupported(
      fmt::format("two blocks of {0} x {0} elements need {1} bytes of local memory, but the device has {2}",
                  shape.block, bytes, limits.local_memory));
}

// The model's choice of work-items for so many lines side by side.
std::optional<ChipChoice> choice_for(const Stage& stage, std::uint32_t transforms, const DeviceLimits& limits) {
  if ((stage.convolution || stage.returns) && !exchanges_whole(chip_points(stage), transforms, limits)) {
    return std::nullopt;
  }
  return choose_items(stage.radices, transforms, limits);
}

// What was measured for rows of these passes: their items may hold more than the model knows, wherever the elements
// lie.
std::optional<MeasuredChoice> measured_beyond_model(const Stage& stage, const DeviceLimits& limits) {
  const std::vector<LineUse> uses =
      stage.convolution ? std::vector{LineUse::convolved_rows} : std::vector{LineUse::rows, LineUse::mapped_rows};
  for (const LineUse use : uses) {
    auto measured = measured_choice(chip_points(stage), use, limits);
    if (measured && measured->radices == stage.radices) return measured;
  }
  return std::nullopt;
}

// Each group has its part of the line whole in local memory.
KernelShape cluster_shape(const Stage& stage, const ClusterChoice& choice) {
  KernelShape shape;
  shape.items_per_transform = choice.items;
  shape.groups_per_transform = choice.groups;
  shape.exchange = Exchange::complex;
  shape.padding = preferred_padding(stage, shape);
  shape.registers = choice.registers;
  return shape;
}

// As many groups as are resident, one on each compute unit, share out the lines.
KernelShape prefetch_shape(const Stage& stage, const PrefetchChoice& choice, const DeviceLimits& limits) {
  KernelShape shape;
  shape.items_per_transform = choice.items;
  shape.exchange = choice.split ? Exchange::split : Exchange::complex;
  shape.padding = preferred_padding(stage, shape);
  shape.root_step = choice.root_step;
  shape.prefetch = true;
  shape.groups = static_cast<std::uint32_t>(limits.compute_units);
  return shape;
}

// Who shares a line, and how many lines a group takes, by the model.
void choose_group(const Stage& stage, bool rows, const DeviceLimits& limits, KernelShape& shape) {
  const std::uint64_t points = chip_points(stage);
  const std::uint64_t count = launch_transforms(stage);
  const auto choice = choice_for(stage, 1, limits);
  if (!choice) {
    if (const auto measured = measured_beyond_model(stage, limits)) {
      shape.items_per_transform = measured->items;
      return;
    }
    throw Unsupported(
        fmt::format("no work-group of the device ({} items, {} bytes of local memory) holds a stage of "
                    "{} points",
                    limits.max_group_size, limits.local_memory, points));
  }
  const auto fits = [&](std::uint32_t transforms) { return choice_for(stage, transforms, limits).has_value(); };
  std::uint32_t transforms = 1;
  if (rows) {
    const std::uint32_t usual = choice->items <= limits.sub_group_size * 2 ? preferred_small_group : preferred_group;
    const std::uint32_t wanted = limits.strategy.group == 0 ? usual : limits.strategy.group;
    transforms = std::max(1U, std::min(wanted, static_cast<std::uint32_t>(limits.max_group_size)) / choice->items);
  } else {
    transforms =
        limits.strategy.group == 0 ? tile_width(limits) * 2 : std::max(limits.strategy.group / choice->items, 1U);
    while (transforms > 1 &&
           (!fits(transforms) || (transforms > tile_width(limits) && points * transforms > preferred_tile_elements))) {
      transforms /= 2;
    }
  }
  while (transforms > 1 && (!fits(transforms) || transforms / 2 >= count)) transforms /= 2;
  if (keeps_pairs(stage)) transforms = std::max(2U, transforms / 2 * 2);  // which fit: see holds_shared_map
  shape.items_per_transform = choice_for(stage, transforms, limits)->items;
  shape.transforms_per_group = transforms;
}

KernelShape lay_out(const Stage& stage, const DeviceLimits& limits) {
  KernelShape shape;
  if (stage.bank) return choose_bank_shape(stage, limits);
  if (const auto cluster = cluster_choice(stage, limits)) return cluster_shape(stage, *cluster);
  if (const auto ahead = prefetch_choice(stage, limits)) return prefetch_shape(stage, *ahead, limits);
  shape.load = lanes(stage, stage.input_stride, &Loop::input_stride);
  shape.store = lanes(stage, stage.output_stride, &Loop::output_stride);
  const std::uint64_t count = launch_transforms(stage);
  const auto most_items = static_cast<std::uint32_t>(limits.max_group_size);

  if (stage.swaps) {
    choose_swap(limits, shape);
    return shape;
  }
  if (moves_blocks(stage, shape)) {
    choose_block(stage, limits, shape);
    return shape;
  }
  if (sums_rows(stage, limits)) return summed_shape(stage);
  if (limits.shape == DeviceLimits::Shape::staged || stage.radices.size() <= 1) {
    shape.items_per_transform = 1;
    shape.transforms_per_group = limits.strategy.group == 0 ? std::min(most_items, preferred_small_group) : most_items;
    const bool rows = are_rows(stage);
    const LineUse use = use_of(stage, shape, limits);
    shape.load = shape.store = Lanes::transforms;
    if (limits.shape == DeviceLimits::Shape::on_chip && stage.radices.size() == 1 && rows && !stage.convolution &&
        stage.launched_loops == 0) {
      const auto measured = measured_for(stage, use, limits);
      if (measured && measured->radices == stage.radices) {
        if (const auto together = measured_transforms(*measured, stage)) shape.transforms_per_group = together;
        if (is_as_measured(stage, use)) shape.registers = measured->registers;
      } else if (const std::uint32_t together = rows_together(stage, limits)) {
        shape.transforms_per_group = together;
      }
      choose_rows_in_local(stage, limits, shape);
      if (!is_one_run(stage)) return shape;
    }
    choose_exchange(stage, limits, shape);
    return shape;
  }

  if (const auto padded = padded_part(stage, limits)) {
    shape.items_per_transform = padded->part.items;
    shape.transforms_per_group = padded->part.transforms;
    shape.registers = padded->registers;
    shape.root_step = padded->root_step;
    choose_exchange(stage, limits, shape);
    return shape;
  }

  const bool rows = are_rows(stage);
  const LineUse use = use_of(stage, shape, limits);
  const DeviceLimits own = rows && !stage.returns ? limits_of_rows(transform_count(stage), chip_points(stage),
                                                                   stage.convolution.has_value(), limits)
                                                  : limits;
  const bool plain_rows = rows && !stage.convolution && !stage.returns && stage.launched_loops == 0;
  auto measured =
      plain_rows ? few_rows_choice(stage.length, maps_of(stage), transform_count(stage), limits) : std::nullopt;
  if (!measured) measured = measured_for(stage, use, own);
  const bool follows_measured =
      measured && measured->radices == stage.radices && (measured->transforms % 2 == 0 || !keeps_pairs(stage));
  const std::uint32_t together = follows_measured ? measured_transforms(*measured, stage) : 0;
  if (together == 0) choose_group(stage, rows, own, shape);
  if (follows_measured) {
    shape.items_per_transform = measured->items;
    if (together != 0) shape.transforms_per_group = together;
    if (stage.launched_loops != 0) {
      shape.transforms_per_group =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(shape.transforms_per_group, count));
    }
    // With fewer registers more groups stand side by side, of which few lines have none.
    const bool alone = stage.convolution && leaves_units_idle(count, limits);
    if (is_as_measured(stage, use) && !alone) shape.registers = measured->registers;
  }
  if (!rows && limits.strategy.group == 0) narrow_tiles(stage, count, limits, shape);
  choose_exchange(stage, limits, shape);
  if (follows_measured && measured->split && shape.exchange == Exchange::complex && !stage.shared_map &&
      may_exchange(Exchange::split, limits)) {
    shape.exchange = Exchange::split;
    shape.padding = preferred_padding(stage, shape);
  }
  // A narrower tile costs less than an exchange in rounds, as long as it fills half a memory segment.
  if (shape.exchange_rounds > 1 && !rows && shape.transforms_per_group > std::max(1U, tile_width(limits) / 2)) {
    if (const auto narrower = choice_for(stage, shape.transforms_per_group / 2, limits)) {
      shape.items_per_transform = narrower->items;
      shape.transforms_per_group /= 2;
      shape.exchange_rounds = 1;
      choose_exchange(stage, limits, shape);
    }
  }
  const bool open = limits.strategy.vector == 0;
  return follows_measured && open ? with_vectors(stage, shape, measured->vector, limits) : shape;
}

// The host decides everything but how many columns it takes together, where that was tuned.
KernelShape host_shape(const Stage& stage, const DeviceLimits& limits) {
  KernelShape shape;
  const LineChoice* tuned = tuned_choice(stage.length, LineUse::columns, limits);
  const bool follows = tuned != nullptr && tuned->columns == 0 && tuned->stage.radices == stage.radices;
  if (follows && tuned->stage.transforms != 0) shape.transforms_per_group = tuned->stage.transforms;
  return shape;
}

}  // namespace

bool are_rows(const Stage& stage) {
  return lanes(stage, stage.input_stride, &Loop::input_stride) == Lanes::elements &&
         lanes(stage, stage.output_stride, &Loop::output_stride) == Lanes::elements;
}

bool is_one_run(const Stage& stage) {
  if (stage.launched_loops != 0) return false;
  const auto length = static_cast<std::int64_t>(stage.length);
  return is_bare(stage) && stage.input_stride == 1 && stage.output_stride == 1 && stage.loops.size() <= 1 &&
         (stage.loops.empty() || (stage.loops[0].input_stride == length && stage.loops[0].output_stride == length));
}

bool is_beyond_cache(const Stage& stage) {
  constexpr std::uint64_t cache = std::uint64_t{48} << 20;  // about
  return transform_count(stage) * stage.length * 2 * scalar_bytes(stage.precision) >= cache;
}

KernelShape choose_shape(const Stage& stage, const DeviceLimits& limits) {
  if (limits.shape == DeviceLimits::Shape::owned) return host_shape(stage, limits);
  KernelShape shape = with_measured_tile(stage, lay_out(stage, limits), limits);
  shape = with_vectors(stage, shape, limits.strategy.vector, limits);
  const LineUse use = use_of(stage, shape, limits);
  if (shape.root_step == 0) shape.root_step = measured_root_step(stage, shape, use, limits);
  shape.column_roots = prefers_column_roots(stage, shape, limits);
  shape = with_fetched_tiles(stage, shape, limits);
  shape.past_cache = stores_past_cache(stage, shape, limits);
  shape.stores_together = prefers_stores_together(stage, shape, limits);
  shape.same_way_back = goes_back_alike(stage, shape, limits);
  shape.registers = register_limit(stage, shape, use, limits);
  shape.dependent_launch = limits.dependent_launch;
  return shape;
}

Program shaped(Program program, const DeviceLimits& limits) {
  for (Stage& stage : program.stages) stage.shape = choose_shape(stage, limits);
  return program;
}

bool holds_shared_map(const Stage& stage, const DeviceLimits& limits) {
  // Half of a group's lines are neighbours in what is written: fewer than four would not fill memory's sectors.
  const std::uint32_t transforms = std::max(2U, tile_width(limits));
  return stage.radices.size() > 1 && exchange_bytes(stage.length, transforms, 1, 1, 0) <= limits.local_memory &&
         choose_items(stage.radices, transforms, limits).has_value();
}

bool holds_store_map(const Stage& stage, const DeviceLimits& limits) {
  if (limits.shape == DeviceLimits::Shape::owned) return true;
  // Without local memory in the registers of a work-item that has all of a line.
  if (limits.shape == DeviceLimits::Shape::staged) return stage.radices.size() == 1 && !stage.convolution;
  if (stage.radices.empty() || !exchanges_whole(local_points(stage, stage.shape), 1, limits)) return false;
  if (stage.radices.size() == 1 || choose_items(stage.radices, 1, limits)) return true;
  return measured_beyond_model(stage, limits).has_value();
}

}  // namespace twiddle::plan
