// Both by make_worker, from and to memory of which every place that is no result keeps what it has.
#include "backend/host/line_difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "backend/host/pass.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

// Scalars of either memory: two planes of numbers so far apart, or as many complex numbers.
std::size_t room_of(const LinesApart& lines, std::size_t length) {
  const std::int64_t step = std::max(lines.read.step, lines.written.step);
  return 2 * static_cast<std::size_t>(step) * lines.lines * (length + 2);
}

// What a side of a stage has at element k of line `line`: one scalar or two.
struct Side {
  std::int64_t stride = 2;
  std::int64_t imaginary = 1;
  std::int64_t apart = 0;  // from line to line
  bool real = false;
  [[nodiscard]] std::size_t place(std::size_t line, std::size_t scalar) const {
    const auto k = static_cast<std::int64_t>(real ? scalar : scalar / 2);
    return static_cast<std::size_t>(static_cast<std::int64_t>(line) * apart + k * stride +
                                    (!real && scalar % 2 == 1 ? imaginary : 0));
  }
};

Side side_of(const plan::Storage& storage, std::int64_t stride, std::int64_t apart) {
  return {stride, storage.imaginary_offset, apart, storage.form == plan::Storage::Form::real};
}

// Scalars of a line on either side.
struct LineScalars {
  std::size_t read;
  std::size_t written;
};

// The results of `lines` lines of a stage, in scalars, in order; `input` has what is read in order.
template <class T>
std::vector<T> results(const plan::Stage& stage, std::size_t lines, const std::vector<T>& input, LineScalars count,
                       std::size_t room, std::int64_t targets) {
  const plan::Stage scalars = backend::host::in_scalars(stage);
  const auto loop = [&](std::int64_t plan::Loop::*stride) {
    return scalars.loops.empty() ? 0 : scalars.loops[0].*stride;
  };
  const Side from = side_of(scalars.input_storage, scalars.input_stride, loop(&plan::Loop::input_stride));
  const Side to = side_of(scalars.output_storage, scalars.output_stride, loop(&plan::Loop::output_stride));
  std::vector<T> memory(room), stored(room, T{7}), ordered;
  for (std::size_t i = 0; i < lines * count.read; ++i) memory[from.place(i / count.read, i % count.read)] = input[i];
  const backend::host::WorkerOptions options{
      .targets = targets, .first_cache = std::size_t{48} << 10, .core_cache = std::size_t{2} << 20};
  const auto worker = backend::host::make_worker(stage, options);
  worker->shortest_call()->call(reinterpret_cast<const std::byte*>(memory.data()),
                                reinterpret_cast<std::byte*>(stored.data()));
  for (std::size_t i = 0; i < lines * count.written; ++i) {
    T& result = stored[to.place(i / count.written, i % count.written)];
    ordered.push_back(result);
    result = 7;
  }
  EXPECT_EQ(stored, std::vector<T>(room, T{7})) << "it stores to other places";
  return ordered;
}

void move_apart(const NumbersApart& apart, std::size_t room, plan::Storage& storage, std::int64_t& stride,
                std::int64_t plan::Loop::*loop_stride, std::vector<plan::Loop>& loops) {
  // Pairs of reals, as one complex number, are a step apart as well.
  if (storage.form == plan::Storage::Form::planar) storage.imaginary_offset *= apart.step;
  if (apart.planes) {
    const auto between_planes = static_cast<std::int64_t>(room / 2);
    storage = {.form = plan::Storage::Form::planar, .precision = storage.precision, .imaginary_offset = between_planes};
  }
  stride *= apart.step;
  for (plan::Loop& loop : loops) loop.*loop_stride *= apart.step;
}

}  // namespace

template <class T>
double line_difference(const LinesApart& lines) {
  const std::int64_t targets = lines.targets == 0 ? backend::host::simd_targets() : lines.targets;
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(targets);
  const plan::Program program = program_of(lines.problem, limits);
  EXPECT_EQ(program.stages.size(), 1U) << lines.problem;
  plan::Stage stage = program.stages.front();
  const auto& [transform, direction, placement] = parse_problem(lines.problem);
  const std::size_t n = transform.lengths[0];
  const std::size_t room = room_of(lines, n);
  LineScalars count{transform.kind == Kind::r2c ? n : 2 * n, transform.kind == Kind::r2c ? 2 * (n / 2 + 1) : 2 * n};
  if (direction == Direction::inverse) std::swap(count.read, count.written);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<T> input(lines.lines * count.read);
  for (T& value : input) value = static_cast<T>(normal(random));
  if (lines.lines > 1) {
    stage.loops = {{lines.lines, static_cast<std::int64_t>(n + 2), static_cast<std::int64_t>(n + 2)}};
    for (auto* bound : {&stage.load_bound, &stage.store_bound}) {
      if (*bound) (*bound)->loop_strides = {0};  // all of them have as many elements
    }
  }
  const std::vector<T> expected = results(stage, lines.lines, input, count, room, targets);
  plan::Stage apart = stage;
  move_apart(lines.read, room, apart.input_storage, apart.input_stride, &plan::Loop::input_stride, apart.loops);
  move_apart(lines.written, room, apart.output_storage, apart.output_stride, &plan::Loop::output_stride, apart.loops);
  const std::vector<T> actual = results(apart, lines.lines, input, count, room, targets);
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::pow(static_cast<double>(actual[i]) - static_cast<double>(expected[i]), 2);
    size += std::pow(static_cast<double>(expected[i]), 2);
  }
  return std::sqrt(error / size);
}

template double line_difference<float>(const LinesApart& lines);
template double line_difference<double>(const LinesApart& lines);

}  // namespace twiddle::test
