// Stages with filter banks, executed as their documentation reads, give the convolution's definition.
#include "plan/convolution/lower_bank.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plan/convolution/lower_sums.hpp"
#include "support/bank_interpreter.hpp"
#include "support/convolution_reference.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

ScalarMemory scalars(const std::vector<LongComplex>& values, bool complex) {
  std::vector<long double> result;
  for (const LongComplex& value : values) {
    result.push_back(value.real());
    if (complex) result.push_back(value.imag());
  }
  return ScalarMemory(std::move(result));
}

std::vector<LongComplex> interpret_programs(const Convolution& convolution, const plan::BankPrograms& programs,
                                            const std::vector<LongComplex>& signals,
                                            const std::vector<LongComplex>& filters) {
  ScalarMemory filter_memory = scalars(filters, convolution.complex);
  ScalarMemory spectra(programs.spectra_bytes / plan::scalar_bytes(convolution.precision));
  for (const plan::Stage& stage : programs.prepare.stages) interpret(stage, filter_memory, spectra);
  const ScalarMemory signal_memory = scalars(signals, convolution.complex);
  const bool complex = has_complex_output(convolution);
  ScalarMemory output(output_elements(convolution) * (complex ? 2 : 1));
  for (const plan::Stage& stage : programs.apply.stages) interpret_bank(stage, signal_memory, spectra, output);
  std::vector<LongComplex> result;
  for (std::size_t i = 0; i < output.values.size(); i += complex ? 2 : 1) {
    EXPECT_TRUE(output.written[i]) << "scalar " << i;
    result.emplace_back(output.values[i], complex ? output.values[i + 1] : 0);
  }
  return result;
}

std::vector<LongComplex> interpret_convolution(const Convolution& convolution, const plan::BankRecipe& recipe,
                                               const std::vector<LongComplex>& signals,
                                               const std::vector<LongComplex>& filters) {
  return interpret_programs(convolution, plan::lower_bank(convolution, recipe), signals, filters);
}

class RandomBankKinds : public testing::TestWithParam<bool> {};

TEST_P(RandomBankKinds, GiveTheDefinition) {
  const bool direct = GetParam();
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Convolution convolution = random_convolution(seed);
    SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
    plan::BankRecipe recipe;
    if (!direct) recipe.radices = {2};
    std::uint64_t product = 2;
    const std::uint64_t wanted = convolution.kernel_lengths[0] + convolution.post.decimation + 3 + seed % 40;
    for (; !direct && product < wanted; product *= 2) recipe.radices.push_back(2);
    recipe.segment = direct ? wanted : product;
    const auto signals = random_values(signal_elements(convolution), convolution.complex, seed);
    const auto filters = random_values(filter_elements(convolution), convolution.complex, seed + 1000);
    const auto expected = convolution_reference(convolution, signals, filters);
    const auto result = interpret_convolution(convolution, recipe, signals, filters);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_LT(std::abs(result[i] - expected[i]), 1e-12L) << i;
  }
}

TEST(RandomBanks, InPartitionsGiveTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Convolution convolution = random_convolution(seed);
    convolution.post.maximum = false;  // of equal results rounding decides
    if (seed % 4 == 0 && convolution.post.function <= PostProcessing::Function::magnitude) {
      convolution.store_hook = neighbour_hook(seed % 3, 1 + seed % 5);
    }
    SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
    const plan::BankRecipe recipe{32, {2, 16}, false, true};
    const plan::SegmentUse use = plan::use_of_segment(convolution, 32, true);
    ASSERT_GE(use.partitions * use.taps, convolution.kernel_lengths[0]);
    const auto signals = random_values(signal_elements(convolution), convolution.complex, seed);
    const auto filters = random_values(filter_elements(convolution), convolution.complex, seed + 1000);
    const auto expected = convolution_reference(convolution, signals, filters);
    const auto result = interpret_convolution(convolution, recipe, signals, filters);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_LT(std::abs(result[i] - expected[i]), 1e-12L) << i;
  }
}

TEST(RandomBanks, OfMoreDimensionsGiveTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Convolution convolution = random_convolution(seed, 2 + seed % 2);
    SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
    const plan::BankRecipe recipe{convolution.kernel_lengths.back() + convolution.post.decimation + 3 + seed % 20, {}};
    const auto signals = random_values(signal_elements(convolution), convolution.complex, seed);
    const auto filters = random_values(filter_elements(convolution), convolution.complex, seed + 1000);
    const auto expected = convolution_reference(convolution, signals, filters);
    const auto result = interpret_convolution(convolution, recipe, signals, filters);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_LT(std::abs(result[i] - expected[i]), 1e-12L) << i;
  }
}

// As devices sum them: each line in one segment.
TEST(RandomBanks, InWholeLinesGiveTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Convolution convolution = random_convolution(seed, 1 + seed % 3);
    convolution.post = {};
    SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
    const auto signals = random_values(signal_elements(convolution), convolution.complex, seed);
    const auto filters = random_values(filter_elements(convolution), convolution.complex, seed + 1000);
    const plan::BankPrograms programs = plan::lower_sums(convolution, false);
    EXPECT_TRUE(programs.results.stages.empty());
    const auto result = interpret_programs(convolution, programs, signals, filters);
    const auto expected = convolution_reference(convolution, signals, filters);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_LT(std::abs(result[i] - expected[i]), 1e-12L) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, RandomBankKinds, testing::Bool(),
                         [](const auto& info) { return info.param ? "direct" : "cyclic"; });

// Segments of a line that hold no numbers, of one signal with one filter, are summed again; all else stays.
TEST(RandomBanks, RepairResultsThatAreNotFinite) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Convolution convolution = random_convolution(seed);
    convolution.post = {};
    convolution.store_hook = nullptr;
    SCOPED_TRACE(to_string(convolution) + ", seed " + std::to_string(seed));
    const std::size_t line = convolved_lengths(convolution)[0];
    const std::size_t step = 1 + line / 3;
    const plan::BankPrograms programs = plan::lower_repairs(convolution, step);
    const auto signals = random_values(signal_elements(convolution), convolution.complex, seed);
    const auto filters = random_values(filter_elements(convolution), convolution.complex, seed + 1000);
    const auto expected = convolution_reference(convolution, signals, filters);
    const auto spoiled = [&](std::size_t i) { return i % line / step == 1 && i / line + 1 == expected.size() / line; };
    std::vector<LongComplex> given(expected.size(), 7);
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (spoiled(i)) given[i] = std::numeric_limits<long double>::quiet_NaN();
    }
    ScalarMemory filter_memory = scalars(filters, convolution.complex);
    ScalarMemory taps(programs.spectra_bytes / plan::scalar_bytes(convolution.precision));
    for (const plan::Stage& stage : programs.prepare.stages) interpret(stage, filter_memory, taps);
    ScalarMemory results = scalars(given, convolution.complex);
    interpret_bank(programs.apply.stages.at(0), scalars(signals, convolution.complex), taps, results);
    const std::size_t scalars_each = convolution.complex ? 2 : 1;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const LongComplex wanted = spoiled(i) ? expected[i] : LongComplex(7);
      ASSERT_LT(std::abs(results.values[scalars_each * i] - wanted.real()), 1e-12L) << i;
      if (convolution.complex) {
        ASSERT_LT(std::abs(results.values[2 * i + 1] - wanted.imag()), 1e-12L) << i;
      }
    }
  }
}

TEST(ConvolutionValue, RefusesWhatCannotBe) {
  const auto refusal = [](const Convolution& convolution) -> std::string {
    try {
      validate(convolution);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "accepted";
  };
  const Convolution good{.signal_lengths = {10}, .kernel_lengths = {3}};
  EXPECT_EQ(refusal(good), "accepted");
  Convolution bad = good;
  bad.kernel_lengths = {3, 3};
  EXPECT_EQ(refusal(bad), "the kernel has 2 dimension(s); expected 1, as many as the signal");
  bad = good;
  bad.signal_lengths = {0};
  EXPECT_EQ(refusal(bad), "the signal is empty: its length along axis 0 is 0; expected at least 1");
  bad = good;
  bad.filters = 0;
  EXPECT_EQ(refusal(bad), "0 filters were given; expected at least 1");
  bad = good;
  bad.segment = std::size_t{1} << 62;
  EXPECT_EQ(refusal(bad), "segments of 4611686018427387904 points were asked for; expected at most 72057594037927935");
  bad.filters = 33;
  bad.segment = (std::size_t{1} << 56) - 1;
  EXPECT_EQ(
      refusal(bad),
      "the spectra of filters of 33 x 72057594037927935 have more than 72057594037927935 elements, which cannot be "
      "addressed");
  bad = good;
  bad.signal_lengths = {std::size_t{1} << 34};  // one result for all filters says nothing of these
  bad.filters = std::size_t{1} << 23;
  bad.post.function = PostProcessing::Function::power;
  bad.post.maximum = true;
  EXPECT_NE(refusal(bad).find("the spectra of filters of 8388608 x 1 x 171798"), std::string::npos);
  bad = good;
  bad.kernel_lengths = {11};
  EXPECT_EQ(refusal(bad), "accepted");
  bad.mode = Convolution::Mode::valid;
  EXPECT_EQ(
      refusal(bad),
      "the kernel has 11 samples along axis 0, more than the signal's 10; mode valid expects at most as many (or use "
      "mode full or same)");
  bad = good;
  bad.past = {1};
  EXPECT_EQ(refusal(bad), "samples of the past were given with mode full; expected mode same, or none");
  bad = good;
  bad.complex = true;
  bad.post.maximum = true;
  EXPECT_NE(refusal(bad).find("expected a function that makes real numbers of them, such as power"), std::string::npos);
  for (const std::size_t decimation : {std::size_t{0}, std::size_t{1} << 63}) {
    bad = good;
    bad.post.decimation = decimation;
    EXPECT_EQ(refusal(bad), fmt::format("a decimation of {} was given; expected 1 to 72057594037927935", decimation));
  }
  bad = good;
  bad.signal_lengths = {std::size_t{1} << 62};
  EXPECT_NE(refusal(bad).find("cannot be addressed"), std::string::npos);
}

TEST(ConvolutionValue, CentresAreThoseOfSciPy) {
  Convolution convolution{.signal_lengths = {10, 10}, .kernel_lengths = {4, 5}, .mode = Convolution::Mode::same};
  EXPECT_EQ(default_past(convolution), (std::vector<std::int64_t>{2, 2}));
  convolution.boundary = Boundary::reflect;
  EXPECT_EQ(default_past(convolution), (std::vector<std::int64_t>{1, 2}));
  convolution.operation = Convolution::Operation::correlate;
  EXPECT_EQ(default_past(convolution), (std::vector<std::int64_t>{2, 2}));
}

TEST(BoundaryValue, ContinuesSignals) {
  const auto extended = [](Boundary boundary) {
    std::string text;
    for (std::int64_t i = -6; i < 9; ++i) {
      const auto source = boundary_source(boundary, i, 3);
      text += source ? static_cast<char>('a' + *source) : '0';
    }
    return text;
  };
  EXPECT_EQ(extended(Boundary::zero), "000000abc000000");
  EXPECT_EQ(extended(Boundary::periodic), "abcabcabcabcabc");
  EXPECT_EQ(extended(Boundary::reflect), "abccbaabccbaabc");
  EXPECT_EQ(extended(Boundary::nearest), "aaaaaaabccccccc");
}

}  // namespace
}  // namespace twiddle::test
