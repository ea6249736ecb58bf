// Scalar expressions as a graph in which equal values are one node, simplified while it is built: the material of the
// butterflies. All expressions are linear in the inputs. Source of the idea: M. Frigo, "A Fast Fourier Transform
// Compiler", PLDI 1999.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace twiddle::kernel {

enum class Operation : std::uint8_t { input, constant, add, subtract, multiply, negate };

// A value of one ExpressionGraph; meaningless in any other.
struct Value {
  std::uint32_t index = 0;
  auto operator<=>(const Value&) const = default;
};

struct Node {
  Operation operation = Operation::constant;
  Value left;                // the operand of multiply and negate; the first of add and subtract
  Value right;               // the second operand of add and subtract
  std::uint32_t input = 0;   // which input
  long double constant = 0;  // the constant, or the factor of multiply

  [[nodiscard]] bool is_sum() const { return operation == Operation::add || operation == Operation::subtract; }
  bool operator==(const Node&) const = default;
};

// Sums of more than so many terms are added up in runs: long chains round more, the more the longer they are.
struct LongSums {
  std::size_t most_chained = 15;
  std::size_t run = 8;
};

// Simplifications: 0, 1 and -1 vanish; constants fold; a + b and b + a are one node, and a - b and b - a one node and
// its negation; negations move towards the outputs (a - (-b) is a + b); k a + k b becomes k (a + b); factors of
// products of products merge. Constants that differ by a few units in the last place are taken to be the same number.
class ExpressionGraph {
 public:
  explicit ExpressionGraph(LongSums long_sums = {}) : long_sums_(long_sums) {}
  [[nodiscard]] const LongSums& long_sums() const { return long_sums_; }

  [[nodiscard]] Value input(std::uint32_t number);
  [[nodiscard]] Value constant(long double value);
  [[nodiscard]] Value add(Value left, Value right);
  [[nodiscard]] Value subtract(Value left, Value right);
  [[nodiscard]] Value multiply(long double factor, Value value);
  [[nodiscard]] Value negate(Value value);

  // The same value for use as an output: a negation of a difference becomes the difference turned round where nothing
  // else (counted in `uses`, as use_counts gives it) needs the original.
  [[nodiscard]] Value without_negation(Value value, std::span<const unsigned> uses);

  [[nodiscard]] const Node& operator[](Value value) const { return nodes_[value.index]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  // How often each node is an operand of a node that some output needs, or an output; 0 for nodes that none needs.
  [[nodiscard]] std::vector<unsigned> use_counts(std::span<const Value> outputs) const;

  // The values of all nodes for the given inputs.
  [[nodiscard]] std::vector<long double> evaluate(std::span<const long double> inputs) const;

  // Whether the nodes are the same ones in the same order.
  bool operator==(const ExpressionGraph& other) const { return nodes_ == other.nodes_; }

 private:
  using Key = std::tuple<Operation, std::uint32_t, std::uint32_t, long double>;
  [[nodiscard]] Value intern(const Node& node);
  [[nodiscard]] long double snap(long double magnitude);
  [[nodiscard]] bool is_constant(Value value, long double constant) const;

  LongSums long_sums_;
  std::vector<Node> nodes_;
  std::map<Key, Value> index_;
  std::map<long double, long double> magnitudes_;
};

// A value with a real and an imaginary part.
struct ComplexValue {
  Value real;
  Value imaginary;
  bool operator==(const ComplexValue&) const = default;
};

}  // namespace twiddle::kernel
