// The few functions of cuFFT that the benchmark calls, declared as NVIDIA documents them.
#include "cufft_peer.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace twiddle::bench {

struct Cufft::Functions {
  int (*get_version)(int* version);
  int (*create)(int* plan);
  int (*destroy)(int plan);
  int (*make_plan)(int plan, int rank, long long* lengths, long long* input_extents, long long input_stride,
                   long long input_distance, long long* output_extents, long long output_stride,
                   long long output_distance, int type, long long batch, std::size_t* work_bytes);
  int (*set_stream)(int plan, void* stream);
  int (*run_complex)(int plan, void* input, void* output, int direction);
  int (*run_double)(int plan, void* input, void* output, int direction);
  int (*run_real)(int plan, void* input, void* output);
};

namespace {

constexpr int forward = -1;  // CUFFT_FORWARD
// cufftType
constexpr int real_to_complex = 0x2a;
constexpr int complex_to_complex = 0x29;
constexpr int double_complex = 0x69;

class LoadedPlan : public CufftPlan {
 public:
  LoadedPlan(std::function<int()> run, std::function<void()> destroy)
      : run_(std::move(run)), destroy_(std::move(destroy)) {}
  ~LoadedPlan() override { destroy_(); }
  void run() override {
    if (const int code = run_(); code != 0) throw std::runtime_error(fmt::format("cuFFT failed with code {}", code));
  }

 private:
  std::function<int()> run_;
  std::function<void()> destroy_;
};

}  // namespace

Cufft::Cufft() {
  const char* requested = std::getenv("TWIDDLE_CUFFT_LIBRARY");
  void* library = nullptr;
  for (const char* name : {requested, "libcufft.so.12", "libcufft.so.11"}) {
    if (library == nullptr && name != nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    absence_ = "cuFFT was not found; name its library in TWIDDLE_CUFFT_LIBRARY";
    return;
  }
  functions_ = std::make_unique<Functions>();
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) absence_ = fmt::format("cuFFT has no function {}", name);
  };
  find(functions_->get_version, "cufftGetVersion");
  find(functions_->create, "cufftCreate");
  find(functions_->destroy, "cufftDestroy");
  find(functions_->make_plan, "cufftMakePlanMany64");
  find(functions_->set_stream, "cufftSetStream");
  find(functions_->run_complex, "cufftExecC2C");
  find(functions_->run_double, "cufftExecZ2Z");
  find(functions_->run_real, "cufftExecR2C");
}

Cufft::~Cufft() = default;

std::string Cufft::version() const {
  int version = 0;
  functions_->get_version(&version);
  return fmt::format("{}.{}.{}", version / 1000, version % 1000 / 100, version % 100);
}

std::unique_ptr<CufftPlan> Cufft::plan(const std::string& type, const std::vector<std::size_t>& lengths,
                                       std::size_t batch, std::uint64_t pointer, cuda::Stream stream) const {
  int plan = 0;
  if (functions_->create(&plan) != 0) return nullptr;
  const Functions functions = *functions_;
  auto result = std::make_unique<LoadedPlan>([] { return 0; }, [functions, plan] { functions.destroy(plan); });
  std::vector<long long> sizes(lengths.begin(), lengths.end());
  std::vector<long long> input = sizes;
  std::vector<long long> output = sizes;
  if (type == "R2C") {
    output.back() = output.back() / 2 + 1;
    input.back() = 2 * output.back();
  }
  const auto product = [](const std::vector<long long>& extents) {
    return std::accumulate(extents.begin(), extents.end(), 1LL, std::multiplies<>());
  };
  const int code = type == "R2C" ? real_to_complex : type == "Z2Z" ? double_complex : complex_to_complex;
  std::size_t work = 0;
  if (functions.make_plan(plan, static_cast<int>(sizes.size()), sizes.data(), input.data(), 1, product(input),
                          output.data(), 1, product(output), code, static_cast<long long>(batch), &work) != 0 ||
      functions.set_stream(plan, stream.handle) != 0) {
    return nullptr;
  }
  auto* data = reinterpret_cast<void*>(pointer);
  return std::make_unique<LoadedPlan>(
      [functions, plan, code, data] {
        if (code == real_to_complex) return functions.run_real(plan, data, data);
        return (code == double_complex ? functions.run_double : functions.run_complex)(plan, data, data, forward);
      },
      [keep = std::shared_ptr<CufftPlan>(std::move(result))] {});
}

}  // namespace twiddle::bench
