// Rewrites sums of products so that fused multiply-adds do more of the work.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "kernel/schedule.hpp"

namespace twiddle::kernel {
namespace {

struct Term {
  long double factor;
  Value value;
};

class Extraction {
 public:
  explicit Extraction(const ButterflyGraph& butterfly)
      : old_(butterfly.graph),
        uses_(old_.use_counts(butterfly.outputs)),
        product_sum_(old_.size()),
        product_users_(old_.size()),
        needs_itself_(old_.size()),
        rewritten_(old_.size()),
        result_{ExpressionGraph(old_.long_sums()), {}} {
    classify(butterfly);
    for (std::uint32_t index = 0; index < old_.size(); ++index) {
      if (uses_[index] > 0) rewritten_[index] = rewrite({index});
    }
    for (const Value output : butterfly.outputs) result_.outputs.push_back(rewritten_[output.index]);
    const std::vector<unsigned> uses = result_.graph.use_counts(result_.outputs);
    for (Value& output : result_.outputs) output = result_.graph.without_negation(output, uses);
  }

  ButterflyGraph result() && { return std::move(result_); }

 private:
  // A product sum adds nothing but products and smaller product sums of its own. Products may be shared if all that use
  // them are product sums.
  bool is_term(Value value) const {
    if (old_[value].operation == Operation::multiply) return uses_[value.index] == product_users_[value.index];
    return product_sum_[value.index] && uses_[value.index] == 1;
  }

  // Begins with all sums and drops those with an operand that is no term, until nothing changes. A product sum needs to
  // be itself, and not a multiple, where it is an output, or part of a larger product sum.
  void classify(const ButterflyGraph& butterfly) {
    for (std::uint32_t index = 0; index < old_.size(); ++index) {
      product_sum_[index] = uses_[index] > 0 && old_[{index}].is_sum();
      if (product_sum_[index]) count_users(old_[{index}], 1);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t index = 0; index < old_.size(); ++index) {
        const Node& node = old_[{index}];
        if (!product_sum_[index] || (is_term(node.left) && is_term(node.right))) continue;
        product_sum_[index] = false;
        count_users(node, -1);
        changed = true;
      }
    }
    for (const Value output : butterfly.outputs) needs_itself_[output.index] = true;
    for (std::uint32_t index = 0; index < old_.size(); ++index) {
      const Node& node = old_[{index}];
      if (product_sum_[index]) needs_itself_[node.left.index] = needs_itself_[node.right.index] = true;
    }
  }

  void count_users(const Node& sum, int change) {
    product_users_[sum.left.index] += change;
    product_users_[sum.right.index] += change;
  }

  void collect(Value value, long double sign, std::vector<Term>& terms) const {
    const Node& node = old_[value];
    if (node.operation == Operation::multiply) {
      terms.push_back({sign * node.constant, node.left});
      return;
    }
    collect(node.left, sign, terms);
    collect(node.right, node.operation == Operation::add ? sign : -sign, terms);
  }

  // A sum of many terms run by run.
  Value extracted(Value value) {
    std::vector<Term> terms;
    collect(value, 1, terms);
    const auto [most, run] = old_.long_sums();
    if (terms.size() <= most) return extracted(terms);
    Value sum = result_.graph.constant(0);
    for (std::size_t first = 0; first < terms.size(); first += run) {
      sum = result_.graph.add(sum, extracted(std::span(terms).subspan(first, std::min(run, terms.size() - first))));
    }
    return sum;
  }

  // k a + l b + ... = k (a + (l / k) b + ...) with the largest k, so that no quotient exceeds 1.
  Value extracted(std::span<Term> terms) {
    const auto smaller = [](const Term& a, const Term& b) { return std::abs(a.factor) < std::abs(b.factor); };
    std::iter_swap(terms.begin(), std::max_element(terms.begin(), terms.end(), smaller));
    ExpressionGraph& graph = result_.graph;
    Value sum = graph.constant(0);
    for (const Term& term : terms) {
      sum = graph.add(sum, graph.multiply(term.factor / terms[0].factor, rewritten_[term.value.index]));
    }
    return graph.multiply(terms[0].factor, sum);
  }

  Value rewrite(Value value) {
    const Node& node = old_[value];
    ExpressionGraph& graph = result_.graph;
    if (product_sum_[value.index] && !needs_itself_[value.index]) return extracted(value);
    const Value left = rewritten_[node.left.index];
    const Value right = rewritten_[node.right.index];
    switch (node.operation) {
      case Operation::input:
        return graph.input(node.input);
      case Operation::constant:
        return graph.constant(node.constant);
      case Operation::add:
        return graph.add(left, right);
      case Operation::subtract:
        return graph.subtract(left, right);
      case Operation::multiply:
        return graph.multiply(node.constant, left);
      case Operation::negate:
        return graph.negate(left);
    }
    return value;
  }

  const ExpressionGraph& old_;
  std::vector<unsigned> uses_;
  std::vector<bool> product_sum_;
  std::vector<unsigned> product_users_;  // product sums that use the value
  std::vector<bool> needs_itself_;
  std::vector<Value> rewritten_;
  ButterflyGraph result_;
};

}  // namespace

// What was taken out may form new sums of products further on, whose gain may show only after another pass.
ButterflyGraph extract_factors(const ButterflyGraph& butterfly) {
  constexpr int passes = 4;
  ButterflyGraph best = butterfly;
  ButterflyGraph next = butterfly;
  std::size_t best_cost = fuse(best).size();
  for (int pass = 0; pass < passes; ++pass) {
    ButterflyGraph extracted = Extraction(next).result();
    if (extracted.graph == next.graph && extracted.outputs == next.outputs) break;  // as all further ones would be
    next = std::move(extracted);
    const std::size_t cost = fuse(next).size();
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = next;
  }
  return best;
}

}  // namespace twiddle::kernel
