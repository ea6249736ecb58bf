// Samples that are not finite, in overlap-save: they spoil the results that they touch, as sums do, and no others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "support/convolution_reference.hpp"
#include "support/convolution_run.hpp"
#include "support/device_test.hpp"

namespace twiddle::test {
namespace {

using Function = PostProcessing::Function;
using Mode = Convolution::Mode;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

bool is_finite(const LongComplex& value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); }

class BadSamples : public DeviceTest {
 protected:
  // Samples of several segments, of which neighbours are parts of one transform where they are real; those at the ends
  // stand beyond them as well with most boundaries.
  void expect_touched_results(Convolution convolution, float bad, std::size_t segment = 64) {
    SCOPED_TRACE(fmt::format("{}, {}", to_string(convolution), bad));
    convolution.method = Convolution::Method::overlap_save;
    convolution.segment = segment;
    const bool complex = convolution.complex;
    const std::size_t length = convolution.signal_lengths[0];
    Values signals = random_values(signal_elements(convolution), complex, 1);
    const Values filters = random_values(filter_elements(convolution), complex, 2);
    const Values clean = run_convolution(device(), convolution, signals, filters);
    signals[length / 2] = bad;
    signals[length / 2 + 2 * segment] = complex ? LongComplex(1, -bad) : LongComplex(-bad);
    signals[length - 1] = bad;
    const Values expected = convolution_reference(convolution, signals, filters);
    const Values actual = run_convolution(device(), convolution, signals, filters);
    ASSERT_EQ(actual.size(), expected.size());
    const std::size_t values = convolution.post.maximum ? actual.size() / 2 : actual.size();  // the others are indices
    std::size_t touched = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (i >= values) {
        if (is_finite(expected[i - values])) {
          EXPECT_EQ(actual[i], clean[i]) << i;
        }
      } else if (is_finite(expected[i])) {
        EXPECT_LT(std::abs(actual[i] - clean[i]), 1e-5L * (1 + std::abs(clean[i]))) << i;
      } else {
        EXPECT_FALSE(is_finite(actual[i])) << i << ": " << actual[i];
        ++touched;
      }
    }
    EXPECT_GT(touched, 0u);
    EXPECT_LT(touched, actual.size() / 2);
  }

  void expect_touched_results(const Convolution& convolution) {
    for (const float bad : {no_number, infinity}) expect_touched_results(convolution, bad);
  }
};

TEST_F(BadSamples, InAllModes) {
  for (const Mode mode : {Mode::full, Mode::same, Mode::valid}) {
    for (const bool complex : {false, true}) {
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
  for (const Boundary boundary : {Boundary::periodic, Boundary::reflect, Boundary::nearest}) {
    expect_touched_results({.signal_lengths = {700},
                            .kernel_lengths = {13},
                            .filters = 2,
                            .complex = boundary == Boundary::periodic,
                            .mode = Mode::same,
                            .boundary = boundary});
  }
}

TEST_F(BadSamples, BeforePostProcessing) {
  for (const Function function :
       {Function::power, Function::magnitude, Function::derivative, Function::interbin_pi_4}) {
    for (const bool complex : {false, true}) {
      Convolution convolution{
          .signal_lengths = {700}, .kernel_lengths = {13}, .filters = 2, .complex = complex, .mode = Mode::same};
      convolution.post.function = function;
      expect_touched_results(convolution);
    }
  }
}

TEST_F(BadSamples, DecimatedOrLargestOverFilters) {
  for (const bool complex : {false, true}) {
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
  for (const bool complex : {false, true}) {
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
  for (const bool complex : {false, true}) {
    expect_touched_results({.signal_lengths = {9000},
                            .kernel_lengths = {257},
                            .filters = 2,
                            .precision = Precision::float64,
                            .complex = complex},
                           no_number, 1024);
  }
}

// Samples that are large, but numbers: some of the spectrum's elements are beyond the range, which the sums are not.
TEST_F(BadSamples, NearTheEndOfTheRangeSpoilNothing) {
  if (device_under_test() == "host") GTEST_SKIP() << "of devices";
  const Convolution convolution{
      .signal_lengths = {64}, .kernel_lengths = {3}, .method = Convolution::Method::overlap_save, .segment = 256};
  const Values results = run_convolution(device(), convolution, Values(64, 3e38L), Values{0.25L, 0.5L, 0.25L});
  for (std::size_t i = 2; i < 64; ++i) EXPECT_NEAR(static_cast<double>(results[i].real()), 3e38, 1e33) << i;
}

}  // namespace
}  // namespace twiddle::test
