// Kernels of two stages in one launch, compiled as C++ and run with a thread for each work-item of all groups: no
// device is needed. A place in the ring is spoilt by whoever is not waited for.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "kernel/joined_programs.hpp"
#include "kernel/kernel_memory.hpp"
#include "kernel/kernel_source.hpp"
#include "support/stage_interpreter.hpp"
#include "support/work_items.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using test::Complex;
using Group = test::WorkGroup;
thread_local test::WorkItem<Group> here;

#define TW_LOAD_ONCE(place) (*(place))
#define TW_LOAD_SHARED(place) (*(place))
#define TW_STORE_ONCE(place, value) (*(place) = (value))

unsigned draw_ticket(unsigned* counters) { return std::atomic_ref(*counters).fetch_add(1); }
unsigned look_up(const unsigned* counter) {
  const unsigned count = std::atomic_ref(*const_cast<unsigned*>(counter)).load();
  std::this_thread::yield();
  return count;
}
void announce(unsigned* counter) { std::atomic_ref(*counter).fetch_add(1); }

#include "joined_kernels.inc"

template <class Real>
using Kernel = void (*)(const Complex<Real>*, Complex<Real>*, const Complex<Real>*, unsigned, Complex<Real>*);

template <class Real>
void launch(Kernel<Real> kernel, const kernel::KernelSource& source, const Complex<Real>* input,
            Complex<Real>* output) {
  const std::vector<Complex<Real>> constants = test::tables<Real>(source);
  const std::size_t ring = source.ring_bytes / sizeof(Complex<Real>);
  std::vector<Complex<Real>> scratch(ring + source.counter_bytes / sizeof(Complex<Real>) + 1, Complex<Real>{NAN, NAN});
  std::memset(static_cast<void*>(scratch.data() + ring), 0, source.counter_bytes);
  std::vector<std::unique_ptr<Group>> groups;
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < source.groups; ++number) {
    groups.push_back(std::make_unique<Group>(source.group_size, source.local_memory));
    for (unsigned item = 0; item < source.group_size; ++item) {
      threads.emplace_back([&, group = groups.back().get(), number, item] {
        here = {group, number, static_cast<unsigned>(source.groups), item};
        kernel(input, output, constants.data(), static_cast<unsigned>(source.transforms), scratch.data());
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
}

template <class Real>
void check(std::size_t number, Kernel<Real> kernel, Placement placement) {
  const plan::Program program = test::joined_programs()[number];
  const kernel::KernelSource source = joined_kernel(program, kernel::Dialect::cuda);
  constexpr std::size_t scalars = 8192;
  static_assert(scalars >= 13 * 256 * 2);
  test::KernelMemory<Real, scalars> memory;
  const auto run = [&](const Complex<Real>* input, Complex<Real>* output) {
    launch<Real>(kernel, source, input, output);
  };
  memory.expect_program(program, placement, run, std::is_same_v<Real, float> ? 1e-5L : 1e-14L);
}

constexpr auto in_place = Placement::in_place;
constexpr auto out_of_place = Placement::out_of_place;

TEST(JoinedKernel, TransformsLinesByWayOfARing) {
  for (const Placement placement : {out_of_place, in_place}) check<float>(0, kernel_0::stage, placement);
}
TEST(JoinedKernel, TransformsDoublesBackByTheShortestRing) { check<double>(1, kernel_1::stage, in_place); }
TEST(JoinedKernel, HasMoreGroupsOfRowsThanOfColumnsAndReadsBackwards) {
  check<float>(2, kernel_2::stage, out_of_place);
}
TEST(JoinedKernel, TransformsLinesOfReals) {
  check<float>(3, kernel_3::stage, in_place);
  check<double>(4, kernel_4::stage, out_of_place);
}
TEST(JoinedKernel, TransformsSpectraOfLinesBackToReals) {
  check<float>(5, kernel_5::stage, in_place);
  check<double>(6, kernel_6::stage, out_of_place);
}
TEST(JoinedKernel, TransformsImages) { check<float>(7, kernel_7::stage, out_of_place); }
TEST(JoinedKernel, TransformsImagesBackInPlace) { check<float>(8, kernel_8::stage, in_place); }
TEST(JoinedKernel, TransformsImagesOfReals) { check<double>(9, kernel_9::stage, in_place); }
TEST(JoinedKernel, TransformsSpectraOfImagesBackToReals) { check<float>(10, kernel_10::stage, in_place); }
TEST(JoinedKernel, TransformsImagesThatLieApartAndBackwards) { check<float>(11, kernel_11::stage, out_of_place); }

// Of lines less than all is in scratch memory, of images nothing.
TEST(JoinedKernel, KeepsWhatPassesBetweenTheStagesSmall) {
  const auto programs = test::joined_programs();
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const kernel::KernelSource source = joined_kernel(programs[i], kernel::Dialect::cuda);
    const std::size_t all = programs[i].joined->lines * programs[i].joined->line_elements * 2 * sizeof(float);
    if (programs[i].joined->ring != 0) {
      EXPECT_LT(source.ring_bytes, programs[i].stages[0].precision == Precision::float64 ? 2 * all : all);
    } else {
      EXPECT_EQ(source.ring_bytes, 0u);
      EXPECT_EQ(source.counter_bytes, programs[i].scratch_bytes);
    }
  }
}

TEST(JoinedKernel, IsOfCudaAlone) {
  const plan::Program program = test::joined_programs()[0];
  EXPECT_THROW(static_cast<void>(joined_kernel(program, kernel::Dialect::opencl)), Unsupported);
}

}  // namespace
}  // namespace twiddle
