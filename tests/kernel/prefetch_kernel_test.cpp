// Kernels that fetch lines or tiles ahead, compiled as C++ and run with a thread for each work-item: no device is
// needed. A line is there once it has been waited for, and its place is spoilt as soon as the next is sent for.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <type_traits>
#include <vector>

#include "kernel/kernel_source.hpp"
#include "kernel/prefetch_stages.hpp"
#include "support/stage_interpreter.hpp"
#include "support/work_items.hpp"

namespace twiddle {
namespace {

using test::Complex;

// One group that runs, and the line on its way to it.
struct Group : test::WorkGroup {
  using WorkGroup::WorkGroup;
  std::mutex mutex;
  unsigned long long* arrival = nullptr;
  unsigned sent = 0;
  unsigned arrived = 0;
  void* place = nullptr;
  std::vector<std::byte> line;
};
constexpr unsigned long long untouched = 0x5bd1e995;
thread_local test::WorkItem<Group> here;

#define TW_ARRIVAL unsigned long long

template <class Element>
unsigned before_line(const Element* source) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(source) % 16 / sizeof(Element));
}

void prepare_arrival(TW_ARRIVAL* arrival) {
  *arrival = untouched;
  here.group->arrival = arrival;
}

template <class Element>
void fetch_line(Element* memory, TW_ARRIVAL* arrival, const Element* source, unsigned length) {
  Group& group = *here.group;
  const std::scoped_lock lock(group.mutex);
  ASSERT_EQ(arrival, group.arrival);
  ASSERT_EQ(group.sent++, group.arrived) << "the line before was not waited for";
  const auto scalar = std::numeric_limits<decltype(source->x)>::quiet_NaN();
  std::fill_n(memory, before_line(source) + length, Element{scalar, scalar});
  group.place = memory + before_line(source);
  group.line.resize(length * sizeof(Element));
  std::memcpy(group.line.data(), source, group.line.size());
}

void await_line(TW_ARRIVAL* arrival, unsigned turn) {
  Group& group = *here.group;
  const std::scoped_lock lock(group.mutex);
  ASSERT_EQ(arrival, group.arrival);
  ASSERT_EQ(group.sent, turn + 1);
  if (group.arrived == group.sent) return;
  std::memcpy(group.place, group.line.data(), group.line.size());
  group.arrived = group.sent;
}

// Elements of a tile that the thread has sent for: until it has waited their places are spoilt.
struct Sent {
  void* place = nullptr;
  Complex<double> bytes{};
  std::size_t count = 0;
};
thread_local std::vector<Sent> on_their_way;

template <class Element>
void fetch(Element* place, const Element* source, std::size_t bytes) {
  Sent& sent = on_their_way.emplace_back(Sent{place, {}, bytes});
  std::memcpy(&sent.bytes, source, bytes);
  const auto scalar = std::numeric_limits<decltype(source->x)>::quiet_NaN();
  std::fill_n(place, bytes / sizeof(Element), Element{scalar, scalar});
}

template <class Element>
void fetch_16_bytes(Element* place, const Element* source, bool whole) {
  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(place) % 16, 0U);
  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(source) % 16 == 0, whole);
  fetch(place, source, 16);
}

void await_elements() {
  for (const Sent& sent : on_their_way) std::memcpy(sent.place, &sent.bytes, sent.count);
  on_their_way.clear();
}

#include "prefetch_kernels.inc"

template <class Real>
using Kernel = void (*)(const Complex<Real>*, Complex<Real>*, const Complex<Real>*, unsigned);

template <class Real>
void launch(Kernel<Real> kernel, const kernel::KernelSource& source, const Complex<Real>* input, Complex<Real>* output,
            bool of_tiles) {
  const std::vector<Complex<Real>> constants = test::tables<Real>(source);
  for (unsigned number = 0; number < source.groups; ++number) {
    Group group(source.group_size, source.local_memory);
    test::run_group(group, number, source, [&](const test::WorkItem<Group>& item) {
      here = item;
      kernel(input, output, constants.data(), static_cast<unsigned>(source.transforms));
      EXPECT_TRUE(on_their_way.empty());
    });
    EXPECT_EQ(group.arrived, group.sent);
    if (of_tiles) continue;
    ASSERT_NE(group.arrival, nullptr);
    EXPECT_EQ(*group.arrival, untouched);
    EXPECT_EQ(reinterpret_cast<std::byte*>(group.arrival + 1) - reinterpret_cast<std::byte*>(group.memory.data()),
              static_cast<std::ptrdiff_t>(source.local_memory));
  }
}

constexpr std::size_t scalars = 34000;

// Memory of as many numbers, of which the first lies `distance` complex numbers behind a multiple of 16 bytes.
template <class Real>
struct Numbers {
  explicit Numbers(std::size_t distance) : room(scalars * sizeof(Real) / 16 + 1), first(distance) {}
  [[nodiscard]] Complex<Real>* data() { return reinterpret_cast<Complex<Real>*>(room.data()) + first; }
  [[nodiscard]] Real* parts() { return reinterpret_cast<Real*>(data()); }
  std::vector<Complex<double>> room;
  std::size_t first;
};

template <class Real>
void check(std::size_t number, Kernel<Real> kernel, bool in_place, std::size_t distance) {
  const plan::Stage stage = test::prefetch_stages()[number];
  SCOPED_TRACE(to_string(stage));
  const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
  const std::uint64_t turns = source.transforms / stage.shape.transforms_per_group;
  ASSERT_EQ(source.groups, std::min<std::uint64_t>(stage.shape.groups, turns));
  Numbers<Real> input(distance);
  Numbers<Real> output(distance);
  test::ScalarMemory before(scalars);
  for (std::size_t i = 0; i < scalars; ++i) {
    before.values[i] = static_cast<long double>(i * 7919 % 1009) / 1009 - 0.5L;
    input.parts()[i] = static_cast<Real>(before.values[i]);
    before.values[i] = input.parts()[i];
    before.written[i] = true;
    output.parts()[i] = 77;
  }
  test::ScalarMemory after(scalars);
  interpret(stage, before, in_place ? before : after);
  launch<Real>(kernel, source, input.data(), in_place ? input.data() : output.data(),
               stage.shape.transforms_per_group > 1);
  const test::ScalarMemory& expected = in_place ? before : after;
  const long double bound = std::is_same_v<Real, float> ? 3e-5L : 1e-13L;
  for (std::size_t i = 0; i < scalars; ++i) {
    const long double value = in_place ? input.parts()[i] : output.parts()[i];
    const long double right = expected.written[i] ? expected.values[i] : 77;
    ASSERT_LE(std::abs(value - right), bound) << i;
  }
}

TEST(PrefetchKernel, TransformsLinesInPlace) { check<float>(0, kernel_0::stage, true, 0); }
TEST(PrefetchKernel, TransformsLinesThatBeginBetweenMultiplesOf16Bytes) { check<float>(0, kernel_0::stage, true, 1); }
TEST(PrefetchKernel, TransformsLinesOfOddLengthBack) {
  for (const std::size_t distance : {0u, 1u}) check<float>(1, kernel_1::stage, false, distance);
}
TEST(PrefetchKernel, TransformsDoublesInPlace) { check<double>(2, kernel_2::stage, true, 0); }
TEST(PrefetchKernel, TransformsRealLinesInPlace) { check<float>(3, kernel_3::stage, true, 0); }
TEST(PrefetchKernel, TransformsManyLinesApart) { check<float>(4, kernel_4::stage, false, 0); }
TEST(PrefetchKernel, TransformsTilesThatBeginAnywhere) {
  for (const std::size_t distance : {0u, 1u}) check<float>(5, kernel_5::stage, true, distance);
}
TEST(PrefetchKernel, TransformsTilesOfDoublesWithIdleItems) { check<double>(6, kernel_6::stage, false, 0); }
TEST(PrefetchKernel, TransformsTilesOfLongLinesWithTheirTwiddle) {
  check<float>(7, kernel_7::stage, false, 0);
  check<float>(8, kernel_8::stage, false, 1);
}

}  // namespace
}  // namespace twiddle
