// Kernels that sum the results of a row, compiled as C++ and run with a thread for each work-item: no device is needed.
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "kernel/kernel_memory.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/summed_stages.hpp"
#include "support/stage_interpreter.hpp"
#include "support/work_items.hpp"

namespace twiddle {
namespace {

using test::Complex;
thread_local test::WorkItem<test::WorkGroup> here;

#include "summed_kernels.inc"

constexpr std::size_t scalars = 256;

template <class Input, class Output, class Real>
void launch(void (*kernel)(const Input*, Output*, const Complex<Real>*, unsigned), const kernel::KernelSource& source,
            const void* input, void* output) {
  const std::vector<Complex<Real>> constants = test::tables<Real>(source);
  test::run_groups(source, [&](const auto& item) {
    here = item;
    kernel(static_cast<const Input*>(input), static_cast<Output*>(output), constants.data(),
           static_cast<unsigned>(source.transforms));
  });
}

template <class Real, class Kernel>
void check(std::size_t number, Kernel kernel) {
  const plan::Stage stage = test::summed_stages()[number];
  SCOPED_TRACE(to_string(stage));
  ASSERT_TRUE(plan::is_summed(stage, stage.shape));
  const kernel::KernelSource source = kernel::stage_kernel(stage, kernel::Dialect::cuda);
  EXPECT_EQ(source.group_size, stage.length);
  test::KernelMemory<Real, scalars> memory;
  const bool in_place = stage.source == stage.destination;
  test::ScalarMemory after = in_place ? memory.before : test::ScalarMemory(scalars);
  interpret(stage, memory.before, after);
  launch(kernel, source, memory.input.data(), in_place ? memory.input.data() : memory.output.data());
  memory.expect_written(in_place ? memory.input : memory.output, after, std::is_same_v<Real, float> ? 2e-6L : 3e-15L);
}

TEST(SummedKernel, TransformsRowsInPlace) { check<float>(0, kernel_0::stage); }
TEST(SummedKernel, TransformsDoublesBackAndScalesThem) { check<double>(1, kernel_1::stage); }
TEST(SummedKernel, LeavesElementsOut) { check<float>(2, kernel_2::stage); }
TEST(SummedKernel, MakesTheSpectrumOfReals) { check<float>(3, kernel_3::stage); }
TEST(SummedKernel, MakesTheSpectraOfPairsOfReals) { check<double>(4, kernel_4::stage); }
TEST(SummedKernel, MakesRealsOfASpectrum) { check<float>(5, kernel_5::stage); }
TEST(SummedKernel, MakesPairsOfRealsOfSpectra) { check<float>(6, kernel_6::stage); }
TEST(SummedKernel, MapsRealsToCosines) { check<float>(7, kernel_7::stage); }
TEST(SummedKernel, MapsCosinesToReals) { check<double>(8, kernel_8::stage); }
TEST(SummedKernel, MapsOddLinesToCosines) { check<float>(9, kernel_9::stage); }
TEST(SummedKernel, MapsRealsToHartleysSums) { check<float>(10, kernel_10::stage); }

}  // namespace
}  // namespace twiddle
