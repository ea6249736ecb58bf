// Samples that are not finite where devices transform through memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bad_samples.hpp"
#include "plan/convolution/convolution_recipe.hpp"
#include "support/sample.hpp"

namespace twiddle::test {
namespace {

using Function = PostProcessing::Function;
using Method = Convolution::Method;
using Mode = Convolution::Mode;

// Transforms through memory make results anew that are not finite, as sums: those of the method of sums, its infinities
// and signs included.
class RepairedResults : public BadSamples {
 protected:
  static Convolution through_memory(Convolution convolution) {
    convolution.method = Method::overlap_save;
    convolution.segment = 10000;
    return convolution;
  }

  static bool same_kind(long double a, long double b) {
    if (std::isfinite(b)) return std::abs(a - b) < 1e-4L * (1 + std::abs(b));
    return std::isnan(b) ? std::isnan(a) : a == b;
  }

  static Convolution by_the_whole(Convolution convolution) {
    convolution.method = Method::whole;
    return convolution;
  }

  // With bad samples at some places of the last signal, and beside clean signals.
  void expect_sums(Convolution convolution, const std::vector<std::size_t>& places) {
    SCOPED_TRACE(fmt::format("{}, {}", to_string(convolution), fmt::join(places, " ")));
    if (convolution.method != Method::whole) {
      ASSERT_GT(plan::make_convolution_recipe(convolution, device().limits()).segments, 2u);
    }
    const bool complex = convolution.complex;
    Values signals = random_values(signal_elements(convolution), complex, 1);
    const Values filters = random_values(filter_elements(convolution), complex, 2);
    const Values clean = run_convolution(device(), convolution, signals, filters);
    const float kinds[] = {infinity, -infinity, no_number};
    const std::size_t last = signal_elements(convolution) / convolution.signals * (convolution.signals - 1);
    for (std::size_t i = 0; i < places.size(); ++i) {
      signals[last + places[i]] = complex ? LongComplex(2, kinds[i % 3]) : LongComplex(kinds[i % 3]);
    }
    const Values actual = run_convolution(device(), convolution, signals, filters);
    convolution.method = Method::direct;
    const Values sums = run_convolution(device(), convolution, signals, filters);
    ASSERT_EQ(actual.size(), sums.size());
    const std::size_t others = actual.size() / convolution.signals * (convolution.signals - 1);
    std::size_t touched = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (i < others) {
        ASSERT_EQ(actual[i], clean[i]) << i;
      }
      ASSERT_TRUE(same_kind(actual[i].real(), sums[i].real()) && same_kind(actual[i].imag(), sums[i].imag()))
          << i << ": " << actual[i] << ", by sums " << sums[i];
      if (!is_finite(actual[i])) ++touched;
    }
    EXPECT_GE(touched, convolution.filters);
    const std::size_t often = convolution.boundary == Boundary::zero ? 1 : 4;  // a sample may stand beyond corners, too
    EXPECT_LE(touched, often * filter_elements(convolution) * places.size());
    EXPECT_LT(touched, actual.size() / 2);
  }
};

TEST_F(RepairedResults, AtTheirBordersAndOfManySignals) {
  for (const bool complex : sampled<bool>({false, true}, 2)) {
    const Convolution convolution{
        .signal_lengths = {30000}, .kernel_lengths = {101}, .signals = 3, .filters = 2, .complex = complex};
    const std::size_t step = plan::make_convolution_recipe(through_memory(convolution), device().limits()).step;
    for (const std::size_t place :
         sampled<std::size_t>({0, step - 101, step - 1, step, step + 1, 2 * step - 50, 29999}, 3)) {
      expect_sums(through_memory(convolution), {place});
    }
    expect_sums(through_memory(convolution), {step - 1, step, step + 7, step + 300, 2 * step + 5000});
  }
}

TEST_F(RepairedResults, InModesAndBeyondTheEnds) {
  for (const bool complex : sampled<bool>({true, false}, 2)) {
    expect_sums(through_memory({.signal_lengths = {30000},
                                .kernel_lengths = {64},
                                .complex = complex,
                                .operation = Convolution::Operation::correlate,
                                .mode = complex ? Mode::same : Mode::valid}),
                {100, 20000});
    const Boundary boundary = complex ? Boundary::periodic : Boundary::reflect;
    expect_touched_results(through_memory({.signal_lengths = {30000},
                                           .kernel_lengths = {101},
                                           .complex = complex,
                                           .mode = Mode::same,
                                           .boundary = boundary}),
                           no_number, 5000);
  }
}

TEST_F(RepairedResults, BeforePostProcessingAndHooks) {
  Convolution convolution = through_memory(
      {.signal_lengths = {30000}, .kernel_lengths = {41}, .filters = 2, .complex = true, .mode = Mode::same});
  convolution.post = {.function = Function::power, .maximum = true, .decimation = 3};
  expect_touched_results(convolution, no_number, 5000);
  convolution.post = {};
  convolution.complex = false;
  convolution.store_hook = neighbour_hook(2, 1);
  expect_touched_results(convolution, infinity, 5000);
}

TEST_F(RepairedResults, InDoublePrecision) {
  if (!device().info().limits.float64) GTEST_SKIP() << "no double precision";
  const Convolution convolution{.signal_lengths = {30000}, .kernel_lengths = {101}, .precision = Precision::float64};
  expect_sums(through_memory(convolution), {0, 15000});
  expect_sums(by_the_whole(convolution), {0, 15000});
}

// Lines of one group and of two passes, with an even and an odd number of results: a real one may be by itself.
TEST_F(RepairedResults, OfWholeLines) {
  for (const bool complex : sampled<bool>({false, true}, 2)) {
    for (const std::size_t length : sampled<std::size_t>({complex ? 70001U : 801U, complex ? 800U : 70000U}, 2)) {
      expect_sums(by_the_whole({.signal_lengths = {length},
                                .kernel_lengths = {30},
                                .signals = 2,
                                .filters = 3,
                                .complex = complex,
                                .mode = Mode::same}),
                  {0, length / 2, length / 2 + 100, length - 1});
    }
  }
}

class RepairedImages : public RepairedResults {
 protected:
  void expect_sums_of_images(bool complex, Mode mode, Boundary boundary) {
    Convolution convolution{.signal_lengths = {40, 51},
                            .kernel_lengths = {3, 5},
                            .signals = 2,
                            .filters = 2,
                            .complex = complex,
                            .mode = mode,
                            .boundary = boundary};
    if (mode == Mode::same) convolution.operation = Convolution::Operation::correlate;
    expect_sums(by_the_whole(convolution), {0, 20 * 51 + 30, 40 * 51 - 1});
  }
};

TEST_F(RepairedImages, InModesAndBeyondTheEnds) {
  expect_sums_of_images(false, Mode::full, Boundary::zero);
  expect_sums_of_images(true, Mode::same, Boundary::periodic);
}

TEST_F(RepairedImages, InOtherModesAndVolumesLong) {
  expect_sums_of_images(true, Mode::full, Boundary::zero);
  expect_sums_of_images(true, Mode::valid, Boundary::zero);
  expect_sums_of_images(false, Mode::same, Boundary::reflect);
  expect_sums_of_images(false, Mode::same, Boundary::nearest);
  expect_sums_of_images(false, Mode::valid, Boundary::periodic);
  expect_sums(by_the_whole({.signal_lengths = {9, 20, 11}, .kernel_lengths = {3, 2, 3}}), {1234});
}

// Columns go through memory there, which results do before them as well.
class RepairedColumns : public RepairedResults {
 protected:
  void SetUp() override {
    RepairedResults::SetUp();
    if (!IsSkipped()) open_device(device_under_test() + "@small");
  }
};

TEST_F(RepairedColumns, OfImages) {
  for (const bool complex : sampled<bool>({false, true}, 2)) {
    expect_sums(
        by_the_whole({.signal_lengths = {1022, 28}, .kernel_lengths = {3, 5}, .filters = 3, .complex = complex}),
        {0, 500 * 28 + 10, 1022 * 28 - 1});
  }
}

TEST_F(RepairedResults, OfImagesBeforePostProcessing) {
  Convolution convolution = by_the_whole(
      {.signal_lengths = {30, 40}, .kernel_lengths = {3, 3}, .filters = 2, .complex = true, .mode = Mode::same});
  Values signals = random_values(signal_elements(convolution), true, 1);
  const Values filters = random_values(filter_elements(convolution), true, 2);
  convolution.post.function = Function::derivative;
  signals[15 * 40 + 20] = no_number;
  const Values actual = run_convolution(device(), convolution, signals, filters);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const std::size_t row = i / 40 % 30, column = i % 40;
    const bool touched = row >= 14 && row <= 16 && column >= 18 && column <= 22;
    EXPECT_EQ(is_finite(actual[i]), !touched) << i;
  }
}

}  // namespace
}  // namespace twiddle::test
