// Which stages are one launch: a table of what was measured to be faster so.
#include "plan/shape/joined.hpp"

#include <algorithm>
#include <numeric>

#include "plan/choice/choice_table.hpp"
#include "plan/device/limits.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/shape/exchange_shape.hpp"
#include "plan/shape/measured_device.hpp"

namespace twiddle::plan {
namespace {

struct Row {
  JoinedChoice choice;
  Precision precision = Precision::float32;
  std::uint64_t lines = 0;  // or more of them
  Reals reals = Reals::none;
  bool slower_memory = false;  // only where it is slower than an H200's
};

// Measured on an H200 and an H100 (docs/cuda-shapes.md) beside two launches, for no fewer lines than that, in the rings
// for an H100's cache. Reals are divided alike there and back.
const std::vector<Row>& measured() {
  constexpr auto f32 = Precision::float32;
  constexpr auto f64 = Precision::float64;
  static const std::vector<Row> table{
      {{{{10, 15}, 10, 25}, {{20, 10}, 10, 25}, 128, 2, 79, 105}, f32, 340, Reals::none, true},
      {{{{9, 27}, 9, 27}, {{9, 27}, 9, 27}, 128, 2, 36, 214}, f32, 1136},
      {{{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, 80, 3, 40, 429}, f32, 192},
      {{{{5, 25}, 5, 125}, {{25, 25}, 25, 25}, 96, 1, 34, 112}, f32, 850},
      {{{{16, 32}, 16, 16}, {{16, 16}, 16, 16}, 128, 2, 20, 214}, f32, 112},
      {{{{16, 32}, 16, 16}, {{16, 32}, 16, 16}, 128, 2, 10, 214}, f32, 56},
      {{{{16, 32}, 16, 16}, {{32, 32}, 32, 8}, 128, 2, 6, 256}, f32, 128},
      {{{{10, 10}, 10, 24}, {{12, 10}, 12, 20}, 128, 2, 87, 292}, f64, 400},
      {{{{5, 25}, 5, 25}, {{5, 25}, 5, 25}, 0, 2, 67, 224}, f64, 320},
      {{{{8, 16}, 8, 32}, {{16, 8}, 8, 32}, 128, 2, 80, 208}, f64, 300},
      {{{{7, 7, 7}, 49, 7}, {{7, 7}, 7, 49}, 80, 2, 62, 292}, f64, 300},
      {{{{9, 9}, 9, 27}, {{9, 3, 9}, 27, 9}, 80, 3, 53, 321}, f64, 260},
      {{{{10, 15}, 10, 25}, {{10, 20}, 10, 25}, 0, 1, 31, 39}, f64, 170, Reals::none, true},
      {{{{16, 16}, 16, 8}, {{8, 16}, 8, 16}, 128, 4, 40, 429}, f64, 1024},
      {{{{9, 27}, 9, 27}, {{9, 27}, 9, 27}, 0, 1, 22, 134}, f64, 568},
      {{{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, 128, 2, 26, 272}, f64, 512},
      {{{{5, 25}, 5, 25}, {{25, 25}, 25, 5}, 0, 2, 15, 252}, f64, 70},
      {{{{5, 5, 10}, 25, 10}, {{16, 25}, 25, 10}, 128, 2, 12, 39}, f64, 50},
      {{{{16, 16}, 16, 8}, {{16, 32}, 16, 8}, 168, 3, 10, 214}, f64, 256},
      {{{{16, 32}, 16, 8}, {{16, 32}, 16, 8}, 0, 2, 7, 272}, f64, 128},
      {{{{16, 32}, 16, 8}, {{32, 32}, 32, 4}, 0, 2, 3, 256}, f64, 64},
      {{{{16, 16}, 16, 16}, {{16, 8}, 8, 32}, 80, 3, 40, 192}, f32, 2047, Reals::there},
      {{{{16, 16}, 16, 16}, {{16, 8}, 8, 32}, 128, 2, 48, 256}, f32, 2047, Reals::back},
      {{{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, 80, 3, 20, 192}, f32, 1023, Reals::there},
      {{{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, 128, 2, 24, 256}, f32, 1023, Reals::back},
      {{{{16, 16}, 16, 16}, {{16, 32}, 16, 16}, 128, 2, 10, 96}, f32, 511, Reals::there, true},
      {{{{16, 16}, 16, 16}, {{16, 32}, 16, 16}, 128, 2, 14, 144}, f32, 511, Reals::back},
      {{{{16, 32}, 16, 16}, {{16, 32}, 16, 16}, 128, 2, 6, 128}, f32, 255, Reals::there},
      {{{{16, 32}, 16, 16}, {{16, 32}, 16, 16}, 0, 2, 7, 144}, f32, 255, Reals::back},
      {{{{16, 32}, 16, 16}, {{32, 32}, 32, 8}, 0, 2, 3, 128}, f32, 127, Reals::back},
      {{{{16, 16}, 16, 8}, {{8, 16}, 8, 16}, 128, 4, 24, 256}, f64, 1023, Reals::there},
      {{{{16, 16}, 16, 8}, {{8, 16}, 8, 16}, 128, 4, 24, 256}, f64, 1023, Reals::back},
      {{{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, 128, 2, 12, 128}, f64, 511, Reals::there},
      {{{{16, 16}, 16, 16}, {{16, 16}, 16, 16}, 255, 1, 12, 128}, f64, 511, Reals::back},
  };
  return table;
}

constexpr std::uint64_t h100_cache = std::uint64_t{50} << 20;
constexpr std::uint64_t h200_cache = std::uint64_t{60} << 20;

// An H200's memory is the faster one, as its cache is the larger; no limit tells the rate of memory.
bool suits(const Row& row, const DeviceLimits& limits) {
  return !row.slower_memory || second_level_cache(limits) < h200_cache;
}

// The choice with the ring and the lag that take as much of the device's cache as of an H100's.
JoinedChoice in_cache(JoinedChoice choice, const DeviceLimits& limits) {
  const auto share = [&](std::uint64_t value) {
    return (value * second_level_cache(limits) + h100_cache / 2) / h100_cache;
  };
  const std::uint64_t ring = std::max<std::uint64_t>(share(choice.ring), 1);
  choice.lag = std::min(share(choice.lag), choice.lag * ring / choice.ring);
  choice.ring = ring;
  return choice;
}

// Complex numbers of a line.
std::uint64_t line_length(const JoinedChoice& choice) {
  return product(choice.columns.radices) * product(choice.rows.radices);
}

constexpr std::uint64_t counters_of_line = 2;

// Whether nothing but the scale is folded into the stage, or only the map that mirrored transforms share.
bool is_plain_part(Stage stage) {
  if (stage.shared_map) {
    stage.load_map.reset();
    stage.store_map.reset();
    stage.shared_map = false;
  }
  return is_plain_complex(stage);
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

// How both stages count the transforms of a line and the lines. Transforms fill their groups.
bool are_lines(const Stage& columns, const Stage& rows) {
  const auto elements = static_cast<std::int64_t>(columns.length * rows.length);
  const auto is_line = [&](const Stage& stage, std::uint64_t others, std::int64_t Loop::*stride) {
    return stage.loops.size() == 2 && stage.loops[0].count == others && stage.loops[1].*stride == elements &&
           others % stage.shape.transforms_per_group == 0;
  };
  return is_line(columns, rows.length, &Loop::output_stride) && is_line(rows, columns.length, &Loop::input_stride) &&
         columns.output_offset == 0 && rows.input_offset == 0;
}

bool is_usual(const Layout& layout) { return layout.format == Layout::Format::interleaved && layout.strides.empty(); }

}  // namespace

KernelShape joined_shape(const Stage& stage, const JoinedPart& part, KernelShape::Lanes load, KernelShape::Lanes store,
                         std::uint32_t registers) {
  KernelShape shape;
  shape.items_per_transform = part.items;
  shape.transforms_per_group = part.transforms;
  shape.load = load;
  shape.store = store;
  shape.exchange = KernelShape::Exchange::complex;
  shape.padding = preferred_padding(stage, shape);
  shape.registers = registers;
  return shape;
}

bool fit_one_launch(const Stage& first, const Stage& second, const DeviceLimits& limits) {
  const std::uint32_t items = group_items(first.shape);
  return first.radices.size() > 1 && second.radices.size() > 1 && items == group_items(second.shape) &&
         items <= limits.max_group_size &&
         std::max(exchange_size(first, first.shape), exchange_size(second, second.shape)) <= limits.local_memory;
}

std::optional<JoinedDivision> joined_division(const Transform& transform, const DeviceLimits& limits) {
  if (!is_like_measured(limits) || transform.load_hook || transform.store_hook || !transform.input_extents.empty() ||
      !transform.output_extents.empty() || !is_usual(transform.input) || !is_usual(transform.output)) {
    return std::nullopt;
  }
  const std::size_t last = transform.lengths.size() - 1;
  if (transformed_axes(transform) != std::vector<std::size_t>{last}) return std::nullopt;
  const std::uint64_t length = transform.lengths[last];
  const std::uint64_t lines = total_elements(transform) / length;
  if (transform.kind != Kind::c2c && transform.kind != Kind::r2c) return std::nullopt;
  const std::uint64_t elements = transform.kind == Kind::r2c ? 2 : 1;  // that are a complex number
  for (const Row& row : measured()) {
    if (line_length(row.choice) * elements != length || row.precision != transform.precision ||
        (row.reals == Reals::none) != (transform.kind == Kind::c2c) || lines < row.lines || !suits(row, limits)) {
      continue;
    }
    if (tuned_choice(line_length(row.choice), LineUse::rows, limits) != nullptr) return std::nullopt;
    return JoinedDivision{row.choice.columns.radices, row.choice.rows.radices};
  }
  return std::nullopt;
}

std::optional<Program> with_joined_lines(const Program& apart, Placement placement, const JoinedChoice& choice,
                                         const DeviceLimits& limits) {
  if (apart.stages.size() != 2 || !apart.turns.empty() || apart.joined || apart.planes) return std::nullopt;
  if (apart.stages[0].radices != choice.columns.radices || apart.stages[1].radices != choice.rows.radices) {
    return std::nullopt;
  }
  Program program = apart;
  Stage& columns = program.stages[0];
  Stage& rows = program.stages[1];
  if (!is_plain_part(columns) || !is_plain_part(rows) || columns.precision != rows.precision ||
      columns.source == Operand::scratch || columns.destination != Operand::scratch ||
      rows.source != Operand::scratch || rows.destination == Operand::scratch) {
    return std::nullopt;
  }
  const bool one_memory = placement == Placement::in_place || columns.source == rows.destination;
  using Lanes = KernelShape::Lanes;
  columns.shape = joined_shape(columns, choice.columns, Lanes::transforms, Lanes::transforms, choice.registers);
  rows.shape = joined_shape(rows, choice.rows, Lanes::elements, Lanes::transforms, choice.registers);
  if (!are_lines(columns, rows) || !fit_one_launch(columns, rows, limits) ||
      (one_memory && !stay_in_place(columns, rows))) {
    return std::nullopt;
  }
  Program::Joined joined{.first = 0, .lines = columns.loops[1].count, .line_elements = columns.length * rows.length};
  joined.parts =
      std::gcd(rows.length / columns.shape.transforms_per_group, columns.length / rows.shape.transforms_per_group);
  joined.ring = std::min(choice.ring, joined.lines);
  joined.lag = choice.lag;
  joined.groups = choice.groups_a_unit * limits.compute_units;
  // A line is read when all of it was written, and its place written again when all of it was read: by tickets before.
  if (joined.lag < joined.parts || joined.lag + joined.parts > joined.ring * joined.parts) return std::nullopt;
  joined.counters = joined.ring * joined.line_elements * 2 * scalar_bytes(columns.precision);
  joined.counter_bytes = (joined_ticket_counters + counters_of_line * joined.lines) * joined_counter_bytes;
  program.scratch_bytes = joined.counters + joined.counter_bytes;
  program.joined = joined;
  return program;
}

Program with_joined_stages(Program program, Placement placement, const DeviceLimits& limits) {
  if (!is_like_measured(limits) || program.stages.size() != 2) return program;
  // Spectra leave the last stage, or enter the first.
  const Reals reals = reals_of(program.stages[1], program.stages[0]);
  for (const Row& row : measured()) {
    if (row.precision != program.stages[0].precision || row.reals != reals || !suits(row, limits)) continue;
    std::optional<Program> joined = with_joined_lines(program, placement, in_cache(row.choice, limits), limits);
    if (joined && joined->joined->lines >= row.lines) return std::move(*joined);
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
