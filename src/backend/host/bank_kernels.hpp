// Kernels of filter banks (plan/filter_bank.hpp), as plain data: what they are called with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::backend::host {

// to[k] = a[k] * b[k], complex numbers in planes. Nothing beyond `count` is read or written.
template <class T>
struct ProductCall {
  Planes<const T> a;
  Planes<const T> b;
  Planes<T> to;
  std::size_t count = 0;
};

// to[k] (+)= sum_m taps[m] * from[k - m] for 0 <= m < tap_count and 0 <= k < count; from[-(tap_count - 1)] must be
// there. Real where the imaginary planes are null.
template <class T>
struct DirectCall {
  Planes<const T> from;
  Planes<const T> taps;
  Planes<T> to;
  std::size_t tap_count = 1;
  std::size_t count = 0;
  bool add = false;  // to what is in `to`
};

// Results y[0], y[1], ... as they are stored: see PostProcessing. Neighbours y[-1] and y[count] are there where the
// function needs them. `to` gets ceil(count / decimation) elements, interleaved where they are complex; twice as many
// interbinned.
template <class T>
struct PostCall {
  Planes<const T> y;  // imaginary null: real
  std::size_t count = 0;
  PostProcessing::Function function = PostProcessing::Function::none;
  std::size_t decimation = 1;
  T* to = nullptr;
};

template <class T>
struct BankKernels {
  void (*multiply)(const ProductCall<T>&);
  void (*direct)(const DirectCall<T>&);
  void (*process)(const PostCall<T>&);
  // Where values[i] > largest[i]: takes it, and `index` as winners[i].
  void (*keep_larger)(const T* values, std::size_t count, T index, T* largest, T* winners);
};

// For the best of the SIMD targets in the mask.
template <class T>
[[nodiscard]] BankKernels<T> find_bank_kernels(std::int64_t targets);
template <>
BankKernels<float> find_bank_kernels<float>(std::int64_t targets);
template <>
BankKernels<double> find_bank_kernels<double>(std::int64_t targets);
template <>
BankKernels<long double> find_bank_kernels<long double>(std::int64_t targets);

}  // namespace twiddle::backend::host
