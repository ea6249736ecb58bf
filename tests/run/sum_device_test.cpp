// Convolution plans on devices by direct sums, of all taps or of columns and rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/convolution_reference.hpp"
#include "support/convolution_run.hpp"
#include "support/device_test.hpp"
#include "support/reference.hpp"
#include "twiddle/error.hpp"

namespace twiddle::test {
namespace {

using Method = Convolution::Method;
using Mode = Convolution::Mode;

class SumsOnDevice : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped()) return;
    if (device().info().limits.shape != DeviceLimits::Shape::on_chip) GTEST_SKIP() << "no groups with local memory";
  }

  // Relative L2 error of one term added after the other: docs/convolution.md, "Errors".
  void expect_right(const Convolution& convolution, const Values& filters) {
    SCOPED_TRACE(to_string(convolution));
    const Values signals = random_values(signal_elements(convolution), convolution.complex, 1);
    const Values expected = convolution_reference(convolution, signals, filters);
    const Values actual = run_convolution(device(), convolution, signals, filters);
    ASSERT_EQ(actual.size(), expected.size());
    EXPECT_LT(relative_l2_error(actual, expected), convolution.precision == Precision::float64 ? 3e-16 : 2e-7);
  }

  void expect_direct(Convolution convolution) {
    convolution.method = Method::direct;
    expect_right(convolution, random_values(filter_elements(convolution), convolution.complex, 2));
  }

  // Filters whose columns and rows are small integers: their products are exact.
  void expect_separable(Convolution convolution) {
    convolution.method = Method::separable;
    Values filters;
    const std::size_t rows = convolution.kernel_lengths[0], columns = convolution.kernel_lengths[1];
    const auto tap = [&](std::size_t i) {
      const auto part = [](std::size_t n) { return static_cast<long double>(n % 7) - 2.5L; };
      return LongComplex(part(3 * i + 1), convolution.complex ? part(5 * i) : 0);
    };
    for (std::size_t i = 0; i < convolution.filters * rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) filters.push_back(tap(i) * tap(i / rows * columns + j + 4));
    }
    expect_right(convolution, filters);
  }
};

TEST_F(SumsOnDevice, OfLines) {
  expect_direct({.signal_lengths = {600}, .kernel_lengths = {7}, .signals = 2, .filters = 3});
  expect_direct({.signal_lengths = {10},
                 .kernel_lengths = {25},
                 .filters = 2,
                 .complex = true,
                 .operation = Convolution::Operation::correlate,
                 .mode = Mode::same,
                 .boundary = Boundary::reflect});
}

// More lines than a work-item has, and a remainder of them.
TEST_F(SumsOnDevice, OfPicturesAndVolumes) {
  expect_direct({.signal_lengths = {21, 70}, .kernel_lengths = {3, 5}, .signals = 2, .filters = 2});
  expect_direct({.signal_lengths = {13, 40},
                 .kernel_lengths = {5, 4},
                 .complex = true,
                 .mode = Mode::same,
                 .boundary = Boundary::periodic,
                 .past = {-2, 6}});
  expect_direct({.signal_lengths = {5, 6, 7},
                 .kernel_lengths = {3, 2, 3},
                 .signals = 2,
                 .filters = 2,
                 .mode = Mode::same,
                 .boundary = Boundary::nearest});
}

TEST_F(SumsOnDevice, OfColumnsAndRows) {
  expect_separable({.signal_lengths = {21, 300}, .kernel_lengths = {6, 9}, .signals = 2, .filters = 3});
  expect_separable({.signal_lengths = {11, 20},
                    .kernel_lengths = {15, 33},
                    .filters = 2,
                    .complex = true,
                    .operation = Convolution::Operation::correlate,
                    .mode = Mode::same,
                    .boundary = Boundary::reflect});
}

TEST_F(SumsOnDevice, InDoublePrecision) {
  if (!device().info().limits.float64) GTEST_SKIP() << "no double precision";
  Convolution convolution{.signal_lengths = {12, 19}, .kernel_lengths = {3, 4}, .precision = Precision::float64};
  convolution.mode = Mode::valid;
  expect_direct(convolution);
  expect_separable(convolution);
}

TEST_F(SumsOnDevice, WithPostProcessingAndHooks) {
  Convolution convolution{.signal_lengths = {14, 40}, .kernel_lengths = {3, 5}, .signals = 2, .filters = 2};
  convolution.post = {.function = PostProcessing::Function::derivative, .decimation = 3};
  expect_direct(convolution);
  convolution.post = {.function = PostProcessing::Function::interbin_pi_4, .maximum = true};
  expect_separable(convolution);
  convolution.post = {};
  convolution.store_hook = neighbour_hook(2, 1);
  expect_separable(convolution);
}

// In kernels of transforms, too, where these leave results that are not finite.
TEST_F(SumsOnDevice, MakeResultsAnewThatAreNotFinite) {
  for (const bool complex : {false, true}) {
    Convolution convolution{.signal_lengths = {50}, .kernel_lengths = {15}, .filters = 2, .complex = complex};
    SCOPED_TRACE(to_string(convolution));
    Values signals = random_values(signal_elements(convolution), complex, 1);
    const Values filters = random_values(filter_elements(convolution), complex, 2);
    signals[20] = std::numeric_limits<float>::quiet_NaN();
    convolution.method = Method::direct;
    const Values expected = run_convolution(device(), convolution, signals, filters);
    convolution.method = Method::whole;
    const Values actual = run_convolution(device(), convolution, signals, filters);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::isfinite(actual[i].real()), std::isfinite(expected[i].real())) << i;
      if (std::isfinite(expected[i].real())) {
        ASSERT_LT(std::abs(actual[i] - expected[i]), 1e-5L) << i;
      }
    }
  }
}

}  // namespace
}  // namespace twiddle::test
