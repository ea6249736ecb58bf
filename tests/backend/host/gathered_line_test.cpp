// Lines whose elements lie apart: numbers moved between steps, some lanes of a vector, and whole lines, which give the
// bits that adjacent ones give.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "backend/host/combination.hpp"
#include "backend/host/scalar_stage.hpp"
#include "backend/host/settings.hpp"
#include "backend/host/stage_worker.hpp"
#include "support/planned_program.hpp"

namespace twiddle::test {
namespace {

using backend::host::SomeLanes;
using backend::host::WorkerOptions;

// The targets that this machine has, each the best of a mask.
std::vector<std::int64_t> every_target() {
  std::vector<std::int64_t> result;
  for (std::int64_t targets = backend::host::simd_targets(); targets != 0;
       targets = backend::host::without_widest(targets)) {
    result.push_back(targets);
  }
  return result;
}

template <class T>
std::vector<T> numbers(std::size_t count) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<T> result(count);
  for (T& value : result) value = static_cast<T>(normal(random));
  return result;
}

template <class T>
class MovedNumbersTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, long double>;
TYPED_TEST_SUITE(MovedNumbersTest, Scalars);

// `unit` scalars at each place.
template <class T>
void expect_moves(std::int64_t targets, std::size_t unit, std::ptrdiff_t from_step, std::ptrdiff_t to_step,
                  std::size_t count) {
  const auto kernels = backend::host::find_combinations<T>(targets);
  const std::size_t room = 8 * 100;
  const std::vector<T> source = numbers<T>(2 * room);
  std::vector<T> result(2 * room, T{7});
  std::vector<T> expected = result;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < unit; ++i) {
      const auto at = static_cast<std::ptrdiff_t>(k);
      expected[room + i + at * to_step] = source[room + i + at * from_step];
    }
  }
  (unit == 1 ? kernels.move_reals : kernels.move_pairs)(source.data() + room, from_step, count, result.data() + room,
                                                        to_step);
  EXPECT_EQ(result, expected) << unit << " scalars, " << count << " times, " << from_step << " to " << to_step;
}

TYPED_TEST(MovedNumbersTest, KeepToTheirPlaces) {
  for (const std::int64_t targets : every_target()) {
    for (const std::size_t count : {0, 1, 3, 8, 15, 16, 17, 33, 100}) {
      for (const std::ptrdiff_t step : {1, 2, 3, 4, 5, 8, -1, -2, -3}) {
        expect_moves<TypeParam>(targets, 1, step, 1, count);
        expect_moves<TypeParam>(targets, 1, 1, step, count);
        expect_moves<TypeParam>(targets, 1, step, 2, count);
      }
      for (const std::ptrdiff_t step : {2, 3, 4, 6, 8, -2, -4, -5}) {
        expect_moves<TypeParam>(targets, 2, step, 2, count);
        expect_moves<TypeParam>(targets, 2, 2, step, count);
      }
    }
  }
}

// Calls check(kernels, active, lanes) for every number of transforms in one and two vectors of each target.
template <class T, class Check>
void for_some_lanes(const Check& check) {
  for (const std::int64_t targets : every_target()) {
    const auto kernels = backend::host::find_combinations<T>(targets);
    for (const std::size_t lanes : {kernels.vector, 2 * kernels.vector}) {
      for (std::size_t active = 1; active <= lanes; ++active) check(kernels, active, lanes);
    }
  }
}

TYPED_TEST(MovedNumbersTest, SomeLanesAreThoseOfTheirTransforms) {
  using T = TypeParam;
  for_some_lanes<T>([](const auto& kernels, std::size_t active, std::size_t lanes) {
    const std::size_t step = 2 * active + 4;
    const SomeLanes some{active, lanes, 3, static_cast<std::ptrdiff_t>(step)};
    // Exactly as long as what is there, for tools that watch over memory.
    const std::vector<T> source = numbers<T>(2 * step + 2 * active);
    std::vector<T> real(some.length * lanes, T{7});
    std::vector<T> imaginary = real;
    kernels.lanes_in(source.data(), some, {real.data(), imaginary.data()});
    std::vector<T> result(source.size(), T{7});
    kernels.lanes_out({real.data(), imaginary.data()}, some, T{2}, result.data());
    for (std::size_t i = 0; i < source.size(); ++i) {
      const std::size_t place = i % step;
      const std::size_t at = i / step * lanes + place / 2;
      if (place >= 2 * active) {
        EXPECT_EQ(result[i], T{7});
      } else {
        EXPECT_EQ((place % 2 == 0 ? real : imaginary)[at], source[i]) << active << " of " << lanes;
        EXPECT_EQ(result[i], 2 * source[i]) << active << " of " << lanes;
      }
    }
    for (std::size_t i = 0; i < real.size(); ++i) EXPECT_TRUE(i % lanes < active || real[i] == T{0});
  });
}

TYPED_TEST(MovedNumbersTest, SomeRealLanesAreThoseOfTheirTransforms) {
  using T = TypeParam;
  for_some_lanes<T>([](const auto& kernels, std::size_t active, std::size_t lanes) {
    const std::size_t step = active + 3;
    const SomeLanes some{active, lanes, 4, static_cast<std::ptrdiff_t>(step)};
    const std::vector<T> source = numbers<T>(3 * step + active);
    std::vector<T> plane(some.length * lanes, T{7});
    kernels.real_lanes_in(source.data(), some, plane.data());
    std::vector<T> result(source.size(), T{7});
    kernels.real_lanes_out(plane.data(), some, T{2}, result.data());
    for (std::size_t i = 0; i < source.size(); ++i) {
      const bool there = i % step < active;
      EXPECT_EQ(result[i], there ? 2 * source[i] : T{7}) << active << " of " << lanes;
      if (!there) continue;
      EXPECT_EQ(plane[i / step * lanes + i % step], source[i]) << active << " of " << lanes;
    }
    for (std::size_t i = 0; i < plane.size(); ++i) EXPECT_TRUE(i % lanes < active || plane[i] == T{0});
  });
}

// Any number of them, none beyond.
TYPED_TEST(MovedNumbersTest, RunsGoBetweenPlanesAndPairs) {
  using T = TypeParam;
  for_some_lanes<T>([](const auto& kernels, std::size_t count, std::size_t) {
    const std::vector<T> source = numbers<T>(2 * count);
    std::vector<T> real(count, T{7});
    std::vector<T> imaginary = real;
    kernels.take_apart(source.data(), count, {real.data(), imaginary.data()});
    std::vector<T> result(2 * count, T{7});
    kernels.put_together({real.data(), imaginary.data()}, count, T{2}, result.data());
    for (std::size_t i = 0; i < 2 * count; ++i) {
      EXPECT_EQ((i % 2 == 0 ? real : imaginary)[i / 2], source[i]) << count;
      EXPECT_EQ(result[i], 2 * source[i]) << count;
    }
  });
}

// What a side of a stage has at element k of line `line`: one scalar or two.
struct Side {
  std::int64_t stride = 2;
  std::int64_t imaginary = 1;
  std::int64_t apart = 0;  // from line to line
  bool real = false;
  [[nodiscard]] std::int64_t place(std::size_t line, std::size_t scalar) const {
    const auto k = static_cast<std::int64_t>(real ? scalar : scalar / 2);
    return static_cast<std::int64_t>(line) * apart + k * stride + (!real && scalar % 2 == 1 ? imaginary : 0);
  }
};

Side side_of(const plan::Storage& storage, std::int64_t stride, std::int64_t apart) {
  return {stride, storage.imaginary_offset, apart, storage.form == plan::Storage::Form::real};
}

// The results of `lines` lines of a stage, in scalars, each `written` scalars in order; `input` has those of each line.
std::vector<float> results(const plan::Stage& stage, std::size_t lines, const std::vector<float>& input,
                           std::size_t read, std::size_t written) {
  const plan::Stage scalars = backend::host::in_scalars(stage);
  const auto loop = [&](std::int64_t plan::Loop::*stride) {
    return scalars.loops.empty() ? 0 : scalars.loops[0].*stride;
  };
  const Side from = side_of(scalars.input_storage, scalars.input_stride, loop(&plan::Loop::input_stride));
  const Side to = side_of(scalars.output_storage, scalars.output_stride, loop(&plan::Loop::output_stride));
  std::vector<float> memory(400000), results(400000, 7.0F), ordered;
  for (std::size_t i = 0; i < lines * read; ++i) memory[from.place(i / read, i % read)] = input[i];
  const WorkerOptions options{.targets = backend::host::simd_targets(),
                              .first_cache = std::size_t{48} << 10,
                              .core_cache = std::size_t{2} << 20};
  backend::host::make_worker(stage, options)
      ->call(reinterpret_cast<const std::byte*>(memory.data()), reinterpret_cast<std::byte*>(results.data()));
  for (std::size_t i = 0; i < lines * written; ++i) {
    float& result = results[to.place(i / written, i % written)];
    ordered.push_back(result);
    result = 7.0F;
  }
  EXPECT_EQ(results, std::vector<float>(results.size(), 7.0F)) << "it stores to other places";
  return ordered;
}

// Relative L2 difference of what lines of adjacent elements give, and what others do, so many numbers apart on either
// side.
double difference(const std::string& problem, std::int64_t read_step, std::int64_t written_step, std::size_t lines) {
  DeviceLimits limits = plan::named_limits("host");
  limits.sub_group_size = backend::host::vector_lanes<float>(backend::host::simd_targets());
  const plan::Program program = program_of(problem, limits);
  EXPECT_EQ(program.stages.size(), 1U) << problem;
  plan::Stage stage = program.stages.front();
  const auto& [transform, direction, placement] = parse_problem(problem);
  const std::size_t n = transform.lengths[0];
  const bool reals = transform.kind == Kind::r2c;
  std::size_t read = reals ? n : 2 * n;
  std::size_t written = reals ? 2 * (n / 2 + 1) : 2 * n;
  if (direction == Direction::inverse) std::swap(read, written);
  std::vector<float> input = numbers<float>(lines * read);
  if (lines > 1) {
    stage.loops = {{lines, static_cast<std::int64_t>(n + 2), static_cast<std::int64_t>(n + 2)}};
  }
  const std::vector<float> expected = results(stage, lines, input, read, written);
  plan::Stage apart = stage;
  const auto spread = [&](plan::Storage& storage, std::int64_t& stride, std::int64_t step) {
    // Pairs of reals, as one complex number, are a step apart as well.
    if (storage.form == plan::Storage::Form::planar) storage.imaginary_offset *= step;
    stride *= step;
  };
  spread(apart.input_storage, apart.input_stride, read_step);
  spread(apart.output_storage, apart.output_stride, written_step);
  for (plan::Loop& loop : apart.loops) {
    loop.input_stride *= read_step;
    loop.output_stride *= written_step;
  }
  const std::vector<float> actual = results(apart, lines, input, read, written);
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::pow(static_cast<double>(actual[i]) - static_cast<double>(expected[i]), 2);
    size += std::pow(static_cast<double>(expected[i]), 2);
  }
  return std::sqrt(error / size);
}

TEST(GatheredLines, GiveTheBitsOfAdjacentOnes) {
  for (const char* problem : {"c2c:f32:1000", "c2c:f32:1000:inverse", "c2c:f32:2048", "c2c:f32:509", "c2c:f32:1021",
                              "r2c:f32:1000", "r2c:f32:1001", "c2r:f32:1000", "c2r:f32:1001", "r2c:f32:2018"}) {
    for (const auto& [read, written] : {std::pair{2, 1}, {1, 2}, {3, 3}, {4, 7}}) {
      EXPECT_EQ(difference(problem, read, written, 1), 0) << problem << ", " << read << " to " << written;
    }
  }
}

// Several at a time, and in the end the rest of them, which another worker may have rounded otherwise.
TEST(GatheredLines, GoInGroups) {
  for (const char* problem : {"c2c:f32:16", "c2c:f32:31", "r2c:f32:30", "c2r:f32:30", "c2c:f32:100"}) {
    for (const std::size_t lines : {5, 128, 211}) {
      EXPECT_LT(difference(problem, 3, 2, lines), 2e-7) << problem << ", " << lines << " lines";
      EXPECT_LT(difference(problem, 2, 3, lines), 2e-7) << problem << ", " << lines << " lines";
    }
  }
}

}  // namespace
}  // namespace twiddle::test
