// Plans through FFTW's interface (its manual, "64-bit Guru Interface").
#include "fftw_library.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "fftw_problem.hpp"
#include "shared_object.hpp"
#include "twiddle/error.hpp"

namespace twiddle::bench {
namespace {

// Up to so many points two threads may be slower than one, which FFTW finds out by itself only in its PATIENT mode.
constexpr std::size_t points_for_one_thread = std::size_t{1} << 18;

// The values of fftw3.h.
constexpr int sign_forward = -1;
constexpr int sign_backward = 1;
constexpr unsigned flag_measure = 0;
constexpr unsigned flag_destroy_input = 1U << 0U;
constexpr unsigned flag_patient = 1U << 5U;
constexpr unsigned flag_estimate = 1U << 6U;

unsigned flag_of(FftwPlanning planning) {
  switch (planning) {
    case FftwPlanning::estimate:
      return flag_estimate;
    case FftwPlanning::measure:
      return flag_measure;
    case FftwPlanning::patient:
      return flag_patient;
  }
  return flag_measure;
}

// The functions of one precision.
template <class Real>
class Api {
 public:
  using Complex = Real[2];
  using Handle = struct Opaque*;

  Api(const std::string& file, const std::string& threads_file) : main_(file) {
    const std::string prefix = sizeof(Real) == sizeof(float) ? "fftwf_" : "fftw_";
    const SharedObject threads = threads_file.empty() ? main_ : SharedObject(threads_file);
    plan_complex = main_.get<decltype(plan_complex)>(prefix + "plan_guru64_dft");
    plan_forward = main_.get<decltype(plan_forward)>(prefix + "plan_guru64_dft_r2c");
    plan_inverse = main_.get<decltype(plan_inverse)>(prefix + "plan_guru64_dft_c2r");
    plan_split_complex = main_.get<decltype(plan_split_complex)>(prefix + "plan_guru64_split_dft");
    plan_split_forward = main_.get<decltype(plan_split_forward)>(prefix + "plan_guru64_split_dft_r2c");
    plan_split_inverse = main_.get<decltype(plan_split_inverse)>(prefix + "plan_guru64_split_dft_c2r");
    plan_real = main_.get<decltype(plan_real)>(prefix + "plan_guru64_r2r");
    execute = main_.get<decltype(execute)>(prefix + "execute");
    destroy = main_.get<decltype(destroy)>(prefix + "destroy_plan");
    plan_with_threads = threads.get<decltype(plan_with_threads)>(prefix + "plan_with_nthreads");
    if (threads.get<int (*)()>(prefix + "init_threads")() == 0) throw Unsupported(file + " cannot start threads");
    if (const char* const text = main_.find<const char*>(prefix + "version")) version = text;
    if (const auto text = main_.find<void (*)(char*, int)>("mkl_get_version_string")) {
      std::array<char, 200> line{};  // filled up with blanks
      text(line.data(), line.size() - 1);
      version = line.data();
      version.erase(version.find_last_not_of(' ') + 1);
      set_mkl_threads = main_.get<decltype(set_mkl_threads)>("MKL_Set_Num_Threads");
    }
  }

  // Each takes the transformed and the repeated dimensions first.
  template <class... Arguments>
  using Planner = Handle (*)(int, const FftwDimension*, int, const FftwDimension*, Arguments...);
  Planner<Complex*, Complex*, int, unsigned> plan_complex = nullptr;
  Planner<Real*, Complex*, unsigned> plan_forward = nullptr;
  Planner<Complex*, Real*, unsigned> plan_inverse = nullptr;
  Planner<Real*, Real*, Real*, Real*, unsigned> plan_split_complex = nullptr;
  Planner<Real*, Real*, Real*, unsigned> plan_split_forward = nullptr;
  Planner<Real*, Real*, Real*, unsigned> plan_split_inverse = nullptr;
  Planner<Real*, Real*, const int*, unsigned> plan_real = nullptr;
  void (*execute)(Handle) = nullptr;
  void (*destroy)(Handle) = nullptr;
  void (*plan_with_threads)(int) = nullptr;
  void (*set_mkl_threads)(int) = nullptr;
  std::string version;

 private:
  SharedObject main_;
};

template <class Real>
class FftwContender : public Contender {
 public:
  FftwContender(const Api<Real>& api, typename Api<Real>::Handle plan) : api_(api), plan_(plan) {
    if (plan == nullptr) throw Unsupported("it gives no plan");
  }
  ~FftwContender() override { api_.destroy(plan_); }
  FftwContender(const FftwContender&) = delete;
  FftwContender& operator=(const FftwContender&) = delete;
  void run() override { api_.execute(plan_); }

 private:
  const Api<Real>& api_;
  typename Api<Real>::Handle plan_;
};

// A plan, or null where the library makes none of such a problem.
template <class Real>
typename Api<Real>::Handle handle_of(const Api<Real>& api, const Problem& problem, Real* input, Real* output,
                                     unsigned flags) {
  using Complex = typename Api<Real>::Complex;
  const FftwProblem guru = fftw_problem(problem);
  const bool forward = problem.direction == Direction::forward;
  const auto plan = [&](auto planner, auto... arguments) {
    return planner(static_cast<int>(guru.transformed.size()), guru.transformed.data(),
                   static_cast<int>(guru.repeated.size()), guru.repeated.data(), arguments...);
  };
  Real* const read = input + guru.input.real;
  Real* const written = output + guru.output.real;
  if (!guru.kinds.empty()) return plan(api.plan_real, read, written, guru.kinds.data(), flags);
  Real* const read_imaginary = input + guru.input.imaginary;
  Real* const written_imaginary = output + guru.output.imaginary;
  if (problem.transform.kind == Kind::c2c) {
    if (!guru.split) {
      return plan(api.plan_complex, reinterpret_cast<Complex*>(read), reinterpret_cast<Complex*>(written),
                  forward ? sign_forward : sign_backward, flags);
    }
    // Backward is forward with real and imaginary parts exchanged on both sides.
    return forward ? plan(api.plan_split_complex, read, read_imaginary, written, written_imaginary, flags)
                   : plan(api.plan_split_complex, read_imaginary, read, written_imaginary, written, flags);
  }
  if (forward) {
    return guru.split ? plan(api.plan_split_forward, read, written, written_imaginary, flags)
                      : plan(api.plan_forward, read, reinterpret_cast<Complex*>(written), flags);
  }
  flags |= flag_destroy_input;
  return guru.split ? plan(api.plan_split_inverse, read, read_imaginary, written, flags)
                    : plan(api.plan_inverse, reinterpret_cast<Complex*>(read), written, flags);
}

template <class Real>
std::unique_ptr<Contender> plan_by(const Api<Real>& api, const Problem& problem, void* input, void* output,
                                   std::size_t threads, unsigned flags) {
  if (api.set_mkl_threads != nullptr) api.set_mkl_threads(static_cast<int>(threads));
  api.plan_with_threads(static_cast<int>(threads));
  return std::make_unique<FftwContender<Real>>(
      api, handle_of(api, problem, static_cast<Real*>(input), static_cast<Real*>(output), flags));
}

// The shortest of some executions, in seconds.
double seconds_of(Contender& contender) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 10; ++i) {
    const auto start = std::chrono::steady_clock::now();
    contender.run();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

class FftwLibrary : public Library {
 public:
  FftwLibrary(const std::string& name, const FftwFiles& files, FftwPlanning planning)
      : Library(name),
        files_(files),
        single_(files.single_precision, files.single_threads),
        flags_(flag_of(planning)) {}

  [[nodiscard]] std::string version() const override { return single_.version; }

  [[nodiscard]] std::unique_ptr<Contender> plan(const Problem& problem, void* input, void* output,
                                                std::size_t threads) override {
    check_peer_problem(problem);
    auto planned = plan_with(problem, input, output, threads);
    const bool decides_itself = single_.set_mkl_threads != nullptr;
    if (threads == 1 || decides_itself || total_elements(problem.transform) > points_for_one_thread) return planned;
    auto alone = plan_with(problem, input, output, 1);
    return seconds_of(*alone) < seconds_of(*planned) ? std::move(alone) : std::move(planned);
  }

 private:
  [[nodiscard]] std::unique_ptr<Contender> plan_with(const Problem& problem, void* input, void* output,
                                                     std::size_t threads) {
    if (problem.transform.precision == Precision::float32) {
      return plan_by(single_, problem, input, output, threads, flags_);
    }
    if (!double_) double_.emplace(files_.double_precision, files_.double_threads);
    return plan_by(*double_, problem, input, output, threads, flags_);
  }

  FftwFiles files_;
  Api<float> single_;
  std::optional<Api<double>> double_;  // once it is needed
  unsigned flags_;
};

}  // namespace

std::unique_ptr<Library> open_fftw(const std::string& name, const FftwFiles& files, FftwPlanning planning) {
  return std::make_unique<FftwLibrary>(name, files, planning);
}

std::unique_ptr<Library> open_mkl(const std::string& file) {
  // What MKL loads by itself, unless the user says otherwise.
  setenv("MKL_THREADING_LAYER", "GNU", 0);
  setenv("MKL_INTERFACE_LAYER", "LP64", 0);
  return std::make_unique<FftwLibrary>("mkl", FftwFiles{file, file}, FftwPlanning::measure);
}

}  // namespace twiddle::bench
