// What transforms and transfers are timed with.
#include "tune/profile_sample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

namespace twiddle::tuning {
namespace {

template <class Real>
void expect_usual_numbers(std::span<const std::byte> data) {
  std::size_t others = 0;
  for (std::size_t i = 0; i < data.size(); i += sizeof(Real)) {
    Real value;
    std::memcpy(&value, data.data() + i, sizeof(Real));
    ASSERT_TRUE(value == 0 || std::isnormal(value)) << value;
    others += value != 0 ? 1 : 0;
  }
  EXPECT_GT(others, 0u);  // else the host had written nothing
}

// Samples of as many bytes read it in either precision, and CPUs take long for numbers that are too small.
TEST(Transfer, LeavesNumbersThatNoTransformTakesLongerFor) {
  SampleMemory memory{Device::host()};
  Transfer(memory, 4096).run();
  expect_usual_numbers<float>(memory.data(4096));
  expect_usual_numbers<double>(memory.data(4096));
}

TEST(Transfer, ComesBackToOtherMemory) {
  SampleMemory memory{Device::host()};
  Transfer(memory, 4096).run();
  const std::span<const std::byte> data = memory.data(4096);
  const std::span<const std::byte> results = memory.results(4096);
  ASSERT_NE(data.data(), results.data());
  EXPECT_EQ(std::memcmp(data.data(), results.data(), data.size()), 0);
}

// Where the host's memory is aligned to its vectors, and on large pages, it is faster than that of programs.
TEST(Sample, OfTheHostIsOfMemoryAsProgramsHaveIt) {
  SampleMemory memory{Device::host()};
  for (const std::size_t batch : {16, 1024, 4}) {
    const Sample sample(Device::host(), {.lengths = {256}, .batch = batch}, memory);
    const std::span<std::byte> data = memory.data(sample.bytes() / 2);
    const std::span<std::byte> results = memory.results(sample.bytes() / 2);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data.data()) % 64, 16u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(results.data()) % 64, 16u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.results(sample.bytes() / 2, true).data()) % 64, 0u);
    data[7] = std::byte{1};  // of the first line's first number, so that all results of that are other ones
    (void)sample.seconds(1);
    const auto others = std::ranges::count_if(results, [](std::byte byte) { return byte != std::byte{0}; });
    EXPECT_GE(others, 256);
    std::ranges::fill(data, std::byte{0});
  }
}

Sample lines(std::size_t batch, SampleMemory& memory) {
  return {Device::host(), {.lengths = {256}, .batch = batch}, memory};
}

TEST(Comparison, IsOfTheShortestTimesBeyondALaunch) {
  SampleMemory memory{Device::host()};
  Comparison more(lines(512, memory), lines(1, memory), 1);
  for (int visit = 0; visit < 2; ++visit) {
    more.run();
    EXPECT_GT(more.slowdown(0).value(), 4);
  }
  EXPECT_EQ(more.slowdown(1), std::nullopt);  // nothing here takes a second
}

TEST(Comparison, IsNotedWhereItIsFaster) {
  SampleMemory memory{Device::host()};
  Comparison fewer(lines(1, memory), lines(512, memory), 1);
  fewer.run();
  EXPECT_LT(fewer.slowdown(0).value(), 0.5);
  EXPECT_GE(fewer.slowdown(0).value(), 0.1);
}

}  // namespace
}  // namespace twiddle::tuning
