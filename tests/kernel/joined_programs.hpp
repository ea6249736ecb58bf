// The programs of joined stages whose kernels a test compiles as C++ and runs: of lines, and of images.
#pragma once

#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/shape/joined.hpp"
#include "plan/shape/joined_images.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::test {

// Those that plans have in one launch: long lines, planes and images.
inline std::vector<std::string> problems_in_one_launch() {
  std::istringstream problems(
      "c2c:f32:1024*65536 c2c:f32:512*131072:inplace c2c:f32:256*262144:inverse "
      "c2c:f32:300*65536:norm=ortho c2c:f32:256*262144:norm=ortho c2c:f32:1136*59049 c2c:f32:850*78125 "
      "c2c:f32:128*524288 c2c:f64:1024*32768 c2c:f64:512*65536:inverse c2c:f64:256*131072 "
      "c2c:f64:128*262144:norm=ortho c2c:f32:16384*64x64:inplace c2c:f64:8192*64x64:inverse "
      "c2c:f32:4660*120x120 c2c:f32:4096*128x128 r2c:f32:9167*120x120 r2c:f32:8065*128x128:inplace "
      "r2c:f32:31775*64x64:inplace c2c:f32:65536*32x32 c2c:f32:6710*100x100 r2c:f32:13158*100x100 r2c:f64:15887*64x64 "
      "c2c:f32:1024*256x256:inplace c2c:f32:256*512x512:inverse c2c:f32:64*1024x1024 c2c:f64:2048*128x128 "
      "c2c:f64:512*256x256:inverse c2c:f64:128*512x512:norm=ortho "
      "c2r:f32:31775*64x64:inplace c2r:f32:13158*100x100:inplace c2r:f32:9167*120x120 c2r:f32:8065*128x128:inplace "
      "c2c:f32:512*256x512 c2c:f32:128*1024x512 c2c:f64:2330*120x120 "
      "r2c:f32:2032*256x256 r2c:f32:510*512x512 r2c:f64:2000*128x128 r2c:f64:255*512x512 c2r:f64:1016*256x256:inplace "
      "c2c:f64:568*59049 c2c:f64:64*524288:inverse "
      "r2c:f32:2047*65536:inplace c2r:f32:2047*65536:inplace r2c:f32:1023*131072 c2r:f32:1023*131072:inplace "
      "c2r:f32:511*262144 c2r:f32:255*524288:inplace c2r:f32:127*1048576 r2c:f64:511*131072:inplace c2r:f64:511*131072 "
      "c2c:f32:2236*30000 c2c:f64:2796*12000:inplace c2c:f64:2147*15625 c2c:f64:2048*16384:inverse c2c:f64:1996*16807 "
      "c2c:f64:1704*19683 c2c:f64:1118*30000 c2c:f64:429*78125 c2c:f64:335*100000:inplace "
      "r2c:f32:127*1024x1024 c2r:f32:2032*256x256:inplace c2r:f32:510*512x512:inplace c2r:f32:127*1024x1024:inplace "
      "r2c:f32:511*262144 r2c:f32:255*524288:inplace r2c:f64:1023*65536 c2r:f64:1023*65536:inplace");
  return {std::istream_iterator<std::string>(problems), {}};
}

// Lines of first * second points as a program has them in two launches.
inline plan::Program two_stages(std::uint64_t first, std::uint64_t second, std::uint64_t lines, Direction direction,
                                Precision precision, const plan::JoinedChoice& choice) {
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  plan::Stage columns;
  columns.precision = columns.input_storage.precision = columns.output_storage.precision = precision;
  columns.direction = direction;
  columns.length = first;
  columns.radices = choice.columns.radices;
  columns.input_stride = columns.output_stride = number(second);
  columns.loops = {{second, 1, 1}, {lines, number(first * second), number(first * second)}};
  columns.twiddle = plan::StageTwiddle{.modulus = first * second, .loop = 0};
  columns.source = plan::Operand::input;
  columns.destination = plan::Operand::scratch;
  plan::Stage rows = columns;
  rows.twiddle.reset();
  rows.length = second;
  rows.radices = choice.rows.radices;
  rows.input_stride = 1;
  rows.output_stride = number(first);
  rows.loops = {{first, number(second), 1}, {lines, number(first * second), number(first * second)}};
  rows.source = plan::Operand::scratch;
  rows.destination = plan::Operand::output;
  rows.scale = 0.5L;
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

// The lines of a problem, of reals and their spectra, likewise.
inline plan::Program joined_lines(const char* text, const plan::JoinedChoice& choice) {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  limits.compute_units = 2;
  const Problem problem = parse_problem(text);
  plan::Recipe recipe = plan::make_recipe(problem.transform, limits);
  recipe.axes.front().line = plan::in_stages({choice.columns.radices, choice.rows.radices});
  const plan::Program program =
      plan::lower_apart(recipe, problem.transform, problem.direction, problem.placement, limits);
  return plan::with_joined_lines(program, problem.placement, choice,
                                 plan::limits_for(limits, problem.transform.precision))
      .value();
}

// Lines: as many groups of columns as of rows in each, more and fewer; a ring as short as can be, and longer; one that
// reads backwards; reals there and back. Images: more ahead than there is, and no more than one of them; groups that
// are not full; reals there and back; images that are further apart than they are long, in two ways.
inline std::vector<plan::Program> joined_programs() {
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  limits.compute_units = 2;
  const auto joined = [&](const plan::Program& program, const plan::JoinedChoice& choice) {
    return plan::with_joined_lines(program, Placement::out_of_place, choice, limits).value();
  };
  constexpr auto forward = Direction::forward;
  const plan::JoinedPart sixteen{{4, 4}, 4, 4};
  const plan::JoinedPart eight{{4, 2}, 4, 4};
  const plan::JoinedPart thirty_two{{4, 8}, 4, 4};
  const plan::JoinedChoice even{sixteen, sixteen, 0, 2, 3, 8};
  const plan::JoinedChoice more_rows{eight, thirty_two, 0, 1, 2, 2};
  const plan::JoinedChoice fewer_rows{thirty_two, eight, 0, 2, 4, 3};
  return {
      joined(two_stages(16, 16, 13, forward, Precision::float32, even), even),
      joined(two_stages(8, 32, 9, Direction::inverse, Precision::float64, more_rows), more_rows),
      joined(read_backwards(two_stages(32, 8, 7, forward, Precision::float32, fewer_rows)), fewer_rows),
      joined_lines("r2c:f32:9*512:inplace", even),
      joined_lines("r2c:f64:7*512", more_rows),
      joined_lines("c2r:f32:9*512:inplace", even),
      joined_lines("c2r:f64:7*512", fewer_rows),
      joined_images("c2c:f32:5*16x12", {{{3, 4}, 4, 4}, {{4, 4}, 4, 4}, 0, 2, 1}),
      joined_images("c2c:f32:7*16x12:inplace:inverse", {{{4, 3}, 4, 3}, {{4, 4}, 4, 3}, 64, 3, 3}),
      joined_images("r2c:f64:4*8x16:inplace", {{{2, 4}, 2, 4}, {{4, 2}, 2, 4}, 0, 2, 0}),
      joined_images("c2r:f32:4*8x16:inplace", {{{4, 2}, 2, 4}, {{2, 4}, 2, 4}, 0, 2, 100}),
      joined_images("c2c:f32:2x3x8x8:axes=2,3:in=700,-200,8,1/offset=400:out=1000,300,10,1",
                    {{{2, 4}, 2, 4}, {{4, 2}, 4, 2}, 0, 1, 1}),
  };
}

}  // namespace twiddle::test
