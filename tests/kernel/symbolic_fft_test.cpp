// The transform over symbols: every design of every radix against the definition, and what the chosen ones cost.
#include "kernel/symbolic_fft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "kernel/direct_transform.hpp"
#include "kernel/every_radix.hpp"
#include "kernel/fftw_codelets.hpp"
#include "kernel/schedule.hpp"
#include "kernel/symbolic_convolution.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

constexpr long double tolerance = 10 * std::numeric_limits<long double>::epsilon();

std::vector<test::Extended> evaluate(const ButterflyGraph& butterfly, const std::vector<test::Extended>& values) {
  std::vector<long double> inputs;
  for (const auto& value : values) {
    inputs.push_back(value.real());
    inputs.push_back(value.imag());
  }
  const std::vector<long double> nodes = butterfly.graph.evaluate(inputs);
  std::vector<test::Extended> result;
  for (std::size_t n = 0; n < values.size(); ++n) {
    result.emplace_back(nodes[butterfly.outputs[2 * n].index], nodes[butterfly.outputs[2 * n + 1].index]);
  }
  return result;
}

class EveryRadix : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Radix, EveryRadix, testing::ValuesIn(test::every_radix()));

TEST_P(EveryRadix, EveryDesignMatchesTheDefinition) {
  const auto values = test::sample_values(GetParam());
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const auto expected = test::direct_transform(values, direction);
    for (const Design& design : possible_designs(GetParam())) {
      const ButterflyGraph butterfly = butterfly_graph(design, direction);
      EXPECT_LT(test::relative_error(evaluate(butterfly, values), expected), tolerance) << name(design.algorithm);
      EXPECT_LT(test::relative_error(evaluate(extract_factors(butterfly), values), expected), tolerance)
          << name(design.algorithm) << ", factors extracted";
    }
  }
}

// Of primes from 31 on only the definition rounds no more than FFTW's transform does.
TEST_P(EveryRadix, TheChosenDesignIsTheCheapestThatRoundsWell) {
  if (GetParam() >= 31 && plan::prime_factors(GetParam()).size() == 1) {
    EXPECT_EQ(chosen_design(GetParam()).algorithm, Algorithm::symmetric);
    return;
  }
  const auto total = [](const Design& design) {
    const auto count = count_operations(butterfly_graph(design, Direction::forward));
    return count.additions + count.multiplications + count.fused_operations;
  };
  for (const Design& design : possible_designs(GetParam())) {
    EXPECT_LE(total(chosen_design(GetParam())), total(design)) << name(design.algorithm);
  }
}

// Fused, the definition of 13 points takes little more than its convolutions, and rounds less.
TEST_P(EveryRadix, TheExactDesignIsAnotherOf13Points) {
  const Design design = exact_design(GetParam());
  if (GetParam() != 13) {
    EXPECT_EQ(design, chosen_design(GetParam()));
    return;
  }
  EXPECT_EQ(design.algorithm, Algorithm::symmetric);
  const unsigned operations = count_operations(butterfly_graph(design, Direction::forward)).fused_operations;
  EXPECT_LE(operations, 1.08 * butterfly_cost(GetParam()).fused_operations);
}

TEST_P(EveryRadix, BothDirectionsCostTheSame) {
  EXPECT_EQ(count_operations(butterfly_graph(GetParam(), Direction::forward)),
            count_operations(butterfly_graph(GetParam(), Direction::inverse)));
}

TEST_P(EveryRadix, NothingIsNegated) {
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    for (const Statement& statement : fuse(extract_factors(butterfly_graph(GetParam(), direction)))) {
      EXPECT_NE(statement.instruction, Instruction::negate);
    }
  }
}

// Counts afresh how many values a schedule keeps alive, from their last uses.
std::size_t recounted_peak(const ButterflyGraph& butterfly, const Schedule& order) {
  std::map<Value, std::size_t> last_use;
  for (std::size_t s = 0; s < order.statements.size(); ++s) {
    last_use[order.statements[s].a] = s;
    if (order.statements[s].b) last_use[*order.statements[s].b] = s;
  }
  for (const Value output : butterfly.outputs) last_use[output] = order.statements.size();
  std::set<Value> alive;
  for (std::uint32_t index = 0; index < butterfly.graph.size(); ++index) {
    if (butterfly.graph[{index}].operation == Operation::input) alive.insert({index});
  }
  std::size_t peak = alive.size();
  for (std::size_t s = 0; s < order.statements.size(); ++s) {
    const Statement& statement = order.statements[s];
    EXPECT_TRUE(alive.contains(statement.a));
    EXPECT_TRUE(!statement.b || alive.contains(*statement.b));
    alive.insert(statement.result);
    std::erase_if(alive, [&](Value value) { return last_use.at(value) <= s; });
    peak = std::max(peak, alive.size());
  }
  return peak;
}

TEST_P(EveryRadix, TheScheduleIsExecutableAndCountsItsPeak) {
  const ButterflyGraph butterfly = extract_factors(butterfly_graph(GetParam(), Direction::forward));
  const std::vector<Statement> statements = fuse(butterfly);
  const Schedule order = schedule(butterfly);
  ASSERT_TRUE(
      std::is_permutation(statements.begin(), statements.end(), order.statements.begin(), order.statements.end()));
  EXPECT_EQ(order.peak, recounted_peak(butterfly, order));
}

TEST(Schedules, CommonRadicesNeedOneRegisterBesideTheElements) {
  for (const unsigned radix : {2u, 3u, 4u, 5u, 8u, 16u, 32u}) {
    EXPECT_EQ(schedule(extract_factors(butterfly_graph(radix, Direction::forward))).peak, 2 * radix + 1) << radix;
  }
}

TEST(Costs, TargetsAreMet) {
  const auto expect = [](unsigned radix, unsigned additions, unsigned multiplications) {
    EXPECT_EQ(butterfly_cost(radix).additions, additions) << radix;
    EXPECT_EQ(butterfly_cost(radix).multiplications, multiplications) << radix;
  };
  expect(5, 32, 12);
  expect(7, 60, 28);
  expect(8, 52, 4);
  expect(13, 176, 60);
  expect(16, 144, 24);
  expect(32, 372, 84);
}

TEST(Costs, AtMostAFewPercentAboveFftw) {
  const auto at_most = [](unsigned actual, unsigned published) { return actual * 100 <= published * 105; };
  for (const test::Codelet& codelet : test::fftw_codelets) {
    const OperationCount count = butterfly_cost(codelet.radix);
    EXPECT_TRUE(at_most(count.additions, codelet.additions)) << codelet.radix;
    EXPECT_TRUE(at_most(count.multiplications, codelet.multiplications)) << codelet.radix;
    EXPECT_TRUE(at_most(count.fused_operations, codelet.fused_operations)) << codelet.radix;
  }
}

TEST(Costs, OtherRadicesAreRefused) {
  for (const unsigned radix : {0u, 1u, largest_radix + 1, largest_prime_radix - 1, largest_prime_radix + 4}) {
    EXPECT_THROW((void)butterfly_graph(radix, Direction::forward), InvalidArgument);
    EXPECT_THROW((void)butterfly_cost(radix), InvalidArgument);
  }
}

class Convolutions : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Length, Convolutions, testing::Range(std::size_t{1}, std::size_t{17}));

// The starts of the sums: nothing, the same input for all, an input of its own for each.
enum class Start { zero, common, own };

TEST_P(Convolutions, MatchTheDefinition) {
  const std::size_t length = GetParam();
  std::vector<long double> kernel, inputs;
  for (std::size_t n = 0; n < length; ++n) {
    kernel.push_back(std::sin(1.0L + static_cast<long double>(n * n)));
    inputs.push_back(std::cos(2.0L * static_cast<long double>(n * n + 1)));
  }
  for (std::size_t n = 0; n < length; ++n) inputs.push_back(std::sin(3.0L + static_cast<long double>(n)));
  for (const Start kind : {Start::zero, Start::common, Start::own}) {
    for (const Wrap wrap : {Wrap::cyclic, Wrap::negacyclic}) {
      for (const auto method : {convolve, convolve_by_definition}) {
        ExpressionGraph graph;
        std::vector<Value> values, start;
        for (std::uint32_t n = 0; n < length; ++n) {
          values.push_back(graph.input(n));
          const auto own = static_cast<std::uint32_t>(length + (kind == Start::own ? n : 0));
          start.push_back(kind == Start::zero ? graph.constant(0) : graph.input(own));
        }
        const Convolution result = method(graph, wrap, values, kernel, start);
        const auto nodes = graph.evaluate(inputs);
        long double total = 0;
        for (std::size_t b = 0; b < length; ++b) {
          long double expected = nodes[start[b].index];
          for (std::size_t a = 0; a < length; ++a) {
            const long double sign = wrap == Wrap::negacyclic && a > b ? -1 : 1;
            expected += sign * kernel[(b + length - a) % length] * inputs[a];
          }
          EXPECT_LT(std::abs(nodes[result.values[b].index] - expected), 10 * tolerance);
          total += inputs[b];
        }
        if (wrap == Wrap::cyclic) {
          EXPECT_LT(std::abs(nodes[result.total.index] - total), 10 * tolerance);
        }
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::kernel
