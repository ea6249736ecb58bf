// Splits convolutions by the factors of x^n -+ 1 while that saves operations.
#include "kernel/symbolic_convolution.hpp"

#include <algorithm>

namespace twiddle::kernel {
namespace {

using Values = std::vector<Value>;
using Constants = std::vector<long double>;

// The element of a kernel that wraps around, at any position > -n.
long double wrapped(Wrap wrap, std::span<const long double> kernel, std::ptrdiff_t position) {
  if (position >= 0) return kernel[position];
  const long double value = kernel[position + std::ssize(kernel)];
  return wrap == Wrap::cyclic ? value : -value;
}

Value sum(ExpressionGraph& graph, std::span<const Value> values) {
  Value total = values[0];
  for (const Value value : values.subspan(1)) total = graph.add(total, value);
  return total;
}

// x^2m - 1 = (x^m - 1)(x^m + 1).
Convolution by_halves(ExpressionGraph& graph, std::span<const Value> values, std::span<const long double> kernel,
                      std::span<const Value> start) {
  const std::size_t half = values.size() / 2;
  Values sums, differences, starts;
  Constants sum_kernel, difference_kernel;
  for (std::size_t a = 0; a < half; ++a) {
    sums.push_back(graph.add(values[a], values[a + half]));
    differences.push_back(graph.subtract(values[a], values[a + half]));
    sum_kernel.push_back((kernel[a] + kernel[a + half]) / 2);
    difference_kernel.push_back((kernel[a] - kernel[a + half]) / 2);
  }
  const bool same_start = std::equal(start.begin(), start.begin() + half, start.begin() + half);
  const Values zeros(half, graph.constant(0));
  const Convolution even =
      convolve(graph, Wrap::cyclic, sums, sum_kernel, same_start ? start.first(half) : std::span<const Value>(zeros));
  const Convolution odd = convolve(graph, Wrap::negacyclic, differences, difference_kernel, zeros);
  Convolution result{Values(2 * half), even.total};
  for (std::size_t b = 0; b < half; ++b) {
    result.values[b] = graph.add(even.values[b], odd.values[b]);
    result.values[b + half] = graph.subtract(even.values[b], odd.values[b]);
    if (same_start) continue;
    result.values[b] = graph.add(start[b], result.values[b]);
    result.values[b + half] = graph.add(start[b + half], result.values[b + half]);
  }
  return result;
}

// The odd length n: x -> -x turns x^n + 1 into x^n - 1.
Convolution by_alternation(ExpressionGraph& graph, std::span<const Value> values, std::span<const long double> kernel,
                           std::span<const Value> start) {
  const auto alternate = [&](std::span<const Value> sequence) {
    Values result(sequence.begin(), sequence.end());
    for (std::size_t a = 1; a < result.size(); a += 2) result[a] = graph.negate(result[a]);
    return result;
  };
  Constants alternated(kernel.begin(), kernel.end());
  for (std::size_t a = 1; a < alternated.size(); a += 2) alternated[a] = -alternated[a];
  const Convolution cyclic = convolve(graph, Wrap::cyclic, alternate(values), alternated, alternate(start));
  return {alternate(cyclic.values), {}};
}

// A length q r with q odd and prime to r is a cyclic convolution of length q whose elements are convolutions of length
// r (Good's map). The cyclic part splits by x^q - 1 = (x - 1)(1 + x + ... + x^(q - 1)): the mean of the kernel over q
// meets the sum of the values, and what is left of the kernel adds up to zero, so that one of the q values can be taken
// off the others beforehand. The start is the same for all elements, and zero if negacyclic.
class OddFactor {
 public:
  OddFactor(std::size_t odd, std::size_t rest) : odd_(odd), rest_(rest) {
    const std::size_t period = 2 * odd * rest;  // sign changes after half of it
    while (step_odd_ % odd != 1) step_odd_ += 2 * rest;
    while (step_rest_ % (2 * rest) != 1) step_rest_ += odd;
    step_odd_ %= period;
    step_rest_ %= period;
  }

  Convolution operator()(ExpressionGraph& graph, Wrap wrap, std::span<const Value> values,
                         std::span<const long double> kernel, Value start) const {
    std::vector<Values> rows(odd_);
    std::vector<Constants> kernels(odd_);
    for (std::size_t i = 0; i < odd_; ++i) {
      for (std::size_t j = 0; j < rest_; ++j) {
        const auto [position, negative] = place(wrap, i, j);
        rows[i].push_back(negative ? graph.negate(values[position]) : values[position]);
        kernels[i].push_back(negative ? -kernel[position] : kernel[position]);
      }
    }
    const auto [outputs, total] = split(graph, wrap, rows, kernels, start);
    Convolution result{Values(values.size()), total};
    for (std::size_t i = 0; i < odd_; ++i) {
      for (std::size_t j = 0; j < rest_; ++j) {
        const auto [position, negative] = place(wrap, i, j);
        result.values[position] = negative ? graph.negate(outputs[i][j]) : outputs[i][j];
      }
    }
    return result;
  }

 private:
  struct Place {
    std::size_t position;
    bool negative;
  };
  struct Rows {
    std::vector<Values> outputs;
    Value total;
  };

  Place place(Wrap wrap, std::size_t i, std::size_t j) const {
    const std::size_t length = odd_ * rest_;
    const std::size_t position = (i * step_odd_ + j * step_rest_) % (2 * length);
    return {position % length, wrap == Wrap::negacyclic && position >= length};
  }

  Rows split(ExpressionGraph& graph, Wrap wrap, const std::vector<Values>& rows, std::vector<Constants>& kernels,
             Value start) const {
    Values sums(rows[0]);
    Constants mean(rest_);
    for (std::size_t j = 0; j < rest_; ++j) {
      for (std::size_t i = 0; i < odd_; ++i) mean[j] += kernels[i][j] / static_cast<long double>(odd_);
      for (std::size_t i = 0; i < odd_; ++i) kernels[i][j] -= mean[j];
      for (std::size_t i = 1; i < odd_; ++i) sums[j] = graph.add(sums[j], rows[i][j]);
    }
    std::vector<Values> differences(odd_ - 1);
    for (std::size_t i = 0; i + 1 < odd_; ++i) {
      for (std::size_t j = 0; j < rest_; ++j) differences[i].push_back(graph.subtract(rows[i][j], rows.back()[j]));
    }
    const Convolution base = convolve(graph, wrap, sums, mean, Values(rest_, start));
    std::vector<Values> outputs(odd_, Values(rest_, graph.constant(0)));
    for (std::size_t i = 0; i + 1 < odd_; ++i) {
      for (std::size_t k = 0; k + 1 < odd_; ++k) {
        outputs[i] = convolve(graph, wrap, differences[k], kernels[(i + odd_ - k) % odd_], outputs[i]).values;
      }
    }
    for (std::size_t j = 0; j < rest_; ++j) {
      for (std::size_t i = 0; i + 1 < odd_; ++i) outputs[odd_ - 1][j] = graph.add(outputs[odd_ - 1][j], outputs[i][j]);
      for (std::size_t i = 0; i + 1 < odd_; ++i) outputs[i][j] = graph.add(base.values[j], outputs[i][j]);
      outputs[odd_ - 1][j] = graph.subtract(base.values[j], outputs[odd_ - 1][j]);
    }
    return {outputs, base.total};
  }

  std::size_t odd_;
  std::size_t rest_;
  std::size_t step_odd_ = 0;   // 1 modulo odd, 0 modulo 2 rest
  std::size_t step_rest_ = 0;  // 0 modulo odd, 1 modulo 2 rest
};

}  // namespace

Convolution convolve_by_definition(ExpressionGraph& graph, Wrap wrap, std::span<const Value> values,
                                   std::span<const long double> kernel, std::span<const Value> start) {
  Convolution result{{start.begin(), start.end()}, {}};
  if (wrap == Wrap::cyclic) result.total = sum(graph, values);
  const std::ptrdiff_t terms = std::ssize(values);
  const auto [most, run_terms] = graph.long_sums();
  const std::ptrdiff_t run = values.size() > most ? static_cast<std::ptrdiff_t>(run_terms) : terms;
  for (std::ptrdiff_t b = 0; b < terms; ++b) {
    for (std::ptrdiff_t first = 0; first < terms; first += run) {
      // The first run goes on from the start.
      Value partial = first == 0 ? start[b] : graph.constant(0);
      for (std::ptrdiff_t a = first; a < std::min(first + run, terms); ++a) {
        partial = graph.add(partial, graph.multiply(wrapped(wrap, kernel, b - a), values[a]));
      }
      result.values[b] = first == 0 ? partial : graph.add(result.values[b], partial);
    }
  }
  return result;
}

// Splitting off a factor of 3 saves operations on every machine; for 5 and above it saves multiplications at the price
// of additions, which is a loss where multiplications are fused.
constexpr std::size_t odd_factor = 3;

Convolution convolve(ExpressionGraph& graph, Wrap wrap, std::span<const Value> values,
                     std::span<const long double> kernel, std::span<const Value> start) {
  const std::size_t length = values.size();
  if (length == 1) return convolve_by_definition(graph, wrap, values, kernel, start);
  if (length % 2 == 0 && wrap == Wrap::cyclic) return by_halves(graph, values, kernel, start);
  if (length % 2 == 1 && wrap == Wrap::negacyclic) return by_alternation(graph, values, kernel, start);
  if (length % odd_factor != 0 || length / odd_factor % odd_factor == 0) {
    return convolve_by_definition(graph, wrap, values, kernel, start);
  }
  const OddFactor split(odd_factor, length / odd_factor);
  const Value zero = graph.constant(0);
  const auto all_equal = [&](Value value) {
    return std::count(start.begin(), start.end(), value) == std::ssize(start);
  };
  if (all_equal(zero) || (wrap == Wrap::cyclic && all_equal(start[0]))) {
    return split(graph, wrap, values, kernel, start[0]);
  }
  Convolution result = split(graph, wrap, values, kernel, zero);
  for (std::size_t b = 0; b < length; ++b) result.values[b] = graph.add(start[b], result.values[b]);
  return result;
}

}  // namespace twiddle::kernel
