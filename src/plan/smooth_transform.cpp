// Recursive transform of smooth lengths in extended precision.
#include "plan/smooth_transform.hpp"

#include <cstddef>

#include "plan/radices.hpp"
#include "plan/tables.hpp"

namespace twiddle::plan {
namespace {

using Value = std::complex<long double>;

// Forward transform of any smooth length in extended precision: recursive decimation in time, smallest factor first
// (J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier series, 1965).
class SmoothTransform {
 public:
  explicit SmoothTransform(std::size_t length) : factors_(prime_factors(length)), roots_(length) {
    const RootsOfUnity roots(length);
    for (std::size_t i = 0; i < length; ++i) roots_[i] = roots(i);
    if (!factors_.empty()) terms_.resize(factors_.back());
  }

  std::vector<Value> run(const std::vector<Value>& input) {
    std::vector<Value> output(input.size());
    transform(0, input.data(), 1, output.data(), input.size());
    return output;
  }

 private:
  void transform(std::size_t level, const Value* input, std::size_t stride, Value* output, std::size_t count) {
    if (count == 1) {
      *output = *input;
      return;
    }
    const std::size_t radix = factors_[level];
    const std::size_t part = count / radix;
    for (std::size_t r = 0; r < radix; ++r) {
      transform(level + 1, input + r * stride, stride * radix, output + r * part, part);
    }
    const std::size_t turn = roots_.size() / radix;  // stride is roots_.size() / count
    if (radix == 2) {  // most levels of long transforms
      for (std::size_t k = 0; k < part; ++k) {
        const Value even = output[k];
        const Value odd = multiply(output[part + k], roots_[k * stride]);
        output[k] = even + odd;
        output[part + k] = even - odd;
      }
      return;
    }
    for (std::size_t k = 0; k < part; ++k) {
      for (std::size_t r = 0; r < radix; ++r) terms_[r] = multiply(output[r * part + k], roots_[r * k * stride]);
      for (std::size_t j = 0; j < radix; ++j) {
        Value sum = terms_[0];
        for (std::size_t r = 1; r < radix; ++r) sum += multiply(terms_[r], roots_[r * j % radix * turn]);
        output[j * part + k] = sum;
      }
    }
  }

  std::vector<std::size_t> factors_;
  std::vector<Value> roots_;
  std::vector<Value> terms_;
};

}  // namespace

std::vector<std::complex<long double>> smooth_transform(const std::vector<std::complex<long double>>& values) {
  return SmoothTransform(values.size()).run(values);
}

}  // namespace twiddle::plan
