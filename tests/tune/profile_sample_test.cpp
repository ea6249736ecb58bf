// What transforms and transfers are timed with.
#include "tune/profile_sample.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

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

}  // namespace
}  // namespace twiddle::tuning
