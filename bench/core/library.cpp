// twiddle as one library among others, and finding the others.
#include "library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <system_error>

#include "fftw_library.hpp"
#include "module_library.hpp"
#include "twiddle/twiddle.hpp"

namespace twiddle::bench {
namespace {

class OwnContender : public Contender {
 public:
  OwnContender(const Problem& problem, void* input, void* output, std::size_t threads)
      : direction_(problem.direction), plan_(host_with(threads), problem.transform) {
    const std::size_t input_bytes = plan_.input_bytes(direction_, problem.placement);
    const std::size_t output_bytes = plan_.output_bytes(direction_, problem.placement);
    if (problem.placement == Placement::out_of_place) {
      input_ = {static_cast<const std::byte*>(input), input_bytes};
      output_ = {static_cast<std::byte*>(output), output_bytes};
    } else {
      output_ = {static_cast<std::byte*>(output), std::max(input_bytes, output_bytes)};
    }
    plan_.prepare(direction_, problem.placement);
  }

  void run() override {
    if (input_.empty()) {
      plan_.execute_bytes(direction_, output_);
    } else {
      plan_.execute_bytes(direction_, input_, output_);
    }
  }

 private:
  Direction direction_;
  Plan plan_;
  std::span<const std::byte> input_;
  std::span<std::byte> output_;
};

class OwnLibrary : public Library {
 public:
  OwnLibrary() : Library("twiddle") {}
  [[nodiscard]] std::string version() const override { return Device::host().info().driver; }
  [[nodiscard]] std::unique_ptr<Contender> plan(const Problem& problem, void* input, void* output,
                                                std::size_t threads) override {
    return std::make_unique<OwnContender>(problem, input, output, threads);
  }
};

std::string beside(const std::filesystem::path& folder, const std::string& file, const std::string& otherwise) {
  std::error_code none;
  return std::filesystem::exists(folder / file, none) ? (folder / file).string() : otherwise;
}

}  // namespace

Device host_with(std::size_t threads) {
  setenv("TWIDDLE_THREADS", std::to_string(threads).c_str(), 1);
  Device host = Device::host();
  if (host.info().limits.compute_units != threads) {
    throw InvalidArgument(fmt::format("the host is open already, with {} threads; expected {}",
                                      host.info().limits.compute_units, threads));
  }
  return host;
}

std::unique_ptr<Library> own_library() { return std::make_unique<OwnLibrary>(); }

const std::vector<std::string>& peer_names() {
  static const std::vector<std::string> names{"fftw", "fftw-avx2", "fftw-avx512", "mkl", "pocketfft", "vkfft"};
  return names;
}

std::unique_ptr<Library> open_peer(const std::string& name, const std::string& folder, FftwPlanning planning) {
  const std::filesystem::path peers = folder;
  if (name == "fftw") {
    return open_fftw(name, {"libfftw3f.so.3", "libfftw3.so.3", "libfftw3f_threads.so.3", "libfftw3_threads.so.3"},
                     planning);
  }
  if (name == "fftw-avx2" || name == "fftw-avx512") {
    const std::string target = name.substr(name.find('-') + 1);
    return open_fftw(name,
                     {(peers / fmt::format("libfftw3f_{}.so", target)).string(),
                      (peers / fmt::format("libfftw3_{}.so", target)).string()},
                     planning);
  }
  if (name == "mkl") return open_mkl(beside(peers / "mkl", "libmkl_rt.so", "libmkl_rt.so"));
  if (name == "pocketfft" || name == "vkfft") return open_module(name, find_module(name, folder));
  throw InvalidArgument(
      fmt::format("'{}' is no library to compare with; expected one of {}", name, fmt::join(peer_names(), ", ")));
}

void check_peer_problem(const Problem& problem) {
  const Transform& transform = problem.transform;
  if (transform.load_hook || transform.store_hook) throw Unsupported("peers are given no hooks");
  if (transform.precision != Precision::float32 && transform.precision != Precision::float64) {
    throw Unsupported("peers compute in single or double precision");
  }
  if (scale_factor(transform, problem.direction) != 1) throw Unsupported("peers do not scale: say norm=none");
}

void check_plain_problem(const Problem& problem) {
  check_peer_problem(problem);
  const Transform& transform = problem.transform;
  const Transform plain{.lengths = transform.lengths,
                        .batch = transform.batch,
                        .normalization = transform.normalization,
                        .kind = transform.kind,
                        .precision = transform.precision,
                        .overwrite_input = transform.overwrite_input};
  if (transform != plain || is_real_to_real(transform.kind)) {
    throw Unsupported("it is given complex and real transforms of all axes in default layouts only");
  }
}

}  // namespace twiddle::bench
