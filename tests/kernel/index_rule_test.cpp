// Expressions for tables of indices.
#include "kernel/index_rule.hpp"

#include <gtest/gtest.h>

#include "kernel/line_map_text.hpp"
#include "plan/lower/line_map.hpp"

namespace twiddle::kernel {
namespace {

using Indices = std::vector<std::uint32_t>;

TEST(IndexRule, SaysProgressionsRangesAndParity) {
  EXPECT_EQ(index_expression(Indices{0, 1, 2, 3}), "element");
  EXPECT_EQ(index_expression(Indices{5}), "5u");
  EXPECT_EQ(index_expression(Indices{7, 5, 3}), "7u - element * 2u");
  EXPECT_EQ(index_expression(Indices{no_index, 4, 3, 2}), "element < 1 ? 4294967295u : 5u - element");
  EXPECT_EQ(index_expression(Indices{0, 2, 4, 5, 3, 1}), "element < 3 ? element * 2u : 11u - element * 2u");
  EXPECT_EQ(index_expression(Indices{0, 9, 1, 8, 2, 7, 3, 6, 4, 5}),
            "element % 2 == 0 ? (element / 2) : 9u - (element / 2)");
  EXPECT_TRUE(index_expression(Indices{0, 2, 4, 5, 3, 1, 6, 7, 8, 2, 4, 6, 9, 8, 7}).has_value());  // five ranges
}

TEST(IndexRule, LeavesOtherTablesAlone) {
  EXPECT_FALSE(index_expression(Indices{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5}).has_value());
  EXPECT_FALSE(index_expression(Indices{0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100}).has_value());
}

// Long lines would otherwise read more tables than data.
TEST(IndexRule, CoversEveryRuleOfRealTransforms) {
  using Rule = plan::LineMap::Rule;
  for (std::size_t rule = 0; rule <= static_cast<std::size_t>(Rule::dst4_half_store); ++rule) {
    for (const std::uint64_t length : {2u, 3u, 16u, 31u, 100u}) {
      const auto kind = static_cast<Rule>(rule);
      plan::LineMap map{kind, length, plan::full_source_count(kind, length), plan::full_count(kind, length)};
      const bool any_length = !plan::pairs_reals(kind) || kind == Rule::dct1_half_load ||
                              kind == Rule::dct1_half_store || kind == Rule::dst1_half_load ||
                              kind == Rule::dst1_half_store;
      if (!any_length && length % 2 != 0) continue;
      const bool of_odd = kind == Rule::dct4_odd_load || kind == Rule::dct4_odd_store || kind == Rule::dst4_odd_load ||
                          kind == Rule::dst4_odd_store;
      if (of_odd && length % 2 == 0) continue;
      // A pattern of four: their indices are a table.
      if (kind == Rule::dct3_half_store || kind == Rule::dst3_half_store) continue;
      Tables tables;
      (void)lay_out_map(map, Precision::float32, tables);
      EXPECT_TRUE(tables.indices.empty()) << plan::to_string(map);
    }
  }
}

}  // namespace
}  // namespace twiddle::kernel
