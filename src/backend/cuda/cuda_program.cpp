// Compilation by NVRTC, with the binary taken from or left in the kernel cache.
#include "backend/cuda/cuda_program.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "backend/build_log.hpp"
#include "backend/cuda/cuda_error.hpp"
#include "backend/cuda/cuda_loader.hpp"
#include "twiddle/error.hpp"

namespace twiddle::backend {
namespace {

using Binary = run::KernelCache::Binary;

constexpr std::size_t shared_memory_without_asking = 48 * 1024;
constexpr const char* standard_option = "--std=c++17";

int target_architecture(const CudaDevice& device) {
  if (device.target_architecture != 0) return device.target_architecture;
  throw DeviceError(
      fmt::format("NVRTC no longer compiles for {} ({}); install an older CUDA toolkit, or use the device "
                  "through OpenCL",
                  device.info.name, device.info.driver));
}

// A program of NVRTC, which has no destructors.
class Source {
 public:
  Source(const std::string& text, std::string activity) : activity_(std::move(activity)) {
    TWIDDLE_CHECK_NVRTC(activity_, nvrtcCreateProgram, &program_, text.c_str(), "kernel.cu", 0, nullptr, nullptr);
  }
  ~Source() { cuda::compiler().nvrtcDestroyProgram(&program_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  Binary compile(const std::string& target, bool intermediate) {
    const std::array<const char*, 2> options{target.c_str(), standard_option};
    const cuda::CompileResult result =
        cuda::compiler().nvrtcCompileProgram(program_, static_cast<int>(options.size()), options.data());
    if (result != 0) {
      try {
        cuda::check_compiler("nvrtcCompileProgram", result, activity_);
      } catch (const DeviceError& error) {
        throw DeviceError(fmt::format("{}; the compiler says: {}", error.what(), shorten_build_log(log())));
      }
    }
    std::size_t size = 0;
    Binary binary;
    if (intermediate) {
      TWIDDLE_CHECK_NVRTC(activity_, nvrtcGetPTXSize, program_, &size);
      binary.resize(size);
      TWIDDLE_CHECK_NVRTC(activity_, nvrtcGetPTX, program_, reinterpret_cast<char*>(binary.data()));
    } else {
      TWIDDLE_CHECK_NVRTC(activity_, nvrtcGetCUBINSize, program_, &size);
      binary.resize(size);
      TWIDDLE_CHECK_NVRTC(activity_, nvrtcGetCUBIN, program_, reinterpret_cast<char*>(binary.data()));
    }
    return binary;
  }

 private:
  std::string log() {
    std::size_t size = 0;
    if (cuda::compiler().nvrtcGetProgramLogSize(program_, &size) != 0 || size == 0) return "(nothing)";
    std::string text(size, '\0');
    if (cuda::compiler().nvrtcGetProgramLog(program_, text.data()) != 0) return "(nothing)";
    return text;
  }

  cuda::ProgramHandle program_ = nullptr;
  std::string activity_;
};

}  // namespace

CudaProgram::CudaProgram(std::shared_ptr<const cuda::Context> context, const Binary& binary)
    : context_(std::move(context)) {
  const cuda::Context::Scope scope(*context_);
  TWIDDLE_CHECK_CUDA(fmt::format("loading a kernel onto {}", context_->device_name()), cuModuleLoadData, &module_,
                     binary.data());
}

CudaProgram::~CudaProgram() {
  cuda::ContextHandle popped = nullptr;
  const bool current = context_->make_current();
  cuda::driver().cuModuleUnload(module_);
  if (current) cuda::driver().cuCtxPopCurrent_v2(&popped);
}

cuda::FunctionHandle CudaProgram::function(const std::string& entry, std::size_t shared_bytes) const {
  const cuda::Context::Scope scope(*context_);
  const std::string activity =
      fmt::format("preparing a kernel with {} bytes of shared memory on {}", shared_bytes, context_->device_name());
  cuda::FunctionHandle function = nullptr;
  TWIDDLE_CHECK_CUDA(activity, cuModuleGetFunction, &function, module_, entry.c_str());
  if (shared_bytes > shared_memory_without_asking) {
    TWIDDLE_CHECK_CUDA(activity, cuFuncSetAttribute, function, cuda::function_max_dynamic_shared_size,
                       static_cast<int>(shared_bytes));
  }
  return function;
}

CudaCompiler::CudaCompiler(std::shared_ptr<const cuda::Context> context, const CudaDevice& device,
                           run::KernelCache cache)
    : context_(std::move(context)),
      device_identity_(device.info.name),
      driver_identity_(device.info.driver),
      cache_(std::move(cache)) {
  const int architecture = target_architecture(device);
  intermediate_ = architecture != device.architecture;
  target_ = fmt::format("--gpu-architecture={}_{}", intermediate_ ? "compute" : "sm", architecture);
}

std::shared_ptr<const CudaProgram> CudaCompiler::compile(const std::string& text) {
  return programs_.get(text, [&] {
    auto program = load(text);
    return program ? program : build(text);
  });
}

run::KernelIdentity CudaCompiler::identity(const std::string& text) const {
  return {text, target_, device_identity_, driver_identity_};
}

std::shared_ptr<const CudaProgram> CudaCompiler::load(const std::string& text) const {
  const auto binary = cache_.load(identity(text));
  if (!binary) return nullptr;
  try {
    return std::make_shared<CudaProgram>(context_, *binary);
  } catch (const DeviceError&) {
    return nullptr;  // the driver refuses what was made for it, after an update for example: compile anew
  }
}

std::shared_ptr<const CudaProgram> CudaCompiler::build(const std::string& text) const {
  const Binary binary =
      Source(text, fmt::format("compiling a kernel for {}", device_identity_)).compile(target_, intermediate_);
  auto program = std::make_shared<CudaProgram>(context_, binary);
  static_cast<void>(cache_.store(identity(text), binary));  // a cache that cannot be written costs time later only
  return program;
}

}  // namespace twiddle::backend
