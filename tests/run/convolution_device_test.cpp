// Convolution plans on devices by transforms of the whole signal, or of long segments: what no filter bank on chip
// serves.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <memory>

#include "plan/choice/choice_table.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/device/limits.hpp"
#include "support/convolution_reference.hpp"
#include "support/convolution_run.hpp"
#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"
#include "twiddle/hook.hpp"
#include "twiddle/plan.hpp"

namespace twiddle::test {
namespace {

using Method = Convolution::Method;
using Mode = Convolution::Mode;

class WholeConvolution : public DeviceTest {
 protected:
  // Relative L2: two transforms and a product; the library's bound for transforms, twice.
  void expect_right(const Convolution& convolution) { expect_right(convolution, device()); }
  static void expect_right(Convolution convolution, const Device& device) {
    if (convolution.method == Method::automatic) convolution.method = Method::whole;
    const Values signals = random_values(signal_elements(convolution), convolution.complex, 1);
    const Values filters = random_values(filter_elements(convolution), convolution.complex, 2);
    const Values expected = convolution_reference(convolution, signals, filters);
    const Values actual = run_convolution(device, convolution, signals, filters);
    ASSERT_EQ(actual.size(), expected.size());
    EXPECT_LT(relative_l2_error(actual, expected), convolution.precision == Precision::float64 ? 6e-16 : 4e-7);
  }
};

TEST_F(WholeConvolution, PicturesWithSeveralFiltersLong) {
  expect_right({.signal_lengths = {20, 30}, .kernel_lengths = {5, 4}, .signals = 2, .filters = 3, .mode = Mode::same});
}

TEST_F(WholeConvolution, ComplexCorrelationInDoublePrecision) {
  if (!device().info().limits.float64) GTEST_SKIP() << "no double precision";
  expect_right({.signal_lengths = {12, 9},
                .kernel_lengths = {3, 3},
                .filters = 2,
                .precision = Precision::float64,
                .complex = true,
                .operation = Convolution::Operation::correlate,
                .mode = Mode::valid});
}

TEST_F(WholeConvolution, BeyondTheEdgesOfVolumes) {
  expect_right({.signal_lengths = {5, 6, 7},
                .kernel_lengths = {3, 2, 3},
                .signals = 2,
                .filters = 2,
                .mode = Mode::same,
                .boundary = Boundary::reflect});
}

// Filters longer than the signal, whose ends come again and again; and some that begin behind its start.
TEST_F(WholeConvolution, FarBeyondTheEdges) {
  Convolution convolution{.signal_lengths = {7}, .kernel_lengths = {40}, .filters = 2, .complex = true};
  convolution.mode = Mode::same;
  for (const Boundary boundary : sampled<Boundary>({Boundary::periodic, Boundary::reflect, Boundary::nearest}, 3)) {
    convolution.boundary = boundary;
    convolution.past = {boundary == Boundary::nearest ? -3 : 25};
    expect_right(convolution);
  }
}

// Longer than any segment on chip.
TEST_F(WholeConvolution, LongFilters) {
  const Convolution convolution{.signal_lengths = {300}, .kernel_lengths = {9000}, .filters = 2};
  expect_right(convolution);
  EXPECT_NE(ConvolutionPlan(device(), convolution).describe().find("method: whole"), std::string::npos);
}

TEST_F(WholeConvolution, DerivativeLong) {
  Convolution convolution{.signal_lengths = {20, 30}, .kernel_lengths = {5, 4}, .signals = 2, .filters = 3};
  convolution.post = {.function = PostProcessing::Function::derivative, .decimation = 3};
  expect_right(convolution);
}

TEST_F(WholeConvolution, LargestInterbinnedWithItsFilter) {
  Convolution convolution{.signal_lengths = {90},
                          .kernel_lengths = {12},
                          .signals = 2,
                          .filters = 3,
                          .complex = true,
                          .mode = Mode::same,
                          .boundary = Boundary::periodic,
                          .method = Method::whole};
  convolution.post = {.function = PostProcessing::Function::interbin_2_pi, .maximum = true};
  expect_right(convolution);
}

TEST_F(WholeConvolution, MagnitudesAndHooksLong) {
  Convolution convolution{
      .signal_lengths = {14, 15}, .kernel_lengths = {3, 4}, .filters = 2, .complex = true, .mode = Mode::valid};
  convolution.post.function = PostProcessing::Function::magnitude;
  expect_right(convolution);
  const Values signals = random_values(210, true, 1);
  const Values filters = random_values(24, true, 2);
  const Values expected = run_convolution(device(), convolution, signals, filters);
  convolution.store_hook = named_hook("alternate");
  const Values actual = run_convolution(device(), convolution, signals, filters);
  for (std::size_t i = 0; i < actual.size(); ++i) ASSERT_EQ(actual[i], i % 2 == 0 ? expected[i] : -expected[i]) << i;
}

TEST_F(WholeConvolution, HooksReadNeighbours) {
  Convolution convolution{.signal_lengths = {20, 30}, .kernel_lengths = {5, 4}, .signals = 2, .filters = 3};
  convolution.store_hook = neighbour_hook(2, 3);
  expect_right(convolution);
  convolution.complex = true;
  convolution.post = {.function = PostProcessing::Function::magnitude, .decimation = 4};
  expect_right(convolution);
}

// More than scratch memory is taken for at once: lines and pictures, with filters that are left over.
TEST_F(WholeConvolution, SlicesOfFilters) {
  const Convolution lines{.signal_lengths = {1 << 18}, .kernel_lengths = {3}, .filters = 19, .complex = true};
  const Convolution pictures{.signal_lengths = {1 << 7, 1 << 13}, .kernel_lengths = {2, 3}, .filters = 11};
  for (Convolution asked : sampled<Convolution>({lines, pictures}, 2)) {
    asked.method = Method::whole;
    asked.mode = Mode::same;
    const ConvolutionPlan plan(device(), asked);
    EXPECT_LT(plan.scratch_bytes(), plan.spectra_bytes()) << plan.describe();
    expect_right(asked);
  }
}

// In segments that no kernel holds, for which the device is held to the limits of a small one: 5 or more of 1500
// points, the last one shorter.
class LongSegments : public WholeConvolution {
 protected:
  void SetUp() override { open_device(device_under_test() + "@small"); }
  static Convolution convolution() {
    return {.signal_lengths = {5011},
            .kernel_lengths = {401},
            .signals = 2,
            .filters = 2,
            .method = Method::overlap_save,
            .segment = 1500};
  }
};

TEST_F(LongSegments, RealsAndComplexNumbersInAllModes) {
  Convolution asked = convolution();
  EXPECT_NE(ConvolutionPlan(device(), asked).describe().find("segments of 1500 through memory"), std::string::npos);
  for (const Mode mode : {Mode::full, Mode::valid}) {
    asked.mode = mode;
    asked.complex = mode == Mode::valid;
    asked.operation = mode == Mode::valid ? Convolution::Operation::convolve : Convolution::Operation::correlate;
    expect_right(asked);
  }
}

TEST_F(LongSegments, BeyondTheEnds) {
  Convolution asked = convolution();
  asked.mode = Mode::same;
  for (const Boundary boundary : {Boundary::zero, Boundary::periodic, Boundary::reflect, Boundary::nearest}) {
    asked.boundary = boundary;
    asked.past = {boundary == Boundary::zero ? -600 : 500};
    expect_right(asked);
  }
}

TEST_F(LongSegments, InDoublePrecision) {
  if (!device().info().limits.float64) GTEST_SKIP() << "no double precision";
  Convolution asked = convolution();
  asked.precision = Precision::float64;
  expect_right(asked);
}

TEST_F(LongSegments, PostProcessingAndHooks) {
  Convolution asked = convolution();
  asked.post = {.function = PostProcessing::Function::interbin_pi_4, .maximum = true};
  expect_right(asked);
  asked.post = {.decimation = 3};
  asked.store_hook = neighbour_hook(2, 3);
  expect_right(asked);
}

// Where the number of outputs of a segment divides theirs; and filters longer than the segment that is asked for.
TEST_F(LongSegments, FullToTheLastOneAndOne) {
  Convolution asked = convolution();
  asked.signal_lengths = {2 * 1088};
  asked.mode = Mode::same;
  expect_right(asked);
  asked.signal_lengths = {300};
  asked.kernel_lengths = {1600};
  asked.mode = Mode::full;
  expect_right(asked);
}

// What one execution leaves in working memory is nothing to the next; memory behind the output stays as it is.
TEST_F(LongSegments, AgainAndAgain) {
  const Convolution asked = convolution();
  ConvolutionPlan plan(device(), asked);
  EXPECT_GE(plan.scratch_bytes(), 2 * 5 * 1500 * sizeof(float));
  plan.set_filters(scalars<float>(random_values(filter_elements(asked), false, 2), false));
  const auto signals = scalars<float>(random_values(signal_elements(asked), false, 1), false);
  std::vector<float> first(output_elements(asked));
  std::vector<float> second(first.size(), 7);
  plan.execute(signals, first);
  plan.execute(std::vector<float>(signals.size(), 3), second);
  plan.execute(signals, second);
  EXPECT_EQ(first, second);
}

class ChangingFilters : public DeviceTest {
 protected:
  using Sample = std::complex<float>;

  // What a few turns leave, of which each transforms its signal and its filters anew right before.
  std::vector<std::vector<Sample>> results(const Convolution& asked, bool together) {
    ConvolutionPlan plan(device(), asked);
    const Plan signal_plan(device(), {.lengths = asked.signal_lengths, .normalization = Normalization::ortho});
    const Plan filter_plan(
        device(), {.lengths = asked.kernel_lengths, .batch = asked.filters, .normalization = Normalization::ortho});
    Buffer signal(device(), plan.signal_bytes());
    Buffer filters(device(), plan.filter_bytes());
    signal.write(scalars<float>(random_values(signal_elements(asked), true, 1), true));
    filters.write(scalars<float>(random_values(filter_elements(asked), true, 2), true));
    std::vector<Buffer> outputs;
    for (int turn = 0; turn < 6; ++turn) outputs.emplace_back(device(), plan.output_bytes());
    for (Buffer& output : outputs) {
      filter_plan.forward(filters);
      signal_plan.forward(signal);
      if (together) {
        plan.execute_with_filters(filters, signal, output);
        continue;
      }
      plan.set_filters(filters);
      device().synchronize();
      plan.execute(signal, output);
      device().synchronize();
    }
    std::vector<std::vector<Sample>> all(outputs.size(), std::vector<Sample>(output_elements(asked)));
    for (std::size_t turn = 0; turn < outputs.size(); ++turn) outputs[turn].read(all[turn]);
    return all;
  }
};

// Nothing is read before what was submitted sooner has written it, nor written before that has read it.
TEST_F(ChangingFilters, FollowSignalsWithoutWaiting) {
  const Convolution banks{.signal_lengths = {50000},
                          .kernel_lengths = {65},
                          .filters = 3,
                          .complex = true,
                          .mode = Mode::same,
                          .method = Method::overlap_save};
  Convolution longer = banks;
  longer.kernel_lengths = {1025};
  Convolution whole = banks;
  whole.method = Method::whole;
  for (const Convolution& asked : sampled<Convolution>({banks, longer, whole}, 2)) {
    EXPECT_EQ(results(asked, true), results(asked, false)) << to_string(asked);
  }
}

// Banks on chip: in other passes where those were tuned for rows of the segments' length.
class TunedSegments : public WholeConvolution {};

TEST_F(TunedSegments, FollowWhatWasTunedForRows) {
  constexpr std::uint64_t length = 2048;
  const DeviceLimits limits = plan::limits_for(device().limits(), Precision::float32);
  const auto radices = [&](const DeviceLimits& some) {
    for (const plan::BankSegment& segment : plan::bank_segments(some)) {
      if (segment.length == length) return segment.radices;
    }
    return std::vector<unsigned>{};
  };
  std::vector<unsigned> other = radices(limits);
  if (other.empty()) GTEST_SKIP() << "no segments of " << length << " points";
  std::rotate(other.begin(), other.begin() + 1, other.end());
  std::shared_ptr<const plan::ChoiceTable> choices;
  for (std::uint32_t items = 512; items >= 32; items /= 2) {
    plan::ChoiceTable table;
    table.set({length, plan::LineUse::rows, Precision::float32}, {0, {other, items, 1}});
    DeviceLimits with_table = limits;
    with_table.choices = std::make_shared<const plan::ChoiceTable>(std::move(table));
    if (radices(with_table) == other) choices = with_table.choices;
  }
  ASSERT_NE(choices, nullptr);
  const Device tuned = device().with_choices(choices);
  const Convolution convolution{.signal_lengths = {5000},
                                .kernel_lengths = {300},
                                .filters = 2,
                                .complex = true,
                                .method = Method::overlap_save,
                                .segment = length};
  EXPECT_THAT(ConvolutionPlan(tuned, convolution).describe(),
              testing::HasSubstr(fmt::format("2048 = {}", fmt::join(other, "."))));
  expect_right(convolution, tuned);
}

TEST_F(WholeConvolution, AgreesWithOverlapSave) {
  expect_right({.signal_lengths = {700}, .kernel_lengths = {31}, .signals = 2, .filters = 2, .method = Method::whole});
}

}  // namespace
}  // namespace twiddle::test
