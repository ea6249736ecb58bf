// What lengths borrow from their tuned neighbours.
#include "plan/choice/borrowed_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "plan/choice/measured_choices.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "plan/recipe/host_radices.hpp"
#include "plan/recipe/radices.hpp"
#include "plan/recipe/recipe.hpp"

namespace twiddle::plan {
namespace {

LineKey rows(std::uint64_t length) { return {length, LineUse::rows, Precision::float32}; }

DeviceLimits with_choice(const char* name, const LineKey& key, const LineChoice& choice) {
  DeviceLimits limits = limits_for(named_limits(name), Precision::float32);
  ChoiceTable table;
  table.set(key, choice);
  limits.choices = std::make_shared<const ChoiceTable>(table);
  return limits;
}

std::uint64_t product(const std::vector<unsigned>& radices) {
  return std::accumulate(radices.begin(), radices.end(), std::uint64_t{1}, std::multiplies<>());
}

TEST(BorrowedChoice, KeepsTheElementsOfAnItemAndTheSizeOfGroups) {
  const DeviceLimits limits = with_choice("nvidia-cuda", rows(384), {0, {{24, 16}, 16, 4, 0, true}});
  const auto longer = borrowed_choice(rows(768), limits);
  ASSERT_TRUE(longer.has_value());
  EXPECT_EQ(product(longer->stage.radices), 768U);
  EXPECT_EQ(longer->stage.items, 32U);
  EXPECT_EQ(longer->stage.transforms, 2U);
  EXPECT_TRUE(longer->stage.split);
  const auto shorter = borrowed_choice(rows(192), limits);
  ASSERT_TRUE(shorter.has_value());
  EXPECT_EQ(shorter->stage.radices, (std::vector<unsigned>{24, 8}));
  EXPECT_EQ(shorter->stage.items, 8U);
  EXPECT_EQ(shorter->stage.transforms, 8U);
  // Columns stay side by side: their number fills the sectors of memory.
  const LineKey columns{384, LineUse::columns, Precision::float32};
  const auto tile = borrowed_choice({192, LineUse::columns, Precision::float32},
                                    with_choice("nvidia-cuda", columns, {0, {{24, 16}, 16, 8}}));
  ASSERT_TRUE(tile.has_value());
  EXPECT_EQ(tile->stage.transforms, 8U);
}

TEST(BorrowedChoice, IsForNeighboursOfTheSameKindAlone) {
  const DeviceLimits limits = with_choice("nvidia-cuda", rows(1000), {0, {{10, 10, 10}, 50, 4}});
  EXPECT_FALSE(borrowed_choice(rows(4000), limits));
  EXPECT_FALSE(borrowed_choice(rows(250), limits));
  EXPECT_FALSE(borrowed_choice(rows(3000), limits));
  EXPECT_FALSE(borrowed_choice({2000, LineUse::columns, Precision::float32}, limits));
  EXPECT_FALSE(borrowed_choice({2000, LineUse::rows, Precision::float64}, limits));
  EXPECT_FALSE(borrowed_choice(rows(2000), limits_for(named_limits("nvidia-cuda"), Precision::float32)));
}

TEST(BorrowedChoice, NeverBorrowsDivisionsOrWhatIsImpossible) {
  EXPECT_FALSE(borrowed_choice(rows(1 << 21), with_choice("host", rows(1 << 20), {512, {}})));
  EXPECT_FALSE(borrowed_choice(rows(2000), with_choice("nvidia-cuda", rows(1000), {0, {{10, 10}, 50, 4}})));
  // 128 items for the longer one, of 64 that a group has.
  EXPECT_FALSE(borrowed_choice(rows(2048), with_choice("small", rows(1024), {0, {{16, 8, 8}, 64, 1}})));
  EXPECT_FALSE(borrowed_choice(rows(2048), with_choice("mali", rows(1024), {0, {{16, 8, 8}, 64, 1}})));
}

TEST(BorrowedChoice, FollowsTheModelWhereThatChangesItsMind) {
  // What the model likes best for a length is borrowed only where it likes that about as much for the other.
  for (const char* name : {"host", "nvidia-opencl", "nvidia-cuda", "small"}) {
    for (const std::uint64_t length : {96U, 360U, 512U, 1000U, 1024U, 1440U, 2048U, 4096U}) {
      DeviceLimits limits = limits_for(named_limits(name), Precision::float32);
      LineChoice best;
      if (limits.shape == DeviceLimits::Shape::owned) {
        best.stage.radices = host_radices(length, limits);
      } else {
        const auto choice = choose_radices(length, 1, limits);
        if (!choice) continue;
        best.stage = {choice->radices, choice->items, 1};
      }
      limits = with_choice(name, rows(length), best);
      for (const std::uint64_t other : {2 * length, length / 2}) {
        const auto borrowed = borrowed_choice(rows(other), limits);
        if (!borrowed) continue;
        EXPECT_FALSE(objection(rows(other), *borrowed, limits)) << name << " " << other;
        if (limits.shape != DeviceLimits::Shape::owned) continue;
        const double ratio = host_cost(borrowed->stage.radices, limits, HostLine::contiguous) /
                             host_cost(host_radices(other, limits), limits, HostLine::contiguous);
        EXPECT_LE(ratio, 1.03) << other;
      }
    }
  }
}

TEST(BorrowedChoice, ReachesPlansOfGroups) {
  DeviceLimits limits = named_limits("nvidia-cuda");
  ChoiceTable table;
  table.set(rows(384), {0, {{24, 16}, 16, 4, 0, true}});
  limits.choices = std::make_shared<const ChoiceTable>(table);
  const Transform transform{.lengths = {768}, .batch = 100};
  const Program program =
      lower(make_recipe(transform, limits), transform, Direction::forward, Placement::out_of_place, limits);
  ASSERT_EQ(program.stages.size(), 1U);
  EXPECT_EQ(program.stages[0].shape.transforms_per_group, 2U);
  EXPECT_EQ(program.stages[0].shape.items_per_transform, 32U);
  EXPECT_EQ(program.stages[0].shape.exchange, KernelShape::Exchange::split);
}

TEST(BorrowedChoice, ReachesPlansOfTheHost) {
  // With what the model likes best as what was tuned, so that it agrees often.
  std::size_t borrowers = 0;
  for (const std::uint64_t length : {360U, 512U, 720U, 1024U, 1440U, 2048U, 2880U, 4096U}) {
    const DeviceLimits limits =
        with_choice("host", rows(length), {0, {host_radices(length, named_limits("host")), 0, 0}});
    const auto borrowed = borrowed_choice(rows(2 * length), limits);
    if (!borrowed) continue;
    ++borrowers;
    const LineRecipe line = make_recipe({.lengths = {2 * length}}, limits).axes.front().line;
    EXPECT_EQ(std::get<Stockham>(line.algorithm).radices, borrowed->stage.radices) << length;
  }
  EXPECT_GT(borrowers, 0U);
}

TEST(BorrowedChoice, GivesWayToWhatWasMeasured) {
  // 1000 is in the table that NVIDIA's devices are shipped with; so is nothing that 500 would lend it.
  DeviceLimits limits = with_choice("nvidia-cuda", rows(500), {0, {{20, 25}, 25, 4}});
  const auto shipped =
      measured_choice(1000, LineUse::rows, limits_for(named_limits("nvidia-cuda"), Precision::float32));
  ASSERT_TRUE(shipped.has_value());
  EXPECT_EQ(measured_choice(1000, LineUse::rows, limits), shipped);
}

}  // namespace
}  // namespace twiddle::plan
