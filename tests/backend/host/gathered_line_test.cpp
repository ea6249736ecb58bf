// Lines whose elements lie apart: numbers moved between steps, some lanes of a vector, and whole lines, which give the
// bits that adjacent ones give.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "backend/host/combination.hpp"
#include "backend/host/line_difference.hpp"
#include "backend/host/settings.hpp"

namespace twiddle::test {
namespace {

using backend::host::SomeLanes;

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

TEST(GatheredLines, GiveTheBitsOfAdjacentOnes) {
  for (const char* problem : {"c2c:f32:1000", "c2c:f32:1000:inverse", "c2c:f32:2048", "c2c:f32:509", "c2c:f32:1021",
                              "r2c:f32:1000", "r2c:f32:1001", "c2r:f32:1000", "c2r:f32:1001", "r2c:f32:2018"}) {
    for (const auto& [read, written] : {std::pair{2, 1}, {1, 2}, {3, 3}, {4, 7}}) {
      EXPECT_EQ(line_difference<float>({problem, {read}, {written}}), 0)
          << problem << ", " << read << " to " << written;
    }
  }
}

// Several at a time, and in the end the rest of them, which another worker may have rounded otherwise.
TEST(GatheredLines, GoInGroups) {
  for (const char* problem : {"c2c:f32:16", "c2c:f32:31", "r2c:f32:30", "c2r:f32:30", "c2c:f32:100"}) {
    for (const std::size_t lines : {5, 128, 211}) {
      EXPECT_LT(line_difference<float>({problem, {3}, {2}, lines}), 2e-7) << problem << ", " << lines << " lines";
      EXPECT_LT(line_difference<float>({problem, {2}, {3}, lines}), 2e-7) << problem << ", " << lines << " lines";
    }
  }
}

}  // namespace
}  // namespace twiddle::test
