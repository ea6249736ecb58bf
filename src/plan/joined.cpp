// Which stages are one launch: a table of what was measured to be faster so.
#include "plan/joined.hpp"

#include <algorithm>
#include <numeric>

#include "plan/choice_table.hpp"
#include "plan/exchange_shape.hpp"
#include "plan/measured_device.hpp"
#include "plan/radices.hpp"

namespace twiddle::plan {
namespace {

// One stage of a choice: its passes, and how it is laid out.
struct Part {
  std::vector<unsigned> radices;
  std::uint32_t items = 0;
  std::uint32_t transforms = 0;
};

struct Row {
  Part columns;
  Part rows;
  Precision precision = Precision::float32;
  std::uint64_t lines = 0;  // or more of them
  std::uint64_t ring = 0;
  std::uint64_t lag = 0;
  std::uint32_t groups_a_unit = 0;
  std::uint32_t registers = 0;
};

// Measured on an H200 (docs/cuda-shapes.md) beside two launches, for no fewer lines than that.
const std::vector<Row>& measured() {
  constexpr auto f32 = Precision::float32;
  constexpr auto f64 = Precision::float64;
  static const std::vector<Row> table{
      {{{9, 27}, 9, 27}, {{9, 27}, 9, 27}, f32, 1136, 58, 340, 2, 128},
      {{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, f32, 192, 48, 512, 3, 80},
      {{{5, 25}, 5, 125}, {{25, 25}, 25, 25}, f32, 850, 44, 143, 1, 96},
      {{{16, 32}, 16, 16}, {{16, 16}, 16, 16}, f32, 112, 28, 288, 2, 128},
      {{{16, 32}, 16, 16}, {{16, 32}, 16, 16}, f32, 56, 14, 288, 2, 128},
      {{{16, 32}, 16, 16}, {{32, 32}, 32, 8}, f32, 128, 6, 256, 2, 128},
      {{{16, 16}, 16, 8}, {{8, 16}, 8, 16}, f64, 1024, 52, 544, 4, 128},
      {{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, f64, 512, 26, 272, 2, 128},
      {{{16, 16}, 16, 8}, {{16, 32}, 16, 8}, f64, 256, 13, 272, 3, 168},
      {{{16, 32}, 16, 8}, {{16, 32}, 16, 8}, f64, 128, 7, 272, 2, 0},
  };
  return table;
}

std::uint64_t line_length(const Row& row) { return product(row.columns.radices) * product(row.rows.radices); }

constexpr std::uint64_t counters_of_line = 2;

bool is_plain(const KernelShape& shape) {
  return shape.vector == 1 && shape.groups_per_transform == 1 && !shape.prefetch && !shape.stage_through_local &&
         shape.exchange != KernelShape::Exchange::none && shape.exchange_rounds == 1 && !shape.past_cache;
}

KernelShape shape_of(const Stage& stage, const Part& part, KernelShape::Lanes load, std::uint32_t registers) {
  KernelShape shape;
  shape.items_per_transform = part.items;
  shape.transforms_per_group = part.transforms;
  shape.load = load;
  shape.store = KernelShape::Lanes::transforms;
  shape.exchange = KernelShape::Exchange::complex;
  shape.padding = preferred_padding(stage, shape);
  shape.registers = registers;
  return shape;
}

// Whether each line of a join is written where it was read and nowhere else, so that within one memory no rows are
// written where columns of another line are still to be read.
bool stay_in_place(const Stage& columns, const Stage& rows) {
  return columns.input_offset == rows.output_offset &&
         columns.input_stride == rows.loops[0].output_stride * static_cast<std::int64_t>(rows.length) &&
         rows.output_stride == columns.loops[0].input_stride * static_cast<std::int64_t>(columns.length) &&
         columns.loops[0].input_stride == rows.loops[0].output_stride &&
         columns.loops[1].input_stride == rows.loops[1].output_stride;
}

bool is_usual(const Layout& layout) { return layout.format == Layout::Format::interleaved && layout.strides.empty(); }

}  // namespace

std::optional<JoinedDivision> joined_division(const Transform& transform, const DeviceLimits& limits) {
  if (!is_like_measured(limits) || transform.kind != Kind::c2c || transform.load_hook || transform.store_hook ||
      !transform.input_extents.empty() || !transform.output_extents.empty() || !is_usual(transform.input) ||
      !is_usual(transform.output)) {
    return std::nullopt;
  }
  const std::size_t last = transform.lengths.size() - 1;
  if (transformed_axes(transform) != std::vector<std::size_t>{last}) return std::nullopt;
  const std::uint64_t length = transform.lengths[last];
  const std::uint64_t lines = total_elements(transform) / length;
  if (tuned_choice(length, LineUse::rows, limits) != nullptr) return std::nullopt;
  for (const Row& row : measured()) {
    if (line_length(row) != length || row.precision != transform.precision) continue;
    if (lines < row.lines) return std::nullopt;
    return JoinedDivision{row.columns.radices, row.rows.radices};
  }
  return std::nullopt;
}

std::optional<Program::Joined> join(const Program& program, const JoinedChoice& choice, const DeviceLimits& limits) {
  if (program.stages.size() != 2 || !program.turns.empty()) return std::nullopt;
  const Stage& columns = program.stages[0];
  const Stage& rows = program.stages[1];
  if (columns.length != choice.first || rows.length != choice.second || columns.precision != choice.precision ||
      rows.precision != choice.precision || !is_plain_complex(columns) || !is_plain_complex(rows) ||
      !is_plain(columns.shape) || !is_plain(rows.shape) || group_items(columns.shape) != group_items(rows.shape)) {
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
  joined.counter_bytes = (joined_ticket_counters + counters_of_line * joined.lines) * joined_counter_bytes;
  return joined;
}

Program with_joined_stages(Program program, Placement placement, const DeviceLimits& limits) {
  if (!is_like_measured(limits) || program.stages.size() != 2) return program;
  const bool one_memory = placement == Placement::in_place || program.stages[0].source == program.stages[1].destination;
  for (const Row& row : measured()) {
    if (program.stages[0].radices != row.columns.radices || program.stages[1].radices != row.rows.radices) continue;
    Program shaped = program;
    Stage& columns = shaped.stages[0];
    Stage& rows = shaped.stages[1];
    columns.shape = shape_of(columns, row.columns, KernelShape::Lanes::transforms, row.registers);
    rows.shape = shape_of(rows, row.rows, KernelShape::Lanes::elements, row.registers);
    const JoinedChoice choice{columns.length, rows.length, row.precision, row.ring, row.lag, row.groups_a_unit};
    shaped.joined = join(shaped, choice, limits);
    if (!shaped.joined || shaped.joined->lines < row.lines || (one_memory && !stay_in_place(columns, rows))) continue;
    shaped.scratch_bytes = shaped.joined->counters + shaped.joined->counter_bytes;
    return shaped;
  }
  return program;
}

bool are_one_launch(const Program& program, std::size_t stage) {
  return (program.joined && program.joined->first == stage) || (program.planes && program.planes->first == stage);
}

Stage ends_of(const Stage& columns, const Stage& rows) {
  Stage ends = columns;
  ends.destination = rows.destination;
  ends.step += " and " + rows.step;
  return ends;
}

}  // namespace twiddle::plan
