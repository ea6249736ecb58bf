// VkFFT through OpenCL on the CPU (PoCL), as a module for `twiddle bench`: complex transforms in place. Memory is used
// where it lies. The number of threads is PoCL's for the whole process, so the first plan decides it.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define VKFFT_BACKEND 3
#include <vkFFT.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "peer_module.h"
#include "vkfft_module.hpp"

namespace {

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(status));
}

// PoCL's device, with a context and a queue; lives as long as the process.
class Pocl {
 public:
  explicit Pocl(std::size_t threads) : threads_(threads) {
    setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(threads).c_str(), 1);
    cl_uint count = 0;
    check(clGetPlatformIDs(0, nullptr, &count), "platforms");
    std::vector<cl_platform_id> platforms(count);
    check(clGetPlatformIDs(count, platforms.data(), nullptr), "platforms");
    for (const cl_platform_id platform : platforms) {
      char name[100] = {};
      clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
      if (std::string(name) != "Portable Computing Language") continue;
      if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS) continue;
      cl_int status = CL_SUCCESS;
      context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
      check(status, "context");
      queue = clCreateCommandQueue(context, device, 0, &status);
      check(status, "queue");
      return;
    }
    throw std::runtime_error("PoCL has no device here");
  }

  static Pocl& with(std::size_t threads) {
    static Pocl pocl(threads);
    if (pocl.threads_ != threads) {
      throw std::runtime_error("PoCL keeps its first number of threads, " + std::to_string(pocl.threads_));
    }
    return pocl;
  }

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

 private:
  std::size_t threads_;
};

class Plan {
 public:
  explicit Plan(const TwiddlePeerProblem& problem)
      : pocl_(Pocl::with(problem.threads)), direction_(problem.inverse != 0 ? 1 : -1) {
    const std::size_t points =
        std::accumulate(problem.lengths, problem.lengths + problem.rank, problem.batch, std::multiplies<>());
    bytes_ = points * (problem.double_precision != 0 ? sizeof(double) : sizeof(float)) * 2;
    cl_int status = CL_SUCCESS;
    data_ = clCreateBuffer(pocl_.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes_, problem.output, &status);
    check(status, "buffer");
    VkFFTConfiguration configuration{};
    configuration.FFTdim = problem.rank;
    for (std::size_t axis = 0; axis < problem.rank; ++axis) {
      configuration.size[axis] = problem.lengths[problem.rank - 1 - axis];
    }
    configuration.numberBatches = problem.batch;
    configuration.doublePrecision = problem.double_precision != 0 ? 1 : 0;
    configuration.device = &pocl_.device;
    configuration.context = &pocl_.context;
    configuration.buffer = &data_;
    configuration.bufferSize = &bytes_;
    const VkFFTResult made = initializeVkFFT(&application_, configuration);
    if (made != VKFFT_SUCCESS) {
      clReleaseMemObject(data_);
      throw std::runtime_error("VkFFT error " + std::to_string(made));
    }
  }
  ~Plan() {
    deleteVkFFT(&application_);
    clReleaseMemObject(data_);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // A failure shows as a wrong result, which is found before anything is timed.
  void run() {
    VkFFTLaunchParams launch{};
    launch.commandQueue = &pocl_.queue;
    launch.buffer = &data_;
    VkFFTAppend(&application_, direction_, &launch);
    clFinish(pocl_.queue);
  }

 private:
  Pocl& pocl_;
  int direction_;
  std::uint64_t bytes_ = 0;
  cl_mem data_ = nullptr;
  VkFFTApplication application_{};
};

}  // namespace

extern "C" {

const char* twiddle_peer_version() {
  static const std::string text = "VkFFT " + vkfft_version() + " through PoCL";
  return text.c_str();
}

void* twiddle_peer_plan(const TwiddlePeerProblem* problem, char* complaint, std::size_t size) {
  return plan_or_complaint(complaint, size, [&] {
    if (problem->real != 0 || problem->in_place == 0 || problem->rank > 3) {
      throw std::runtime_error("VkFFT is measured with complex transforms in place, of up to three dimensions");
    }
    return new Plan(*problem);
  });
}

void twiddle_peer_run(void* plan) { static_cast<Plan*>(plan)->run(); }

void twiddle_peer_destroy(void* plan) { delete static_cast<Plan*>(plan); }

}  // extern "C"
