// Which stages of images are one launch, and a table of those that were measured to be faster so.
#include "plan/shape/joined_images.hpp"

#include <algorithm>
#include <numeric>

#include "plan/recipe/radices.hpp"
#include "plan/shape/joined.hpp"
#include "plan/shape/measured_device.hpp"
#include "plan/shape/plane_loops.hpp"
#include "plan/shape/planes.hpp"

namespace twiddle::plan {
namespace {

KernelShape shape_of(const Stage& stage, const JoinedPart& part, std::uint32_t registers) {
  using Lanes = KernelShape::Lanes;
  const Lanes lanes = stage.output_stride == 1 ? Lanes::elements : Lanes::transforms;
  return joined_shape(stage, part, lanes, lanes, registers);
}

// Whether every element is written where it was read, apart from what maps make of a line.
bool keeps_places(const Stage& stage) {
  return stage.input_offset == stage.output_offset && stage.input_stride == stage.output_stride &&
         std::all_of(stage.loops.begin(), stage.loops.end(),
                     [](const Loop& loop) { return loop.input_stride == loop.output_stride; });
}

std::uint64_t groups_of(const Stage& stage) {
  const std::uint64_t together = stage.shape.transforms_per_group;
  return (stage.loops[0].count + together - 1) / together;
}

struct Row {
  ImageChoice choice;
  Precision precision = Precision::float32;
  std::uint64_t images = 0;  // or more of them
  Reals reals = Reals::none;
};

// Measured on an H200 and an H100 (docs/cuda-shapes.md) beside two launches, for no fewer images than that: what the
// second-level cache holds whole takes less time in two.
const std::vector<Row>& measured() {
  constexpr auto f32 = Precision::float32;
  constexpr auto f64 = Precision::float64;
  const auto twice = [](JoinedPart part, std::uint32_t registers, std::uint32_t groups, std::uint32_t ahead) {
    return ImageChoice{part, part, registers, groups, ahead};
  };
  static const std::vector<Row> table{
      {twice({{16, 16}, 16, 16}, 80, 3, 16384), f32, 96},
      {twice({{16, 32}, 16, 16}, 128, 2, 20480), f32, 24},
      {twice({{32, 32}, 32, 8}, 128, 2, 20480), f32, 7},
      {{{{16, 32}, 16, 16}, {{16, 16}, 16, 16}, 128, 2, 16384}, f32, 512},
      {{{{16, 16}, 16, 16}, {{16, 32}, 16, 16}, 128, 2, 12288}, f32, 512},
      {{{{32, 32}, 32, 8}, {{16, 32}, 32, 8}, 128, 2, 16384}, f32, 128},
      {{{{16, 32}, 32, 8}, {{32, 32}, 32, 8}, 128, 2, 12288}, f32, 128},
      {twice({{10, 12}, 12, 16}, 128, 2, 12288), f64, 2330},
      {twice({{16, 8}, 8, 16}, 128, 4, 16384), f64, 192},
      {twice({{16, 16}, 16, 8}, 128, 4, 20480), f64, 48},
      {twice({{16, 32}, 16, 8}, 0, 2, 20480), f64, 12},
      {{{{8, 16}, 16, 16}, {{16, 16}, 16, 16}, 80, 3, 16384}, f32, 384, Reals::there},
      {{{{16, 16}, 16, 16}, {{16, 32}, 16, 16}, 128, 2, 16384}, f32, 72, Reals::there},
      {{{{16, 32}, 16, 16}, {{32, 32}, 32, 8}, 128, 2, 16384}, f32, 20, Reals::there},
      {{{{16, 16}, 16, 16}, {{8, 16}, 16, 16}, 128, 2, 10240}, f32, 400, Reals::back},
      {{{{16, 32}, 16, 16}, {{16, 16}, 16, 16}, 128, 2, 12288}, f32, 75, Reals::back},
      {{{{32, 32}, 32, 8}, {{16, 32}, 16, 16}, 128, 2, 16384}, f32, 127, Reals::back},
      {{{{8, 8}, 8, 16}, {{16, 8}, 8, 16}, 128, 4, 12288}, f64, 2000, Reals::there},
      {{{{16, 16}, 16, 8}, {{16, 32}, 16, 8}, 0, 2, 16384}, f64, 255, Reals::there},
      {{{{16, 16}, 16, 8}, {{8, 16}, 16, 8}, 128, 4, 12288}, f64, 1016, Reals::back},
  };
  return table;
}

}  // namespace

std::optional<Program> with_joined_images(Program program, Placement placement, std::size_t first,
                                          const ImageChoice& choice, const DeviceLimits& limits) {
  if (program.stages.size() < first + 2 || !program.turns.empty() || program.joined || program.planes) {
    return std::nullopt;
  }
  Stage one = program.stages[first];
  Stage other = program.stages[first + 1];
  if (!divide_planes(one, other) || product(choice.first.radices) != one.length ||
      product(choice.second.radices) != other.length) {
    return std::nullopt;
  }
  const auto in_one_memory = [&](const Stage& stage) {
    const bool callers = stage.source != Operand::scratch && stage.destination != Operand::scratch;
    return stage.source == stage.destination || (callers && placement == Placement::in_place);
  };
  if (!in_one_memory(other) || !keeps_places(other) || (in_one_memory(one) && !keeps_places(one))) return std::nullopt;
  take_passes(one, choice.first.radices);
  take_passes(other, choice.second.radices);
  one.shape = shape_of(one, choice.first, choice.registers);
  other.shape = shape_of(other, choice.second, choice.registers);
  if (!fit_one_launch(one, other, limits)) return std::nullopt;
  Program::Joined joined{.first = first, .lines = transform_count(one) / one.loops[0].count};
  joined.line_elements = other.length * other.loops[0].count;
  if (other.load_map) joined.line_elements = one.length * one.loops[0].count;
  joined.parts = std::gcd(groups_of(one), groups_of(other));
  const std::uint64_t image_bytes = joined.line_elements * 2 * scalar_bytes(one.precision);
  const std::uint64_t ahead = std::uint64_t{choice.ahead} * 1024 * joined.parts / image_bytes;
  joined.lag = std::min(std::max(ahead, joined.parts), joined.lines * joined.parts);
  joined.groups = static_cast<std::uint32_t>(choice.groups_a_unit * limits.compute_units);
  joined.counters = (program.scratch_bytes + 15) / 16 * 16;
  joined.counter_bytes = (joined_ticket_counters + joined.lines) * joined_counter_bytes;
  program.scratch_bytes = joined.counters + joined.counter_bytes;
  program.stages[first] = one;
  program.stages[first + 1] = other;
  program.joined = joined;
  return program;
}

Program with_measured_images(Program program, Placement placement, const DeviceLimits& limits) {
  if (!is_like_measured(limits)) return program;  // groups wait for each other, as OpenCL's cannot
  return with_measured(std::move(program), measured(), limits, [&](const Program& apart, const Row& row) {
    std::optional<Program> taken = with_joined_images(apart, placement, 0, row.choice, limits);
    return taken && taken->joined->lines >= row.images ? std::move(taken) : std::nullopt;
  });
}

ImageStages image_stages(const Program& program) {
  const std::size_t first = program.joined.value().first;
  ImageStages result{program.stages[first], program.stages[first + 1], {}, {}};
  result.outer.assign(result.first.loops.begin() + 1, result.first.loops.end());
  result.second_outer.assign(result.second.loops.begin() + 1, result.second.loops.end());
  result.first.loops.resize(1);
  result.second.loops.resize(1);
  return result;
}

}  // namespace twiddle::plan
