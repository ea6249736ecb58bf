// The expression graph: interning and simplification.
#include "kernel/expression.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace twiddle::kernel {

Value ExpressionGraph::intern(const Node& node) {
  const Key key{node.operation, node.operation == Operation::input ? node.input : node.left.index, node.right.index,
                node.constant};
  const auto [position, inserted] = index_.try_emplace(key, Value{static_cast<std::uint32_t>(nodes_.size())});
  if (inserted) nodes_.push_back(node);
  return position->second;
}

long double ExpressionGraph::snap(long double magnitude) {
  const long double tolerance = 16 * std::numeric_limits<long double>::epsilon();
  if (std::abs(magnitude) < tolerance) return 0;  // constants of butterflies are of the order of 1
  const long double dyadic = std::round(magnitude * 64) / 64;
  if (std::abs(magnitude - dyadic) < tolerance) return dyadic;
  const auto near = magnitudes_.lower_bound(magnitude * (1 - tolerance));
  if (near != magnitudes_.end() && near->first <= magnitude * (1 + tolerance)) return near->second;
  magnitudes_.emplace(magnitude, magnitude);
  return magnitude;
}

bool ExpressionGraph::is_constant(Value value, long double constant) const {
  const Node& node = nodes_[value.index];
  return node.operation == Operation::constant && node.constant == constant;
}

Value ExpressionGraph::input(std::uint32_t number) {
  return intern({.operation = Operation::input, .left = {}, .right = {}, .input = number, .constant = 0});
}

Value ExpressionGraph::constant(long double value) {
  const long double magnitude = snap(std::abs(value));
  const long double snapped = magnitude == 0 || value > 0 ? magnitude : -magnitude;
  return intern({.operation = Operation::constant, .left = {}, .right = {}, .input = 0, .constant = snapped});
}

Value ExpressionGraph::negate(Value value) {
  const Node node = nodes_[value.index];
  if (node.operation == Operation::negate) return node.left;
  if (node.operation == Operation::constant) return constant(-node.constant);
  return intern({.operation = Operation::negate, .left = value, .right = {}, .input = 0, .constant = 0});
}

Value ExpressionGraph::multiply(long double factor, Value value) {
  const Node node = nodes_[value.index];
  const long double magnitude = snap(std::abs(factor));
  if (node.operation == Operation::constant) return constant(factor * node.constant);
  if (magnitude == 0) return constant(0);
  if (factor < 0) return negate(multiply(magnitude, value));
  if (magnitude == 1) return value;
  if (node.operation == Operation::negate) return negate(multiply(magnitude, node.left));
  if (node.operation == Operation::multiply) return multiply(magnitude * node.constant, node.left);
  return intern({.operation = Operation::multiply, .left = value, .right = {}, .input = 0, .constant = magnitude});
}

Value ExpressionGraph::add(Value left, Value right) {
  const Node first = nodes_[left.index];
  const Node second = nodes_[right.index];
  if (is_constant(left, 0)) return right;
  if (is_constant(right, 0)) return left;
  if (first.operation == Operation::constant && second.operation == Operation::constant) {
    return constant(first.constant + second.constant);
  }
  if (first.operation == Operation::negate && second.operation == Operation::negate) {
    return negate(add(first.left, second.left));
  }
  if (first.operation == Operation::negate) return subtract(right, first.left);
  if (second.operation == Operation::negate) return subtract(left, second.left);
  if (left == right) return multiply(2, left);
  if (first.operation == Operation::multiply && second.operation == Operation::multiply &&
      first.constant == second.constant) {
    return multiply(first.constant, add(first.left, second.left));
  }
  if (right < left) std::swap(left, right);
  return intern({.operation = Operation::add, .left = left, .right = right, .input = 0, .constant = 0});
}

Value ExpressionGraph::subtract(Value left, Value right) {
  const Node first = nodes_[left.index];
  const Node second = nodes_[right.index];
  if (left == right) return constant(0);
  if (is_constant(left, 0)) return negate(right);
  if (is_constant(right, 0)) return left;
  if (first.operation == Operation::constant && second.operation == Operation::constant) {
    return constant(first.constant - second.constant);
  }
  if (first.operation == Operation::negate && second.operation == Operation::negate) {
    return subtract(second.left, first.left);
  }
  if (first.operation == Operation::negate) return negate(add(first.left, right));
  if (second.operation == Operation::negate) return add(left, second.left);
  if (first.operation == Operation::multiply && second.operation == Operation::multiply &&
      first.constant == second.constant) {
    return multiply(first.constant, subtract(first.left, second.left));
  }
  const auto existing = [&](Value a, Value b) { return index_.find({Operation::subtract, a.index, b.index, 0}); };
  const auto reversed = existing(right, left);
  if (reversed != index_.end() && existing(left, right) == index_.end()) return negate(reversed->second);
  return intern({.operation = Operation::subtract, .left = left, .right = right, .input = 0, .constant = 0});
}

Value ExpressionGraph::without_negation(Value value, std::span<const unsigned> uses) {
  const Node negation = nodes_[value.index];
  if (negation.operation != Operation::negate) return value;
  const Node node = nodes_[negation.left.index];
  if (node.operation != Operation::subtract || uses[negation.left.index] > 1) return value;
  return intern({.operation = Operation::subtract, .left = node.right, .right = node.left, .input = 0, .constant = 0});
}

std::vector<unsigned> ExpressionGraph::use_counts(std::span<const Value> outputs) const {
  std::vector<unsigned> uses(nodes_.size());
  for (const Value output : outputs) ++uses[output.index];
  for (std::size_t index = nodes_.size(); index-- > 0;) {  // operands precede the nodes that use them
    if (uses[index] == 0) continue;
    const Node& node = nodes_[index];
    if (node.operation == Operation::input || node.operation == Operation::constant) continue;
    ++uses[node.left.index];
    if (node.is_sum()) ++uses[node.right.index];
  }
  return uses;
}

std::vector<long double> ExpressionGraph::evaluate(std::span<const long double> inputs) const {
  std::vector<long double> values;
  values.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    switch (node.operation) {
      case Operation::input:
        values.push_back(inputs[node.input]);
        break;
      case Operation::constant:
        values.push_back(node.constant);
        break;
      case Operation::add:
        values.push_back(values[node.left.index] + values[node.right.index]);
        break;
      case Operation::subtract:
        values.push_back(values[node.left.index] - values[node.right.index]);
        break;
      case Operation::multiply:
        values.push_back(node.constant * values[node.left.index]);
        break;
      case Operation::negate:
        values.push_back(-values[node.left.index]);
        break;
    }
  }
  return values;
}

}  // namespace twiddle::kernel
