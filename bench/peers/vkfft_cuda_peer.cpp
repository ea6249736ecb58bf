// VkFFT through CUDA as a module for benchmarks: forward transforms in place, complex or of reals in padded rows.
// Where TWIDDLE_VKFFT_CACHE names a folder, compiled kernels are kept in it.
#define VKFFT_BACKEND 1
#include <vkFFT.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include "peer_module.h"
#include "vkfft_module.hpp"

namespace {

// Where the kernels of a problem are kept; empty where none are.
std::string cache_file(const TwiddlePeerProblem& problem) {
  const char* const folder = std::getenv("TWIDDLE_VKFFT_CACHE");
  if (folder == nullptr) return "";
  std::string name = vkfft_version() + (problem.real != 0 ? "_r2c" : "_c2c") +
                     (problem.double_precision != 0 ? "_f64_" : "_f32_") + std::to_string(problem.batch);
  for (std::size_t axis = 0; axis < problem.rank; ++axis) name += 'x' + std::to_string(problem.lengths[axis]);
  return (std::filesystem::path(folder) / name).string();
}

std::string read_file(const std::string& name) {
  std::ifstream stream(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Under another name first, since another process may be reading.
void write_file(const std::string& name, const void* bytes, std::size_t size) {
  const std::string unfinished = name + '.' + std::to_string(reinterpret_cast<std::uintptr_t>(bytes));
  std::ofstream(unfinished, std::ios::binary)
      .write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  std::error_code none;
  std::filesystem::rename(unfinished, name, none);
}

class Plan {
 public:
  explicit Plan(const TwiddlePeerProblem& problem)
      : data_(problem.output), stream_(static_cast<cudaStream_t>(problem.stream)) {
    if (cuCtxGetDevice(&device_) != CUDA_SUCCESS) throw std::runtime_error("no CUDA context is current");
    configuration_.FFTdim = problem.rank;
    std::size_t rows = problem.batch;
    for (std::size_t axis = 0; axis < problem.rank; ++axis) {
      configuration_.size[axis] = problem.lengths[problem.rank - 1 - axis];
      if (axis > 0) rows *= configuration_.size[axis];
    }
    const std::size_t columns = problem.real != 0 ? configuration_.size[0] / 2 + 1 : configuration_.size[0];
    bytes_ = rows * columns * 2 * (problem.double_precision != 0 ? sizeof(double) : sizeof(float));
    configuration_.numberBatches = problem.batch;
    configuration_.performR2C = problem.real != 0 ? 1 : 0;
    configuration_.doublePrecision = problem.double_precision != 0 ? 1 : 0;
    configuration_.makeForwardPlanOnly = 1;
    configuration_.device = &device_;
    configuration_.stream = &stream_;
    configuration_.num_streams = 1;
    configuration_.buffer = &data_;
    configuration_.bufferSize = &bytes_;
    const std::string file = cache_file(problem);
    std::string kernels = file.empty() ? "" : read_file(file);
    if (!kernels.empty()) {
      configuration_.loadApplicationFromString = 1;
      configuration_.loadApplicationString = kernels.data();
    } else {
      configuration_.saveApplicationToString = file.empty() ? 0 : 1;
    }
    if (const VkFFTResult made = initializeVkFFT(&application_, configuration_); made != VKFFT_SUCCESS) {
      throw std::runtime_error("VkFFT error " + std::to_string(made));
    }
    if (configuration_.saveApplicationToString != 0) {
      write_file(file, application_.saveApplicationString, application_.applicationStringSize);
    }
  }
  ~Plan() { deleteVkFFT(&application_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // A failure shows as a wrong result, which is found before anything is timed.
  void run() {
    VkFFTLaunchParams launch{};
    launch.buffer = &data_;
    VkFFTAppend(&application_, -1, &launch);
  }

 private:
  void* data_;
  cudaStream_t stream_;
  CUdevice device_ = 0;
  std::uint64_t bytes_ = 0;
  VkFFTConfiguration configuration_{};
  VkFFTApplication application_{};
};

}  // namespace

extern "C" {

const char* twiddle_peer_version() {
  static const std::string text = "VkFFT " + vkfft_version();
  return text.c_str();
}

void* twiddle_peer_plan(const TwiddlePeerProblem* problem, char* complaint, std::size_t size) {
  return plan_or_complaint(complaint, size, [&] {
    if (problem->inverse != 0 || problem->in_place == 0 || problem->rank > 3) {
      throw std::runtime_error("VkFFT is measured forward and in place, with up to three dimensions");
    }
    return new Plan(*problem);
  });
}

void twiddle_peer_run(void* plan) { static_cast<Plan*>(plan)->run(); }

void twiddle_peer_destroy(void* plan) { delete static_cast<Plan*>(plan); }

}  // extern "C"
