// Butterflies on packed complex numbers: against the definition, and what they cost beside those on separate parts.
#include "kernel/packed_butterfly.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "kernel/direct_transform.hpp"
#include "plan/recipe/host_radices.hpp"
#include "twiddle/error.hpp"

namespace twiddle::kernel {
namespace {

constexpr long double tolerance = 20 * std::numeric_limits<long double>::epsilon();

// As PackedStatement says it.
std::vector<test::Extended> evaluate(const PackedButterfly& butterfly, const std::vector<test::Extended>& inputs,
                                     Direction direction) {
  const test::Extended turn(0, direction == Direction::forward ? -1 : 1);
  std::vector<test::Extended> values = inputs;
  for (const PackedStatement& statement : butterfly.statements) {
    test::Extended value = values.at(statement.a) * (statement.negative_a ? -statement.factor : statement.factor);
    if (statement.turned) value *= turn;
    if (statement.b) value += statement.negative_b ? -values.at(*statement.b) : values.at(*statement.b);
    values.push_back(value);
  }
  std::vector<test::Extended> results;
  for (const std::size_t output : butterfly.outputs) results.push_back(values.at(output));
  return results;
}

class PackedRadix : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Radix, PackedRadix, testing::Range(2u, 17u));
INSTANTIATE_TEST_SUITE_P(OfLines, PackedRadix, testing::ValuesIn(plan::packed_line_radices));

// Each operation is on both parts of a number; what is left are exchanges of parts and products that cannot be merged.
TEST_P(PackedRadix, MatchesTheDefinitionInLittleMoreThanHalfOfTheOperations) {
  const PackedButterfly butterfly = packed_butterfly(GetParam());
  const std::vector<test::Extended> inputs = test::sample_values(GetParam());
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    EXPECT_LT(test::relative_error(evaluate(butterfly, inputs, direction), test::direct_transform(inputs, direction)),
              tolerance);
  }
  std::set<std::size_t> exchanged;
  for (const PackedStatement& statement : butterfly.statements) {
    if (statement.turned) exchanged.insert(statement.a);
  }
  const ButterflyGraph apart = butterfly_graph(chosen_design(GetParam()), Direction::forward);
  const double half = count_operations(apart).fused_operations / 2.0;
  EXPECT_LE(static_cast<double>(butterfly.statements.size()), 1.1 * half + 2);
  EXPECT_LE(static_cast<double>(exchanged.size()), 0.35 * half + 1);
}

TEST(PackedButterfly, RefusesOtherRadices) {
  EXPECT_THROW((void)packed_butterfly(1), InvalidArgument);
  EXPECT_THROW((void)packed_butterfly(largest_radix + 1), InvalidArgument);
}

// Four points: eight sums and differences, one of them of a number times -i.
TEST(PackedButterfly, PrintsHostCode) {
  const std::string text = packed_butterfly_source(4);
  EXPECT_NE(text.find("HWY_INLINE void PackedButterfly4("), std::string::npos);
  EXPECT_NE(text.find("hn::Reverse2(d, "), std::string::npos);
  EXPECT_NE(text.find("hn::MulAdd(alternate, "), std::string::npos);
  EXPECT_NE(text.find("store(3, "), std::string::npos);
}

}  // namespace
}  // namespace twiddle::kernel
