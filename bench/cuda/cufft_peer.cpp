// The few functions of cuFFT that are called, declared as NVIDIA documents them.
#include "cufft_peer.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "shared_object.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

// cufftType
constexpr int real_to_complex = 0x2a;
constexpr int complex_to_complex = 0x29;
constexpr int double_to_complex = 0x6a;
constexpr int double_complex = 0x69;

constexpr int forward = -1;  // CUFFT_FORWARD

struct Functions {
  explicit Functions(const SharedObject& library)
      : get_version(library.get<decltype(get_version)>("cufftGetVersion")),
        create(library.get<decltype(create)>("cufftCreate")),
        destroy(library.get<decltype(destroy)>("cufftDestroy")),
        make_plan(library.get<decltype(make_plan)>("cufftMakePlanMany64")),
        set_stream(library.get<decltype(set_stream)>("cufftSetStream")),
        run_complex(library.get<decltype(run_complex)>("cufftExecC2C")),
        run_double_complex(library.get<decltype(run_double_complex)>("cufftExecZ2Z")),
        run_real(library.get<decltype(run_real)>("cufftExecR2C")),
        run_double_real(library.get<decltype(run_double_real)>("cufftExecD2Z")) {}

  int (*get_version)(int* version);
  int (*create)(int* plan);
  int (*destroy)(int plan);
  int (*make_plan)(int plan, int rank, long long* lengths, long long* input_extents, long long input_stride,
                   long long input_distance, long long* output_extents, long long output_stride,
                   long long output_distance, int type, long long batch, std::size_t* work_bytes);
  int (*set_stream)(int plan, void* stream);
  int (*run_complex)(int plan, void* input, void* output, int direction);
  int (*run_double_complex)(int plan, void* input, void* output, int direction);
  int (*run_real)(int plan, void* input, void* output);
  int (*run_double_real)(int plan, void* input, void* output);
};

void check(int code, const char* what) {
  if (code != 0) throw Unsupported(fmt::format("cuFFT's {} failed with code {}", what, code));
}

int type_of(const Transform& transform) {
  const bool doubles = transform.precision == Precision::float64;
  if (transform.kind == Kind::r2c) return doubles ? double_to_complex : real_to_complex;
  return doubles ? double_complex : complex_to_complex;
}

class CufftPlan : public Contender {
 public:
  CufftPlan(const Functions& functions, const Transform& transform, const CudaPlace& place)
      : functions_(functions), type_(type_of(transform)), data_(reinterpret_cast<void*>(place.pointer)) {
    check(functions_.create(&plan_), "cufftCreate");
    try {
      make(transform, place.stream);
    } catch (...) {
      functions_.destroy(plan_);
      throw;
    }
  }
  ~CufftPlan() override { functions_.destroy(plan_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  void run() override { check(submit(), "execution"); }

 private:
  void make(const Transform& transform, cuda::Stream stream) {
    std::vector<long long> lengths(transform.lengths.begin(), transform.lengths.end());
    std::vector<long long> input = lengths;
    std::vector<long long> output = lengths;
    if (transform.kind == Kind::r2c) {
      output.back() = output.back() / 2 + 1;
      input.back() = 2 * output.back();
    }
    const auto product = [](const std::vector<long long>& extents) {
      return std::accumulate(extents.begin(), extents.end(), 1LL, std::multiplies<>());
    };
    std::size_t work_bytes = 0;
    check(functions_.make_plan(plan_, static_cast<int>(lengths.size()), lengths.data(), input.data(), 1, product(input),
                               output.data(), 1, product(output), type_, static_cast<long long>(transform.batch),
                               &work_bytes),
          "cufftMakePlanMany64");
    check(functions_.set_stream(plan_, stream.handle), "cufftSetStream");
  }

  int submit() {
    switch (type_) {
      case real_to_complex:
        return functions_.run_real(plan_, data_, data_);
      case double_to_complex:
        return functions_.run_double_real(plan_, data_, data_);
      case double_complex:
        return functions_.run_double_complex(plan_, data_, data_, forward);
      default:
        return functions_.run_complex(plan_, data_, data_, forward);
    }
  }

  Functions functions_;
  int type_;
  void* data_;
  int plan_ = 0;
};

class CufftPeer : public CudaPeer {
 public:
  explicit CufftPeer(const SharedObject& library) : CudaPeer("cufft"), functions_(library) {}
  [[nodiscard]] std::string version() const override {
    int version = 0;
    functions_.get_version(&version);
    return fmt::format("cuFFT {}.{}.{}", version / 1000, version % 1000 / 100, version % 100);
  }
  [[nodiscard]] std::unique_ptr<Contender> plan(const Transform& transform, const CudaPlace& place) override {
    return std::make_unique<CufftPlan>(functions_, transform, place);
  }

 private:
  Functions functions_;
};

}  // namespace

std::unique_ptr<CudaPeer> open_cufft() {
  std::string complaints;
  for (const char* name :
       std::array{static_cast<const char*>(std::getenv("TWIDDLE_CUFFT_LIBRARY")), "libcufft.so.12", "libcufft.so.11"}) {
    if (name == nullptr) continue;
    try {
      return std::make_unique<CufftPeer>(SharedObject(name));
    } catch (const Unsupported& error) {
      complaints += fmt::format("; {}", error.what());
    }
  }
  throw Unsupported("cuFFT was not found: name its library in TWIDDLE_CUFFT_LIBRARY" + complaints);
}

}  // namespace twiddle::bench
