// The complex transform with the symmetry of real data put into its symbols.
#include "kernel/real_butterfly.hpp"

#include <fmt/format.h>

#include "kernel/butterfly.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {

ButterflyGraph real_butterfly_graph(unsigned radix, Direction direction) {
  if (radix < 2 || radix > largest_radix) {
    throw InvalidArgument(fmt::format("expected a radix from 2 to {}, got {}", largest_radix, radix));
  }
  ButterflyGraph butterfly;
  ExpressionGraph& graph = butterfly.graph;
  std::vector<Value>& outputs = butterfly.outputs;
  const Value zero = graph.constant(0);
  std::vector<ComplexValue> inputs(radix, {zero, zero});
  if (direction == Direction::forward) {
    for (unsigned n = 0; n < radix; ++n) inputs[n].real = graph.input(n);
    const std::vector<ComplexValue> spectrum = transform(graph, chosen_design(radix), inputs);
    outputs.push_back(spectrum[0].real);
    for (unsigned n = 1; n < radix; ++n) {
      const ComplexValue& element = spectrum[(n + 1) / 2];
      outputs.push_back(n % 2 == 1 ? element.real : element.imaginary);
    }
  } else {  // the forward transform with the parts exchanged; of its outputs the real parts vanish
    inputs[0].imaginary = graph.input(0);
    for (unsigned k = 1; 2 * k <= radix; ++k) {
      const Value real = graph.input(2 * k - 1);
      const Value imaginary = 2 * k == radix ? zero : graph.input(2 * k);
      inputs[k] = {imaginary, real};
      inputs[radix - k] = {graph.negate(imaginary), real};
    }
    for (const ComplexValue& value : transform(graph, chosen_design(radix), inputs)) outputs.push_back(value.imaginary);
  }
  const std::vector<unsigned> uses = graph.use_counts(outputs);
  for (Value& output : outputs) output = graph.without_negation(output, uses);
  return butterfly;
}

}  // namespace twiddle::kernel
