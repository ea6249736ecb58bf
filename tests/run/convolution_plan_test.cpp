// Convolution plans on the host give the definition, for every method, and have the properties of convolutions.
#include "twiddle/convolution_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/convolution_reference.hpp"
#include "support/convolution_run.hpp"
#include "support/sample.hpp"
#include "twiddle/error.hpp"
#include "twiddle/hook.hpp"

namespace twiddle::test {
namespace {

using Method = Convolution::Method;

Values run(const Convolution& convolution, const Values& signals, const Values& filters) {
  return run_convolution(Device::host(), convolution, signals, filters);
}

// Rounding of sums of so many products of numbers below 1 in magnitude, squared where the results are; of a hook that
// adds up neighbours as often.
long double tolerance(const Convolution& convolution) {
  long double taps = convolution.complex ? 2 : 1;
  for (const std::size_t length : convolution.kernel_lengths) taps *= static_cast<long double>(length);
  const auto function = convolution.post.function;
  const bool squared =
      function == PostProcessing::Function::power || function >= PostProcessing::Function::interbin_pi_4;
  const long double size = 1 + std::sqrt(taps);
  const Hook* const hook = convolution.store_hook.get();
  const long double terms = hook == nullptr ? 1 : static_cast<long double>(1 + hook->left + hook->right);
  return (convolution.precision == Precision::float64 ? 4e-15L : 2e-6L) * (squared ? size * size : size) * terms;
}

// Where a maximum was asked for, any filter whose result is as large serves.
void expect_near(const Convolution& convolution, const Values& result, const Values& signals, const Values& filters) {
  const long double allowed = tolerance(convolution);
  const Values expected = convolution_reference(convolution, signals, filters);
  ASSERT_EQ(result.size(), expected.size());
  const std::size_t values = convolution.post.maximum ? result.size() / 2 : result.size();
  for (std::size_t i = 0; i < values; ++i) ASSERT_LT(std::abs(result[i] - expected[i]), allowed) << "output " << i;
  if (!convolution.post.maximum) return;
  Convolution all = convolution;
  all.post.maximum = false;
  const Values each = convolution_reference(all, signals, filters);
  const std::size_t line = values / convolution.signals;
  for (std::size_t i = 0; i < values; ++i) {
    const auto winner = static_cast<std::size_t>(result[values + i].real());
    ASSERT_LT(winner, convolution.filters);
    const LongComplex there = each[(i / line * convolution.filters + winner) * line + i % line];
    ASSERT_LT(std::abs(there - expected[i]), allowed) << "filter of output " << i;
  }
}

void expect_definition(const Convolution& convolution, std::uint64_t seed) {
  SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
  const Values signals = random_values(signal_elements(convolution), convolution.complex, seed);
  const Values filters = random_values(filter_elements(convolution), convolution.complex, seed + 1000);
  expect_near(convolution, run(convolution, signals, filters), signals, filters);
}

class ConvolutionMethods : public testing::TestWithParam<Method> {};

TEST_P(ConvolutionMethods, GiveTheDefinitionOfRandomProblems) {
  std::size_t served = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Convolution convolution = random_convolution(seed);
    convolution.method = GetParam();
    expect_definition(convolution, seed);
    if (HasFatalFailure()) return;
    ++served;
  }
  EXPECT_EQ(served, 120U);
}

INSTANTIATE_TEST_SUITE_P(OneDimension, ConvolutionMethods,
                         testing::Values(Method::automatic, Method::direct, Method::whole, Method::overlap_save),
                         [](const auto& info) {
                           std::string name(to_string(info.param));
                           std::erase(name, '-');
                           return name;
                         });

TEST(ConvolutionPlan, GivesTheDefinitionInTwoAndThreeDimensions) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Convolution convolution = random_convolution(seed / 2, 2 + seed / 2 % 2);
    convolution.method = seed % 2 == 0 ? Method::whole : Method::direct;
    expect_definition(convolution, seed);
    if (HasFatalFailure()) return;
  }
}

TEST(ConvolutionPlan, ManySegmentsAndForcedOnes) {
  for (const std::size_t segment : {0, 33, 64, 96, 1000, 4096}) {
    for (const bool complex : {false, true}) {
      const Convolution convolution{.signal_lengths = {20000},
                                    .kernel_lengths = {29},
                                    .filters = 2,
                                    .complex = complex,
                                    .mode = Convolution::Mode::same,
                                    .boundary = Boundary::periodic,
                                    .method = Method::overlap_save,
                                    .segment = segment};
      expect_definition(convolution, segment);
    }
  }
}

// Filters longer than a segment, in few and many partitions; enough segments for several threads.
TEST(ConvolutionPlan, CutsLongFiltersIntoPartitions) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    if (!is_sampled_if_instrumented(seed, 4)) continue;
    Convolution convolution = random_convolution(seed);
    convolution.method = Method::overlap_save;
    convolution.segment = 32;
    if (convolution.mode == Convolution::Mode::same) convolution.past = {};
    convolution.kernel_lengths = {40 + seed * 3};
    convolution.signal_lengths = {convolution.mode == Convolution::Mode::valid ? 300 + seed : 20 + 29 * seed};
    expect_definition(convolution, seed);
    if (HasFatalFailure()) return;
  }
  for (const bool complex : sampled_if_instrumented<bool>({true, false}, 2)) {
    const Convolution convolution{.signal_lengths = {60000},
                                  .kernel_lengths = {301},
                                  .filters = 2,
                                  .complex = complex,
                                  .boundary = Boundary::reflect,
                                  .method = Method::overlap_save,
                                  .segment = 128};
    expect_definition(convolution, 5);
  }
}

// Products of columns and rows, rounded: a random column's and row's.
Values separable_filters(const Convolution& convolution, std::uint64_t seed) {
  const std::size_t rows = convolution.kernel_lengths[0], columns = convolution.kernel_lengths[1];
  const Values column = random_values(convolution.filters * rows, convolution.complex, seed);
  const Values row = random_values(convolution.filters * columns, convolution.complex, seed + 1);
  Values result;
  for (std::size_t i = 0; i < convolution.filters * rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      LongComplex value = column[i] * row[i / rows * columns + j];
      if (convolution.precision == Precision::float32) value = std::complex<float>(value);
      result.push_back(value);
    }
  }
  return result;
}

TEST(ConvolutionPlan, SumsColumnsAndRowsOfSeparableFilters) {
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    Convolution convolution = random_convolution(seed, 2);
    convolution.method = Method::separable;
    SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
    const Values signals = random_values(signal_elements(convolution), convolution.complex, seed);
    const Values filters = separable_filters(convolution, seed);
    expect_near(convolution, run(convolution, signals, filters), signals, filters);
    if (HasFatalFailure()) return;
  }
  // Wide enough for several segments of a row.
  Convolution wide{.signal_lengths = {5, 9000}, .kernel_lengths = {3, 8}, .method = Method::separable};
  const Values signals = random_values(45000, false, 1);
  const Values filters = separable_filters(wide, 2);
  expect_near(wide, run(wide, signals, filters), signals, filters);
}

TEST(ConvolutionPlan, FiltersDecideWhetherColumnsAndRowsAreSummed) {
  // So large that the whole leaves second-level caches of up to 2 MiB.
  const Convolution convolution{
      .signal_lengths = {300, 310}, .kernel_lengths = {11, 9}, .filters = 2, .mode = Convolution::Mode::same};
  const Values signals = random_values(93000, false, 1);
  Values filters = separable_filters(convolution, 2);
  ConvolutionPlan plan(Device::host(), convolution);
  EXPECT_NE(plan.describe().find("method: separable unless a filter is no product"), std::string::npos);
  std::size_t turn = 1;  // sums of columns and rows are beside the reference above
  for (const bool separable : {true, false, true}) {
    Values given = filters;
    if (!separable) given[150] += 0.001L;
    plan.set_filters(scalars<float>(given, false));
    const std::string text = plan.describe();
    EXPECT_EQ(text.find("method: separable, the cheapest of:") != std::string::npos, separable) << text;
    EXPECT_EQ(text.find("(filter 1 is not separable), the cheapest of:") != std::string::npos, !separable) << text;
    EXPECT_NE(text.find("a sample that is not finite spoils the results that it touches"), std::string::npos) << text;
    if (!is_sampled_if_instrumented(turn++, 2)) continue;
    expect_near(convolution, run_as<float>(plan, signals), signals, given);
  }
  Convolution forced = convolution;
  forced.method = Method::separable;
  ConvolutionPlan refusing(Device::host(), forced);
  filters[150] += 0.001L;
  EXPECT_THROW(refusing.set_filters(scalars<float>(filters, false)), InvalidArgument);
}

// Every other result changes its sign, by its place in the whole output.
TEST(ConvolutionPlan, CallsHooksOnResults) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Convolution convolution = random_convolution(seed);
    convolution.method = seed % 3 == 0 ? Method::whole : seed % 2 == 0 ? Method::overlap_save : Method::direct;
    convolution.segment = seed % 4 == 0 ? 64 : 0;
    convolution.post.maximum = false;
    SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
    const Values signals = random_values(signal_elements(convolution), convolution.complex, seed);
    const Values filters = random_values(filter_elements(convolution), convolution.complex, seed + 1000);
    const Values expected = run(convolution, signals, filters);
    convolution.store_hook = named_hook("alternate");
    const Values result = run(convolution, signals, filters);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], i % 2 == 0 ? expected[i] : -expected[i]) << i;
  }
  Convolution refused{.signal_lengths = {10}, .kernel_lengths = {2}, .store_hook = named_hook("alternate")};
  refused.post.maximum = true;
  EXPECT_THROW(ConvolutionPlan(Device::host(), refused), InvalidArgument);
}

// By every method, in one dimension and in more; halos longer than segments' steps and than the signal.
TEST(ConvolutionPlan, HooksReadNeighbours) {
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    if (!is_sampled_if_instrumented(seed, 7)) continue;
    Convolution convolution = random_convolution(seed, 1 + seed % 5 / 3);
    constexpr Method methods[] = {Method::whole, Method::direct, Method::overlap_save};
    convolution.method = methods[seed % (convolution.signal_lengths.size() == 1 ? 3 : 2)];
    convolution.segment = seed % 4 == 0 ? 64 : 0;
    convolution.post.maximum = false;
    convolution.post.function = static_cast<PostProcessing::Function>(seed / 3 % 3);
    convolution.store_hook = neighbour_hook(seed % 4, seed % 11 == 0 ? 40 : 1 + seed % 3);
    expect_definition(convolution, seed);
    if (HasFatalFailure()) return;
  }
}

TEST(ConvolutionPlan, RefusesHooksThatCannotReadNeighbours) {
  const auto refusal = [](const Convolution& convolution) -> std::string {
    try {
      ConvolutionPlan(Device::host(), convolution);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  Convolution convolution{.signal_lengths = {10}, .kernel_lengths = {2}, .store_hook = neighbour_hook(1, 1)};
  EXPECT_EQ(refusal(convolution), "accepted");
  convolution.post.function = PostProcessing::Function::derivative;
  EXPECT_EQ(refusal(convolution),
            "a hook that reads neighbouring results was given beside the function derivative, which does so itself; "
            "expected none, power or magnitude");
  convolution.post.function = {};
  convolution.store_hook = neighbour_hook(200, 57);
  EXPECT_EQ(refusal(convolution),
            "a hook that reads 200 results before and 57 behind each was given; expected at most 256 together");
  auto incomplete = std::make_shared<Hook>(*neighbour_hook(1, 1));
  incomplete->neighbour_function = nullptr;
  convolution.store_hook = incomplete;
  for (const Method method : {Method::direct, Method::whole, Method::overlap_save}) {
    convolution.method = method;
    EXPECT_EQ(refusal(convolution),
              "the store hook has no neighbour_function, which the host needs; devices compile its source text");
  }
  EXPECT_THROW(validate(Transform{.lengths = {8}, .store_hook = neighbour_hook(0, 1)}), InvalidArgument);
}

TEST(ConvolutionPlan, CommutesAndIsLinearAndShifts) {
  const Values signal = random_values(3000, true, 1);
  const Values filter = random_values(401, true, 2);
  const Convolution one{.signal_lengths = {3000}, .kernel_lengths = {401}, .complex = true};
  const Convolution other{.signal_lengths = {401}, .kernel_lengths = {3000}, .complex = true};
  const Values result = run(one, signal, filter);
  const Values swapped = run(other, filter, signal);
  ASSERT_EQ(result.size(), swapped.size());
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_LT(std::abs(result[i] - swapped[i]), 5e-5L);

  Values doubled = signal;
  for (LongComplex& value : doubled) value *= 2;
  const Values twice = run(one, doubled, filter);
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(twice[i], 2.0L * result[i]);

  Values late(signal.size());
  std::copy(signal.begin(), signal.end() - 100, late.begin() + 100);
  const Values shifted = run(one, late, filter);
  for (std::size_t i = 0; i < 2900; ++i) ASSERT_LT(std::abs(shifted[i + 100] - result[i]), 5e-5L);
}

// In every method. Segments of 32 leave filters in partitions.
TEST(ConvolutionPlan, OneBadSampleSpoilsOnlyTheOutputsThatItTouches) {
  for (const auto& [method, segment] : {std::pair(Method::direct, 0), std::pair(Method::whole, 0),
                                        std::pair(Method::overlap_save, 0), std::pair(Method::overlap_save, 32)}) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      for (const bool complex : {false, true}) {
        const Convolution convolution{.signal_lengths = {5000},
                                      .kernel_lengths = {37},
                                      .filters = 2,
                                      .complex = complex,
                                      .method = method,
                                      .segment = static_cast<std::size_t>(segment)};
        Values signal = random_values(5000, complex, 3);
        const Values filters = random_values(74, complex, 4);
        const Values clean = run(convolution, signal, filters);
        signal[1234] = bad;
        const Values spoiled = run(convolution, signal, filters);
        for (std::size_t i = 0; i < clean.size(); ++i) {
          const std::size_t at = i % 5036;
          if (at >= 1234 && at < 1234 + 37) {
            EXPECT_FALSE(std::isfinite(spoiled[i].real())) << i;
          } else {
            EXPECT_LT(std::abs(spoiled[i] - clean[i]), 1e-5L) << i;
          }
        }
      }
    }
  }
}

TEST(ConvolutionPlan, SaysWhatIsWrong) {
  const auto message = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  const Convolution convolution{.signal_lengths = {100}, .kernel_lengths = {5}};
  ConvolutionPlan plan(Device::host(), convolution);
  std::vector<float> signal(100), filter(5), output(104);
  const std::string name = ", for the convolution 'convolve f32 real, 1 x 100 with 1 x 5, mode full, boundary zero'";
  EXPECT_EQ(message([&] { plan.execute(signal, output); }),
            "a convolution is executed before its filters are set; call set_filters()");
  EXPECT_EQ(message([&] { plan.set_filters(signal); }), "the filter bank is 400 bytes long; expected 20" + name);
  EXPECT_EQ(message([&] { plan.set_filters(std::vector<double>(5)); }),
            "elements of precision f64 were given; expected f32" + name);
  plan.set_filters(filter);
  EXPECT_EQ(message([&] { plan.execute(signal, filter); }), "the output is 20 bytes long; expected 416" + name);
  EXPECT_EQ(message([&] { plan.execute(std::span(output).first(100), output); }),
            "signal and output overlap in memory; expected memory apart");
  Convolution image{.signal_lengths = {10, 10}, .kernel_lengths = {3, 3}, .method = Method::overlap_save};
  EXPECT_NE(
      message([&] { ConvolutionPlan(Device::host(), image); }).find("the method overlap-save does not serve this"),
      std::string::npos);
}

// An odd number of reals, of samples here, is transformed two at a time as an even one is.
TEST(ConvolutionPlan, TransformsOddNumbersOfRealsInHalfOfThePoints) {
  const Convolution convolution{.signal_lengths = {1001}, .kernel_lengths = {24}, .method = Method::whole};
  const ConvolutionPlan plan(Device::host(), convolution);
  EXPECT_NE(plan.describe().find("store r2c after 1024"), std::string::npos) << plan.describe();
}

// Rows of odd lengths on either side, of lines, images and volumes, with neighbours and without.
TEST(ConvolutionPlan, GivesTheDefinitionOfOddRowsByTheWhole) {
  for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{301}, {20, 31}, {5, 7, 9}}) {
    for (const Boundary boundary : {Boundary::zero, Boundary::reflect}) {
      for (const std::size_t taps : {3, 4}) {
        Convolution convolution{.signal_lengths = lengths,
                                .kernel_lengths = std::vector<std::size_t>(lengths.size(), taps),
                                .signals = 2,
                                .filters = 2,
                                .mode = boundary == Boundary::zero ? Convolution::Mode::full : Convolution::Mode::same,
                                .boundary = boundary,
                                .method = Method::whole};
        expect_definition(convolution, taps);
        convolution.post.function = PostProcessing::Function::derivative;
        expect_definition(convolution, taps);
      }
    }
  }
}

TEST(ConvolutionPlan, SaysWhyAMethodWasChosen) {
  const ConvolutionPlan plan(Device::host(), {.signal_lengths = {1 << 20}, .kernel_lengths = {1025}, .filters = 8});
  const std::string text = plan.describe();
  EXPECT_NE(text.find("method: overlap-save in segments of "), std::string::npos) << text;
  EXPECT_NE(text.find("direct: "), std::string::npos) << text;
  EXPECT_NE(text.find("whole: "), std::string::npos) << text;
}

}  // namespace
}  // namespace twiddle::test
