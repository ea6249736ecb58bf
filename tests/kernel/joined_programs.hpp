// The programs of joined stages whose kernels a test compiles as C++ and runs: of lines, and of images.
#pragma once

#include <vector>

#include "plan/joined.hpp"
#include "plan/joined_images.hpp"
#include "plan/limits.hpp"
#include "plan/lower.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

// Lines of first * second points as a program has them in two launches, in groups of as many work-items.
inline plan::Program two_stages(std::uint64_t first, std::uint64_t second, std::uint64_t lines, Direction direction,
                                Precision precision, std::vector<unsigned> first_radices,
                                std::vector<unsigned> second_radices, plan::KernelShape first_shape,
                                plan::KernelShape second_shape) {
  using Lanes = plan::KernelShape::Lanes;
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  first_shape.load = first_shape.store = second_shape.store = Lanes::transforms;
  first_shape.exchange = second_shape.exchange = plan::KernelShape::Exchange::complex;
  plan::Stage columns;
  columns.precision = columns.input_storage.precision = columns.output_storage.precision = precision;
  columns.direction = direction;
  columns.length = first;
  columns.radices = std::move(first_radices);
  columns.input_stride = columns.output_stride = number(second);
  columns.loops = {{second, 1, 1}, {lines, number(first * second), number(first * second)}};
  columns.twiddle = plan::StageTwiddle{.modulus = first * second, .loop = 0};
  columns.source = plan::Operand::input;
  columns.destination = plan::Operand::scratch;
  columns.shape = first_shape;
  plan::Stage rows = columns;
  rows.twiddle.reset();
  rows.length = second;
  rows.radices = std::move(second_radices);
  rows.input_stride = 1;
  rows.output_stride = number(first);
  rows.loops = {{first, number(second), 1}, {lines, number(first * second), number(first * second)}};
  rows.source = plan::Operand::scratch;
  rows.destination = plan::Operand::output;
  rows.scale = 0.5L;
  rows.shape = second_shape;
  return {{columns, rows}, first * second * lines * 2 * plan::scalar_bytes(precision)};
}

// The program with what it reads lying backwards, the last element first.
inline plan::Program read_backwards(plan::Program program) {
  plan::Stage& columns = program.stages[0];
  columns.input_stride = -columns.input_stride;
  for (plan::Loop& loop : columns.loops) loop.input_stride = -loop.input_stride;
  columns.input_offset = static_cast<std::int64_t>(columns.length * plan::transform_count(columns)) - 1;
  return program;
}

// The images of a problem, of which two compute units have room for as many groups as the choice says.
inline plan::Program joined_images(const char* text, const plan::ImageChoice& choice) {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  const Problem problem = parse_problem(text);
  plan::Program program = plan::lower(plan::make_recipe(problem.transform, limits), problem.transform,
                                      problem.direction, problem.placement, limits);
  limits.compute_units = 2;
  return plan::with_joined_images(std::move(program), problem.placement, 0, choice,
                                  plan::limits_for(limits, problem.transform.precision))
      .value();
}

// Lines: as many groups of columns as of rows in each, more and fewer; a ring as short as can be, and longer; one that
// reads backwards. Images: more ahead than there is, and no more than one of them; groups that are not full; reals
// there and back; images that are further apart than they are long, in two ways.
inline std::vector<plan::Program> joined_programs() {
  const auto shape = [](std::uint32_t items, std::uint32_t transforms) {
    plan::KernelShape result;
    result.items_per_transform = items;
    result.transforms_per_group = transforms;
    result.padding = 4;
    return result;
  };
  const auto pair = [](plan::Program program, plan::JoinedChoice choice) {
    DeviceLimits limits = plan::named_limits("nvidia-cuda");
    limits.compute_units = 2;
    choice.first = program.stages[0].length;
    choice.second = program.stages[1].length;
    choice.precision = program.stages[0].precision;
    program.joined = plan::join(program, choice, limits).value();
    return program;
  };
  constexpr auto forward = Direction::forward;
  return {
      pair(two_stages(16, 16, 13, forward, Precision::float32, {4, 4}, {4, 4}, shape(4, 4), shape(4, 4)),
           {.ring = 3, .lag = 8, .groups_a_unit = 2}),
      pair(two_stages(8, 32, 9, Direction::inverse, Precision::float64, {4, 2}, {4, 8}, shape(4, 4), shape(4, 4)),
           {.ring = 2, .lag = 2, .groups_a_unit = 1}),
      pair(read_backwards(two_stages(32, 8, 7, forward, Precision::float32, {4, 8}, {4, 2}, shape(4, 4), shape(4, 4))),
           {.ring = 4, .lag = 3, .groups_a_unit = 2}),
      joined_images("c2c:f32:5*16x12", {{{3, 4}, 4, 4}, {{4, 4}, 4, 4}, 0, 2, 1}),
      joined_images("c2c:f32:7*16x12:inplace:inverse", {{{4, 3}, 4, 3}, {{4, 4}, 4, 3}, 64, 3, 3}),
      joined_images("r2c:f64:4*8x16:inplace", {{{2, 4}, 2, 4}, {{4, 2}, 2, 4}, 0, 2, 0}),
      joined_images("c2r:f32:4*8x16:inplace", {{{4, 2}, 2, 4}, {{2, 4}, 2, 4}, 0, 2, 100}),
      joined_images("c2c:f32:2x3x8x8:axes=2,3:in=700,-200,8,1/offset=400:out=1000,300,10,1",
                    {{{2, 4}, 2, 4}, {{4, 2}, 4, 2}, 0, 1, 1}),
  };
}

}  // namespace twiddle::test
