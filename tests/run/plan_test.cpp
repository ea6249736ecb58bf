// Plans on a device: threads, profiles, descriptions, and what messages say about misuse (properties_test.cpp holds the
// mathematics).
#include "twiddle/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "run/recording_engine.hpp"
#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"

namespace twiddle::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <typename Failure, typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Failure& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class PlanTest : public DeviceTest {
 protected:
  [[nodiscard]] Buffer buffer_of(const Signal& signal) const {
    Buffer buffer = Buffer::of<std::complex<float>>(device(), signal.size());
    buffer.write(signal);
    return buffer;
  }

  [[nodiscard]] static Signal contents(const Buffer& buffer) {
    Signal signal(buffer.size_bytes() / sizeof(std::complex<float>));
    buffer.read(signal);
    return signal;
  }
};

// Transforms with and without scratch memory, each thread with a buffer that never leaves the device between
// executions.
TEST_F(PlanTest, ManyThreadsExecuteItOnTheirOwnBuffers) {
  constexpr std::size_t thread_count = 4;
  for (const Transform& transform : {Transform{.lengths = {360}, .batch = 3}, Transform{.lengths = {1 << 16}}}) {
    const Plan plan(device(), transform);
    const auto work = [&](std::size_t i, Buffer& data) {
      const Direction first = i % 2 == 0 ? Direction::forward : Direction::inverse;
      const Direction second = i % 2 == 0 ? Direction::inverse : Direction::forward;
      for (int round = 0; round < (instrumented ? 1 : 5); ++round) {
        plan.execute(first, data);
        plan.execute(second, data);
      }
      plan.execute(first, data);
    };
    std::vector<Buffer> alone;
    std::vector<Buffer> together;
    for (std::size_t i = 0; i < thread_count; ++i) {
      const Signal signal = random_signal(total_elements(transform), i);
      alone.push_back(buffer_of(signal));
      together.push_back(buffer_of(signal));
      work(i, alone.back());
    }
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < thread_count; ++i) threads.emplace_back(work, i, std::ref(together[i]));
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < thread_count; ++i) {
      EXPECT_EQ(contents(together[i]), contents(alone[i])) << "thread " << i << ", " << to_string(transform);
    }
  }
}

TEST_F(PlanTest, FirstExecutionsMayCoincide) {
  const Plan plan(device(), {.lengths = {240}});
  const Signal signal = random_signal(240);
  std::vector<Signal> results(4, signal);
  std::vector<std::thread> threads;
  for (Signal& result : results) threads.emplace_back([&] { plan.inverse(result); });
  for (std::thread& thread : threads) thread.join();
  const auto expected = reference_transform(plan.transform(), Direction::inverse, signal);
  for (const Signal& result : results) EXPECT_LT(relative_l2_error(result, expected), 1e-6);
}

TEST_F(PlanTest, ProfilesEveryStep) {
  const Plan plan(device(), {.lengths = {64, 1000}});
  Buffer data = buffer_of(random_signal(64000));
  Profile profile;
  plan.execute(Direction::forward, data, &profile);
  EXPECT_GE(profile.size(), 2U);
  for (const ProfileEntry& entry : profile) {
    EXPECT_THAT(entry.step, HasSubstr("axis"));
    EXPECT_GT(entry.milliseconds, 0.0) << entry.step;
    EXPECT_LT(entry.milliseconds, 60000.0) << entry.step;
  }
  const std::size_t steps = profile.size();
  plan.execute(Direction::forward, data, &profile);
  EXPECT_EQ(profile.size(), 2 * steps);  // appended
}

TEST_F(PlanTest, DescribesItself) {
  const Plan plan(device(), {.lengths = {64, 1000}, .batch = 2});
  EXPECT_THAT(plan.describe(),
              AllOf(HasSubstr(to_string(plan.transform())), HasSubstr(device().info().name), HasSubstr("axis 1: 1000"),
                    HasSubstr("axis 0: 64"), HasSubstr("in place"), HasSubstr("scratch")));
}

TEST_F(PlanTest, SaysWhichSizesDoNotMatch) {
  const Plan plan(device(), {.lengths = {64}});
  Buffer right = Buffer::of<std::complex<float>>(device(), 64);
  Buffer wrong = Buffer::of<std::complex<float>>(device(), 63);
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.forward(wrong); }),
              HasSubstr("data buffer holds 504 bytes; expected 512"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.forward(right, wrong); }), HasSubstr("output buffer holds 504"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.forward(wrong, right); }), HasSubstr("input buffer holds 504"));
  Signal signal(65);
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.forward(signal); }), HasSubstr("holds 520 bytes; expected 512"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { right.write(signal); }), HasSubstr("holds 520 bytes; expected 512"));
  EXPECT_THROW(right.read(signal), InvalidArgument);
}

TEST_F(PlanTest, SaysHowFarOverlappingSpansAreApart) {
  const Plan plan(device(), {.lengths = {64}});
  Signal signal(100);
  const std::span<std::complex<float>> all(signal);
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.forward(all.first(64), all.last(64)); }),
              AllOf(HasSubstr("288 bytes apart"), HasSubstr("at least 512")));
}

TEST_F(PlanTest, SaysWhoseBufferItWasGiven) {
  const Device other(std::make_shared<RecordingEngine>(DeviceLimits{}));
  const Plan plan(device(), {.lengths = {64}});
  Buffer foreign = Buffer::of<std::complex<float>>(other, 64);
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.forward(foreign); }),
              AllOf(HasSubstr("recorder"), HasSubstr(device().info().name)));
}

TEST_F(PlanTest, LayoutsThatOnlyOneDirectionAllowsServeThatOne) {
  const Transform broadcast{.lengths = {12}, .batch = 3, .output = {.batch_stride = 0}};
  const Plan plan(device(), broadcast);  // the inverse reads one spectrum three times
  const Signal spectrum = random_signal(12);
  Signal lines(36);
  plan.inverse(spectrum, lines);
  for (std::size_t i = 12; i < lines.size(); ++i) EXPECT_EQ(lines[i], lines[i - 12]);
  EXPECT_THAT(message_of<InvalidArgument>([&] { plan.forward(lines, Signal(12)); }), HasSubstr("must not overlap"));
}

TEST_F(PlanTest, MemoryThatIsNotThereIsADeviceError) {
  EXPECT_THROW(Buffer(device(), 0), InvalidArgument);
  EXPECT_THROW(Buffer(device(), ~std::size_t{0}), InvalidArgument);
  const std::size_t too_many = std::size_t{1} << 56;
  EXPECT_THAT(message_of<DeviceError>([&] { Buffer(device(), too_many); }), HasSubstr(std::to_string(too_many)));
}

TEST_F(PlanTest, PlansAndBuffersMove) {
  Plan plan(device(), {.lengths = {64}});
  const Plan moved = std::move(plan);
  const Signal signal = random_signal(64);
  Buffer first = buffer_of(signal);
  Buffer second = Buffer::of<std::complex<float>>(device(), 8);
  second = std::move(first);
  ASSERT_EQ(second.size_bytes(), 64 * sizeof(std::complex<float>));
  EXPECT_EQ(contents(second), signal);
  moved.forward(second);
  const auto expected = reference_transform(moved.transform(), Direction::forward, signal);
  EXPECT_LT(relative_l2_error(contents(second), expected), 1e-6);
}

}  // namespace
}  // namespace twiddle::test
