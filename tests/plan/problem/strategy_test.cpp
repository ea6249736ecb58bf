// Strategies as text, and what planning makes of them.
#include "twiddle/strategy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

plan::Program program(const Transform& transform, std::string_view limits_name, std::string_view strategy) {
  DeviceLimits limits = plan::named_limits(limits_name);
  limits.strategy = parse_strategy(strategy);
  return plan::lower(plan::make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place,
                     limits);
}

TEST(StrategyText, RoundTrips) {
  EXPECT_EQ(describe({}), "default");
  EXPECT_EQ(parse_strategy("default"), Strategy{});
  EXPECT_EQ(parse_strategy(""), Strategy{});
  const std::string all =
      "radices=4,twiddles=separate,reversal=separate,staging=memory,launches=rows,transposes=blocked,block=8,group=64,"
      "elements=16,vector=2,exchange=split,algorithm=fft,parts=planar,segment=1024";
  EXPECT_EQ(describe(parse_strategy(all)), all);
  EXPECT_EQ(describe(parse_strategy("group=32,radices=2,elements=0,twiddles=merged")), "radices=2,group=32");
}

TEST(StrategyText, ErrorsNameTheFieldAndWhatItAccepts) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      (void)parse_strategy(text);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"radices=3", "one of all, 4, 2"},
      {"twiddles", "NAME=VALUE"},
      {"radix=2", "radices, twiddles, reversal"},
      {"group=-1", "a whole number"},
      {"group=5000000000", "a whole number"},
      {"group=8,group=9", "twice"},
      {"group=8,", "NAME=VALUE"},
      {"staging=on-chip,twiddles=separate", "staging=memory or chosen"},
      {"block=8", "transposes=blocked"},
      {"vector=3", "1 or 2"},
      {"elements=65", "at most 64"},
      {"algorithm=direct,radices=2", "no passes"},
  };
  for (const auto& [text, expected] : wrong) {
    EXPECT_NE(message(text).find(expected), std::string::npos) << text << ": " << message(text);
  }
}

TEST(StrategyPlans, HaveTheRadicesThatAreAllowed) {
  for (const char* limits : {"host", "nvidia-opencl", "small", "mali"}) {
    for (const std::size_t length : {64, 1000, 4096, 1013}) {
      for (const unsigned largest : {2U, 4U}) {
        const auto stages = program({.lengths = {length}}, limits, fmt::format("radices={}", largest)).stages;
        for (const plan::Stage& stage : stages) {
          for (const unsigned radix : stage.radices) {
            EXPECT_TRUE(radix == 2 || radix == largest) << limits << ", " << length << ": " << to_string(stage);
          }
        }
      }
    }
  }
}

TEST(StrategyPlans, KeepLinesInMemoryOrOnChip) {
  const Transform transform{.lengths = {4096}};
  EXPECT_EQ(program(transform, "nvidia-opencl", "staging=on-chip").stages.size(), 1U);
  EXPECT_EQ(program(transform, "nvidia-opencl", "staging=memory,radices=4").stages.size(), 6U);
  EXPECT_EQ(program(transform, "mali", "radices=2").stages.size(), 12U);
  EXPECT_THROW((void)program(transform, "mali", "staging=on-chip"), Unsupported);
}

TEST(StrategyPlans, FillGroupsThatAreAskedFor) {
  for (const std::uint32_t group : {1U, 16U, 128U, 512U}) {
    const auto stages =
        program({.lengths = {512, 512}}, "nvidia-opencl", fmt::format("staging=memory,group={}", group)).stages;
    for (const plan::Stage& stage : stages) {
      EXPECT_EQ(stage.shape.items_per_transform * stage.shape.transforms_per_group, group) << to_string(stage);
    }
    const auto chip = program({.lengths = {64}, .batch = 4096}, "nvidia-opencl",
                              fmt::format("staging=on-chip,group={}", std::max(group, 16U)))
                          .stages;
    for (const plan::Stage& stage : chip) {
      EXPECT_EQ(stage.shape.items_per_transform * stage.shape.transforms_per_group, std::max(group, 16U))
          << to_string(stage);
    }
  }
  EXPECT_THROW((void)program({.lengths = {64}}, "small", "group=128"), Unsupported);
}

TEST(StrategyPlans, HoldAsManyElementsAsAreAskedFor) {
  for (const std::uint32_t elements : {4U, 8U, 16U}) {
    const auto stages =
        program({.lengths = {1024}, .batch = 64}, "nvidia-opencl", fmt::format("elements={}", elements)).stages;
    ASSERT_EQ(stages.size(), 1U);
    EXPECT_EQ(stages[0].shape.items_per_transform, 1024 / elements) << to_string(stages[0]);
    EXPECT_LE(*std::max_element(stages[0].radices.begin(), stages[0].radices.end()), elements);
  }
}

TEST(StrategyPlans, ExchangeAsTheyAreAsked) {
  using Exchange = plan::KernelShape::Exchange;
  for (const auto& [word, exchange] : {std::pair{"complex", Exchange::complex}, std::pair{"split", Exchange::split}}) {
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
      const auto stages =
          program({.lengths = {64, 1000}, .kind = kind}, "nvidia-opencl", fmt::format("exchange={}", word)).stages;
      for (const plan::Stage& stage : stages) {
        EXPECT_TRUE(stage.radices.size() < 2 || stage.shape.exchange == exchange) << to_string(stage);
      }
    }
  }
}

TEST(StrategyPlans, LaunchEachRow) {
  const auto stages = program({.lengths = {30, 64}, .batch = 2}, "nvidia-opencl", "launches=rows").stages;
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(plan::transform_count(stages[0]) / plan::launch_transforms(stages[0]), 60U) << to_string(stages[0]);
  EXPECT_EQ(plan::transform_count(stages[1]) / plan::launch_transforms(stages[1]), 128U) << to_string(stages[1]);
  const auto passes = program({.lengths = {30, 64}}, "nvidia-opencl", "launches=rows,staging=memory,radices=4").stages;
  for (const plan::Stage& stage : passes) EXPECT_EQ(plan::launch_transforms(stage), 16U) << to_string(stage);
}

TEST(StrategyPlans, TransposeSquaresInPlace) {
  const auto stages = program({.lengths = {64, 64}}, "nvidia-opencl", "transposes=in-place,block=8").stages;
  ASSERT_EQ(stages.size(), 4U);
  EXPECT_TRUE(stages[1].swaps && stages[3].swaps);
  EXPECT_EQ(stages[1].source, stages[1].destination);
  EXPECT_EQ(stages[1].shape.block, 8U);
  EXPECT_THROW((void)program({.lengths = {64, 32}}, "nvidia-opencl", "transposes=in-place"), Unsupported);
  EXPECT_THROW((void)program({.lengths = {8, 8}, .output_extents = {4, 8}}, "nvidia-opencl", "transposes=in-place"),
               Unsupported);
  // Stages that only move elements neither scale them nor call hooks.
  const auto scaled =
      program({.lengths = {8, 8}, .normalization = Normalization::ortho}, "nvidia-opencl", "transposes=in-place")
          .stages;
  EXPECT_TRUE(scaled.back().swaps);
  EXPECT_EQ(scaled.back().scale, 1.0L);
  EXPECT_EQ(scaled[scaled.size() - 2].scale, 0.125L);
  for (const char* strategy : {"transposes=in-place", "transposes=host"}) {
    EXPECT_THROW((void)program({.lengths = {8, 8}, .store_hook = named_hook("conjugate")}, "nvidia-opencl", strategy),
                 Unsupported);
  }
}

TEST(StrategyPlans, SumHalfOfTheResultsOfReals) {
  const auto stages = program({.lengths = {100}, .kind = Kind::r2c}, "nvidia-opencl", "algorithm=direct").stages;
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_TRUE(stages[0].direct);
  EXPECT_EQ(plan::bounded_count(stages[0].length, stages[0].store_bound), 51U);
}

TEST(StrategyPlans, OnTheHostSayWhatItDoesNotFollow) {
  try {
    (void)program({.lengths = {64}}, "host", "group=64");
    FAIL() << "accepted";
  } catch (const Unsupported& error) {
    EXPECT_NE(std::string(error.what()).find("group=64"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace twiddle::test
