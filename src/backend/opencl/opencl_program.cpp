// Compilation, with the binary taken from or left in the kernel cache.
#include "backend/opencl/opencl_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "backend/build_log.hpp"
#include "backend/opencl/opencl_error.hpp"
#include "kernel/dialect.hpp"

namespace twiddle::backend {
namespace {

constexpr const char* common_options = "-cl-std=CL1.2";

constexpr std::string_view nvidia_attributes = "cl_nv_device_attribute_query";
constexpr cl_uint least_capability = 7;  // major; as the kernels' words of the instruction set want
constexpr int least_driver = 470;

// What kernels of this device are told of its compiler.
std::string device_options(const OpenClDevice& device) {
  const std::string extensions = device.device.getInfo<CL_DEVICE_EXTENSIONS>();
  if (extensions.find(nvidia_attributes) == std::string::npos) return common_options;
  cl_uint major = 0;
  const cl_int result =
      clGetDeviceInfo(device.device(), CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof major, &major, nullptr);
  const bool knows =
      result == CL_SUCCESS && major >= least_capability && std::atoi(device.info.driver.c_str()) >= least_driver;
  return knows ? fmt::format("{} -D{}", common_options, kernel::knows_ptx) : common_options;
}

}  // namespace

OpenClCompiler::OpenClCompiler(cl::Context context, const OpenClDevice& device, run::KernelCache cache)
    : context_(std::move(context)),
      device_(device.device),
      options_(device_options(device)),
      takes_register_hint_(device.device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_compiler_options") !=
                           std::string::npos),
      device_identity_(fmt::format("{} / {}", device.info.vendor, device.info.name)),
      driver_identity_(fmt::format("{} / {} / {}", device.platform.getInfo<CL_PLATFORM_VERSION>(),
                                   device.device.getInfo<CL_DEVICE_VERSION>(), device.info.driver)),
      cache_(std::move(cache)) {}

std::shared_ptr<cl::Program> OpenClCompiler::compile(const std::string& text, std::uint32_t registers) {
  std::string options = options_;
  if (takes_register_hint_ && registers != 0) options += fmt::format(" -cl-nv-maxrregcount={}", registers);
  return programs_.get(options + "\n" + text, [&] {
    auto program = load(text, options);
    return program ? program : build(text, options);
  });
}

run::KernelIdentity OpenClCompiler::identity(const std::string& text, const std::string& options) const {
  return {text, options, device_identity_, driver_identity_};
}

std::shared_ptr<cl::Program> OpenClCompiler::load(const std::string& text, const std::string& options) const {
  const auto binary = cache_.load(identity(text, options));
  if (!binary) return nullptr;
  try {
    auto program =
        std::make_shared<cl::Program>(context_, std::vector<cl::Device>{device_}, cl::Program::Binaries{*binary});
    program->build(device_, options.c_str());
    return program;
  } catch (const cl::Error&) {
    return nullptr;  // the driver refuses its own binary, after an update for example: compile anew
  }
}

std::shared_ptr<cl::Program> OpenClCompiler::build(const std::string& text, const std::string& options) const {
  auto program = check_opencl("creating a program", [&] { return std::make_shared<cl::Program>(context_, text); });
  try {
    program->build(device_, options.c_str());
  } catch (const cl::BuildError& error) {
    const auto log = error.getBuildLog();
    throw DeviceError(fmt::format("{}; the compiler of {} says: {}", opencl_error(error, "compiling a kernel").what(),
                                  device_identity_, shorten_build_log(log.empty() ? "(nothing)" : log.front().second)));
  } catch (const cl::Error& error) {
    throw opencl_error(error, fmt::format("compiling a kernel for {}", device_identity_));
  }
  if (cache_.is_off()) return program;
  const auto binaries =
      check_opencl("reading a compiled kernel", [&] { return program->getInfo<CL_PROGRAM_BINARIES>(); });
  // A cache that cannot be written costs time later, nothing now.
  if (binaries.size() == 1) static_cast<void>(cache_.store(identity(text, options), binaries.front()));
  return program;
}

}  // namespace twiddle::backend
