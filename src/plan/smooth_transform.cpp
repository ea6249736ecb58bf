// Recursive transform of smooth lengths.
#include "plan/smooth_transform.hpp"

#include <algorithm>
#include <cstddef>

#include "plan/radices.hpp"
#include "plan/tables.hpp"

namespace twiddle::plan {
namespace {

// Pairs of twos as fours, which take fewer products; then the other primes, smallest first.
std::vector<std::size_t> factors_of(std::size_t length) {
  std::vector<std::size_t> factors;
  for (const std::size_t prime : prime_factors(length)) {
    if (prime == 2 && !factors.empty() && factors.back() == 2) {
      factors.back() = 4;
    } else {
      factors.push_back(prime);
    }
  }
  return factors;
}

// Forward transform of any smooth length: recursive decimation in time (J. W. Cooley, J. W. Tukey, An algorithm for the
// machine calculation of complex Fourier series, 1965).
template <class Real>
class SmoothTransform {
 public:
  using Value = std::complex<Real>;

  explicit SmoothTransform(std::size_t length) : factors_(factors_of(length)), roots_(length) {
    const ProductsOfRoots<long double> roots(length);
    for (std::size_t i = 0; i <= length / 2; ++i) {
      roots_[i] = Value(roots(i));
      if (i > 0) roots_[length - i] = std::conj(roots_[i]);
    }
    if (!factors_.empty()) terms_.resize(*std::max_element(factors_.begin(), factors_.end()));
  }

  std::vector<Value> run(const std::vector<Value>& input) {
    std::vector<Value> output(input);
    if (input.size() > 1) transform(0, input.data(), 1, output.data(), input.size());
    return output;
  }

 private:
  // Without the checks for infinities that the standard's product makes.
  static Value multiply(const Value& x, const Value& y) {
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  }

  void transform(std::size_t level, const Value* input, std::size_t stride, Value* output, std::size_t count) {
    const std::size_t radix = factors_[level];
    const std::size_t part = count / radix;
    for (std::size_t r = 0; r < radix; ++r) {
      if (part == 1) {
        output[r] = input[r * stride];
      } else {
        transform(level + 1, input + r * stride, stride * radix, output + r * part, part);
      }
    }
    const std::size_t turn = roots_.size() / radix;  // stride is roots_.size() / count
    for (std::size_t k = 0; k < part; ++k) {
      for (std::size_t r = 0; r < radix; ++r) {
        terms_[r] = r == 0 || k == 0 ? output[r * part + k] : multiply(output[r * part + k], roots_[r * k * stride]);
      }
      if (radix == 4) {
        butterfly_4(output + k, part);
      } else if (radix == 2) {
        output[k] = terms_[0] + terms_[1];
        output[part + k] = terms_[0] - terms_[1];
      } else {
        butterfly_odd(radix, turn, output + k, part);
      }
    }
  }

  // Terms j and radix - j share the real and the imaginary part of a root, as do the results.
  void butterfly_odd(std::size_t radix, std::size_t turn, Value* output, std::size_t step) {
    for (std::size_t r = 1; r <= radix / 2; ++r) {
      const Value difference = terms_[r] - terms_[radix - r];
      terms_[r] += terms_[radix - r];
      terms_[radix - r] = difference;
    }
    Value total = terms_[0];
    for (std::size_t r = 1; r <= radix / 2; ++r) total += terms_[r];
    output[0] = total;
    for (std::size_t j = 1; j <= radix / 2; ++j) {
      Value even = terms_[0];
      Value odd = 0;
      for (std::size_t r = 1, power = j; r <= radix / 2; ++r, power += j) {
        if (power >= radix) power -= radix;
        const Value& root = roots_[power * turn];
        even += root.real() * terms_[r];
        odd += root.imag() * terms_[radix - r];
      }
      output[j * step] = {even.real() - odd.imag(), even.imag() + odd.real()};
      output[(radix - j) * step] = {even.real() + odd.imag(), even.imag() - odd.real()};
    }
  }

  void butterfly_4(Value* output, std::size_t step) const {
    const Value even = terms_[0] + terms_[2];
    const Value even_difference = terms_[0] - terms_[2];
    const Value odd = terms_[1] + terms_[3];
    const Value difference = terms_[1] - terms_[3];
    const Value turned(difference.imag(), -difference.real());
    output[0] = even + odd;
    output[step] = even_difference + turned;
    output[2 * step] = even - odd;
    output[3 * step] = even_difference - turned;
  }

  std::vector<std::size_t> factors_;
  std::vector<Value> roots_;
  std::vector<Value> terms_;
};

}  // namespace

std::vector<std::complex<long double>> smooth_transform(const std::vector<std::complex<long double>>& values) {
  return SmoothTransform<long double>(values.size()).run(values);
}

std::vector<std::complex<double>> smooth_transform(const std::vector<std::complex<double>>& values) {
  return SmoothTransform<double>(values.size()).run(values);
}

}  // namespace twiddle::plan
