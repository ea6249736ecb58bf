// From a graph to statements: multiplications merged into additions where that saves operations, in an order that keeps
// few values alive.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "kernel/butterfly.hpp"
#include "kernel/symbolic_fft.hpp"

namespace twiddle::kernel {

enum class Instruction {
  add,                    // a + b
  subtract,               // a - b
  multiply,               // factor * a
  negate,                 // -a
  multiply_add,           // factor * a + b
  negative_multiply_add,  // b - factor * a
  multiply_subtract,      // factor * a - b
};

// result = instruction(a, b, factor). Values are numbered as in the graph; inputs come from no statement.
struct Statement {
  Instruction instruction = Instruction::add;
  Value result;
  Value a;
  std::optional<Value> b;
  long double factor = 0;
  bool operator==(const Statement&) const = default;
};

// Statements in an order in which they can be executed. A value is alive from its statement (an input from the
// beginning) to its last use or, if it is an output, to the end.
struct Schedule {
  std::vector<Statement> statements;
  std::size_t peak = 0;  // most values alive at once
};

// The operations that the outputs need, as they stand and after extract_factors and fuse.
[[nodiscard]] OperationCount count_operations(const ButterflyGraph& butterfly);

// One statement an operation, in the order of the graph. A product that is only ever added or subtracted costs nothing
// of its own: it is merged into these.
[[nodiscard]] std::vector<Statement> fuse(const ButterflyGraph& butterfly);

// The same values with fewer fused operations: the largest factor of a sum of products is taken out of it where it can
// be merged into the additions that use the sum. Unchanged where nothing is gained. The idea is that of E. Linzer and
// E. Feig, "Implementation of efficient FFT algorithms on fused multiply-add architectures", 1993; taking out the
// largest factor keeps the quotients at most 1 and so the error small.
[[nodiscard]] ButterflyGraph extract_factors(const ButterflyGraph& butterfly);

// The fused statements in an order that keeps few values alive.
[[nodiscard]] Schedule schedule(const ButterflyGraph& butterfly);

}  // namespace twiddle::kernel
