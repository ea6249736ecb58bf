// Samples that are not finite, on chip, by sums and by the whole.
#include "bad_samples.hpp"

#include "plan/convolution/convolution_recipe.hpp"
#include "support/sample.hpp"

namespace twiddle::test {
namespace {

using Function = PostProcessing::Function;
using Method = Convolution::Method;
using Mode = Convolution::Mode;

TEST_F(BadSamples, InAllModes) {
  for (const Mode mode : sampled_on_devices<Mode>({Mode::full, Mode::same, Mode::valid}, 2)) {
    for (const bool complex : sampled_on_devices<bool>({false, true}, 2)) {
      expect_touched_results(
          {.signal_lengths = {700},
           .kernel_lengths = {13},
           .signals = 2,
           .filters = 3,
           .complex = complex,
           .operation = complex ? Convolution::Operation::correlate : Convolution::Operation::convolve,
           .mode = mode});
    }
  }
}

TEST_F(BadSamples, BeyondTheEnds) {
  for (const Boundary boundary :
       sampled_on_devices<Boundary>({Boundary::periodic, Boundary::reflect, Boundary::nearest}, 2)) {
    expect_touched_results({.signal_lengths = {700},
                            .kernel_lengths = {13},
                            .filters = 2,
                            .complex = boundary == Boundary::periodic,
                            .mode = Mode::same,
                            .boundary = boundary});
  }
}

TEST_F(BadSamples, BeforePostProcessing) {
  for (const Function function : sampled_on_devices<Function>(
           {Function::power, Function::magnitude, Function::derivative, Function::interbin_pi_4}, 2)) {
    for (const bool complex : sampled_on_devices<bool>({true, false}, 2)) {
      Convolution convolution{
          .signal_lengths = {700}, .kernel_lengths = {13}, .filters = 2, .complex = complex, .mode = Mode::same};
      convolution.post.function = function;
      expect_touched_results(convolution);
    }
  }
}

TEST_F(BadSamples, DecimatedOrLargestOverFilters) {
  for (const bool complex : sampled_on_devices<bool>({false, true}, 2)) {
    Convolution convolution{
        .signal_lengths = {700}, .kernel_lengths = {13}, .filters = 3, .complex = complex, .mode = Mode::same};
    convolution.post.function = Function::power;
    convolution.post.decimation = 3;
    expect_touched_results(convolution);
    convolution.post.maximum = true;
    expect_touched_results(convolution);
    convolution.post = {.function = Function::interbin_pi_4, .maximum = true};
    expect_touched_results(convolution);
  }
}

TEST_F(BadSamples, BeforeHooksThatReadNeighbours) {
  for (const bool complex : sampled_on_devices<bool>({true, false}, 2)) {
    expect_touched_results({.signal_lengths = {700},
                            .kernel_lengths = {13},
                            .filters = 2,
                            .complex = complex,
                            .mode = Mode::same,
                            .store_hook = neighbour_hook(2, 1)});
  }
}

TEST_F(BadSamples, InDoublePrecisionAndLongerSegments) {
  if (!device().info().limits.float64) GTEST_SKIP() << "no double precision";
  for (const bool complex : sampled_on_devices<bool>({false, true}, 2)) {
    expect_touched_results({.signal_lengths = {9000},
                            .kernel_lengths = {257},
                            .filters = 2,
                            .precision = Precision::float64,
                            .complex = complex},
                           no_number, 1024);
  }
}

TEST_F(BadSamples, InSums) {
  for (const bool complex : sampled_on_devices<bool>({true, false}, 2)) {
    expect_touched_results(
        {.signal_lengths = {700}, .kernel_lengths = {13}, .filters = 2, .complex = complex, .method = Method::direct});
  }
}

// Sums of images along their rows and columns.
TEST_F(BadSamples, InImages) {
  for (const Method method : {Method::direct, Method::separable, Method::whole}) {
    Convolution convolution{.signal_lengths = {40, 50}, .kernel_lengths = {3, 5}, .mode = Mode::same, .method = method};
    Values signals = random_values(signal_elements(convolution), false, 1);
    Values filters;
    for (const float column : {1.0F, 2.0F, 1.0F}) {
      for (const float row : {1.0F, -3.0F, 5.0F, 2.0F, 1.0F}) filters.emplace_back(column * row);
    }
    const Values clean = run_convolution(device(), convolution, signals, filters);
    signals[20 * 50 + 30] = no_number;
    const Values actual = run_convolution(device(), convolution, signals, filters);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const bool touched = i / 50 >= 19 && i / 50 <= 21 && i % 50 >= 28 && i % 50 <= 32;
      EXPECT_EQ(is_finite(actual[i]), !touched) << to_string(convolution) << ", " << i;
      if (!touched) {
        EXPECT_LE(std::abs(actual[i] - clean[i]), method == Method::whole ? 1e-4L : 0.0L) << i;
      }
    }
  }
}

// Filters that the host cuts into partitions, whose segments' spectra are used for several segments of results.
TEST_F(BadSamples, InPartitions) {
  if (device_under_test() != "host") GTEST_SKIP() << "of the host";
  for (const bool complex : {false, true}) {
    const Convolution convolution{.signal_lengths = {2500}, .kernel_lengths = {300}, .filters = 2, .complex = complex};
    Convolution asked = convolution;
    asked.method = Method::overlap_save;
    asked.segment = 256;
    ASSERT_TRUE(plan::make_convolution_recipe(asked, device().limits()).bank.partitioned);
    expect_touched_results(convolution, no_number, 256);
  }
}

// Transforms of the whole, of an even and an odd number of reals.
TEST_F(BadSamples, ByTheWhole) {
  for (const bool complex : sampled_on_devices<bool>({false, true}, 2)) {
    for (const Mode mode : {Mode::full, Mode::same, Mode::valid}) {
      for (const std::size_t taps : {12, 13}) {
        if (device_under_test() != "host" && (mode != Mode::full || taps == 12)) continue;  // RepairedResults has them
        expect_touched_results({.signal_lengths = {700},
                                .kernel_lengths = {taps},
                                .signals = 2,
                                .filters = 3,
                                .complex = complex,
                                .mode = mode,
                                .method = Method::whole});
      }
    }
    Convolution convolution{.signal_lengths = {701},
                            .kernel_lengths = {13},
                            .filters = 2,
                            .complex = complex,
                            .mode = Mode::same,
                            .boundary = Boundary::reflect,
                            .method = Method::whole};
    expect_touched_results(convolution);
    convolution.post.function = Function::derivative;
    expect_touched_results(convolution);
    convolution.post = {.function = Function::power, .maximum = true, .decimation = 3};
    expect_touched_results(convolution);
  }
}

// Samples that are large, but numbers: some of the spectrum's elements are beyond the range, which the sums are not.
TEST_F(BadSamples, NearTheEndOfTheRangeSpoilNothing) {
  if (device_under_test() == "host") GTEST_SKIP() << "of devices";
  for (const std::size_t segment : {256, 10000, 0}) {  // on chip, through memory, and by the whole
    const Convolution convolution{.signal_lengths = {64},
                                  .kernel_lengths = {3},
                                  .method = segment == 0 ? Method::whole : Method::overlap_save,
                                  .segment = segment};
    const Values results = run_convolution(device(), convolution, Values(64, 3e38L), Values{0.25L, 0.5L, 0.25L});
    for (std::size_t i = 2; i < 64; ++i) EXPECT_NEAR(static_cast<double>(results[i].real()), 3e38, 1e33) << i;
  }
}

}  // namespace
}  // namespace twiddle::test
