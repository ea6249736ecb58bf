// What holds for every plan on every device, after F. Ergün, Testing multivariate linear functions, 1995: linearity,
// impulse, shift; and that inputs stay as they were, results are the same every time, threads may share a plan.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"
#include "support/transform_name.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

constexpr double tolerance = 5e-7;  // relative, for results put together from two or three transforms

// Where the element at `index` of an array stands along each axis.
std::vector<std::size_t> position(const Transform& transform, std::size_t index) {
  std::vector<std::size_t> result(transform.lengths.size());
  for (std::size_t axis = transform.lengths.size(); axis-- > 0;) {
    result[axis] = index % transform.lengths[axis];
    index /= transform.lengths[axis];
  }
  return result;
}

std::size_t index_of(const Transform& transform, const std::vector<std::size_t>& at) {
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < at.size(); ++axis) index = index * transform.lengths[axis] + at[axis];
  return index;
}

class Properties : public DeviceTest, public testing::WithParamInterface<Transform> {
 protected:
  [[nodiscard]] Plan make_plan() const { return Plan(device(), GetParam()); }
  [[nodiscard]] static Signal random(std::uint64_t seed = 1) { return random_signal(total_elements(GetParam()), seed); }
  [[nodiscard]] static Signal run(const Plan& plan, const Signal& input, Direction direction = Direction::forward) {
    Signal output(input.size());
    plan.execute(direction, input, output);
    return output;
  }
  [[nodiscard]] static Spectrum exact(const Signal& signal) { return {signal.begin(), signal.end()}; }

  // exp(-2 pi i sum k a / n) over all axes: what moving an array by `offset` multiplies its spectrum by.
  [[nodiscard]] static std::complex<long double> phase(const std::vector<std::size_t>& frequency,
                                                       const std::vector<std::size_t>& offset) {
    long double turns = 0;
    for (std::size_t axis = 0; axis < offset.size(); ++axis) {
      const std::size_t length = GetParam().lengths[axis];
      turns += static_cast<long double>(frequency[axis] * offset[axis] % length) / static_cast<long double>(length);
    }
    return std::polar(1.0L, -2 * std::numbers::pi_v<long double> * turns);
  }

  [[nodiscard]] static std::vector<std::size_t> some_offset() {
    std::vector<std::size_t> offset;
    for (const std::size_t length : GetParam().lengths) offset.push_back((2 * length + 1) / 3 % length);
    return offset;
  }
};

TEST_P(Properties, ImpulseGivesAWave) {
  const Transform& transform = GetParam();
  const std::size_t size = array_elements(transform);
  const Plan plan = make_plan();
  for (const auto& place : {std::vector<std::size_t>(transform.lengths.size(), 0), some_offset()}) {
    Signal input(total_elements(transform));
    Spectrum expected(input.size());
    for (std::size_t array = 0; array < transform.batch; ++array) {
      input[array * size + index_of(transform, place)] = 1;
      for (std::size_t k = 0; k < size; ++k) expected[array * size + k] = phase(position(transform, k), place);
    }
    EXPECT_LT(relative_l2_error(run(plan, input), expected), tolerance);
  }
}

TEST_P(Properties, IsLinear) {
  const Plan plan = make_plan();
  const Signal a = random(1), b = random(2);
  const std::complex<float> p(0.75f, -0.5f), q(-0.25f, 0.625f);
  Signal sum(a.size());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = p * a[i] + q * b[i];
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    Spectrum expected = exact(run(plan, a, direction));
    const Signal other = run(plan, b, direction);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = std::complex<long double>(p) * expected[i] +
                    std::complex<long double>(q) * std::complex<long double>(other[i]);
    }
    EXPECT_LT(relative_l2_error(run(plan, sum, direction), expected), tolerance);
  }
}

TEST_P(Properties, ShiftTurnsPhases) {
  const Transform& transform = GetParam();
  const std::size_t size = array_elements(transform);
  const auto offset = some_offset();
  const Plan plan = make_plan();
  const Signal input = random();
  Signal moved(input.size());
  Spectrum expected = exact(run(plan, input));
  for (std::size_t i = 0; i < input.size(); ++i) {
    auto at = position(transform, i % size);
    expected[i] *= phase(at, offset);
    for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = (at[axis] + offset[axis]) % transform.lengths[axis];
    moved[i / size * size + index_of(transform, at)] = input[i];
  }
  EXPECT_LT(relative_l2_error(run(plan, moved), expected), tolerance);
}

TEST_P(Properties, InverseUndoesForward) {
  const Plan plan = make_plan();
  const Signal input = random();
  EXPECT_LT(relative_l2_error(run(plan, run(plan, input), Direction::inverse), exact(input)), tolerance);
}

TEST_P(Properties, InPlaceAgreesWithOutOfPlaceWhichLeavesItsInputAlone) {
  const Plan plan = make_plan();
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const Signal input = random();
    Signal given = input;
    const Signal output = run(plan, given, direction);
    EXPECT_EQ(given, input);
    plan.execute(direction, given);
    EXPECT_LT(relative_l2_error(given, exact(output)), tolerance);
  }
}

TEST_P(Properties, BuffersOfTheDeviceGiveTheSameBits) {
  const Plan plan = make_plan();
  const Signal input = random();
  const Signal expected = run(plan, input);
  Buffer source = Buffer::of<std::complex<float>>(device(), input.size());
  Buffer result = Buffer::of<std::complex<float>>(device(), input.size());
  source.write(input);
  plan.forward(source, result);
  Signal output(input.size()), kept(input.size());
  result.read(output);
  source.read(kept);
  EXPECT_EQ(output, expected);
  EXPECT_EQ(kept, input);

  Signal in_place = input;
  plan.forward(in_place);
  plan.forward(source);
  source.read(output);
  EXPECT_EQ(output, in_place);
}

TEST_P(Properties, TheSameEveryTimeAlsoFromSeveralThreads) {
  const Plan plan = make_plan();
  const Signal a = random(1), b = random(2);
  const Signal first_a = run(plan, a), first_b = run(plan, b, Direction::inverse);
  constexpr int repetitions = instrumented ? 2 : 10;
  int equal_a = 0, equal_b = 0;
  std::thread one([&] {
    for (int i = 0; i < repetitions; ++i) equal_a += run(plan, a) == first_a;
  });
  std::thread other([&] {
    for (int i = 0; i < repetitions; ++i) equal_b += run(plan, b, Direction::inverse) == first_b;
  });
  one.join();
  other.join();
  EXPECT_EQ(equal_a, repetitions);
  EXPECT_EQ(equal_b, repetitions);
}

INSTANTIATE_TEST_SUITE_P(
    Transforms, Properties,
    testing::ValuesIn(sampled_if_instrumented(
        sampled_on_devices<Transform>({Transform{{1}}, Transform{{2}}, Transform{{13}}, Transform{{60}},
                                       Transform{{1000}}, Transform{{128}, {}, 3}, Transform{{97}},
                                       Transform{{1024}, {}, 5}, Transform{{4096}}, Transform{{16384}},
                                       Transform{{100000}}, Transform{{1 << 18}}, Transform{{3, 5}, {}, 2},
                                       Transform{{15, 28}}, Transform{{64, 64}}, Transform{{100, 143}},
                                       Transform{{7, 1, 9}}, Transform{{12, 10, 6}, {}, 2}, Transform{{3, 4, 5, 6}}},
                                      3),
        3)),
    transform_name);

class Misuse : public DeviceTest {};

TEST_F(Misuse, SpansOfTheWrongSizeAreRefused) {
  const Plan plan(device(), {.lengths = {8}});
  Signal right(8), wrong(7);
  EXPECT_THROW(plan.forward(wrong), InvalidArgument);
  EXPECT_THROW(plan.forward(right, wrong), InvalidArgument);
  EXPECT_THROW(plan.forward(wrong, right), InvalidArgument);
  Buffer short_buffer = Buffer::of<std::complex<float>>(device(), 7);
  Buffer buffer = Buffer::of<std::complex<float>>(device(), 8);
  EXPECT_THROW(plan.forward(short_buffer), InvalidArgument);
  EXPECT_THROW(plan.forward(buffer, short_buffer), InvalidArgument);
}

TEST_F(Misuse, OverlappingSpansAreRefused) {
  const Plan plan(device(), {.lengths = {8}});
  Signal data(12);
  const std::span<std::complex<float>> all(data);
  EXPECT_THROW(plan.forward(all.subspan(0, 8), all.subspan(4, 8)), InvalidArgument);
}

TEST_F(Misuse, MalformedTransformsAreRefused) {
  EXPECT_THROW(Plan(device(), {.lengths = {}}), InvalidArgument);
  EXPECT_THROW(Plan(device(), {.lengths = {4, 0}}), InvalidArgument);
  EXPECT_THROW(Plan(device(), {.lengths = {4}, .batch = 0}), InvalidArgument);
  EXPECT_THROW(Plan(device(), {.lengths = {4}, .axes = {1}}), InvalidArgument);
}

}  // namespace
}  // namespace twiddle::test
