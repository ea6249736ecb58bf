// Compilation of OpenCL programs: shared in memory, kept on disk, and failing with the compiler's own words.
#include "backend/opencl/opencl_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <fstream>

#include "backend/build_log.hpp"
#include "support/environment.hpp"
#include "twiddle/buffer.hpp"
#include "twiddle/device.hpp"
#include "twiddle/error.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::backend {
namespace {

using test::ScopedVariable;
using test::TemporaryFolder;
using ::testing::HasSubstr;

const std::string kernel_text =
    "__kernel void double_all(__global float* values) { values[get_global_id(0)] *= 2.0f; }\n";

class OpenClProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    OpenClDevices found = find_opencl_devices();
    if (found.devices.empty()) GTEST_SKIP() << found.absence;
    device_ = found.devices.front();
    context_ = cl::Context(device_.device);
  }

  std::unique_ptr<OpenClCompiler> compiler(const std::filesystem::path& cache_folder) const {
    return std::make_unique<OpenClCompiler>(context_, device_, run::KernelCache(cache_folder));
  }

  // The kernel does what its text says.
  void expect_doubles(const cl::Program& program) const {
    std::vector<float> values{1.0F, 2.5F, -3.0F};
    const cl::CommandQueue queue(context_, device_.device);
    const cl::Buffer buffer(context_, CL_MEM_READ_WRITE, values.size() * sizeof(float));
    cl::Kernel kernel(program, "double_all");
    kernel.setArg(0, buffer);
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(float), values.data());
    queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(values.size()));
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(float), values.data());
    EXPECT_EQ(values, (std::vector<float>{2.0F, 5.0F, -6.0F}));
  }

  static std::filesystem::path only_binary(const std::filesystem::path& folder) {
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".bin") found = entry.path();
    }
    return found;
  }

  OpenClDevice device_;
  cl::Context context_;
};

TEST_F(OpenClProgram, IsCompiledOnceForEqualTexts) {
  const auto programs = compiler({});
  const auto first = programs->compile(kernel_text);
  EXPECT_EQ(programs->compile(kernel_text), first);
  EXPECT_NE(programs->compile(kernel_text + "// another\n"), first);
  expect_doubles(*first);
}

TEST_F(OpenClProgram, ComesBackFromTheDisk) {
  const TemporaryFolder folder;
  expect_doubles(*compiler(folder.path())->compile(kernel_text));
  const auto binary = only_binary(folder.path());
  ASSERT_FALSE(binary.empty());
  const auto written = std::filesystem::last_write_time(binary);
  expect_doubles(*compiler(folder.path())->compile(kernel_text));
  EXPECT_EQ(std::filesystem::last_write_time(binary), written);  // loaded, not compiled and stored again
}

TEST_F(OpenClProgram, IsCompiledAnewWhereTheEntryIsDamaged) {
  const TemporaryFolder folder;
  static_cast<void>(compiler(folder.path())->compile(kernel_text));
  const auto binary = only_binary(folder.path());
  const auto size = std::filesystem::file_size(binary);
  std::filesystem::resize_file(binary, size / 2);
  expect_doubles(*compiler(folder.path())->compile(kernel_text));
  EXPECT_EQ(std::filesystem::file_size(binary), size);
}

TEST_F(OpenClProgram, IsCompiledAnewWhereTheDriverRefusesTheBinary) {
  const TemporaryFolder folder;
  static_cast<void>(compiler(folder.path())->compile(kernel_text));
  const auto binary = only_binary(folder.path());
  // A valid entry whose contents no driver understands.
  const run::KernelCache cache(folder.path());
  const std::string device = device_.info.vendor + " / " + device_.info.name;
  const std::string driver = device_.platform.getInfo<CL_PLATFORM_VERSION>() + " / " +
                             device_.device.getInfo<CL_DEVICE_VERSION>() + " / " + device_.info.driver;
  const run::KernelIdentity identity{kernel_text, "-cl-std=CL1.2", device, driver};
  ASSERT_EQ(cache.entry_path(identity), binary);
  ASSERT_TRUE(cache.store(identity, run::KernelCache::Binary(100, 0x5a)));
  expect_doubles(*compiler(folder.path())->compile(kernel_text));
  EXPECT_NE(cache.load(identity), run::KernelCache::Binary(100, 0x5a));
}

TEST_F(OpenClProgram, IsLeftToTheDriverWhereThatKeepsItToo) {
  const TemporaryFolder folder;
  const ScopedVariable cache("TWIDDLE_CACHE_DIR", folder.path().c_str());
  const Device device = Device::open("opencl");
  const Plan plan(device, {.lengths = {5}});
  Buffer data = Buffer::of<std::complex<float>>(device, 5);
  plan.forward(data);
  EXPECT_EQ(only_binary(folder.path()).empty(), !device_.binaries_serve);
  if (device_.platform.getInfo<CL_PLATFORM_NAME>() == "Portable Computing Language") {
    EXPECT_FALSE(device_.binaries_serve);
  }
}

TEST_F(OpenClProgram, SaysWhatTheCompilerSaidAndStoresNothing) {
  const TemporaryFolder folder;
  const auto programs = compiler(folder.path());
  try {
    static_cast<void>(programs->compile("__kernel void f(__global float* x) { x[0] = undefined_name; }\n"));
    FAIL() << "a faulty text was accepted";
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("clBuildProgram"));
    EXPECT_THAT(error.what(), HasSubstr("CL_BUILD_PROGRAM_FAILURE"));
    EXPECT_THAT(error.what(), HasSubstr("undefined_name"));
    EXPECT_THAT(error.what(), HasSubstr(device_.info.name));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  expect_doubles(*programs->compile(kernel_text));  // and goes on working
}

TEST(OpenClBuildLog, IsShortenedToItsFirstError) {
  EXPECT_EQ(shorten_build_log(""), "");
  EXPECT_EQ(shorten_build_log("all is well\n"), "all is well");
  EXPECT_EQ(shorten_build_log("a.cl:1: warning: odd\na.cl:2: error: wrong\n"), "a.cl:2: error: wrong");
  const std::string shortened = shorten_build_log("error: " + std::string(100000, 'x'));
  EXPECT_LT(shortened.size(), 2000U);
  EXPECT_THAT(shortened, HasSubstr("characters more"));
}

}  // namespace
}  // namespace twiddle::backend
