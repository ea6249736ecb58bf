// Which stages are one launch: a table of what was measured to be faster so.
#include "plan/joined.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace twiddle::plan {
namespace {

// Measured on an H200 (docs/cuda-shapes.md) beside two launches.
constexpr std::array<JoinedChoice, 3> choices{{
    {256, 256, Precision::float32, 48, 512, 3, 80},
    {512, 256, Precision::float32, 28, 288, 2, 128},
    {512, 512, Precision::float32, 14, 288, 2, 128},
}};

// Compute units of what was measured, whose second-level cache holds the ring.
constexpr unsigned measured_units = 100;

// Lines in multiples of the ring: fewer are begun and ended more than they are in between.
constexpr std::uint64_t fewest_rings = 4;

constexpr std::uint64_t counter_bytes = 4;
constexpr std::uint64_t counters_of_line = 2;

bool is_plain(const Stage& stage) {
  const auto is_complex = [&](const Storage& storage) {
    return storage.form == Storage::Form::interleaved && storage.precision == stage.precision;
  };
  return !stage.convolution && !stage.bank && !stage.direct && !stage.returns && !stage.load_map && !stage.store_map &&
         !stage.shared_map && !counts_positions(stage) && !stage.load_hook && !stage.store_hook && !stage.on_host &&
         !stage.swaps && stage.launched_loops == 0 && is_complex(stage.input_storage) &&
         is_complex(stage.output_storage);
}

bool is_plain(const KernelShape& shape) {
  return shape.vector == 1 && shape.groups_per_transform == 1 && !shape.prefetch && !shape.stage_through_local &&
         shape.exchange != KernelShape::Exchange::none && shape.exchange_rounds == 1 && !shape.past_cache;
}

constexpr std::uint32_t measured_items = 16;
constexpr std::uint32_t measured_transforms = 16;

bool has_measured_shape(const Stage& stage) {
  return stage.shape.items_per_transform == measured_items && stage.shape.transforms_per_group == measured_transforms;
}

bool are_like_measured(const DeviceLimits& limits) {
  return limits.bulk_copies && limits.compute_units >= measured_units && limits.strategy == Strategy{};
}

// Lines of which clusters could share each.
constexpr std::uint64_t shared_length = 65536;

bool is_usual(const Layout& layout) { return layout.format == Layout::Format::interleaved && layout.strides.empty(); }

}  // namespace

bool prefers_joined_stages(const Transform& transform, const DeviceLimits& limits) {
  if (!are_like_measured(limits) || transform.kind != Kind::c2c || transform.precision != choices[0].precision ||
      transform.lengths != std::vector<std::size_t>{shared_length} || !is_usual(transform.input) ||
      !is_usual(transform.output)) {
    return false;
  }
  return transform.input_extents.empty() && transform.output_extents.empty() && !transform.load_hook &&
         !transform.store_hook && transform.batch >= fewest_rings * choices[0].ring;
}

std::optional<Program::Joined> join(const Program& program, const JoinedChoice& choice, const DeviceLimits& limits) {
  if (program.stages.size() != 2 || !program.turns.empty()) return std::nullopt;
  const Stage& columns = program.stages[0];
  const Stage& rows = program.stages[1];
  if (columns.length != choice.first || rows.length != choice.second || columns.precision != choice.precision ||
      rows.precision != choice.precision || !is_plain(columns) || !is_plain(rows) || !is_plain(columns.shape) ||
      !is_plain(rows.shape) || group_items(columns.shape) != group_items(rows.shape)) {
    return std::nullopt;
  }
  if (columns.source == Operand::scratch || columns.destination != Operand::scratch ||
      rows.source != Operand::scratch || rows.destination == Operand::scratch) {
    return std::nullopt;
  }
  const auto is_line = [&](const Stage& stage, std::uint64_t others, std::int64_t Loop::*stride) {
    return stage.loops.size() == 2 && stage.loops[0].count == others &&
           stage.loops[1].*stride == static_cast<std::int64_t>(choice.first * choice.second) &&
           others % stage.shape.transforms_per_group == 0;
  };
  if (!is_line(columns, choice.second, &Loop::output_stride) || !is_line(rows, choice.first, &Loop::input_stride) ||
      columns.output_offset != 0 || rows.input_offset != 0) {
    return std::nullopt;
  }
  const std::uint64_t column_groups = choice.second / columns.shape.transforms_per_group;
  const std::uint64_t row_groups = choice.first / rows.shape.transforms_per_group;
  Program::Joined joined{.first = 0, .lines = columns.loops[1].count, .line_elements = choice.first * choice.second};
  joined.parts = std::gcd(column_groups, row_groups);
  joined.ring = std::min(choice.ring, joined.lines);
  joined.lag = choice.lag;
  joined.groups = choice.groups_a_unit * limits.compute_units;
  // A line is read when all of it was written, and its place written again when all of it was read: by tickets before.
  if (joined.lag < joined.parts || joined.lag + joined.parts > joined.ring * joined.parts) return std::nullopt;
  joined.counters = joined.ring * joined.line_elements * 2 * scalar_bytes(choice.precision);
  joined.counter_bytes = (joined_ticket_counters + counters_of_line * joined.lines) * counter_bytes;
  return joined;
}

Program with_joined_stages(Program program, const DeviceLimits& limits) {
  if (!are_like_measured(limits)) return program;
  for (const JoinedChoice& choice : choices) {
    const auto joined = join(program, choice, limits);
    if (!joined || joined->lines < fewest_rings * choice.ring) continue;
    if (!std::all_of(program.stages.begin(), program.stages.end(), has_measured_shape)) continue;
    program.joined = joined;
    for (Stage& stage : program.stages) stage.shape.registers = choice.registers;
    program.scratch_bytes = joined->counters + joined->counter_bytes;
    break;
  }
  return program;
}

Stage ends_of(const Stage& columns, const Stage& rows) {
  Stage ends = columns;
  ends.destination = rows.destination;
  ends.step += " and " + rows.step;
  return ends;
}

}  // namespace twiddle::plan
