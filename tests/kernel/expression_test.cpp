// The expression graph: what it simplifies, and that this changes no value.
#include "kernel/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace twiddle::kernel {
namespace {

class Expression : public testing::Test {
 protected:
  ExpressionGraph graph;
  Value a = graph.input(0);
  Value b = graph.input(1);
};

TEST_F(Expression, EqualValuesAreOneNode) {
  EXPECT_EQ(graph.input(0), a);
  EXPECT_NE(a, b);
  EXPECT_EQ(graph.add(a, b), graph.add(b, a));
  EXPECT_EQ(graph.multiply(0.3L, a), graph.multiply(0.3L, a));
  const std::size_t size = graph.size();
  EXPECT_EQ(graph.constant(0.5L), graph.constant(0.5L));
  EXPECT_EQ(graph.size(), size + 1);
}

TEST_F(Expression, DifferenceTurnedRoundIsItsNegation) {
  const Value difference = graph.subtract(a, b);
  EXPECT_EQ(graph.subtract(b, a), graph.negate(difference));
}

TEST_F(Expression, ZeroAndOneVanish) {
  const Value zero = graph.constant(0);
  EXPECT_EQ(graph.add(a, zero), a);
  EXPECT_EQ(graph.add(zero, a), a);
  EXPECT_EQ(graph.subtract(a, zero), a);
  EXPECT_EQ(graph.subtract(zero, a), graph.negate(a));
  EXPECT_EQ(graph.subtract(a, a), zero);
  EXPECT_EQ(graph.multiply(0, a), zero);
  EXPECT_EQ(graph.multiply(1, a), a);
  EXPECT_EQ(graph.multiply(-1, a), graph.negate(a));
  EXPECT_EQ(graph.add(a, a), graph.multiply(2, a));
}

TEST_F(Expression, ConstantsFold) {
  const Value two = graph.constant(2);
  const Value three = graph.constant(3);
  EXPECT_EQ(graph.add(two, three), graph.constant(5));
  EXPECT_EQ(graph.subtract(two, three), graph.constant(-1));
  EXPECT_EQ(graph.multiply(2, three), graph.constant(6));
  EXPECT_EQ(graph.negate(two), graph.constant(-2));
  EXPECT_EQ(graph.multiply(2, graph.multiply(3, a)), graph.multiply(6, a));
}

TEST_F(Expression, SignsMoveOutwards) {
  const Value minus_a = graph.negate(a);
  const Value minus_b = graph.negate(b);
  EXPECT_EQ(graph.negate(minus_a), a);
  EXPECT_EQ(graph.subtract(a, minus_b), graph.add(a, b));
  EXPECT_EQ(graph.add(a, minus_b), graph.subtract(a, b));
  EXPECT_EQ(graph.add(minus_a, b), graph.subtract(b, a));
  EXPECT_EQ(graph.add(minus_a, minus_b), graph.negate(graph.add(a, b)));
  EXPECT_EQ(graph.subtract(minus_a, b), graph.negate(graph.add(a, b)));
  EXPECT_EQ(graph.subtract(minus_a, minus_b), graph.subtract(b, a));
  EXPECT_EQ(graph.multiply(-0.5L, a), graph.negate(graph.multiply(0.5L, a)));
  EXPECT_EQ(graph.multiply(0.5L, minus_a), graph.negate(graph.multiply(0.5L, a)));
}

TEST_F(Expression, CommonFactorsAreTakenOut) {
  const Value scaled_a = graph.multiply(0.7L, a);
  const Value scaled_b = graph.multiply(0.7L, b);
  EXPECT_EQ(graph.add(scaled_a, scaled_b), graph.multiply(0.7L, graph.add(a, b)));
  EXPECT_EQ(graph.subtract(scaled_a, scaled_b), graph.multiply(0.7L, graph.subtract(a, b)));
  EXPECT_EQ(graph[graph.add(scaled_a, graph.multiply(0.6L, b))].operation, Operation::add);
}

TEST_F(Expression, ConstantsThatDifferByRoundingAreEqual) {
  const long double root = std::numbers::sqrt2_v<long double> / 2;
  EXPECT_EQ(graph.multiply(root, a), graph.multiply(std::nextafter(root, 1.0L), a));
  EXPECT_EQ(graph.multiply(std::nextafter(0.5L, 1.0L), a), graph.multiply(0.5L, a));
  EXPECT_EQ(graph.multiply(std::nextafter(1.0L, 0.0L), a), a);
  EXPECT_NE(graph.multiply(root, a), graph.multiply(root * (1 + 1e-15L), a));
}

TEST_F(Expression, UsesAreCountedFromTheOutputs) {
  const Value sum = graph.add(a, b);
  const Value product = graph.multiply(3, sum);
  const Value unused = graph.subtract(a, b);
  const std::vector<Value> outputs{sum, product};
  const auto uses = graph.use_counts(outputs);
  EXPECT_EQ(uses[sum.index], 2u);
  EXPECT_EQ(uses[product.index], 1u);
  EXPECT_EQ(uses[a.index], 1u);
  EXPECT_EQ(uses[unused.index], 0u);
}

TEST_F(Expression, NegationOfAnOutputTurnsItsDifferenceRound) {
  const std::vector<Value> outputs{graph.negate(graph.subtract(a, b))};
  const Value turned = graph.without_negation(outputs[0], graph.use_counts(outputs));
  EXPECT_EQ(graph[turned].operation, Operation::subtract);
  EXPECT_EQ(graph[turned].left, b);
  EXPECT_EQ(graph[turned].right, a);
  // Not where the difference itself is needed as well.
  const std::vector<Value> both{graph.subtract(a, b), outputs[0]};
  EXPECT_EQ(graph.without_negation(both[1], graph.use_counts(both)), both[1]);
}

TEST_F(Expression, Evaluates) {
  const Value value = graph.subtract(graph.multiply(-3, graph.add(a, b)), graph.multiply(0.5L, graph.subtract(b, a)));
  const std::vector<long double> inputs{2, 7};
  EXPECT_EQ(graph.evaluate(inputs)[value.index], -3.0L * 9 - 0.5L * 5);
}

}  // namespace
}  // namespace twiddle::kernel
