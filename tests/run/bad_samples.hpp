// What tests of samples that are not finite share: these spoil the results that they touch, and no others.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/convolution_reference.hpp"
#include "support/convolution_run.hpp"
#include "support/device_test.hpp"

namespace twiddle::test {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

inline bool is_finite(const LongComplex& value) { return std::isfinite(value.real()) && std::isfinite(value.imag()); }

class BadSamples : public DeviceTest {
 protected:
  // Samples of several segments, of which neighbours are parts of one transform where they are real; those at the ends
  // stand beyond them as well with most boundaries.
  void expect_touched_results(Convolution convolution, float bad, std::size_t segment = 64) {
    SCOPED_TRACE(fmt::format("{}, {}", to_string(convolution), bad));
    if (convolution.method == Convolution::Method::automatic) {
      convolution.method = Convolution::Method::overlap_save;
      convolution.segment = segment;
    }
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

}  // namespace twiddle::test
