// FFTW's interface, which MKL has as well, loaded at run time: twiddle's command must not be linked with FFTW.
#pragma once

#include <memory>
#include <string>

#include "library.hpp"

namespace twiddle::bench {

// Files of shared objects. `single_threads` and `double_threads` hold the functions for threads and need the other two;
// empty where those have them.
struct FftwFiles {
  std::string single_precision;
  std::string double_precision;
  std::string single_threads{};
  std::string double_threads{};
};

// Throws Unsupported where a file or a function is missing; planning does so for double precision.
[[nodiscard]] std::unique_ptr<Library> open_fftw(const std::string& name, const FftwFiles& files,
                                                 FftwPlanning planning);

// MKL by its FFTW interface, with the threads of GCC's OpenMP.
[[nodiscard]] std::unique_ptr<Library> open_mkl(const std::string& file);

}  // namespace twiddle::bench
