// Kernels of filter banks (plan/convolution/filter_bank.hpp), as plain data: what they are called with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/host/pass.hpp"
#include "twiddle/convolution.hpp"

namespace twiddle::backend::host {

// to[k] = a[k] * b[k], or what is there and that, complex numbers in planes. Nothing beyond `count` is read or written.
template <class T>
struct ProductCall {
  Planes<const T> a;
  Planes<const T> b;
  Planes<T> to;
  std::size_t count = 0;
};

// A line of samples and where its taps begin: it gives sum_m taps[begin + m] * from[k - m]. Complex numbers are
// interleaved.
template <class T>
struct DirectLine {
  const T* from = nullptr;
  std::size_t taps = 0;  // in scalars
};

// to[k] = the sum over all lines, for 0 <= k < count; of each line from[-(tap_count - 1)] and all behind it must be
// there. The imaginary plane is null for reals.
template <class T>
struct DirectCall {
  const DirectLine<T>* lines = nullptr;
  std::size_t line_count = 0;
  const T* taps = nullptr;
  std::size_t tap_count = 1;
  std::size_t count = 0;
  Planes<T> to;
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
  void (*add_product)(const ProductCall<T>&);
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
