// Counts operations, and merges products into the additions that use them.
#include <algorithm>

#include "kernel/schedule.hpp"

namespace twiddle::kernel {
namespace {

// The product, if any, that each sum takes in; a product is taken in by all its users or by none. Products with few
// users go first, since a sum can take only one.
std::vector<std::optional<Value>> assign_products(const ButterflyGraph& butterfly, const std::vector<unsigned>& uses) {
  const ExpressionGraph& graph = butterfly.graph;
  std::vector<std::vector<Value>> users(graph.size());
  for (std::uint32_t index = 0; index < graph.size(); ++index) {
    const Node& node = graph[{index}];
    if (uses[index] == 0 || !node.is_sum()) continue;
    for (const Value operand : {node.left, node.right}) users[operand.index].push_back({index});
  }
  std::vector<Value> products;
  for (std::uint32_t index = 0; index < graph.size(); ++index) {
    // Fewer users among the sums than uses: something else needs the product itself.
    if (graph[{index}].operation != Operation::multiply || users[index].size() != uses[index]) continue;
    if (uses[index] != 0) products.push_back({index});
  }
  std::stable_sort(products.begin(), products.end(), [&](Value a, Value b) { return uses[a.index] < uses[b.index]; });
  std::vector<std::optional<Value>> taken(graph.size());
  for (const Value product : products) {
    const auto& sums = users[product.index];
    if (std::any_of(sums.begin(), sums.end(), [&](Value sum) { return taken[sum.index].has_value(); })) continue;
    for (const Value sum : sums) taken[sum.index] = product;
  }
  return taken;
}

Statement fused_sum(const ExpressionGraph& graph, Value value, Value product) {
  const Node& sum = graph[value];
  const Node& factor = graph[product];
  if (sum.operation == Operation::add) {
    const Value other = sum.left == product ? sum.right : sum.left;
    return {Instruction::multiply_add, value, factor.left, other, factor.constant};
  }
  if (sum.left == product) return {Instruction::multiply_subtract, value, factor.left, sum.right, factor.constant};
  return {Instruction::negative_multiply_add, value, factor.left, sum.left, factor.constant};
}

}  // namespace

std::vector<Statement> fuse(const ButterflyGraph& butterfly) {
  const ExpressionGraph& graph = butterfly.graph;
  const std::vector<unsigned> uses = graph.use_counts(butterfly.outputs);
  const std::vector<std::optional<Value>> taken = assign_products(butterfly, uses);
  std::vector<bool> merged(graph.size());
  for (const auto& product : taken) {
    if (product) merged[product->index] = true;
  }
  std::vector<Statement> statements;
  for (std::uint32_t index = 0; index < graph.size(); ++index) {
    const Node& node = graph[{index}];
    const Value value{index};
    if (uses[index] == 0 || merged[index]) continue;
    if (taken[index]) {
      statements.push_back(fused_sum(graph, value, *taken[index]));
    } else if (node.is_sum()) {
      const auto instruction = node.operation == Operation::add ? Instruction::add : Instruction::subtract;
      statements.push_back({instruction, value, node.left, node.right, 0});
    } else if (node.operation == Operation::multiply) {
      statements.push_back({Instruction::multiply, value, node.left, {}, node.constant});
    } else if (node.operation == Operation::negate) {
      statements.push_back({Instruction::negate, value, node.left, {}, 0});
    }
  }
  return statements;
}

OperationCount count_operations(const ButterflyGraph& butterfly) {
  const std::vector<unsigned> uses = butterfly.graph.use_counts(butterfly.outputs);
  OperationCount count;
  for (std::uint32_t index = 0; index < butterfly.graph.size(); ++index) {
    if (uses[index] == 0) continue;
    const Node& node = butterfly.graph[{index}];
    if (node.is_sum() || node.operation == Operation::negate) ++count.additions;
    if (node.operation == Operation::multiply) ++count.multiplications;
  }
  count.fused_operations = static_cast<unsigned>(fuse(extract_factors(butterfly)).size());
  return count;
}

}  // namespace twiddle::kernel
