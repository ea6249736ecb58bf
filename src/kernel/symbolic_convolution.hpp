// Short cyclic and negacyclic convolutions with constant sequences, over symbols: what transforms of prime length
// are made of.
#pragma once

#include <span>
#include <vector>

#include "kernel/expression.hpp"

namespace twiddle::kernel {

// What wraps around at the end of the sequence changes its sign or not: products modulo x^n - 1 and modulo x^n + 1.
enum class Wrap { cyclic, negacyclic };

struct Convolution {
  std::vector<Value> values;
  Value total;  // sum of the input; set by cyclic convolutions only
};

// start[b] + sum over a of kernel[b - a] values[a], for b in [0, n), where kernel[-e] is kernel[n - e], negated if
// negacyclic. All three sequences have n > 0 elements. Splits the convolution where that saves operations.
// Methods: H. J. Nussbaumer, "Fast Fourier Transform and Convolution Algorithms", 1981, chapter 3.
[[nodiscard]] Convolution convolve(ExpressionGraph& graph, Wrap wrap, std::span<const Value> values,
                                   std::span<const long double> kernel, std::span<const Value> start);

// The same by its definition: the fewest additions, and as many multiplications.
[[nodiscard]] Convolution convolve_by_definition(ExpressionGraph& graph, Wrap wrap, std::span<const Value> values,
                                                 std::span<const long double> kernel, std::span<const Value> start);

}  // namespace twiddle::kernel
