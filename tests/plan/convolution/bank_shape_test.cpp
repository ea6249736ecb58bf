// Segments and shapes of filter banks on devices: by their own table, or by what was tuned for rows of the same length.
#include "plan/convolution/bank_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "plan/choice/choice_table.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/shape.hpp"

namespace twiddle::test {
namespace {

using Sharing = plan::KernelShape::Sharing;

DeviceLimits tuned_limits(const plan::LineKey& key, const plan::MeasuredChoice& stage) {
  plan::ChoiceTable table;
  table.set(key, {0, stage});
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  limits.choices = std::make_shared<const plan::ChoiceTable>(std::move(table));
  return limits;
}

std::vector<unsigned> radices_of(std::uint64_t length, const DeviceLimits& limits, Precision precision) {
  const auto segments = plan::bank_segments(plan::limits_for(limits, precision));
  const auto found = std::find_if(segments.begin(), segments.end(),
                                  [&](const plan::BankSegment& segment) { return segment.length == length; });
  return found == segments.end() ? std::vector<unsigned>{} : found->radices;
}

plan::BankPrograms shaped_bank(std::uint64_t length, const DeviceLimits& limits, Precision precision,
                               std::size_t filters = 4) {
  const Convolution convolution{
      .signal_lengths = {100000}, .kernel_lengths = {65}, .filters = filters, .precision = precision, .complex = true};
  plan::BankPrograms programs = plan::lower_bank(convolution, {length, radices_of(length, limits, precision)});
  programs.prepare = plan::shaped(std::move(programs.prepare), limits);
  programs.apply = plan::shaped(std::move(programs.apply), limits);
  return programs;
}

constexpr plan::LineKey rows_of_512{512, plan::LineUse::rows, Precision::float32};

TEST(BankShape, FollowsWhatWasTunedForRows) {
  const DeviceLimits limits = tuned_limits(rows_of_512, {{32, 16}, 16, 2});
  EXPECT_EQ(radices_of(512, limits, Precision::float32), (std::vector{32U, 16U}));
  EXPECT_EQ(radices_of(512, limits, Precision::float64),
            radices_of(512, plan::named_limits("nvidia-cuda"), Precision::float64));
  const plan::BankPrograms programs = shaped_bank(512, limits, Precision::float32);
  EXPECT_EQ(programs.prepare.stages.front().shape.items_per_transform, 16);
  EXPECT_EQ(programs.apply.stages.front().shape.items_per_transform, 16);
}

// A pass more, more elements than an item holds beside the spectrum, items that do not share out the last pass evenly,
// and two parts.
TEST(BankShape, KeepsItsOwnWhereRowsDiffer) {
  const std::vector<unsigned> own = radices_of(512, plan::named_limits("nvidia-cuda"), Precision::float32);
  ASSERT_EQ(own, (std::vector{16U, 32U}));
  for (const plan::MeasuredChoice& stage :
       {plan::MeasuredChoice{{8, 8, 8}, 64, 1}, plan::MeasuredChoice{{32, 16}, 8, 1},
        plan::MeasuredChoice{{32, 16}, 24, 1}}) {
    EXPECT_EQ(radices_of(512, tuned_limits(rows_of_512, stage), Precision::float32), own);
  }
  DeviceLimits limits = plan::named_limits("nvidia-cuda");
  plan::ChoiceTable table;
  table.set(rows_of_512, {16, {}});
  limits.choices = std::make_shared<const plan::ChoiceTable>(std::move(table));
  EXPECT_EQ(radices_of(512, limits, Precision::float32), own);
}

// Elements twice as large: half as many of them in an item's registers.
TEST(BankShape, CountsRegistersOfDoubles) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const std::uint64_t length : {256, 1024, 4096}) {
    const plan::Stage stage = shaped_bank(length, limits, Precision::float64).apply.stages.front();
    EXPECT_LE(length / stage.shape.items_per_transform, 16) << length;
  }
}

// As an H200 was fastest: half as many elements an item, which keeps its roots. The filters' spectra are made likewise.
TEST(BankShape, LongSegmentsTakeMoreItemsAndKeepRootsOnLargeCards) {
  const DeviceLimits limits = plan::named_limits("nvidia-cuda");
  for (const std::size_t filters : {8, 32}) {
    plan::BankPrograms programs = shaped_bank(4096, limits, Precision::float32, filters);
    for (const auto* program : {&programs.prepare, &programs.apply}) {
      EXPECT_EQ(program->stages.front().shape.items_per_transform, 256u) << filters;
      EXPECT_EQ(program->stages.front().shape.root_step, 4u) << filters;
    }
  }
  EXPECT_TRUE(shaped_bank(4096, limits, Precision::float32, 8).apply.stages.front().shape.keeps_roots);
  EXPECT_FALSE(shaped_bank(4096, limits, Precision::float32, 8).prepare.stages.front().shape.keeps_roots);
  EXPECT_FALSE(shaped_bank(1024, limits, Precision::float32, 8).apply.stages.front().shape.keeps_roots);
  EXPECT_EQ(shaped_bank(1024, limits, Precision::float32, 8).apply.stages.front().shape.root_step, 0u);
  EXPECT_EQ(shaped_bank(4096, plan::named_limits("small"), Precision::float32, 8).apply.stages.front().shape.root_step,
            0u);
}

// As an H100 was fastest: the next filter's spectrum of complex floats, where nothing is made of the results.
TEST(BankShape, SpectraAreFetchedAheadWhereThatWasMeasured) {
  const auto ahead = [](std::uint64_t length, const char* name, const Convolution& convolution) {
    DeviceLimits limits = plan::named_limits(name);
    limits.compute_units = 132;
    plan::BankPrograms programs =
        plan::lower_bank(convolution, {length, radices_of(length, limits, convolution.precision)});
    EXPECT_EQ(plan::shaped(std::move(programs.prepare), limits).stages.front().shape.fetched_ahead, 0u);
    return plan::shaped(std::move(programs.apply), limits).stages.front().shape.fetched_ahead;
  };
  const Convolution eight{.signal_lengths = {1 << 21}, .kernel_lengths = {33}, .filters = 8, .complex = true};
  EXPECT_EQ(ahead(1024, "nvidia-cuda", eight), 6u);
  EXPECT_EQ(ahead(4096, "nvidia-cuda", eight), 0u);  // not taken in turns
  EXPECT_EQ(ahead(2048, "nvidia-cuda", eight), 0u);
  EXPECT_EQ(ahead(1024, "nvidia-opencl", eight), 0u);
  Convolution other = eight;
  other.filters = 1;
  EXPECT_EQ(ahead(1024, "nvidia-cuda", other), 0u);
  other = eight;
  other.kernel_lengths = {1025};
  EXPECT_EQ(ahead(4096, "nvidia-cuda", other), 5u);
  other.complex = false;
  EXPECT_EQ(ahead(4096, "nvidia-cuda", other), 0u);
  other = eight;
  other.precision = Precision::float64;
  EXPECT_EQ(ahead(1024, "nvidia-cuda", other), 0u);
  other = eight;
  other.post.function = PostProcessing::Function::power;
  EXPECT_EQ(ahead(1024, "nvidia-cuda", other), 0u);
}

// As an H200 was fastest: with few filters a group fewer on each unit, whose compiler for OpenCL makes slow code of the
// registers that would leave room for just these.
TEST(BankShape, FewFiltersSpareAGroup) {
  const auto shape = [](const char* name, std::size_t filters) {
    DeviceLimits limits = plan::named_limits(name);
    limits.compute_units = 132;
    return shaped_bank(1024, limits, Precision::float32, filters).apply.stages.front().shape;
  };
  EXPECT_EQ(shape("nvidia-cuda", 8).registers, 184u);
  EXPECT_EQ(shape("nvidia-opencl", 8).registers, 168u);
  for (const char* const name : {"nvidia-cuda", "nvidia-opencl"}) {
    EXPECT_EQ(shape(name, 8).groups, 132u * 11) << name;
    EXPECT_EQ(shape(name, 32).groups, 132u * 12) << name;
    EXPECT_EQ(shape(name, 32).registers, 168u) << name;
  }
}

// Of 2^21 samples.
Sharing sharing(std::size_t taps, std::size_t filters, bool complex, std::size_t units = 132,
                const char* name = "nvidia-cuda") {
  const Convolution convolution{
      .signal_lengths = {1 << 21}, .kernel_lengths = {taps}, .filters = filters, .complex = complex};
  DeviceLimits limits = plan::named_limits(name);
  limits.compute_units = units;
  const auto segment = plan::choose_bank_segment(taps - 1, filters, plan::limits_for(limits, Precision::float32));
  plan::BankPrograms programs = plan::lower_bank(convolution, {segment->length, segment->radices});
  const plan::Program spectra = plan::shaped(std::move(programs.prepare), limits);
  EXPECT_EQ(spectra.stages.front().shape.sharing, Sharing::pairs);
  return plan::shaped(std::move(programs.apply), limits).stages.front().shape.sharing;
}

// On 132 units: with 257 taps, 1452 groups share 2731 segments, two at most, which are 16 pairs and 2 transforms of
// segments; 16 of the pairs with each filter would meet three.
TEST(BankShape, GroupsTakeWholeSegmentsWhereThatIsLess) {
  EXPECT_EQ(sharing(257, 8, true), Sharing::segments);
  EXPECT_EQ(sharing(257, 4, true), Sharing::segments);
  EXPECT_EQ(sharing(257, 8, false), Sharing::pairs);
  EXPECT_EQ(sharing(257, 32, true), Sharing::pairs);
  EXPECT_EQ(sharing(257, 1, true), Sharing::pairs);
  EXPECT_EQ(sharing(257, 8, true, 0), Sharing::pairs);
  EXPECT_EQ(sharing(257, 8, true, 300), Sharing::pairs);  // fewer segments than groups
  EXPECT_EQ(sharing(257, 8, true, 132, "nvidia-opencl"), Sharing::pairs);
}

// With 65 taps 2185 segments are a turn of 1452 groups, or 1584, and half of one or less; with 1025 taps 683 segments
// are two of 264 groups and more than half of one.
TEST(BankShape, GroupsTakeSegmentsInTurnsWhereFewRemain) {
  EXPECT_EQ(sharing(65, 8, true), Sharing::turns);
  EXPECT_EQ(sharing(65, 32, true), Sharing::turns);
  EXPECT_EQ(sharing(1025, 8, true), Sharing::turns);
  EXPECT_EQ(sharing(1025, 32, true), Sharing::turns);
  EXPECT_EQ(sharing(65, 4, true), Sharing::pairs);
  EXPECT_EQ(sharing(65, 8, false), Sharing::pairs);
  EXPECT_EQ(sharing(65, 8, true, 200), Sharing::pairs);  // fewer segments than groups
  EXPECT_EQ(sharing(65, 8, true, 132, "nvidia-opencl"), Sharing::pairs);
}

}  // namespace
}  // namespace twiddle::test
