// pocketfft, the C++ library inside NumPy and SciPy, as a module for `twiddle bench`: its public functions, with its
// cache of plans, as they serve there.
#define POCKETFFT_CACHE_SIZE 16
#include <complex>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <pythonic/numpy/fft/pocketfft.hpp>
#include <utility>

#include "peer_module.h"

namespace {

using pocketfft::shape_t;
using pocketfft::stride_t;

// Row-major strides in bytes of rows that are `row` elements apart.
stride_t strides_of(const shape_t& shape, std::size_t row, std::size_t element) {
  stride_t strides(shape.size());
  strides.back() = static_cast<std::ptrdiff_t>(element);
  std::ptrdiff_t step = static_cast<std::ptrdiff_t>(row * element);
  for (std::size_t axis = shape.size() - 1; axis-- > 0;) {
    strides[axis] = step;
    step *= static_cast<std::ptrdiff_t>(shape[axis]);
  }
  return strides;
}

template <class Real>
std::function<void()> call_of(const TwiddlePeerProblem& problem) {
  shape_t shape{problem.batch};
  shape_t axes;
  for (std::size_t axis = 0; axis < problem.rank; ++axis) {
    shape.push_back(problem.lengths[axis]);
    axes.push_back(axis + 1);
  }
  const std::size_t threads = problem.threads;
  const bool forward = problem.inverse == 0;
  const std::size_t row = shape.back();
  if (problem.real == 0) {
    const stride_t strides = strides_of(shape, row, sizeof(std::complex<Real>));
    return [=, input = static_cast<const std::complex<Real>*>(problem.input),
            output = static_cast<std::complex<Real>*>(problem.output)] {
      pocketfft::c2c(shape, strides, strides, axes, forward, input, output, Real{1}, threads);
    };
  }
  const stride_t reals = strides_of(shape, row, sizeof(Real));
  const stride_t spectrum = strides_of(shape, row / 2 + 1, sizeof(std::complex<Real>));
  if (forward) {
    return [=, input = static_cast<const Real*>(problem.input),
            output = static_cast<std::complex<Real>*>(problem.output)] {
      pocketfft::r2c(shape, reals, spectrum, axes, true, input, output, Real{1}, threads);
    };
  }
  return
      [=, input = static_cast<const std::complex<Real>*>(problem.input), output = static_cast<Real*>(problem.output)] {
        pocketfft::c2r(shape, spectrum, reals, axes, false, input, output, Real{1}, threads);
      };
}

}  // namespace

extern "C" {

const char* twiddle_peer_version() { return "Pythran's copy of the header"; }

void* twiddle_peer_plan(const TwiddlePeerProblem* problem, char* complaint, std::size_t size) {
  if (problem->real != 0 && problem->in_place != 0) {
    std::snprintf(complaint, size, "pocketfft has real transforms out of place only");
    return nullptr;
  }
  std::function<void()> call = problem->double_precision != 0 ? call_of<double>(*problem) : call_of<float>(*problem);
  call();  // fills the cache of plans
  return new std::function<void()>(std::move(call));
}

void twiddle_peer_run(void* plan) { (*static_cast<std::function<void()>*>(plan))(); }

void twiddle_peer_destroy(void* plan) { delete static_cast<std::function<void()>*>(plan); }

}  // extern "C"
