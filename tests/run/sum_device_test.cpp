// Convolution plans on devices by direct sums, of all taps or of columns and rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <span>

#include "plan/convolution/lower_sums.hpp"
#include "plan/shape/shape.hpp"
#include "run/compiled_program.hpp"
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

// Results that are there stay, but for those of segments that are not finite.
TEST_F(SumsOnDevice, RepairSegmentsThatAreNotFinite) {
  for (const bool complex : {false, true}) {
    const Convolution convolution{
        .signal_lengths = {900}, .kernel_lengths = {30}, .signals = 2, .filters = 2, .complex = complex};
    SCOPED_TRACE(to_string(convolution));
    constexpr std::size_t segment = 300, line = 929;
    const plan::BankPrograms programs = plan::lower_repairs(convolution, segment);
    const Values signals = random_values(signal_elements(convolution), complex, 1);
    const Values filters = random_values(filter_elements(convolution), complex, 2);
    const Values expected = convolution_reference(convolution, signals, filters);
    const auto spoiled = [](std::size_t i) { return i % line / segment == 1 + i / line % 3; };  // of each line another
    Values given(expected.size(), 7);
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (spoiled(i)) given[i] = std::numeric_limits<float>::quiet_NaN();
    }
    const auto buffer_of = [&](const Values& values) {
      const std::vector<float> numbers = scalars<float>(values, complex);
      Buffer buffer = Buffer::of<float>(device(), numbers.size());
      buffer.write(numbers);
      return buffer;
    };
    const Buffer signal = buffer_of(signals), filter = buffer_of(filters);
    Buffer results = buffer_of(given), taps(device(), programs.spectra_bytes);
    const auto run = [&](plan::Program program, const Buffer& from, Buffer& to) {
      backend::Operands operands;
      operands.input = &from.memory();
      operands.output = &to.memory();
      operands.spectra = &taps.memory();
      run::CompiledProgram(device().engine(), plan::shaped(std::move(program), device().limits()))
          .run(operands, nullptr);
    };
    run(programs.prepare, filter, taps);
    run(programs.apply, signal, results);
    std::vector<float> numbers((complex ? 2 : 1) * expected.size());
    results.read(std::span(numbers));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const LongComplex wanted = spoiled(i) ? expected[i] : LongComplex(7);
      const LongComplex actual = complex ? LongComplex(numbers[2 * i], numbers[2 * i + 1]) : LongComplex(numbers[i]);
      ASSERT_LT(std::abs(actual - wanted), 1e-5L) << i;
    }
  }
}

// Few taps are summed, and columns and rows where the filters allow it.
TEST_F(SumsOnDevice, AreChosenWhereTheyAreCheapest) {
  Convolution convolution{.signal_lengths = {128, 130}, .kernel_lengths = {3, 3}, .mode = Mode::same};
  ConvolutionPlan few(device(), convolution);
  few.set_filters(scalars<float>(random_values(9, false, 2), false));
  EXPECT_NE(few.describe().find("direct"), std::string::npos) << few.describe();
  convolution.method = Method::separable;
  ConvolutionPlan refusing(device(), convolution);
  EXPECT_THROW(refusing.set_filters(scalars<float>(random_values(9, false, 2), false)), InvalidArgument);
}

}  // namespace
}  // namespace twiddle::test
