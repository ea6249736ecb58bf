// Kernels that go back by the passes that they went there by, compiled as C++ and run with a thread for each work-item:
// no device is needed.
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "kernel/kernel_memory.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/way_back_stages.hpp"
#include "support/stage_interpreter.hpp"
#include "support/work_items.hpp"

namespace twiddle {
namespace {

using test::Complex;
thread_local test::WorkItem<test::WorkGroup> here;

#include "way_back_kernels.inc"

constexpr std::size_t scalars = 1024;

// Rader's algorithm reads a table of indices besides.
template <class Input, class Output, class Real, class... Indices>
void launch(void (*kernel)(const Input*, Output*, const Complex<Real>*, unsigned, Indices...),
            const kernel::KernelSource& source, const void* input, void* output) {
  const std::vector<Complex<Real>> constants = test::tables<Real>(source);
  const auto count = static_cast<unsigned>(source.transforms);
  const auto* const from = static_cast<const Input*>(input);
  auto* const to = static_cast<Output*>(output);
  test::run_groups(source, [&](const auto& item) {
    here = item;
    if constexpr (sizeof...(Indices) == 0) {
      kernel(from, to, constants.data(), count);
    } else {
      kernel(from, to, constants.data(), count, source.indices.data());
    }
  });
}

template <class Real, class Kernel>
void check(std::size_t number, Kernel kernel) {
  const plan::Stage stage = test::way_back_stages()[number];
  SCOPED_TRACE(to_string(stage));
  ASSERT_TRUE(plan::may_go_back_alike(stage, stage.shape));
  const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
  test::KernelMemory<Real, scalars> memory;
  test::ScalarMemory after(scalars);
  interpret(stage, memory.before, after);
  launch(kernel, source, memory.input.data(), memory.output.data());
  memory.expect_written(memory.output, after, std::is_same_v<Real, float> ? 2e-5L : 3e-14L);
}

TEST(WayBackKernel, DoesRadersAlgorithm) { check<float>(0, kernel_0::stage); }
TEST(WayBackKernel, DoesRadersAlgorithmWithPartsApart) { check<double>(1, kernel_1::stage); }
TEST(WayBackKernel, StoresResultsAsOneRun) { check<float>(2, kernel_2::stage); }
TEST(WayBackKernel, TransformsPairsOfReals) { check<float>(3, kernel_3::stage); }
TEST(WayBackKernel, TransformsSpectraBackToReals) { check<float>(4, kernel_4::stage); }
TEST(WayBackKernel, TransformsColumns) { check<float>(5, kernel_5::stage); }
TEST(WayBackKernel, DoesBluesteinsAlgorithm) { check<float>(6, kernel_6::stage); }
TEST(WayBackKernel, DoesBluesteinsAlgorithmWithIdleItems) { check<double>(7, kernel_7::stage); }
TEST(WayBackKernel, DoesBluesteinsAlgorithmOfReals) { check<float>(8, kernel_8::stage); }
TEST(WayBackKernel, LeavesOutSlotsWithinAFirstRadix) { check<float>(9, kernel_9::stage); }

}  // namespace
}  // namespace twiddle
