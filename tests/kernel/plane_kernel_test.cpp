// Kernels of planes in one launch, compiled as C++ and run with a thread for each work-item: no device is needed.
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "kernel/kernel_memory.hpp"
#include "kernel/kernel_source.hpp"
#include "kernel/plane_programs.hpp"
#include "support/stage_interpreter.hpp"
#include "support/work_items.hpp"
#include "twiddle/error.hpp"

namespace twiddle {
namespace {

using test::Complex;
thread_local test::WorkItem<test::WorkGroup> here;

#include "plane_kernels.inc"

template <class Real>
using Kernel = void (*)(const Complex<Real>*, Complex<Real>*, const Complex<Real>*, unsigned);

template <class Real>
void launch(Kernel<Real> kernel, const kernel::KernelSource& source, const Complex<Real>* input,
            Complex<Real>* output) {
  const std::vector<Complex<Real>> constants = test::tables<Real>(source);
  test::run_groups(source, [&](const auto& item) {
    here = item;
    kernel(input, output, constants.data(), static_cast<unsigned>(source.transforms));
  });
}

constexpr std::size_t scalars = 2048;

template <class Real>
void check(std::size_t number, Kernel<Real> kernel) {
  const test::PlaneProgram& asked = test::plane_programs()[number];
  SCOPED_TRACE(asked.text);
  const plan::Program program = test::lowered(asked);
  EXPECT_EQ(program.scratch_bytes, 0u);
  const kernel::KernelSource source = kernel::plane_kernel(program, kernel::Dialect::cuda);
  const Placement placement = parse_problem(asked.text).placement;
  test::KernelMemory<Real, scalars> memory;
  const auto run = [&](const Complex<Real>* input, Complex<Real>* output) {
    launch<Real>(kernel, source, input, output);
  };
  memory.expect_program(program, placement, run, std::is_same_v<Real, float> ? 2e-5L : 3e-14L);
}

TEST(PlaneKernel, TransformsPlanes) { check<float>(0, kernel_0::stage); }
TEST(PlaneKernel, TransformsRealsInPlace) { check<double>(1, kernel_1::stage); }
TEST(PlaneKernel, TransformsRealsWithPartsApart) { check<float>(2, kernel_2::stage); }
TEST(PlaneKernel, TransformsSpectraBackToReals) { check<float>(3, kernel_3::stage); }
TEST(PlaneKernel, TransformsPlanesThatLieApart) { check<double>(4, kernel_4::stage); }
TEST(PlaneKernel, TransformsPlanesThatLieBackwards) { check<float>(5, kernel_5::stage); }

// OpenCL's pointers say which memory they point to.
TEST(PlaneKernel, NamesLocalMemoryInOpenCl) {
  const plan::Program program = test::lowered(test::plane_programs()[0]);
  const std::string opencl = kernel::plane_kernel(program, kernel::Dialect::opencl).text;
  EXPECT_NE(opencl.find("#define TW_IN_LOCAL __local\n"), std::string::npos);
  const std::string cuda = kernel::plane_kernel(program, kernel::Dialect::cuda).text;
  EXPECT_NE(cuda.find("#define TW_IN_LOCAL\n"), std::string::npos);
}

}  // namespace
}  // namespace twiddle
