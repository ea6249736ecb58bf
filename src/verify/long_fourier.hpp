// Fourier transforms in long double, of any length, to refer to. Short, and on purpose without anything of src/plan.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace twiddle::verify {

using Value = std::complex<long double>;

// exp(-2 pi i k / n), from sines and cosines of the first octant; n is at most 2^60.
[[nodiscard]] Value unit_root(std::uint64_t k, std::uint64_t n);

// Transforms lines of `length` values: by decimation in time over the prime factors (J. W. Cooley, J. W. Tukey, An
// algorithm for the machine calculation of complex Fourier series, 1965), each by its sum; primes above 50 as a
// convolution (L. I. Bluestein, A linear filtering approach to the computation of the discrete Fourier transform,
// 1970).
class LongFourier {
 public:
  explicit LongFourier(std::size_t length);
  ~LongFourier();
  LongFourier(LongFourier&&) noexcept;
  LongFourier& operator=(LongFourier&&) noexcept;

  [[nodiscard]] std::size_t length() const { return length_; }

  // In place, unscaled, with exp(-2 pi i j k / length); `inverse` with + in the exponent.
  void forward(std::span<Value> line);
  void inverse(std::span<Value> line);

 private:
  struct Convolution;

  void transform(std::size_t level, const Value* input, std::size_t input_stride, Value* output);
  void combine(std::size_t radix, std::size_t count, Value* values);
  void short_transform(std::span<Value> values);

  std::size_t length_;
  std::vector<std::size_t> factors_;
  std::vector<Value> roots_;  // unit_root(k, length)
  std::vector<Value> input_;
  std::vector<Value> terms_;
  std::vector<Value> sums_;
  std::unique_ptr<Convolution> convolution_;  // for the prime factors above 50
};

}  // namespace twiddle::verify
