// Executing a plan that has run before allocates nothing: of a short transform, that would be most of its time.
#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <cstdlib>
#include <new>
#include <vector>

#include "twiddle/twiddle.hpp"

namespace {
std::atomic<std::size_t> allocations = 0;
}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace twiddle::test {
namespace {

std::size_t allocations_of(const Transform& transform) {
  const Plan plan(Device::host(), transform);
  const std::size_t count = total_elements(transform);
  std::vector<std::complex<float>> input(count);
  std::vector<std::complex<float>> output(count);
  const auto execute = [&] {
    plan.forward(input, output);
    plan.forward(output);
  };
  execute();
  const std::size_t before = allocations;
  execute();
  return allocations - before;
}

TEST(AllocationTest, ExecutionsAllocateNothing) {
  EXPECT_GT(allocations.load(), 0U);  // they are seen
  EXPECT_EQ(allocations_of({.lengths = {8}}), 0U);
  EXPECT_EQ(allocations_of({.lengths = {1000}}), 0U);
  EXPECT_EQ(allocations_of({.lengths = {97}}), 0U);
  EXPECT_EQ(allocations_of({.lengths = {1009}}), 0U);
  EXPECT_EQ(allocations_of({.lengths = {60, 64}}), 0U);
  EXPECT_EQ(allocations_of({.lengths = {12}, .batch = 100}), 0U);
}

}  // namespace
}  // namespace twiddle::test
