// Loading libcuda and libnvrtc.
#include "backend/cuda/cuda_loader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "backend/cuda/cuda_error.hpp"

namespace twiddle::backend::cuda {
namespace {

struct Libraries {
  Driver driver;
  Compiler compiler;
  std::string absence;
};

struct Wanted {
  const char* what;
  const char* variable;            // names another library
  std::vector<std::string> names;  // tried in this order
  const char* remedy;
};

const Wanted& wanted_driver() {
  static const Wanted wanted{
      "the NVIDIA driver's library",
      "TWIDDLE_CUDA_LIBRARY",
      {"libcuda.so.1"},
      "install the NVIDIA driver of your GPU (Debian: libcuda1); it is not needed for other devices"};
  return wanted;
}

const Wanted& wanted_compiler() {
  static const Wanted wanted{
      "NVIDIA's run-time compiler",
      "TWIDDLE_NVRTC_LIBRARY",
      {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so"},
      "install NVRTC of the CUDA toolkit (Debian: libnvrtc11.2; NVIDIA: cuda-nvrtc), or name the file in "
      "TWIDDLE_NVRTC_LIBRARY"};
  return wanted;
}

// The library, or null with the reason in `absence`.
void* open_library(const Wanted& wanted, std::string& name, std::string& absence) {
  const char* requested = std::getenv(wanted.variable);
  const bool overridden = requested != nullptr && *requested != '\0';
  const std::vector<std::string> names = overridden ? std::vector<std::string>{requested} : wanted.names;
  std::string reason;
  for (const std::string& candidate : names) {
    // Never closed: drivers keep threads and exit handlers that must find their code.
    void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) {
      name = candidate;
      return library;
    }
    const char* error = dlerror();
    if (reason.empty()) reason = error == nullptr ? "unknown reason" : error;
  }
  absence = fmt::format("cannot load {} {}: {}; {}", wanted.what, names.front(), reason,
                        overridden ? fmt::format("correct or unset {}", wanted.variable) : wanted.remedy);
  return nullptr;
}

std::string missing_function(const Wanted& wanted, const std::string& library, const char* function) {
  return fmt::format("{} has no function {}, which CUDA has since 11.2; update it: {}", library, function,
                     wanted.remedy);
}

std::string find_driver(Driver& driver) {
  std::string name;
  std::string absence;
  void* library = open_library(wanted_driver(), name, absence);
  if (library == nullptr) return absence;
  const char* missing = nullptr;
#define TWIDDLE_FIND(function, parameters)                                        \
  driver.function = reinterpret_cast<function##_type>(dlsym(library, #function)); \
  if (driver.function == nullptr && missing == nullptr) missing = #function;
  TWIDDLE_CUDA_DRIVER_FUNCTIONS(TWIDDLE_FIND)
#undef TWIDDLE_FIND
#define TWIDDLE_FIND(function, parameters) \
  driver.function = reinterpret_cast<function##_type>(dlsym(library, #function));
  TWIDDLE_CUDA_NEWER_DRIVER_FUNCTIONS(TWIDDLE_FIND)
#undef TWIDDLE_FIND
  return missing == nullptr ? std::string() : missing_function(wanted_driver(), name, missing);
}

std::string find_compiler(Compiler& compiler) {
  std::string name;
  std::string absence;
  void* library = open_library(wanted_compiler(), name, absence);
  if (library == nullptr) return absence;
  const char* missing = nullptr;
#define TWIDDLE_FIND(function, parameters)                                          \
  compiler.function = reinterpret_cast<function##_type>(dlsym(library, #function)); \
  if (compiler.function == nullptr && missing == nullptr) missing = #function;
  TWIDDLE_CUDA_COMPILER_FUNCTIONS(TWIDDLE_FIND)
  TWIDDLE_FIND(nvrtcGetErrorString, ())
#undef TWIDDLE_FIND
  return missing == nullptr ? std::string() : missing_function(wanted_compiler(), name, missing);
}

std::string initialise(const Driver& driver) {
  int count = 0;
  Result result = driver.cuInit(0);
  if (result == 0) result = driver.cuDeviceGetCount(&count);
  if (result == error_no_device || (result == 0 && count == 0)) {
    return "the NVIDIA driver found no device; check that the GPU is present, that CUDA_VISIBLE_DEVICES does not hide "
           "it "
           "and that you may use it";
  }
  return result == 0 ? std::string() : driver_message(driver, "cuInit", result, "starting the NVIDIA driver");
}

const Libraries& libraries() {
  static const Libraries loaded = [] {
    Libraries found;
    found.absence = find_driver(found.driver);
    if (found.absence.empty()) found.absence = initialise(found.driver);
    if (found.absence.empty()) found.absence = find_compiler(found.compiler);
    return found;
  }();
  return loaded;
}

}  // namespace

const std::string& load() { return libraries().absence; }
const Driver& driver() { return libraries().driver; }
const Compiler& compiler() { return libraries().compiler; }

}  // namespace twiddle::backend::cuda
