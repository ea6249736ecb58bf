// What is measured: libraries of Fourier transforms, twiddle among them, all behind one face.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "twiddle/device.hpp"
#include "twiddle/problem.hpp"

namespace twiddle::bench {

// A transform that is planned and can be executed again and again on the memory that it was planned for.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual void run() = 0;
};

class Library {
 public:
  explicit Library(std::string name) : name_(std::move(name)) {}
  virtual ~Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual std::string version() const = 0;
  // Plans for so many threads. `input` and `output` are equal in place; both may be overwritten. Throws Unsupported for
  // what the library cannot do.
  [[nodiscard]] virtual std::unique_ptr<Contender> plan(const Problem& problem, void* input, void* output,
                                                        std::size_t threads) = 0;

 private:
  std::string name_;
};

// How long FFTW may look for its plan.
enum class FftwPlanning { estimate, measure, patient };

// twiddle on the host.
[[nodiscard]] std::unique_ptr<Library> own_library();

// The host with so many threads. Devices that are open share their threads: there must be none of the host with others.
[[nodiscard]] Device host_with(std::size_t threads);

// Names for open_peer().
[[nodiscard]] const std::vector<std::string>& peer_names();

// A library by its name, found at run time; nothing is linked:
//   fftw                     the system's libfftw3f and libfftw3, with their _threads; of small problems on several
//                            threads, the faster of its plans for them and for one
//   fftw-avx2, fftw-avx512   libfftw3[f]_avx2.so in `folder`, as build_bench_peers.sh leaves them
//   mkl                      mkl/libmkl_rt.so in `folder`, or the system's libmkl_rt.so
//   pocketfft, vkfft         the modules libtwiddle_peer_NAME.so in `folder`, or beside the program
// Throws InvalidArgument for another name, Unsupported where the library is not there.
[[nodiscard]] std::unique_ptr<Library> open_peer(const std::string& name, const std::string& folder,
                                                 FftwPlanning planning);

// Throws Unsupported unless some peer can have this problem: float or double, nothing folded in, no factor.
void check_peer_problem(const Problem& problem);

// Throws Unsupported unless every peer can: complex or real, of all axes, and default layouts as well.
void check_plain_problem(const Problem& problem);

}  // namespace twiddle::bench
