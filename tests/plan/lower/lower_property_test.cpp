// Lowering, checked by executing its stages on no device: for every named set of limits and for made-up devices, the
// stages compute the transform and keep the rules that engines rely on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kernel/kernel_source.hpp"
#include "plan/device/limits.hpp"
#include "plan/lower/lower.hpp"
#include "support/sample.hpp"
#include "support/stage_interpreter.hpp"
#include "support/transform_name.hpp"

namespace twiddle::test {
namespace {

using plan::Placement;
using plan::Program;
using plan::Stage;

std::string print(const DeviceLimits& limits) {
  return fmt::format("shape {}, group {}, local {}, sub-group {}, registers {}, segment {}",
                     static_cast<int>(limits.shape), limits.max_group_size, limits.local_memory, limits.sub_group_size,
                     limits.registers_per_item, limits.memory_segment);
}

// A generated kernel must fit the device that it was planned for.
void expect_kernels_fit(const Program& program, const DeviceLimits& limits) {
  if (limits.shape == DeviceLimits::Shape::owned) return;  // no kernels
  for (const Stage& stage : program.stages) {
    SCOPED_TRACE(plan::to_string(stage));
    const std::uint64_t group = std::uint64_t{stage.shape.items_per_transform} * stage.shape.transforms_per_group;
    EXPECT_GE(group, 1u);
    EXPECT_LE(group, limits.max_group_size);
    const bool cuda_only = stage.shape.groups_per_transform > 1 || stage.shape.prefetch;
    const kernel::KernelSource source =
        kernel::stage_kernel(stage, cuda_only ? kernel::Dialect::cuda : kernel::Dialect::opencl);
    EXPECT_EQ(source.group_size, group);
    EXPECT_LE(source.local_memory, limits.local_memory);
  }
}

void check(const Transform& transform, Direction direction, std::initializer_list<Placement> placements,
           const DeviceLimits& limits) {
  const Signal signal = random_signal(total_elements(transform), 5);
  const Spectrum input(signal.begin(), signal.end());
  const Spectrum expected = reference_transform(transform, direction, input);
  for (const Placement placement : placements) {
    SCOPED_TRACE(fmt::format("{} {} {} on {}", to_string(transform),
                             direction == Direction::forward ? "forward" : "inverse",
                             placement == Placement::in_place ? "in place" : "out of place", print(limits)));
    try {
      const Program program =
          plan::lower(plan::make_recipe(transform, limits), transform, direction, placement, limits);
      EXPECT_LT(relative_difference(interpret(program, placement, input), expected),
                1e-14L);  // chirps and scales are double
      expect_kernels_fit(program, limits);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

void check_all_ways(const Transform& transform, const DeviceLimits& limits) {
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    check(transform, direction, {Placement::in_place, Placement::out_of_place}, limits);
  }
}

// Limits take shares, since the reference is the same for all of them.
class LowerFor : public testing::TestWithParam<std::string> {
 protected:
  LowerFor() : index_(index_of(GetParam())), share_(index_, 3) {}

  void check_its_share(const Transform& transform) {
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      if (share_.takes_next()) check(transform, direction, {Placement::in_place, Placement::out_of_place}, limits_);
    }
  }

  const DeviceLimits limits_ = plan::named_limits(GetParam());
  const std::size_t index_;

 private:
  static std::size_t index_of(const std::string& name) {
    const auto names = plan::limit_names();
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  }

  Share share_;
};

TEST_P(LowerFor, EveryShortLength) {
  for (std::size_t n = 1; n <= 128; ++n) check_all_ways({.lengths = {n}}, limits_);
  for (std::size_t n = 129; n <= 400; ++n) {  // each of the ways in turn
    check({.lengths = {n}}, n % 2 ? Direction::forward : Direction::inverse,
          {n % 4 < 2 ? Placement::in_place : Placement::out_of_place}, limits_);
  }
}

TEST_P(LowerFor, LongerLines) {
  for (const std::size_t n : {509,  1000, 1001,  1024,  2048,  2187,  2310,  3125,  4095,  4096,
                              5040, 8192, 10007, 14641, 16384, 16807, 28561, 30030, 65536, 100000}) {
    check_its_share({.lengths = {n}});
  }
}

TEST_P(LowerFor, VeryLongLines) {
  std::size_t checks = index_;
  for (const std::size_t n : {1 << 20, 531441}) {
    if (is_sampled(checks++, 4)) check({.lengths = {n}}, Direction::forward, {Placement::in_place}, limits_);
    if (is_sampled(checks++, 4)) check({.lengths = {n}}, Direction::inverse, {Placement::out_of_place}, limits_);
  }
}

TEST_P(LowerFor, Batches) {
  for (const std::size_t n : {1, 2, 16, 60, 97, 1000, 16384}) {
    for (const std::size_t batch : {2, 3, 33}) check_its_share({.lengths = {n}, .batch = batch});
  }
}

TEST_P(LowerFor, ShapesOfSeveralDimensions) {
  const std::vector<std::vector<std::size_t>> shapes{{1, 1},      {1, 8},       {8, 1},       {3, 5},      {15, 28},
                                                     {64, 64},    {120, 66},    {35, 143},    {17, 23},    {4, 4096},
                                                     {4096, 4},   {3, 16384},   {16384, 3},   {2, 3, 5},   {7, 1, 9},
                                                     {12, 10, 6}, {16, 16, 16}, {11, 13, 14}, {2, 3, 4, 5}};
  for (const auto& lengths : shapes) {
    check_its_share({.lengths = lengths});
    check_its_share({.lengths = lengths, .batch = 3});
  }
}

TEST_P(LowerFor, SubsetsOfAxes) {
  for (const std::vector<std::size_t>& axes :
       std::vector<std::vector<std::size_t>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}}) {
    for (const std::size_t batch : {1, 2}) {
      check_its_share({.lengths = {6, 20, 9}, .axes = axes, .batch = batch});
      check_its_share({.lengths = {128, 3, 60}, .axes = axes, .batch = batch});
    }
  }
}

TEST_P(LowerFor, Normalizations) {
  for (const Normalization normalization :
       {Normalization::backward, Normalization::ortho, Normalization::forward, Normalization::none}) {
    for (const std::vector<std::size_t>& lengths :
         std::vector<std::vector<std::size_t>>{{1}, {48}, {37}, {10, 14}, {16384}}) {
      check_all_ways({.lengths = lengths, .normalization = normalization}, limits_);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NamedLimits, LowerFor, testing::ValuesIn(plan::limit_names()), limits_name<std::string>);

// Devices that nobody has built yet, and transforms for them, drawn at random from a fixed seed.
TEST(LowerForMadeUpDevices, ComputesTheTransform) {
  std::mt19937 generator(2026);
  const auto pick = [&](const auto& values) { return values[generator() % values.size()]; };
  const std::vector<std::size_t> group_sizes{32, 64, 128, 256, 512, 1024};
  const std::vector<std::size_t> local_memories{8192, 16384, 32768, 49152, 65536, 232448};
  const std::vector<std::size_t> sub_groups{1, 4, 8, 16, 32, 64};
  const std::vector<std::size_t> registers{32, 64, 128, 255};
  const std::vector<std::size_t> segments{16, 32, 64, 128};
  const std::vector<std::size_t> sides{1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 22, 32, 45, 60, 64, 91, 100, 125, 128};
  for (std::size_t round = 0; round < 400; ++round) {
    DeviceLimits limits;
    limits.shape = generator() % 4 == 0 ? DeviceLimits::Shape::staged : DeviceLimits::Shape::on_chip;
    limits.max_group_size = pick(group_sizes);
    limits.local_memory = pick(local_memories);
    limits.sub_group_size = pick(sub_groups);
    limits.registers_per_item = pick(registers);
    limits.memory_segment = pick(segments);
    Transform transform;
    const std::size_t dimensions = 1 + generator() % 3;
    for (std::size_t i = 0; i < dimensions; ++i) transform.lengths.push_back(pick(sides));
    if (dimensions == 1 && generator() % 2 == 0) transform.lengths[0] *= pick(sides) * 4;
    if (generator() % 3 == 0) transform.axes = {generator() % dimensions};
    if (array_elements(transform) < 100000) transform.batch = 1 + generator() % 5;
    const Direction direction = generator() % 2 ? Direction::forward : Direction::inverse;
    const Placement placement = generator() % 2 ? Placement::in_place : Placement::out_of_place;
    if (is_sampled(round, 3)) check(transform, direction, {placement}, limits);
  }
}

}  // namespace
}  // namespace twiddle::test
