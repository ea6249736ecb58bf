// The CUDA kernels of image convolution compile with NVIDIA's run-time compiler, without warnings or spills. No GPU is
// needed.
#include <gtest/gtest.h>
#include <nvrtc.h>

#include <string>

#include "kernel/image_kernel.hpp"

namespace twiddle {
namespace {

using Part = plan::ImagePass::Part;
using Sums = plan::ImagePass::Sums;
using Variant = ImageConvolution::Variant;

// The compiler's log, with what it says of registers.
std::string compile(const kernel::KernelSource& source) {
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.text.c_str(), "kernel.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS)
    return "error";
  const char* const options[] = {"--gpu-architecture=sm_90", "--std=c++17", "--diag-suppress=177",
                                 "--ptxas-options=-v"};
  const nvrtcResult result = nvrtcCompileProgram(program, 4, options);
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, ' ');
  nvrtcGetProgramLog(program, log.data());
  nvrtcDestroyProgram(&program);
  return (result == NVRTC_SUCCESS ? "" : "error: ") + log;
}

TEST(ImageKernelThroughNvrtc, Compiles) {
  const ImageKernel kernel = parse_image_kernel("gaussian");
  const auto check = [&](Part part, Variant variant, Boundary boundary, Sums sums, unsigned bits) {
    plan::ImagePass pass{
        .format = {100, 200, 4, bits}, .boundary = boundary, .variant = variant, .part = part, .sums = sums};
    pass.dependent_launch = true;
    pass.window = {part == Part::rows ? 1U : 3U, part == Part::columns ? 1U : 3U, {}};
    const auto weights = static_cast<std::ptrdiff_t>(pass.window.height * pass.window.width);
    pass.window.weights.assign(kernel.weights.begin(), kernel.weights.begin() + weights);
    const std::string log = compile(kernel::image_kernel(pass, kernel::Dialect::cuda));
    EXPECT_EQ(log.find("error"), std::string::npos) << log;
    EXPECT_EQ(log.find("warning"), std::string::npos) << log;
    EXPECT_NE(log.find(" 0 bytes spill stores"), std::string::npos) << log;
  };
  check(Part::whole, Variant::reference, Boundary::zero, Sums::integers, 8);
  check(Part::whole, Variant::addressed, Boundary::periodic, Sums::wide_integers, 16);
  check(Part::whole, Variant::vectors, Boundary::nearest, Sums::doubles, 16);
  check(Part::whole, Variant::blocked, Boundary::reflect, Sums::integers, 8);
  check(Part::columns, Variant::separable, Boundary::reflect, Sums::floats, 8);
  check(Part::rows, Variant::separable, Boundary::reflect, Sums::floats, 8);
}

}  // namespace
}  // namespace twiddle
