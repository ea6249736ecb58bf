// The algorithms of the discrete Fourier transform, written over symbols.
#include "kernel/symbolic_fft.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <numeric>

#include "kernel/symbolic_convolution.hpp"
#include "plan/numbers/tables.hpp"

namespace twiddle::kernel {
namespace {

using ComplexValues = std::vector<ComplexValue>;
using Root = std::complex<long double>;

Root root(std::uint64_t k, std::uint64_t n) { return plan::root_of_unity(k % n, n); }

ComplexValue add(ExpressionGraph& graph, ComplexValue a, ComplexValue b) {
  return {graph.add(a.real, b.real), graph.add(a.imaginary, b.imaginary)};
}

ComplexValue subtract(ExpressionGraph& graph, ComplexValue a, ComplexValue b) {
  return {graph.subtract(a.real, b.real), graph.subtract(a.imaginary, b.imaginary)};
}

ComplexValue multiply(ExpressionGraph& graph, Root factor, ComplexValue a) {
  return {graph.subtract(graph.multiply(factor.real(), a.real), graph.multiply(factor.imag(), a.imaginary)),
          graph.add(graph.multiply(factor.real(), a.imaginary), graph.multiply(factor.imag(), a.real))};
}

// -i a: no operation, the parts change places.
ComplexValue quarter_turn(ExpressionGraph& graph, ComplexValue a) { return {a.imaginary, graph.negate(a.real)}; }

ComplexValue conjugate(ExpressionGraph& graph, ComplexValue a) { return {a.real, graph.negate(a.imaginary)}; }

ComplexValue negative_conjugate(ExpressionGraph& graph, ComplexValue a) { return {graph.negate(a.real), a.imaginary}; }

// The powers of a generator of the multiplicative group modulo the odd prime `length`, until they repeat up to sign.
std::vector<unsigned> half_group(unsigned length) {
  for (unsigned generator = 2;; ++generator) {
    std::vector<unsigned> powers{1};
    while (powers.back() * generator % length != 1) powers.push_back(powers.back() * generator % length);
    if (powers.size() + 1 < length) continue;
    powers.resize((length - 1) / 2);
    return powers;
  }
}

class Fourier {
 public:
  Fourier(ExpressionGraph& graph, Rounding rounding) : graph_(graph), rounding_(rounding) {}

  ComplexValues operator()(const Design& design, std::span<const ComplexValue> x) {
    switch (design.algorithm) {
      case Algorithm::trivial:
        return trivial(x);
      case Algorithm::symmetric:
      case Algorithm::rader_cosines:
      case Algorithm::rader:
        return prime(design.algorithm, x);
      case Algorithm::prime_factor:
        return prime_factor(design.first, x);
      case Algorithm::mixed_radix:
        return mixed_radix(design.first, x);
      case Algorithm::split_radix:
        return split_radix(x);
    }
    return {};
  }

 private:
  ComplexValues part(std::span<const ComplexValue> x) {
    const auto length = static_cast<unsigned>(x.size());
    return (*this)(rounding_ == Rounding::least ? exact_design(length) : chosen_design(length), x);
  }

  ComplexValues trivial(std::span<const ComplexValue> x) {
    if (x.size() == 1) return {x[0]};
    return {add(graph_, x[0], x[1]), subtract(graph_, x[0], x[1])};
  }

  // With s = x[n] + x[N - n] and d = x[n] - x[N - n], the outputs k and N - k are x[0] + sum s cos -+ i sum d sin. With
  // the inputs n = g^a and the outputs k = g^-b for a generator g these sums are convolutions: cyclic with the cosines
  // and negacyclic with the sines, since turning the sign of n k leaves the former and turns the latter.
  ComplexValues prime(Algorithm algorithm, std::span<const ComplexValue> x) {
    const std::size_t length = x.size();
    const std::vector<unsigned> group = half_group(static_cast<unsigned>(length));
    const std::size_t half = group.size();
    // g^-e = -g^(half - e).
    const auto inverse_power = [&](std::size_t e) { return e == 0 ? std::size_t{1} : length - group[half - e]; };
    std::array<std::vector<Value>, 2> sums, differences;  // real parts, imaginary parts
    for (const unsigned n : group) {
      const ComplexValue sum = add(graph_, x[n], x[length - n]);
      const ComplexValue difference = subtract(graph_, x[n], x[length - n]);
      sums[0].push_back(sum.real);
      sums[1].push_back(sum.imaginary);
      differences[0].push_back(difference.real);
      differences[1].push_back(difference.imaginary);
    }
    std::vector<long double> cosines, sines;
    for (std::size_t e = 0; e < half; ++e) {
      cosines.push_back(root(inverse_power(e), length).real());
      sines.push_back(-root(inverse_power(e), length).imag());
    }
    const auto cosine_sum = algorithm == Algorithm::symmetric ? convolve_by_definition : convolve;
    const auto sine_sum = algorithm == Algorithm::rader ? convolve : convolve_by_definition;
    std::array<Convolution, 2> even, odd;
    for (const int part : {0, 1}) {
      const std::vector<Value> start(half, part == 0 ? x[0].real : x[0].imaginary);
      const std::vector<Value> zeros(half, graph_.constant(0));
      even[part] = cosine_sum(graph_, Wrap::cyclic, sums[part], cosines, start);
      odd[part] = sine_sum(graph_, Wrap::negacyclic, differences[part], sines, zeros);
    }
    ComplexValues result(length);
    result[0] = add(graph_, x[0], {even[0].total, even[1].total});
    for (std::size_t b = 0; b < half; ++b) {
      const std::size_t k = inverse_power(b);
      const ComplexValue cosine_part{even[0].values[b], even[1].values[b]};
      const ComplexValue sine_part = quarter_turn(graph_, {odd[0].values[b], odd[1].values[b]});
      result[k] = add(graph_, cosine_part, sine_part);
      result[length - k] = subtract(graph_, cosine_part, sine_part);
    }
    return result;
  }

  // Input second i + first j, output k: then n k / N = i k / first + j k / second modulo 1.
  ComplexValues prime_factor(std::size_t first, std::span<const ComplexValue> x) {
    const std::size_t length = x.size();
    const std::size_t second = length / first;
    std::vector<ComplexValues> rows;
    for (std::size_t j = 0; j < second; ++j) {
      ComplexValues row;
      for (std::size_t i = 0; i < first; ++i) row.push_back(x[(second * i + first * j) % length]);
      rows.push_back(part(row));
    }
    std::vector<ComplexValues> columns;
    for (std::size_t i = 0; i < first; ++i) {
      ComplexValues column;
      for (std::size_t j = 0; j < second; ++j) column.push_back(rows[j][i]);
      columns.push_back(part(column));
    }
    ComplexValues result;
    for (std::size_t k = 0; k < length; ++k) result.push_back(columns[k % first][k % second]);
    return result;
  }

  // Input second i + j, output k + first l: transform over i, turn by j k / N, transform over j. Where symmetry gives
  // half of the columns or of the results, they are made from the others, so that the graph need not find it out.
  ComplexValues mixed_radix(std::size_t first, std::span<const ComplexValue> x) {
    const std::size_t length = x.size();
    const std::size_t second = length / first;
    const bool mirrored = is_mirrored(x);
    std::vector<ComplexValues> rows;
    for (std::size_t j = 0; j < second; ++j) {
      ComplexValues row;
      for (std::size_t i = 0; i < first; ++i) row.push_back(x[second * i + j]);
      rows.push_back(part(row));
    }
    const bool real = is_real(x);
    ComplexValues result(length);
    for (std::size_t k = 0; k < first; ++k) {
      if (real && 2 * k > first) {
        for (std::size_t n = k; n < length; n += first) result[n] = conjugate(graph_, result[length - n]);
        continue;
      }
      ComplexValues column;
      for (std::size_t j = 0; j < second; ++j) {
        column.push_back(mirrored && 2 * j > second ? negative_conjugate(graph_, column[second - j])
                                                    : multiply(graph_, root(j * k, length), rows[j][k]));
      }
      const ComplexValues transformed = part(column);
      for (std::size_t l = 0; l < second; ++l) result[k + first * l] = transformed[l];
    }
    return result;
  }

  // Whether the results are a sequence with x[N - k] = conj(x[k]).
  bool is_real(std::span<const ComplexValue> x) {
    const Value zero = graph_.constant(0);
    return std::all_of(x.begin(), x.end(), [&](const ComplexValue& value) { return value.imaginary == zero; });
  }

  // x[N - n] = -conj(x[n]): half the spectrum of reals with the parts exchanged.
  bool is_mirrored(std::span<const ComplexValue> x) {
    for (std::size_t n = 0; n < x.size(); ++n) {
      if (x[(x.size() - n) % x.size()] != negative_conjugate(graph_, x[n])) return false;
    }
    return true;
  }

  ComplexValues split_radix(std::span<const ComplexValue> x) {
    const std::size_t length = x.size();
    const std::size_t quarter = length / 4;
    ComplexValues evens, after, before;
    for (std::size_t n = 0; n < length; n += 2) evens.push_back(x[n]);
    for (std::size_t n = 0; n < length; n += 4) {
      after.push_back(x[n + 1]);
      before.push_back(x[(n + length - 1) % length]);
    }
    const ComplexValues even = part(evens);
    const ComplexValues upper = part(after);
    const ComplexValues lower = part(before);
    ComplexValues result(length);
    for (std::size_t k = 0; k < quarter; ++k) {
      const ComplexValue forward = multiply(graph_, root(k, length), upper[k]);
      const ComplexValue backward = multiply(graph_, root(length - k, length), lower[k]);
      const ComplexValue sum = add(graph_, forward, backward);
      const ComplexValue turned = quarter_turn(graph_, subtract(graph_, forward, backward));
      result[k] = add(graph_, even[k], sum);
      result[k + 2 * quarter] = subtract(graph_, even[k], sum);
      result[k + quarter] = add(graph_, even[k + quarter], turned);
      result[k + 3 * quarter] = subtract(graph_, even[k + quarter], turned);
    }
    return result;
  }

  ExpressionGraph& graph_;
  Rounding rounding_;
};

}  // namespace

std::vector<ComplexValue> transform(ExpressionGraph& graph, const Design& design, std::span<const ComplexValue> values,
                                    Rounding rounding) {
  return Fourier(graph, rounding)(design, values);
}

ButterflyGraph butterfly_graph(const Design& design, Direction direction, Rounding rounding) {
  ButterflyGraph butterfly;
  if (rounding == Rounding::least) butterfly.graph = ExpressionGraph(long_sums_of_least_rounding);
  ExpressionGraph& graph = butterfly.graph;
  const bool inverse = direction == Direction::inverse;  // the forward transform with the parts exchanged
  ComplexValues inputs;
  for (unsigned n = 0; n < design.length; ++n) {
    const Value real = graph.input(2 * n);
    const Value imaginary = graph.input(2 * n + 1);
    inputs.push_back(inverse ? ComplexValue{imaginary, real} : ComplexValue{real, imaginary});
  }
  std::vector<Value>& outputs = butterfly.outputs;
  for (const ComplexValue& value : transform(graph, design, inputs, rounding)) {
    outputs.push_back(inverse ? value.imaginary : value.real);
    outputs.push_back(inverse ? value.real : value.imaginary);
  }
  const std::vector<unsigned> uses = graph.use_counts(outputs);
  for (Value& output : outputs) output = graph.without_negation(output, uses);
  return butterfly;
}

}  // namespace twiddle::kernel
