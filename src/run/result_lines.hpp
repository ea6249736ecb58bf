// What is made of the results of a convolution of the whole on the host before they are stored.
#pragma once

#include <cstddef>
#include <optional>

#include "backend/host/bank_kernels.hpp"
#include "backend/host/combination.hpp"
#include "backend/host/result_hook.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::run {

// T: float or double, the convolution's precision.
template <class T>
class ResultLines {
 public:
  explicit ResultLines(const Convolution& convolution);

  // Scalars that store() works in.
  [[nodiscard]] std::size_t room() const;

  // Takes the results of a signal with a filter, lines with the neighbours that post-processing needs at both ends, and
  // stores what it makes of them where it belongs in `output`, the whole of it. For maxima, filters come one after the
  // other.
  void store(const T* results, std::size_t signal, std::size_t filter, T* room, T* output) const;

 private:
  Convolution convolution_;
  backend::host::CombinationKernels<T> combinations_;
  backend::host::BankKernels<T> kernels_;
  std::optional<backend::host::ResultHook<T>> hook_;
  std::size_t count_;        // results of a line
  std::size_t left_;         // neighbours before them
  std::size_t wide_;         // with all neighbours
  std::size_t lines_;        // of a signal with a filter
  std::size_t stored_;       // elements of a line in the output
  std::size_t scalars_;      // of a result
  std::size_t out_scalars_;  // of a stored element
};

}  // namespace twiddle::run
