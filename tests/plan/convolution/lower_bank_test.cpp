// Stages with filter banks, executed as their documentation reads, give the convolution's definition.
#include "plan/convolution/lower_bank.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace twiddle::test
