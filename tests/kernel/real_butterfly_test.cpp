// Butterflies between reals and half of their spectrum: against the definition, and what they cost beside complex ones.
#include "kernel/real_butterfly.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernel/direct_transform.hpp"
#include "kernel/schedule.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

constexpr long double tolerance = 10 * std::numeric_limits<long double>::epsilon();

std::vector<test::Extended> evaluate(const ButterflyGraph& butterfly, const std::vector<long double>& inputs) {
  const std::vector<long double> nodes = butterfly.graph.evaluate(inputs);
  std::vector<test::Extended> result;
  for (const Value output : butterfly.outputs) result.emplace_back(nodes[output.index]);
  return result;
}

class EveryRealRadix : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Radix, EveryRealRadix, testing::Range(2u, largest_radix + 1));

TEST_P(EveryRealRadix, MatchesTheDefinition) {
  std::vector<test::Extended> reals;
  std::vector<long double> inputs;
  for (const test::Extended& value : test::sample_values(GetParam())) {
    inputs.push_back(value.real());
    reals.emplace_back(value.real());
  }
  const auto spectrum = test::direct_transform(reals, Direction::forward);
  std::vector<test::Extended> half;
  std::vector<long double> half_inputs;
  for (unsigned n = 0; n < GetParam(); ++n) {
    const test::Extended& element = spectrum[(n + 1) / 2];
    half_inputs.push_back(n % 2 == 1 || n == 0 ? element.real() : element.imag());
    half.emplace_back(half_inputs.back());
  }
  std::vector<test::Extended> scaled;
  for (const test::Extended& value : reals) scaled.push_back(value * static_cast<long double>(GetParam()));
  for (const bool extract : {false, true}) {
    ButterflyGraph forward = real_butterfly_graph(GetParam(), Direction::forward);
    ButterflyGraph inverse = real_butterfly_graph(GetParam(), Direction::inverse);
    if (extract) {
      forward = extract_factors(forward);
      inverse = extract_factors(inverse);
    }
    EXPECT_LT(test::relative_error(evaluate(forward, inputs), half), tolerance);
    EXPECT_LT(test::relative_error(evaluate(inverse, half_inputs), scaled), tolerance);
  }
}

TEST_P(EveryRealRadix, CostsHalfOfTheComplexOne) {
  const unsigned complex = butterfly_cost(GetParam()).fused_operations;
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const OperationCount count = count_operations(real_butterfly_graph(GetParam(), direction));
    EXPECT_LE(2 * count.additions, complex) << name(chosen_design(GetParam()).algorithm);
    EXPECT_LE(2 * count.fused_operations, complex + 2 * (GetParam() / 2)) << "negations aside";
  }
}

TEST(RealButterfly, RefusesOtherRadices) {
  EXPECT_THROW((void)real_butterfly_graph(1, Direction::forward), InvalidArgument);
  EXPECT_THROW((void)real_butterfly_graph(largest_radix + 1, Direction::inverse), InvalidArgument);
}

}  // namespace
}  // namespace twiddle::kernel
