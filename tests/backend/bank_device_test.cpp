// Convolutions by overlap-save on devices with work-groups: the filters' spectra, and segments through all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "backend/engine.hpp"
#include "plan/convolution/bank_shape.hpp"
#include "plan/convolution/lower_bank.hpp"
#include "plan/device/limits.hpp"
#include "plan/shape/shape.hpp"
#include "support/convolution_reference.hpp"
#include "support/convolution_run.hpp"
#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "support/sample.hpp"
#include "twiddle/convolution.hpp"
#include "twiddle/convolution_plan.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using Function = PostProcessing::Function;
using Sharing = plan::KernelShape::Sharing;

class BankOnDevice : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped()) return;
    if (device().info().limits.shape != DeviceLimits::Shape::on_chip) GTEST_SKIP() << "no groups with local memory";
  }

  // What the device makes of the operands in segments of so many points; guards around the output must stay.
  template <class Scalar>
  std::vector<LongComplex> convolve(const Convolution& convolution, const plan::BankRecipe& recipe,
                                    const std::vector<LongComplex>& signals, const std::vector<LongComplex>& filters,
                                    std::shared_ptr<const Hook> store_hook) {
    constexpr std::size_t guard = 5;
    constexpr Scalar untouched = 12345;
    backend::Engine& engine = device().engine();
    const DeviceLimits limits = plan::limits_for(device().info().limits, convolution.precision);
    const auto upload = [&](const std::vector<Scalar>& values) {
      auto memory = engine.allocate(values.size() * sizeof(Scalar));
      memory->write(values.data(), values.size() * sizeof(Scalar));
      return memory;
    };
    const bool complex = has_complex_output(convolution);
    const std::size_t outputs = output_elements(convolution) * (complex ? 2 : 1);
    const auto signal_memory = upload(scalars<Scalar>(signals, convolution.complex));
    const auto filter_memory = upload(scalars<Scalar>(filters, convolution.complex));
    const auto output_memory = upload(std::vector<Scalar>(outputs + guard, untouched));
    plan::BankPrograms programs = plan::lower_bank(convolution, recipe);
    const auto spectra = engine.allocate(plan::filter_bytes(programs, limits));
    const auto run = [&](plan::Stage stage, backend::Memory& input, backend::Memory& output) {
      stage.shape = plan::choose_shape(stage, limits);
      if (stage.bank->kind == plan::FilterBank::Kind::cyclic && store_hook)
        stage.store_hook = plan::StageHook{store_hook, 1};
      if (stage.bank->kind == plan::FilterBank::Kind::cyclic && groups_ != 0) {
        stage.shape.groups = groups_;
        stage.shape.sharing = sharing_;
        stage.shape.fetched_ahead = ahead_;
      }
      backend::Operands operands;
      operands.input = &input;
      operands.output = &output;
      operands.spectra = spectra.get();
      engine.compile(stage)->run(operands, nullptr);
    };
    for (const plan::Stage& stage : programs.prepare.stages) run(stage, *filter_memory, *spectra);
    for (const plan::Stage& stage : programs.apply.stages) run(stage, *signal_memory, *output_memory);
    std::vector<Scalar> result(outputs + guard);
    output_memory->read(result.data(), result.size() * sizeof(Scalar));
    for (std::size_t i = outputs; i < result.size(); ++i) EXPECT_EQ(result[i], untouched) << "behind the output";
    std::vector<LongComplex> values;
    for (std::size_t i = 0; i < outputs; i += complex ? 2 : 1)
      values.emplace_back(result[i], complex ? result[i + 1] : 0);
    return values;
  }

  // Relative L2 error; of maxima, the indices must be those of the reference where it is sure of them.
  void expect_right(const Convolution& convolution, const plan::BankRecipe& recipe,
                    const std::shared_ptr<const Hook>& store_hook = nullptr) {
    SCOPED_TRACE(to_string(convolution));
    const auto signals = random_values(signal_elements(convolution), convolution.complex, 1);
    const auto filters = random_values(filter_elements(convolution), convolution.complex, 2);
    auto expected = convolution_reference(convolution, signals, filters);
    if (store_hook) {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] = LongComplex(store_hook->function(std::complex<double>(expected[i]), i));
      }
    }
    const bool twice = convolution.precision == Precision::float64;
    const auto actual = twice ? convolve<double>(convolution, recipe, signals, filters, store_hook)
                              : convolve<float>(convolution, recipe, signals, filters, store_hook);
    ASSERT_EQ(actual.size(), expected.size());
    const std::size_t values = convolution.post.maximum ? expected.size() / 2 : expected.size();
    EXPECT_LT(relative_l2_error(std::span(actual).first(values), std::span(expected).first(values)),
              twice ? 3e-16 : 2.2e-7);
    for (std::size_t i = values; i < expected.size(); ++i) EXPECT_EQ(actual[i], expected[i]) << "index " << i - values;
  }

  std::uint32_t groups_ = 0;  // that share out segments and filters; 0: as chosen
  Sharing sharing_ = Sharing::pairs;
  std::uint32_t ahead_ = 0;  // pairs of the next filter's spectrum
};

TEST_F(BankOnDevice, ComplexSignals) {
  expect_right({.signal_lengths = {300}, .kernel_lengths = {20}, .signals = 2, .filters = 3, .complex = true},
               {64, {8, 8}});
}

// Runs that begin and end within segments, longer and shorter than there are filters, and of equal length or not.
TEST_F(BankOnDevice, GroupsShareOutEveryPairOfSegmentAndFilter) {
  std::size_t cases = 0;
  for (const Sharing sharing : {Sharing::pairs, Sharing::segments, Sharing::turns}) {
    sharing_ = sharing;
    for (groups_ = 1; groups_ <= 22; ++groups_) {
      if (!is_sampled(cases++, 9)) continue;
      SCOPED_TRACE(fmt::format("{} groups, sharing {}", groups_, static_cast<int>(sharing)));
      expect_right({.signal_lengths = {300}, .kernel_lengths = {20}, .filters = 3, .complex = true}, {64, {8, 8}});
    }
  }
}

// Those whose groups are large share what remains of the turns together with the segments' own transforms.
TEST_F(BankOnDevice, LargeGroupsTakeTurns) {
  sharing_ = Sharing::turns;
  for (groups_ = 2; groups_ <= 5; ++groups_) {
    if (!is_sampled(groups_ - 2, 3)) continue;
    SCOPED_TRACE(groups_);
    expect_right({.signal_lengths = {3500}, .kernel_lengths = {20}, .filters = 3, .complex = true}, {512, {8, 8, 8}});
  }
}

// More of them than there are is all.
TEST_F(BankOnDevice, SpectraFetchedAhead) {
  std::size_t turns = 0;  // of short segments and of long ones
  for (const Sharing sharing : {Sharing::pairs, Sharing::segments, Sharing::turns}) {
    sharing_ = sharing;
    for (ahead_ = 1; ahead_ <= 17; ahead_ += every_case() ? 4 : 16) {
      for (groups_ = 1; groups_ <= 4; ++groups_) {
        if (!is_sampled(turns, 2) || !is_sampled(groups_ - 1, 4)) continue;
        SCOPED_TRACE(fmt::format("{} ahead, {} groups, sharing {}", ahead_, groups_, static_cast<int>(sharing)));
        expect_right({.signal_lengths = {300}, .kernel_lengths = {20}, .filters = 3, .complex = true}, {64, {8, 8}});
      }
      groups_ = 3;
      if (!is_sampled(++turns, 2)) continue;
      expect_right({.signal_lengths = {3500}, .kernel_lengths = {20}, .filters = 3, .complex = true}, {512, {8, 8, 8}});
    }
  }
}

TEST_F(BankOnDevice, ASampleThatIsNoNumberSpoilsWhatItTouchesHoweverSegmentsAreShared) {
  const Convolution convolution{.signal_lengths = {300}, .kernel_lengths = {20}, .filters = 3, .complex = true};
  const auto filters = random_values(filter_elements(convolution), true, 2);
  auto signal = random_values(signal_elements(convolution), true, 1);
  constexpr std::size_t spoiled = 130;
  signal[spoiled] = 0;
  const auto expected = convolution_reference(convolution, signal, filters);
  signal[spoiled] = std::numeric_limits<long double>::quiet_NaN();
  groups_ = 3;
  for (const Sharing sharing : {Sharing::pairs, Sharing::segments, Sharing::turns}) {
    sharing_ = sharing;
    const auto actual = convolve<float>(convolution, {64, {8, 8}}, signal, filters, nullptr);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const std::size_t at = i % 319;
      const bool touched = at >= spoiled && at < spoiled + 20;
      ASSERT_EQ(std::isnan(std::abs(actual[i])), touched) << i << ", sharing " << static_cast<int>(sharing);
      ASSERT_TRUE(touched || std::abs(actual[i] - expected[i]) < 1e-5) << i;
    }
  }
}

TEST_F(BankOnDevice, RealSignalsInPairsWithDerivative) {
  Convolution convolution{.signal_lengths = {301},
                          .kernel_lengths = {21},
                          .signals = 2,
                          .filters = 2,
                          .mode = Convolution::Mode::same,
                          .boundary = Boundary::reflect};
  convolution.post.function = Function::derivative;
  expect_right(convolution, {64, {4, 4, 4}});
}

TEST_F(BankOnDevice, LargestPowerOverFilters) {
  Convolution convolution{.signal_lengths = {200},
                          .kernel_lengths = {7},
                          .filters = 5,
                          .complex = true,
                          .mode = Convolution::Mode::same,
                          .boundary = Boundary::periodic};
  convolution.post = {Function::power, true, 1};
  expect_right(convolution, {32, {8, 4}});
}

// PoCL 3.1 gave garbage for two filters where the last pass leaves work-items idle.
TEST_F(BankOnDevice, LargestOfTwoFilters) {
  Convolution convolution{.signal_lengths = {208}, .kernel_lengths = {9}, .filters = 2, .complex = true};
  convolution.post = {.function = Function::power, .maximum = true};
  expect_right(convolution, {128, {8, 4, 4}});
}

TEST_F(BankOnDevice, LargestOfRealSignalsDecimated) {
  Convolution convolution{.signal_lengths = {200},
                          .kernel_lengths = {8},
                          .filters = 4,
                          .mode = Convolution::Mode::same,
                          .boundary = Boundary::nearest,
                          .past = {-3}};
  convolution.post = {Function::magnitude, true, 3};
  expect_right(convolution, {30, {6, 5}});
}

TEST_F(BankOnDevice, InterbinnedSpectra) {
  Convolution convolution{
      .signal_lengths = {150}, .kernel_lengths = {9}, .filters = 2, .complex = true, .mode = Convolution::Mode::valid};
  convolution.post.function = Function::interbin_pi_4;
  expect_right(convolution, {64, {8, 8}});
}

TEST_F(BankOnDevice, CorrelationInDoublePrecision) {
  if (!device().info().limits.float64) GTEST_SKIP() << "no double precision";
  expect_right({.signal_lengths = {130},
                .kernel_lengths = {16},
                .filters = 3,
                .precision = Precision::float64,
                .complex = true,
                .operation = Convolution::Operation::correlate},
               {64, {8, 8}});
}

TEST_F(BankOnDevice, StoreHooks) {
  expect_right({.signal_lengths = {100}, .kernel_lengths = {5}, .filters = 2, .complex = true}, {32, {8, 4}},
               named_hook("alternate"));
  // Two real results in one complex number: each with its own place.
  expect_right({.signal_lengths = {101}, .kernel_lengths = {6}, .signals = 2, .filters = 2}, {32, {8, 4}},
               named_hook("alternate"));
}

// Across the ends of segments, of pairs of real ones as well.
TEST_F(BankOnDevice, HooksReadNeighbours) {
  Convolution convolution{.signal_lengths = {150}, .kernel_lengths = {5}, .signals = 2, .filters = 2, .complex = true};
  convolution.store_hook = neighbour_hook(3, 2);
  expect_right(convolution, {32, {8, 4}});
  convolution.post = {.function = Function::power, .decimation = 3};
  convolution.store_hook = neighbour_hook(0, 20);
  expect_right(convolution, {64, {8, 8}});
  convolution.complex = false;
  convolution.boundary = Boundary::reflect;
  convolution.post = {};
  convolution.store_hook = neighbour_hook(2, 1);
  expect_right(convolution, {32, {8, 4}});
}

// The way of users: planned for the device, from host memory.
TEST_F(BankOnDevice, PlansOfConvolutions) {
  const Convolution convolution{
      .signal_lengths = {500}, .kernel_lengths = {33}, .filters = 2, .mode = Convolution::Mode::same};
  const auto signals = random_values(signal_elements(convolution), false, 1);
  const auto filters = random_values(filter_elements(convolution), false, 2);
  const auto expected = convolution_reference(convolution, signals, filters);
  ConvolutionPlan plan(device(), convolution);
  EXPECT_NE(plan.describe().find("overlap-save"), std::string::npos) << plan.describe();
  plan.set_filters(scalars<float>(filters, false));
  std::vector<float> output(output_elements(convolution));
  plan.execute(scalars<float>(signals, false), output);
  ASSERT_EQ(output.size(), expected.size());
  for (std::size_t i = 0; i < output.size(); ++i) EXPECT_NEAR(output[i], expected[i].real(), 1e-5) << i;
}

}  // namespace
}  // namespace twiddle::test
