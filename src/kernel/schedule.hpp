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

// Statements in an order in which they can be executed.
struct Schedule {
  std::vector<Statement> statements;
  std::size_t peak = 0;  // most values alive at once: inputs not used up, outputs ready, and what lies between
};

// The operations that the outputs need, without fused operations.
[[nodiscard]] OperationCount count_operations(const ButterflyGraph& butterfly);

// One statement an operation, in the order of the graph. A product that is only ever added or subtracted costs nothing
// of its own: it is merged into these.
[[nodiscard]] std::vector<Statement> fuse(const ButterflyGraph& butterfly);

// The fused statements in an order with few values alive.
[[nodiscard]] Schedule schedule(const ButterflyGraph& butterfly);

}  // namespace twiddle::kernel
