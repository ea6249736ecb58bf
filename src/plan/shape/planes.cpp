// Which stages are planes, and a table of those that were measured to be faster in one launch.
#include "plan/shape/planes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "plan/recipe/radices.hpp"
#include "plan/shape/exchange_shape.hpp"
#include "plan/shape/measured_device.hpp"
#include "plan/shape/plane_loops.hpp"

namespace twiddle::plan {
namespace {

KernelShape shape_of(const Stage& stage, const PlanePart& part, std::uint32_t group, bool split, bool along_rows) {
  KernelShape shape;
  shape.items_per_transform = part.items;
  shape.transforms_per_group = group / part.items;
  shape.load = shape.store = along_rows ? KernelShape::Lanes::elements : KernelShape::Lanes::transforms;
  const bool exchanges = part.radices.size() > 1 || stage.store_map;
  if (exchanges) shape.exchange = split ? KernelShape::Exchange::split : KernelShape::Exchange::complex;
  if (exchanges) shape.padding = preferred_padding(stage, shape);
  return shape;
}

// Neighbouring lines of a plane's rows begin in other banks of local memory, of 128 bytes, where few work-items share
// one.
std::uint32_t pitch_of(std::uint64_t row, std::uint32_t items, Precision precision) {
  const auto banks = static_cast<std::uint32_t>(64 / scalar_bytes(precision));
  auto pitch = static_cast<std::uint32_t>(row);
  if (banks % items != 0 || items == banks) return pitch;
  while (pitch % banks != items) ++pitch;
  return pitch;
}

struct Row {
  PlaneChoice choice;
  Precision precision = Precision::float32;
  Reals reals = Reals::none;
  std::uint64_t planes = many;  // or more of them
  static constexpr std::uint64_t many = 4096;
};

// Measured on an H200 (docs/cuda-shapes.md) beside two launches, for no fewer planes than that.
const std::vector<Row>& measured() {
  constexpr auto f32 = Precision::float32;
  constexpr auto f64 = Precision::float64;
  static const std::vector<Row> table{
      {{{{4, 8}, 4}, {{8, 4}, 4}, 64}, f32},
      {{{{8, 8}, 8}, {{8, 8}, 8}, 40}, f32, Reals::none, 132},
      {{{{8, 8}, 8}, {{8, 8}, 8}, 64}, f64},
      {{{{10, 10}, 10}, {{10, 10}, 10}, 64}, f32},
      {{{{8, 15}, 8}, {{15, 8}, 8}, 64}, f32},
      {{{{16, 8}, 8}, {{16, 8}, 8}, 64}, f32},
      {{{{32}, 1}, {{8, 8}, 2}, 128}, f32, Reals::there},
      {{{{8, 4}, 4}, {{8, 8}, 8}, 72}, f64, Reals::there},
      {{{{10, 5}, 5}, {{10, 10}, 10}, 64, true}, f32, Reals::there},
      {{{{4, 15}, 4}, {{15, 8}, 8}, 64, true}, f32, Reals::there},
      {{{{8, 8}, 4}, {{16, 8}, 8}, 96}, f32, Reals::there},
      {{{{8, 8}, 8}, {{4, 8}, 4}, 64}, f32, Reals::back},
      {{{{10, 10}, 10}, {{10, 5}, 5}, 64}, f32, Reals::back},
      {{{{15, 8}, 8}, {{15, 4}, 4}, 64}, f32, Reals::back},
      {{{{16, 8}, 8}, {{8, 8}, 4}, 96}, f32, Reals::back},
  };
  return table;
}

}  // namespace

std::optional<Program> with_planes(Program program, Placement placement, std::size_t first, const PlaneChoice& choice,
                                   const DeviceLimits& limits) {
  if (program.stages.size() < first + 2 || !program.turns.empty() || program.joined || program.planes) {
    return std::nullopt;
  }
  Stage& one = program.stages[first];
  Stage& other = program.stages[first + 1];
  Stage columns = one;
  Stage rows = other;
  if (!divide_planes(columns, rows) || product(choice.first.radices) != one.length ||
      product(choice.second.radices) != other.length) {
    return std::nullopt;
  }
  const bool one_memory = placement == Placement::in_place || one.source == other.destination;
  if (one_memory && !stay_in_place(columns, rows)) return std::nullopt;
  one = columns;
  other = rows;
  take_passes(one, choice.first.radices);
  take_passes(other, choice.second.radices);
  // The least group that both stages' lines take whole.
  const std::uint64_t most =
      std::max(one.loops[0].count * choice.first.items, other.loops[0].count * choice.second.items);
  const std::uint64_t step = std::lcm(choice.first.items, choice.second.items);
  const std::uint64_t group = (most + step - 1) / step * step;
  if (group > limits.max_group_size) return std::nullopt;
  const bool rows_first = one.output_stride == 1;
  one.shape = shape_of(one, choice.first, static_cast<std::uint32_t>(group), choice.split, rows_first);
  other.shape = shape_of(other, choice.second, static_cast<std::uint32_t>(group), false, !rows_first);
  one.shape.registers = other.shape.registers = choice.registers;
  const std::uint64_t row = rows_first ? other.loops[0].count : one.loops[0].count;
  const std::uint64_t column = rows_first ? one.loops[0].count : other.loops[0].count;
  Program::Planes planes{.first = first, .count = transform_count(one) / one.loops[0].count, .elements = row * column};
  planes.pitch = pitch_of(row, (rows_first ? choice.first : choice.second).items, one.precision);
  const std::uint64_t plane = column * planes.pitch * 2 * sizeof(float);
  const std::uint64_t exchanged = exchange_size(one, one.shape);
  const std::uint64_t both = one.store_map ? plane + exchanged : std::max(plane, exchanged);
  if (std::max(both, exchange_size(other, other.shape)) > limits.local_memory) return std::nullopt;
  program.planes = planes;
  if (program.stages.size() == 2) program.scratch_bytes = 0;
  return program;
}

Program with_measured_planes(Program program, Placement placement, const DeviceLimits& limits) {
  return with_measured(std::move(program), measured(), limits, [&](const Program& apart, const Row& row) {
    std::optional<Program> taken = with_planes(apart, placement, 0, row.choice, limits);
    return taken && taken->planes->count >= row.planes ? std::move(taken) : std::nullopt;
  });
}

void take_passes(Stage& stage, std::vector<unsigned> radices) {
  const auto named = [&](const std::vector<unsigned>& passes) {
    if (stage.convolution) return fmt::format(", {} = {}", stage.convolution->points, fmt::join(passes, "."));
    const std::string length = fmt::format(": {}", stage.length);
    return passes.size() == 1 ? length : fmt::format("{} = {}", length, fmt::join(passes, "."));
  };
  const std::string before = named(stage.radices);
  if (const std::size_t at = stage.step.find(before); at != std::string::npos) {
    stage.step.replace(at, before.size(), named(radices));
  }
  stage.radices = std::move(radices);
}

PlaneStages plane_stages(const Program& program) {
  const Program::Planes& planes = program.planes.value();
  PlaneStages result{program.stages[planes.first], program.stages[planes.first + 1], {}};
  for (std::size_t i = 1; i < result.first.loops.size(); ++i) {
    result.outer.push_back(
        {result.first.loops[i].count, result.first.loops[i].input_stride, result.second.loops[i].output_stride});
  }
  result.first.loops.resize(1);
  result.second.loops.resize(1);
  const bool rows_first = result.first.output_stride == 1;
  result.first.output_stride = rows_first ? 1 : planes.pitch;
  result.first.loops[0].output_stride = rows_first ? planes.pitch : 1;
  result.second.input_stride = result.first.loops[0].output_stride;
  result.second.loops[0].input_stride = result.first.output_stride;
  result.first.output_offset = result.second.input_offset = 0;
  return result;
}

}  // namespace twiddle::plan
